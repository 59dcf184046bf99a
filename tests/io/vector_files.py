"""Files of word vectors as GloVe, word2vec and fastText write them."""

import struct

import numpy as np


def glove(words, table):
    rows = (" ".join([word, *map(repr, row.tolist())]) + "\n" for word, row in zip(words, table, strict=True))
    return "".join(rows).encode()


def word2vec_text(words, table):
    return b"%d %d\n" % table.shape + glove(words, table)


def fasttext_vec(words, table):
    return word2vec_text(words, table).replace(b"\n", b" \n").replace(b" \n", b"\n", 1)


def word2vec_binary(words, table, end=b"\n"):
    rows = (w.encode() + b" " + r.astype("<f4").tobytes() + end for w, r in zip(words, table, strict=True))
    return b"%d %d\n" % table.shape + b"".join(rows)


def fasttext_binary(words, rows, buckets=0, least=0, most=0, *, version=12, n_left=-1, quantised=False):
    """A model whose table has a row for each word, and then one for each bucket."""
    arguments = struct.pack("<12id", rows.shape[1], 5, 5, 1, 5, 1, 2, 2, buckets, least, most, 100, 1e-4)
    counts = struct.pack("<3i2q", len(words), len(words), 0, 1000, n_left)
    entries = b"".join(w.encode() + b"\0" + struct.pack("<qb", 9, 0) for w in words)
    table = struct.pack("<?2q", quantised, *rows.shape) + rows.astype("<f4").tobytes()
    return struct.pack("<ii", 793712314, version) + arguments + counts + entries + table


def buckets_of(word, least, most, n):
    """The buckets of the n-grams of a word, by the definition: FNV-1a over bytes with a sign."""
    found, letters = [], f"<{word}>"
    for i in range(len(letters)):
        for size in range(least, most + 1):
            gram = letters[i : i + size]
            if len(gram) < size or gram in ("<", ">"):
                continue
            h = 2166136261
            for byte in gram.encode():
                h = ((h ^ (byte if byte < 128 else byte - 256) % 2**32) * 16777619) % 2**32
            found.append(h % n)
    return found


WORDS = ["the", "film", "été", "fine"]
TABLE = np.random.default_rng(4).normal(size=(4, 5)).astype(np.float32)
