"""JSON lines: one object a line. The first object says which columns there are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from linnet.core.arrow import large_strings, plain_array
from linnet.core.json_lines import n_objects
from linnet.core.json_rows import AlikeObjects
from linnet.core.threads import ahead
from linnet.errors import DataError
from linnet.io.bytes.byte_counts import is_utf8
from linnet.io.bytes.encoding import BOM, check
from linnet.io.bytes.faults import Where, encoded, good_first
from linnet.io.bytes.line_blocks import Block, blocks
from linnet.io.bytes.source import Source
from linnet.io.texts.careful_fallback import DOUBTFUL, DoubtError
from linnet.io.texts.columns import Columns, find, listed
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset, no_texts
from linnet.io.texts.labels import label_sets, label_strings

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
_INT64 = 1 << 63
"""Integers from -2^63 to 2^63 - 1 fit into a column of Arrow."""
_BLOCK = 1 << 20
_SAMPLE = 50
"""The number of objects from which a message suggests columns."""


class JsonLines:
    name = "jsonl"
    description = "JSON lines: one object a line, with the keys text and label"
    extensions = (".jsonl", ".ndjson", ".json")
    has_columns = True
    empty = "the file holds only blank lines. Expected one JSON object a line."

    def sniff(self, head: bytes, request: Request) -> bool:
        head = head.lstrip()
        is_object = head[:1] == b"{" and head[1:].lstrip()[:1] in (b'"', b"}", b"")
        return is_object or _is_array(head)

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        lines = _Lines(source.name, request)
        with source.open() as stream:
            found = (block for block in blocks(stream, request.batch_bytes) if not block.data.isspace())
            if source.is_live:  # Threads would read ahead, so that what has come in would wait for what comes next.
                for block in found:
                    yield from lines.parts(block)
                return
            # The first block shows the kinds of the values. With these, threads can parse the others, unless its objects
            # are alike: to read such a block takes no longer than to hand it to a thread.
            for first in islice(found, 1):
                yield from lines.parts(first)
                for block, parsed in ahead(lines.parsed, found, 1 if lines.are_alike(first) else None):
                    yield from lines.parts(block, parsed)

    def lines(self, source: Source, request: Request) -> Iterator[tuple[int, dict[str, object]]]:
        with source.open() as stream:
            for block in blocks(stream, _BLOCK):
                yield from _objects(block, source.name)


_Parsed: TypeAlias = tuple[Mapping[str, pa.DataType], pa.Table | None]
"""The kinds of values that were known when a block was parsed, and its table, or None where the table may be wrong."""


class _Lines:
    """A reader of the blocks of one file. It keeps the kinds of values that each column has had so far. A block with
    other kinds is read carefully, and its kinds are those of the blocks that follow."""

    def __init__(self, name: str, request: Request) -> None:
        self._name = name
        self._request = request
        self._columns: Columns | None = None
        self._names: list[str] = []
        self._keys: list[str] = []
        self._kinds: dict[str, pa.DataType] = {}
        self._alike: AlikeObjects | None = None
        self._label_kinds = (*_LABEL_KINDS, _LISTS) if request.several else _LABEL_KINDS

    def parsed(self, block: Block) -> tuple[Block, _Parsed | None]:
        """The block, and what the fast readers make of it with the kinds of values that are known now; None in its
        place where none are known. Several threads may call this at once; only `read` changes the kinds."""
        kinds = self._kinds
        return block, (kinds, _vouched(block, kinds, self._alike)) if kinds else None

    def are_alike(self, block: Block) -> bool:
        """Whether the objects of a block have the same keys in the same order, with strings and whole numbers only, so
        that the fastest reader can read them."""
        return self._alike is not None and self._alike.columns(block.data, _n_lines(block)) is not None

    def parts(self, block: Block, parsed: _Parsed | None = None) -> Iterator[Dataset]:
        """What `read` gives. Where a line is wrong, the rows before it come before the error."""
        yield from good_first(lambda some: self.read(some, parsed if some is block else None), block, by_line=True)

    def read(self, block: Block, parsed: _Parsed | None = None) -> Dataset:
        """The rows of a block; `parsed` is what the method of that name has made of it, or None. It is called for all
        blocks of a file, in their order."""
        if self._columns is None:
            objects = _objects(block, self._name)
            number, first = next(objects)
            for name in first:
                _Where(self._name, number).encoded(name, name)
            self._columns = find(
                list(first),
                self._request,
                self._name,
                number,
                lambda: _sample(_until_fault(_objects(block, self._name)), list(first)),
            )
            self._names = [name for name in first if name not in (self._columns.text, self._columns.label)]
            self._keys = list(first)
            self._learn_kinds(_until_known(first, self._names, _until_fault(objects)), self._columns)
            self._tell_of_nested(first)
        try:
            return self._fast(block, self._columns, parsed)
        except DOUBTFUL:
            return self._careful(block, self._columns)

    def _learn_kinds(self, objects: Sequence[Mapping[str, object]], columns: Columns) -> None:
        """Keep the kind of values that each column has in these objects, or had before where they have none. Columns of
        nested or mixed values have no kind, and are left out."""
        names = [*self._names] if columns.label is None else [columns.label, *self._names]
        kinds = {} if columns.text is None else {columns.text: pa.large_string()}
        for name in names:
            values = [found for values in objects if (found := values.get(name)) is not None]
            if self._request.wants_numbers(name):
                kinds[name] = _NUMBERS
                continue
            kind = _kind(values) if values else self._kinds.get(name)
            if name == columns.label and kind is None and _are_lists(values):
                kind = _LISTS
            if kind is not None:
                kinds[name] = kind
        self._kinds, self._alike = kinds, _alike(self._keys, kinds)

    def _tell_of_nested(self, first: Mapping[str, object]) -> None:
        """Tell the user which columns a table of predictions will lack: those of lists and objects, which do not fit
        into its cells."""
        left = [name for name in self._names if not self._request.wants_numbers(name)]
        nested = [name for name in left if isinstance(first[name], list | dict)]
        if nested and not self._request.labelled:
            columns = "the column" if len(nested) == 1 else "the columns"
            hold = "holds" if len(nested) == 1 else "hold"
            self._request.note(f"{self._name}: left out {columns} {listed(nested)}, which {hold} lists or objects")

    def _fast(self, block: Block, columns: Columns, parsed: _Parsed | None) -> Dataset:
        if columns.label is not None and self._kinds.get(columns.label) not in self._label_kinds:
            raise DoubtError("labels of several kinds, or floats")
        known, table = (None, None) if parsed is None else parsed
        if known is not self._kinds:  # The kinds have changed since the block was parsed.
            table = _vouched(block, self._kinds, self._alike)
        if table is None:
            raise DoubtError("pyarrow cannot read it, or not as it stands")
        text = no_texts(table.num_rows) if columns.text is None else table.column(columns.text)
        labels = None if columns.label is None else table.column(columns.label)
        if labels is not None:
            if labels.null_count:
                raise DoubtError("a label is missing")
            labels = self._labels(labels.to_pylist()) if self._request.several else _strings(labels)
        if text.null_count:
            raise DoubtError("a text is missing")
        others = table.select([name for name in self._names if name in self._kinds])
        return self._dataset(text, labels, others, columns)

    def _careful(self, block: Block, columns: Columns) -> Dataset:
        objects = []
        texts = []
        for number, values in _objects(block, self._name):
            where = _Where(self._name, number)
            texts.append(b"" if columns.text is None else where.text(values, columns.text))
            if columns.label is not None:
                where.check_label(values, columns.label, self._request)
            for name in self._names:
                if self._request.wants_numbers(name):
                    where.check_numbers(values.get(name), name)
            objects.append(values)
        self._learn_kinds(objects, columns)
        labels = None
        if columns.label is not None:
            labels = self._labels([values.get(columns.label) for values in objects])
        kept = [name for name in self._names if name in self._kinds]
        arrays = [plain_array([values.get(name) for values in objects], self._kinds[name]) for name in kept]
        others = pa.Table.from_arrays(arrays, names=kept)
        return self._dataset(pa.chunked_array([large_strings(texts)]), labels, others, columns)

    def _labels(self, values: list[object]) -> pa.ChunkedArray:
        several = self._request.several
        return pa.chunked_array([label_sets(values, self._request.separator) if several else label_strings(values)])

    def _dataset(
        self, text: pa.ChunkedArray, labels: pa.ChunkedArray | None, others: pa.Table, columns: Columns
    ) -> Dataset:
        others = others if others.num_columns else None
        return Dataset(text, labels, others, self._name, columns.text, columns.label)


class _Where(NamedTuple):
    """The object on one line, and the errors for what can be wrong with its values."""

    name: str
    line: int

    def text(self, values: Mapping[str, object], key: str) -> bytes:
        text = self._value(values, key)
        if text is None:
            return b""
        if not isinstance(text, str):
            shown = json.dumps(text, ensure_ascii=False)
            shown = shown if len(shown) <= 40 else f"{shown[:40]}..."
            message = f"expected a string under '{key}', found {_KINDS[type(text)]}: {shown}. Put the text in quotes."
            raise DataError(message, self.name, self.line)
        return self.encoded(text, key)

    def check_label(self, values: Mapping[str, object], key: str, request: Request) -> None:
        if not request.labelled and key not in values:
            return
        label = self._value(values, key)
        if request.several and isinstance(label, list):
            for one in label:
                self.check_label({key: one}, key, request._replace(several=False))
            return
        if isinstance(label, (list, dict)):
            advice = " Several labels for one text need --task labelset." if isinstance(label, list) else ""
            message = f"expected one label under '{key}', found {_KINDS[type(label)]}.{advice}"
            raise DataError(message, self.name, self.line)
        if isinstance(label, str):
            self.encoded(label, key)

    def check_numbers(self, value: object, key: str) -> None:
        if value is not None and not (isinstance(value, list) and all(map(_is_number, value))):
            shown = json.dumps(value, ensure_ascii=False)
            message = f"expected a list of numbers under '{key}', found {shown:.40}. Write [0.12, -0.3, ...]."
            raise DataError(message, self.name, self.line)

    def _value(self, values: Mapping[str, object], key: str) -> object:
        if key not in values:
            message = (
                f"expected the key '{key}', found {listed(list(values)) or 'no key'}. Give every line the same keys."
            )
            raise DataError(message, self.name, self.line)
        return values[key]

    def encoded(self, value: str, key: str) -> bytes:
        return encoded([value], key, Where(self.name, self.line))[0]


def _kind(values: Sequence[object]) -> pa.DataType | None:
    """The Arrow type of plain values; None when they are nested, mixed, or too large."""
    types = set(map(type, values))
    if types == {str}:
        return pa.large_string()
    if types == {bool}:
        return pa.bool_()
    if types <= {int, float} and all(-_INT64 <= value < _INT64 for value in values if isinstance(value, int)):
        return pa.int64() if types == {int} else pa.float64()
    return None


def _until_known(
    first: dict[str, object], names: Sequence[str], others: Iterator[tuple[int, dict[str, object]]]
) -> list[dict[str, object]]:
    """The first object, followed by objects in which names that are null there have their first other value. The kinds
    of all columns can be told from these."""
    objects, unknown = [first], {name for name in names if first[name] is None}
    while unknown and (following := next(others, None)) is not None:
        found = {name for name in unknown if following[1].get(name) is not None}
        if found:
            objects.append({name: following[1][name] for name in found})
            unknown -= found
    return objects


def _sample(objects: Iterator[tuple[int, dict[str, object]]], names: Sequence[str]) -> list[list[object]]:
    """The values of the first objects, for a message that suggests columns."""
    return [[values.get(name) for name in names] for _, values in islice(objects, _SAMPLE)]


def _are_lists(values: Sequence[object]) -> bool:
    return all(isinstance(value, list) and all(isinstance(one, str) for one in value) for value in values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_LISTS = pa.list_(pa.large_string())
_NUMBERS = pa.list_(pa.float64())
_LABEL_KINDS = (pa.large_string(), pa.int64(), pa.bool_())


def _alike(keys: Sequence[str], kinds: Mapping[str, pa.DataType]) -> AlikeObjects | None:
    """The fast reader of objects that have these keys in this order; None where the values of a key are neither strings
    nor whole numbers."""
    if not all(kinds.get(key) in (pa.large_string(), pa.int64()) for key in keys):
        return None
    written = (json.dumps(key, ensure_ascii=False).encode() for key in keys)
    return AlikeObjects(written, (kinds[key] == pa.large_string() for key in keys), list(map(keys.index, kinds)))


def _vouched(block: Block, kinds: Mapping[str, pa.DataType], alike: AlikeObjects | None) -> pa.Table | None:
    """The table of a block, whose columns have these kinds; None where the fast readers cannot read it, or may read it
    wrongly."""
    if not is_utf8(block.data) or block.data.startswith(BOM):
        return None  # pyarrow would silently skip a byte order mark.
    columns = None if alike is None else alike.columns(block.data, _n_lines(block))
    if columns is not None:
        return pa.Table.from_arrays(columns, names=list(kinds))
    n = n_objects(block.data)
    if n < 0:
        return None
    try:
        table = _parse(block.data, kinds)
    except DOUBTFUL:
        return None
    return table if table.num_rows == n else None


def _n_lines(block: Block) -> int:
    return block.newlines + (not block.data.endswith(b"\n"))


def _parse(data: bytes, kinds: Mapping[str, pa.DataType]) -> pa.Table:
    """Parse a whole block on one thread. Each thread parses a block of its own (`ahead`), which is faster than sharing
    one."""
    from pyarrow import json as arrow_json

    return arrow_json.read_json(
        pa.BufferReader(data),
        read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(data)),
        parse_options=arrow_json.ParseOptions(
            explicit_schema=pa.schema(list(kinds.items())), unexpected_field_behavior="ignore"
        ),
    )


def _strings(labels: pa.ChunkedArray) -> pa.ChunkedArray:
    if labels.type == pa.large_string():
        return labels
    return pa.chunked_array([label_strings(chunk.to_pylist()) for chunk in labels.chunks], type=pa.large_string())


def _objects(block: Block, name: str) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield (line, object) for every line that is not blank."""
    for number, raw in block.numbered():
        check(raw, name, number)
        if _is_array(raw):
            message = "expected a JSON object, found a list. Write one object a line, for example with: jq -c '.[]'"
            raise DataError(message, name, number)
        value = _loads(raw.decode(), name, number)
        if not isinstance(value, dict):
            found = "null" if value is None else _KINDS[type(value)]
            message = f'expected a JSON object, found {found}. Write lines such as {{"text": "...", "label": "..."}}.'
            raise DataError(message, name, number)
        yield number, value


def _until_fault(objects: Iterator[tuple[int, dict[str, object]]]) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects before the first line that is wrong, which is told when its turn comes."""
    with suppress(DataError):
        yield from objects


def _is_array(raw: bytes) -> bool:
    return raw.lstrip()[:1] == b"[" and raw.lstrip()[1:].lstrip()[:1] in (b"{", b"")


def _loads(raw: str, name: str, line: int) -> object:
    try:
        value: object = json.loads(raw)
    except json.JSONDecodeError as error:
        message = f"malformed JSON: {error.msg} at column {error.colno}. Write one whole object on each line."
        raise DataError(message, name, line) from None
    except RecursionError:
        raise DataError("the JSON is nested too deeply. Flatten the object.", name, line) from None
    except ValueError:
        raise DataError("a number has thousands of digits. Write it as a string, or round it.", name, line) from None
    return value


READER = JsonLines()
