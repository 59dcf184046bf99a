"""The texts that are to be labelled: all of a file, with the labels that some of them have already."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from linnet import io
from linnet.core.types import Integers
from linnet.errors import DataError
from linnet.features import Table
from linnet.io.formats import FileOptions
from linnet.io.texts.labels import is_missing
from linnet.labelling.kinds import Kind
from linnet.tasks.texts.tables import as_table


@dataclass(frozen=True, eq=False)
class Pool:
    """Texts, and the labels that the data give to some of them."""

    table: Table
    given: dict[int, tuple[str, ...]]
    """The labels that the data give, by the number of the text."""
    data: str
    """A fingerprint of the texts and of these labels."""
    order: Integers
    """The texts without a label in a random order, which depends on the texts alone."""

    def __len__(self) -> int:
        return len(self.table)

    def text(self, row: int) -> str:
        found: str = self.table.text[row].as_py()
        return found

    @classmethod
    def read(
        cls,
        paths: Sequence[str],
        kind: Kind,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> Pool:
        """Read the texts of files. A row whose label is missing has none yet."""
        found = io.read(
            list(paths), text_col=text, label_col=label, labelled=False, several=kind.several, needs_text=True, **how
        )
        if found.labels is None and label is not None:
            raise DataError(
                f"there is no column {label!r} of labels. Leave out --label-col, or name another.", found.source
            )
        values = [] if found.labels is None else list(found.each_label(several=kind.several))
        given = {row: _labels(value) for row, value in enumerate(values)}
        return cls.of(as_table(found), {row: labels for row, labels in given.items() if labels})

    @classmethod
    def of(cls, table: Table, given: dict[int, tuple[str, ...]] | None = None) -> Pool:
        """The pool of a table of texts."""
        if not len(table):
            raise DataError("there are no texts to label.", table.source)
        given = given or {}
        data = fingerprint(table, given)
        without = np.array([row for row in range(len(table)) if row not in given], np.int64)
        return cls(table, given, data, np.random.default_rng(int(data, 16)).permutation(without))


def _labels(value: str | list[str]) -> tuple[str, ...]:
    """The labels of a row: none, one or several."""
    several = value if isinstance(value, list) else [value]
    return tuple(label for label in several if not is_missing(label))


def fingerprint(table: Table, given: Mapping[int, Sequence[str]]) -> str:
    """A number that other texts, the same in another order, or the same with other labels do not have."""
    digest = hashlib.sha256()
    for row, text in enumerate(table.text.to_pylist()):
        for part in (text, *given.get(row, ())):
            encoded = part.encode()
            digest.update(b"%d:" % len(encoded) + encoded)
        digest.update(b";")
    return digest.hexdigest()[:32]
