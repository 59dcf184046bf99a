"""Read labelled text from any source, whole or in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Unpack

import numpy as np

from linnet.core.arrow import string_bytes
from linnet.core.room import Room
from linnet.errors import DataError, UsageError
from linnet.io.bytes.binary_files import is_excel, refuse_binary, refuse_markup
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions, Path, paths_of, tell, unheard
from linnet.io.sentences.detection import shows_sentences
from linnet.io.texts.contract import Reader, Request
from linnet.io.texts.dataset import Dataset, ReadFile, join, rebatch
from linnet.io.texts.registry import FORMATS, TYPED, choose
from linnet.limits import MB, TEXT

_AT_A_TIME = 32 << 20
"""About how many bytes a batch has."""
_KEPT_AT_A_TIME = 4 << 20
"""About how many bytes a batch has where texts that are too many for memory go into a file, batch by batch."""


def read(
    source: Path | Sequence[Path],
    *,
    text_col: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    least_labels: int = 2,
    several: bool = False,
    separator: str | None = None,
    text_names: Sequence[str] = (),
    label_names: Sequence[str] = (),
    needs_text: bool = True,
    number_lists: Sequence[str] = (),
    may_lack: bool = False,
    room: Room | None = None,
    **how: Unpack[FileOptions],
) -> Dataset:
    """Read one path, several, a folder, or "-" for stdin.

    With `labelled`, rows without a label are left out, and there must be two different labels, or one if `least_labels`
    is 1. Without it, labels are read if they are there. With `several`, a row has any number of labels, in a list, or
    in a string with `separator` (a comma) between them. The columns are `text_col` and `label_col`, or else the first
    of `text_names` and `label_names` that the file has, or else those with usual names such as text and label. At most
    half of the rows may be without a label; with `may_lack`, any number. Without `needs_text` a table need have no
    column of text, and none is taken for it unless `text_col` names it. Columns of lists of numbers are left out,
    except those that `number_lists` names.

    `room` says where texts are kept that are more than memory holds; without it, all are kept in memory. `how` has the
    format, the encoding and the delimiter, each of which is otherwise found out from the file, and `note`, a function
    that is told what was found out.
    """
    parts = read_batches(
        source,
        text_col=text_col,
        label_col=label_col,
        labelled=labelled,
        several=several,
        separator=separator,
        text_names=text_names,
        label_names=label_names,
        needs_text=needs_text,
        number_lists=number_lists,
        may_lack=may_lack,
        batch_bytes=_AT_A_TIME if room is None else _KEPT_AT_A_TIME,
        **how,
    )
    if room is None:
        dataset = join(list(parts))
    else:
        from linnet.io.texts.on_disk import kept  # not imported by programs that only predict

        dataset = join(kept(parts, room))
    if labelled and least_labels > 1:
        _check_two_labels(dataset, room)
    return dataset


def read_batches(
    source: Path | Sequence[Path],
    *,
    text_col: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    batch_bytes: int = _AT_A_TIME,
    several: bool = False,
    separator: str | None = None,
    text_names: Sequence[str] = (),
    label_names: Sequence[str] = (),
    needs_text: bool = True,
    number_lists: Sequence[str] = (),
    may_lack: bool = False,
    live: bool = False,
    **how: Unpack[FileOptions],
) -> Iterator[Dataset]:
    """Yield the rows that `read` gives, in order, in batches of about `batch_bytes`, and never the whole file at once.

    live: whether stdin and pipes are read as their bytes come in, since they may never end. A batch then has what has
        come in so far, however little. Without `live`, they are first read to their end.
    """
    paths = paths_of(source)
    if batch_bytes < 1:
        raise UsageError(f"expected batch_bytes of at least 1, found {batch_bytes}.")
    format, delimiter = how.get("format"), how.get("delimiter")
    if format is not None:
        FORMATS.named(format)
    if delimiter is not None:
        from linnet.io.texts.delimiters import delimiter_of

        delimiter = delimiter_of(delimiter)
    request = Request(
        text_col,
        label_col,
        labelled,
        batch_bytes,
        several,
        separator,
        tuple(text_names),
        tuple(label_names),
        how.get("encoding"),
        delimiter,
        needs_text,
        tuple(number_lists),
        how.get("note") or unheard,
        may_lack,
    )
    parts = (part for path in paths for part in _read_one(path, format, request, live))
    return parts if live else rebatch(parts, batch_bytes)


def _read_one(path: str, format: str | None, request: Request, live: bool) -> Iterator[Dataset]:
    with Source(path, request.encoding, live=live) as source:
        if not source.is_folder and not source.start():
            what = "a text and a label" if request.needs_label else "a text"
            raise DataError(f"the file is empty. Expected rows with {what}.", source.name)
        if not source.is_folder:
            _refuse_other_kinds(source, format, request)
        reader = choose(source, format, request)
        _check(reader, source, request)
        if reader.name not in TYPED:
            tell(source, request.note)
        where = partial(_place, reader, source, request)
        parts = _bounded(reader.read(source, request), source.name, where)
        if request.needs_label:
            from linnet.io.texts.missing_labels import labelled_rows  # not imported by programs that only predict

            parts = labelled_rows(parts, source.name, where, request.note, request.may_lack)
        files = (ReadFile(path, source.name, format, request.encoding, request.delimiter),)
        found = False
        for part in parts:
            found = True
            yield replace(part, files=files)
        if not found:
            raise DataError(reader.empty, source.name)


def _bounded(parts: Iterator[Dataset], name: str, where: Callable[[int], str]) -> Iterator[Dataset]:
    """The parts, as long as no text in them is too long. where: says where a row is, counted from 0."""
    n = 0
    for part in parts:
        if part.text.nbytes > TEXT.most:
            sizes = np.concatenate([np.diff(string_bytes(chunk)[0]) for chunk in part.text.chunks])
            long = np.flatnonzero(sizes > TEXT.most)
            if len(long):
                row = int(long[0])
                if row:
                    yield part.take(np.arange(row))
                found = f"the text on {where(n + row)} has {(sizes[row] + MB - 1) // MB:,} MB"
                raise DataError(f"{found}, at most {TEXT.shown} can be read. Split it.", name)
        n += len(part)
        yield part


def _refuse_other_kinds(source: Source, format: str | None, request: Request) -> None:
    """Raise DataError for a file of another kind: a binary file and, unless the user names the format, markup, tokens
    or trees."""
    name = FORMATS.extensions.get(source.extension) if format is None else FORMATS.named(format).name
    if name in TYPED:
        return
    if not is_excel(source.start()):
        refuse_binary(source)
    if format is not None:
        return
    refuse_markup(source)
    if request.delimiter is None and shows_sentences(source):
        raise DataError(
            "holds a token on each line, or trees, but texts are expected. Give a table, or a file with one text a line; if "
            "this is one, pass --format lines.",
            source.name,
        )


def _check(reader: Reader, source: Source, request: Request) -> None:
    """Raise UsageError for what a format does not have: columns, a delimiter, an encoding."""
    asked = {
        "columns": (reader.has_columns, request.text_col or request.label_col, "the column names"),
        "delimiter": (request.delimiter is None or _has_delimiter(reader), request.delimiter, "--delimiter"),
        "encoding": (reader.name not in TYPED, request.encoding, "--encoding"),
    }
    for what, (has, said, option) in asked.items():
        if said is not None and not has:
            raise UsageError(f"'{source.name}' has format '{reader.name}', which has no {what}. Leave out {option}.")


def _has_delimiter(reader: Reader) -> bool:
    from linnet.io.texts.delimited import Delimited

    return isinstance(reader, Delimited)


def _place(reader: Reader, source: Source, request: Request, row: int) -> str:
    """Where row `row` of a file is, counted from 0, for a message: its line, or its number from 1 in a format without
    lines."""
    from linnet.io.texts.line_of_value import Lined

    if source.is_live or not isinstance(reader, Lined):
        return f"row {row + 1}"
    line, _ = next(islice(reader.lines(source, request), row, None))
    return f"line {line}"


def _check_two_labels(dataset: Dataset, room: Room | None) -> None:
    if dataset.labels is None:
        return
    first = dataset.labels[0].as_py()
    if all(label == first for label in dataset.each_label(room=room)):
        message = f"every row has the label '{first}'; learning needs at least two. Add rows with another label."
        raise DataError(message, dataset.source)
