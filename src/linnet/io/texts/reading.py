"""Read labelled text from any source, whole or in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linnet.errors import DataError, UsageError
from linnet.io.bytes.source import Source
from linnet.io.formats import Path, paths_of
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset, join, rebatch
from linnet.io.texts.registry import FORMATS, choose


def read(
    source: Path | Sequence[Path],
    *,
    format: str | None = None,
    text_col: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    least_labels: int = 2,
    several: bool = False,
    separator: str | None = None,
) -> Dataset:
    """Read one path, several, a folder, or "-" for stdin.

    `labelled` demands a label in every row, and at least `least_labels` different ones; without it, labels are read if
    they are there. With `several` a row has any number of labels: in a list, or in a string with `separator` (a comma) between
    them. `format` and the columns are guessed when they are not given.
    """
    parts = read_batches(
        source,
        format=format,
        text_col=text_col,
        label_col=label_col,
        labelled=labelled,
        several=several,
        separator=separator,
    )
    dataset = join(list(parts))
    if labelled and least_labels > 1:
        _check_two_labels(dataset)
    return dataset


def read_batches(
    source: Path | Sequence[Path],
    *,
    format: str | None = None,
    text_col: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    batch_bytes: int = 32 << 20,
    several: bool = False,
    separator: str | None = None,
) -> Iterator[Dataset]:
    """Yield the rows that `read` gives, in order, in batches of about `batch_bytes`, and never the whole file at once."""
    paths = paths_of(source)
    if batch_bytes < 1:
        raise UsageError(f"expected batch_bytes of at least 1, found {batch_bytes}.")
    if format is not None:
        FORMATS.named(format)
    request = Request(text_col, label_col, labelled, batch_bytes, several, separator)
    parts = (part for path in paths for part in _read_one(path, format, request))
    return rebatch(parts, batch_bytes)


def _read_one(path: str, format: str | None, request: Request) -> Iterator[Dataset]:
    with Source(path) as source:
        if not source.is_folder and not source.head():
            raise DataError("the file is empty. Expected rows with a text and a label.", source.name)
        reader = choose(source, format, request.labelled)
        if not reader.has_columns and (request.text_col is not None or request.label_col is not None):
            message = f"'{source.name}' has format '{reader.name}', which has no columns. Leave out the column names."
            raise UsageError(message)
        found = False
        for part in reader.read(source, request):
            found = True
            yield part
        if not found:
            raise DataError(reader.empty, source.name)


def _check_two_labels(dataset: Dataset) -> None:
    if dataset.labels is None:
        return
    first = dataset.labels[0].as_py()
    if all(label == first for chunk in dataset.labels.chunks for label in chunk.to_pylist()):
        message = f"every row has the label '{first}'; learning needs at least two. Add rows with another label."
        raise DataError(message, dataset.source)
