"""A folder per label, one text file per document: reviews/pos/1.txt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from linnet.core.arrow import large_strings
from linnet.errors import DataError, UsageError
from linnet.io.bytes.binary_files import refuse_binary
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.source import Source
from linnet.io.formats import tell
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset


class Folder:
    """A folder of texts. Files at any depth have the label of the top sub-folder that they are in. Hidden files are
    passed over, and so are files beside the sub-folders."""

    name = "folder"
    description = "a folder per label, one text file per document"
    extensions = ()
    has_columns = False
    empty = "the folder holds no documents. Put one text file per document into a sub-folder per label."

    def sniff(self, head: bytes, request: Request) -> bool:
        return False

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        if not source.is_folder:
            raise UsageError(f"'{source.name}' is a file; format 'folder' reads a folder with a sub-folder per label.")
        labels = [entry.name for entry in _visible(source.path) if entry.is_dir()]
        if not labels and request.labelled:
            raise DataError(_no_labels(source.path), source.name)
        pile = _Pile(source.name, bool(labels), request)
        for label in labels or [""]:
            for path in _files(os.path.join(source.path, label)):
                pile.add(path, label, os.path.relpath(path, source.path))
                if pile.size >= request.batch_bytes:
                    yield pile.dataset()
                    pile = _Pile(source.name, bool(labels), request)
        if pile.texts:
            yield pile.dataset()


@dataclass
class _Pile:
    """The documents of one batch, as they are collected."""

    name: str
    has_labels: bool
    request: Request
    texts: list[bytes] = field(default_factory=list)
    labels: list[bytes] = field(default_factory=list)
    paths: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, path: str, label: str, relative: str) -> None:
        with Source(path, self.request.encoding) as source, source.open() as stream:
            tell(source, self.request.note)
            refuse_binary(source)
            text = stream.read()
        check_block(text, path, 1)
        self.texts.append(text)
        self.labels.append(_utf8(label, path))
        self.paths.append(_utf8(relative, path))
        self.size += len(text)

    def dataset(self) -> Dataset:
        columns = pa.Table.from_arrays([large_strings(self.paths)], names=["path"])
        return Dataset.from_rows(self.texts, self.labels if self.has_labels else None, self.name, columns)


def _visible(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}.", path) from None


def _files(path: str) -> Iterator[str]:
    """The files below a path, in the order of their names. Links to folders are not followed, as they could lead to a
    folder above and never end."""
    for entry in _visible(path):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path)
        elif entry.is_file():
            yield entry.path


def _no_labels(path: str) -> str:
    message = "expected a sub-folder per label, found"
    extensions = {os.path.splitext(entry.name)[1] for entry in _visible(path)}
    if not extensions:
        return f"{message} an empty folder. Put one text file per document into a sub-folder per label."
    return f"{message} files only. Move them into sub-folders, or pass the files themselves: {os.path.join(path, '*')}"


def _utf8(name: str, path: str) -> bytes:
    try:
        return name.encode()
    except UnicodeEncodeError:
        raise DataError("the name of the file or its folder is not UTF-8. Rename it.", ascii(path)) from None


READER = Folder()
