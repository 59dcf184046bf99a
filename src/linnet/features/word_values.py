"""A value for each word, learned from data: the tags that it had, the cluster that it is in, its usual case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import numbers, texts
from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.types import Array

Numbers = npt.NDArray[np.int32]


@dataclass
class WordValues:
    """Words, and the value of each. The first of `values` is the value of all words that are not known; "" stands for
    no value."""

    words: Vocabulary = field(default_factory=Vocabulary)
    value_of: Numbers = field(default_factory=lambda: np.zeros(0, np.int32))
    """For each word the index of its value in `values`."""
    values: list[str] = field(default_factory=lambda: [""])

    @classmethod
    def of(cls, words: Sequence[str], values: Sequence[str]) -> Self:
        """The values of some words, which must be distinct. All other words have no value."""
        number = {value: k for k, value in enumerate(dict.fromkeys(["", *values]))}
        found = cls(value_of=np.array([number[value] for value in values], np.int32), values=list(number))
        found.words.codes(texts(words), grow=True)
        return found

    def look_up(self, words: pa.LargeStringArray) -> pa.LargeStringArray:
        """The values of words in new text."""
        codes = self.words.codes(words)
        known = codes >= 0
        found = np.zeros(len(codes), np.int32)
        found[known] = self.value_of[codes[known]]
        return self._named(found)

    def _named(self, found: Numbers) -> pa.LargeStringArray:
        values = texts(self.values)
        return pa.DictionaryArray.from_arrays(numbers(found), values).cast(pa.large_string())

    @classmethod
    def united(cls, several: Sequence[WordValues], trust: Callable[[str], int]) -> Self:
        """One object with the words of several. A word has the value that is trusted most, among equals the first."""
        whole = cls()
        number = {value: k for k, value in enumerate(dict.fromkeys(value for one in several for value in one.values))}
        whole.values = list(number)
        words = [one.words.added_to(whole.words) for one in several]
        whole.value_of, trusted = np.zeros(len(whole.words), np.int32), np.full(len(whole.words), -1)
        for one, codes in zip(several, words, strict=True):
            how = np.array([trust(value) for value in one.values])[one.value_of]
            better = how > trusted[codes]
            whole.value_of[codes[better]] = np.array([number[value] for value in one.values])[one.value_of[better]]
            trusted[codes[better]] = how[better]
        return whole

    def arrays(self) -> dict[str, Array]:
        return dict(self.words.arrays()) | {"of": self.value_of.astype(np.uint32)}
