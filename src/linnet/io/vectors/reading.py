"""Read word vectors in any format. The first bytes of a file tell its format, and not its name."""

from __future__ import annotations

from collections.abc import Collection

from linnet.io.bytes.binary_files import refuse_binary
from linnet.io.bytes.source import Source
from linnet.io.vectors.fasttext_binary import MAGIC, read_fasttext
from linnet.io.vectors.kept_words import Kept, WordVectors
from linnet.io.vectors.text_file import header_of, read_text
from linnet.io.vectors.word2vec_binary import read_binary

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v"))
"""Bytes that are in no text. Binary numbers soon have one, which tells a binary file of word2vec from text."""


def read_vectors(path: str, *, first: int, needed: Collection[str] = ()) -> WordVectors:
    """Read the first `first` words of a file, which are the most frequent ones, and all words in `needed`, with their
    vectors. The file may be compressed. Needed words that a model of fastText does not list get the vectors of their
    n-grams.

    The file is text of GloVe, word2vec or fastText (.vec), or a binary file of word2vec or fastText (.bin).
    """
    with Source(path, "utf-8") as source:
        refuse_binary(source)
        start = source.start()
        kept = Kept(source.name, first, needed)
        if start.startswith(MAGIC):
            return read_fasttext(source, kept)
        line, _, rest = start.partition(b"\n")
        if header_of(line) is not None and rest.translate(None, _CONTROLS) != rest:
            read_binary(source, kept)
        else:
            read_text(source, kept)
        return kept.found()
