"""Make datasets of columns without types, as CSV and Excel have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from linnet.core.arrow import large_strings
from linnet.io.texts.columns import Columns
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset, no_texts
from linnet.io.texts.labels import label_sets


class StringColumns(NamedTuple):
    """The columns of a file, once it is known which of them are used."""

    names: Sequence[str]
    """The names of all columns, each once."""
    used: Columns
    request: Request
    source: str

    def dataset(self, arrays: Sequence[pa.ChunkedArray]) -> Dataset:
        """The rows of a file, given its columns as strings."""
        by_name = dict(zip(self.names, arrays, strict=True))
        text = no_texts(len(arrays[0])) if self.used.text is None else by_name.pop(self.used.text)
        labels = by_name.pop(self.used.label) if self.used.label is not None else None
        if labels is not None and self.request.several:
            labels = pa.chunked_array([label_sets(labels.to_pylist(), self.request.separator)])
        others = pa.Table.from_arrays(list(by_name.values()), names=list(by_name)) if by_name else None
        return Dataset(text, labels, others, self.source, self.used.text, self.used.label, tuple(self.names))

    def dataset_of_rows(self, rows: Sequence[Sequence[bytes]]) -> Dataset:
        """The rows of a file, given the fields of each in UTF-8."""
        return self.dataset([pa.chunked_array([large_strings(column)]) for column in zip(*rows, strict=True)])
