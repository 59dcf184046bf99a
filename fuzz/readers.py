"""Fuzzing of the readers: good files of every format are changed, and read; some are learned from.

    python fuzz/readers.py [--seconds 60] [--inputs N] [--kind csv] [--workers 2]
    python fuzz/readers.py --again csv 1234        one input once more, in this process, with its traceback

Whatever a file holds, it is read, or refused with a sentence (LinnetError).
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
from json_changes import change_tree  # noqa: E402
from mutation import mutated  # noqa: E402

ROWS = [
    ("a fine film, really", "pos"),
    ('he said "no" | and left', "neg"),
    ("déjà vu; 大丈夫", "pos"),
    ("well\nwell", "neg"),
] * 2
TABLE = "text,label,n\n" + "".join('"{}",{},{}\n'.format(t.replace('"', '""'), y, i) for i, (t, y) in enumerate(ROWS))
JSON = [{"text": text, "label": label, "n": i, "x": None} for i, (text, label) in enumerate(ROWS)]
CONLL = "-DOCSTART- O\n\nAnn B-PER\nLee I-PER\nsaw O\nRome B-LOC\n\nit O\nwas O\n\n"
CONLLU = (
    "# text = the dog barks\n1\tthe\tthe\tDET\tDT\tA=b\t2\tdet\t_\t_\n2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tbarks\tbark\tVERB\tVB\t_\t0\troot\t_\t_\n3.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
) * 2
SENTENCES = [{"tokens": ["the", "dog"], "tags": ["DT", "NN"]}, {"text": "Ann saw Rome", "spans": [[0, 3, "PER"]]}]
PAIRS = [{"source": ["das", "haus"], "target": ["the", "house"], "sure": [[0, 0], [1, 1]], "possible": [[0, 1]]}] * 2
LISTS = [{"source": "x", "candidates": [{"text": "a b", "cost": 1, "score": 2.5}, {"text": "b", "cost": 0}]}] * 2
WEIGHTS = {"features": "words:1-2", "labels": ["neg", "pos"], "weights": {"pos": {"bias": 0.1, "fine": 2.5}}}


def _lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode("utf-8", "surrogatepass")


def _arrow(name: str, columns: Sequence[Any]) -> bytes:
    """A file of Arrow or Parquet of a column of texts, one of labels and one of numbers."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    table, sink = pa.table(dict(zip(["text", "label", "n"], columns, strict=True))), io.BytesIO()
    (parquet.write_table if name == "parquet" else feather.write_feather)(table, sink)
    return sink.getvalue()


@cache
def seeds() -> dict[str, bytes]:
    """A good file of each kind; the name of a kind is its extension, and perhaps what tells it from others of that one."""
    table, columns = TABLE.encode(), [*zip(*ROWS, strict=True), range(8)]
    return {
        "csv": table,
        "tsv": TABLE.replace(",", "\t").encode(),
        "csv.gz": gzip.compress(table, mtime=0),
        "utf16.csv": TABLE.encode("utf-16"),
        "western.csv": "text,label\nle café,pos\nà été,neg\n".encode("cp1252"),
        "jsonl": _lines(JSON),
        "parquet": _arrow("parquet", columns),
        "arrow": _arrow("arrow", columns),
        "fasttext.txt": "".join(f"__label__{y} {t.split()[0]}\n" for t, y in ROWS).encode(),
        "lines.txt": b"a fine film\nanother line of text.\n\nthe end\n",
        "conll": CONLL.encode(),
        "conllu": CONLLU.encode(),
        "mrg": b"( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks) (NP (-NONE- *)))) )\n(S (NP (PRP it)) (VP (VBZ is)))\n",
        "sentences.jsonl": _lines(SENTENCES),
        "pairs.jsonl": _lines(PAIRS),
        "bitext": b"das haus ||| the house ||| 0-0 1?1\nein ||| a ||| 0-0\n",
        "lists.jsonl": _lines(LISTS),
        "nbest": b"0 ||| a b ||| LM= -1.5 TM= 0.2 0.3 ||| -2.5\n0 ||| b ||| LM= -2 TM= 0.1 0.4 ||| -3\n",
        "weights.json": json.dumps(WEIGHTS).encode(),
        "weights.csv": b"feature,neg,pos\nbias,,0.1\nfine,,2.5\n",
        "costs.csv": b"ham,spam,3\nspam,ham,1.5\n",
        "prose.txt": "Mr. Smith didn't pay $1,000.50... “Hi!” he said. 東京。See http://a.b/c?d=1.\n\nMore?".encode(),
    }


