"""The ambiguity class of a word: which tags it had in the training data, and how often it was seen.

A word whose tags were `NN` 90 times and `VB` 10 times has the value `NN/VB 5+`; one that was never seen has `U`. It is the
strongest single feature of a tagger. The training data are cut into ten parts, and the value of a token there is
counted in the other nine (a jackknife). Counted in all of them, it would include the tag of the token itself, and the
model would trust it more than it can be trusted on new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.features.word_values import WordValues

_LEAST_SHARE = 0.05
"""The share of the times a word was seen that a tag needs to be in its value."""
_FOLDS = 10
_UNSEEN = "U"
_OFTEN = ("1", "2-4", "5+")
"""The ends of values, which say how often the word was seen."""

Counts = npt.NDArray[np.int64]


@dataclass
class Ambiguity(WordValues):
    """The ambiguity class of each word of the training data."""

    values: list[str] = field(default_factory=lambda: [_UNSEEN])
    tags: Sequence[str] = ()

    @classmethod
    def learn(cls, words: pa.LargeStringArray, y: npt.NDArray[np.int32], tags: Sequence[str]) -> Ambiguity:
        self = cls(tags=tags)
        codes = self.words.codes(words, grow=True)
        self.value_of = self._numbered(self._counts(codes, y))
        return self

    def _counts(self, codes: npt.NDArray[np.int32], y: npt.NDArray[np.int32]) -> Counts:
        """The number of times that each word had each tag."""
        cells = codes.astype(np.int64) * len(self.tags) + y
        return np.bincount(cells, minlength=len(self.words) * len(self.tags)).reshape(-1, len(self.tags))

    def _numbered(self, counts: Counts) -> npt.NDArray[np.int32]:
        """The number of the value of each row of counts; values that are new are added to `values`."""
        total = counts.sum(axis=1)
        # The lower bound on the share is above 0, so that no tag counts for a word that was never seen.
        frequent = counts >= np.maximum(_LEAST_SHARE * total, 1e-9)[:, None]
        # 0 for a word that was never seen, else its place in _OFTEN, from 1.
        rare = np.searchsorted([1, 2, 5], total, "right")[:, None]
        rows, which = np.unique(np.hstack([rare, frequent]), axis=0, return_inverse=True)
        number = {value: k for k, value in enumerate(self.values)}
        of_row = [number.setdefault(self._value(row), len(number)) for row in rows.tolist()]
        self.values = list(number)
        return np.array(of_row, np.int32)[which.ravel()]

    def _value(self, row: Sequence[int]) -> str:
        if row[0] == 0:
            return _UNSEEN
        names = "/".join(tag for tag, is_one in zip(self.tags, row[1:], strict=True) if is_one)
        return f"{names} {_OFTEN[row[0] - 1]}"

    def jackknifed(self, words: pa.LargeStringArray, y: npt.NDArray[np.int32]) -> pa.LargeStringArray:
        """The value of each token of the training data, computed from the other folds."""
        codes = self.words.codes(words)
        whole = self._counts(codes, y)
        found = np.empty(len(codes), np.int32)
        for part in np.array_split(np.arange(len(codes)), _FOLDS):
            here, inverse = np.unique(codes[part], return_inverse=True)
            own = np.bincount(inverse * len(self.tags) + y[part], minlength=len(here) * len(self.tags))
            found[part] = self._numbered(whole[here] - own.reshape(-1, len(self.tags)))[inverse]
        return self._named(found)


def times_seen(value: str) -> int:
    """About how often a word with this value was seen: its place in _OFTEN, counted from 1, or 0 if it was never
    seen."""
    return 0 if value == _UNSEEN else 1 + _OFTEN.index(value.rpartition(" ")[2])