def _of_sentences(path: Path) -> object:
    from linnet import io as readers

    return readers.read_sentences(path, label_col="tree") if path.suffix == ".mrg" else readers.read_sentences(path)


def _prose(path: Path) -> object:
    from linnet.tasks.sentences.prose import from_text, prose_batches

    return [from_text(texts) for texts in prose_batches(path, {})]


def reader(kind: str) -> Callable[[Path], object]:
    """What reads files of a kind."""
    from linnet import io as readers
    from linnet.io.pairs.formats import read_pairs
    from linnet.io.typed_weights import read_weights
    from linnet.tasks.texts.costs import read_costs

    special: dict[str, Callable[[Path], object]] = {
        "conll": _of_sentences,
        "conllu": lambda path: readers.read_sentences(path, label_col="upos"),
        "mrg": _of_sentences,
        "sentences.jsonl": _of_sentences,
        "pairs.jsonl": read_pairs,
        "bitext": read_pairs,
        "lists.jsonl": readers.read_lists,
        "nbest": readers.read_lists,
        "weights.json": read_weights,
        "weights.csv": read_weights,
        "costs.csv": read_costs,
        "prose.txt": _prose,
        "lines.txt": lambda path: readers.read(path, labelled=False, format="lines"),
    }
    return special.get(kind, readers.read)


def made(kind: str, random: Random) -> bytes:
    """The bytes of an input: those of a good file with changes, or a whole file whose content has changes."""
    if random.random() < 0.5:
        if kind == "csv.gz":
            return gzip.compress(mutated(TABLE.encode(), random, list(seeds().values())), 1, mtime=0)
        if kind in ("parquet", "arrow"):
            return _arrow(kind, [_column(random) for _ in range(3)])
        if kind.endswith(("json", "jsonl")):
            rows = [json.loads(line) for line in seeds()[kind].splitlines()]
            for _ in range(random.choice([1, 1, 2])):
                change_tree(random.choice(rows), random)
            return _lines(rows)
    return mutated(seeds()[kind], random, list(seeds().values()))


def _column(random: Random) -> Any:
    """A column of eight values of any type that Arrow has, some of them missing."""
    import pyarrow as pa

    texts = [mutated(text.encode(), random).decode("utf-8", "replace") for text, _ in ROWS]
    values: list[Any] = [None if random.random() < 0.05 else text for text in texts]
    kind = random.randrange(12)
    if kind < 4:
        return pa.array(values, random.choice([pa.string(), pa.large_string(), pa.binary(), pa.string_view()]))
    if kind == 4:
        return pa.array(values).dictionary_encode()
    if kind == 5:
        return pa.array([None if value is None else [value, None] for value in values])
    if kind == 6:
        return pa.array([{"a": value} for value in values])
    if kind == 7:
        return pa.nulls(8)
    number = [random.choice([None, 0, 1, -1, 2**31, 2**53, 10**9]) for _ in range(8)]
    return pa.array(
        number, random.choice([pa.int64(), pa.float64(), pa.timestamp("s"), pa.duration("s"), pa.decimal128(20, 0)])
    )


def prepare(folder: Path, kinds: list[str]) -> None:
    """Nothing is needed: the seeds are in this file."""


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: `refused`, or `answered`. One in sixteen is learned from."""
    import linnet
    from linnet.errors import LinnetError

    random = Random(f"{kind} {number}")
    path = file.parent / f"input.{kind}"
    path.write_bytes(made(kind, random))
    try:
        if number % 16 == 0 and not kind.startswith(("weights", "costs")):
            linnet.train(path, epochs=1, estimate=False)
        else:
            reader(kind)(path)
    except LinnetError:
        return "refused"
    return "answered"


TARGET = driving.Target(__file__, list(seeds()), prepare, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
