"""Attributes of a capitalised word that tell how it is used elsewhere in the text, as a name is likely to be a name
each time.

They look at the 20 nearest other places of the word within 800 tokens, in upper or lower case:

    near                     lower: one is in lower case; cap: one is capitalised inside a sentence; both; start: neither
    near-left, near-right    the words before and after it at each of these places
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import flags, numbers, texts
from linnet.core.extract.different import different
from linnet.core.extract.nearby import others

NEARBY = ("near", "near-left", "near-right")
_WINDOW = 800
_MOST = 20
_NEAR = ("", "start", "lower", "cap", "both")
"""The values of `near`."""

Places = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


class Nearby:
    """The other places of each capitalised word of some sentences."""

    def __init__(self, words: pa.LargeStringArray, starts: npt.NDArray[np.int64]) -> None:
        import pyarrow.compute as pc

        distinct, self._word_of = different(words)
        lower = pc.utf8_lower(distinct)
        self.lower, folded = different(lower)
        self._folded = folded[self._word_of]
        self._capital = flags(pc.match_substring_regex(distinct, r"^\p{Lu}"))[self._word_of]
        self._small = flags(pc.equal(distinct, lower))[self._word_of]
        self._first = np.zeros(len(words) + 1, np.bool_)
        self._first[starts] = True
        self.indptr, self._places = others(self._folded, self._capital.view(np.uint8), _WINDOW, _MOST)

    def near(self) -> pa.LargeStringArray:
        """The value of `near` for each token; empty for a word without a capital, or without another place."""
        of = np.repeat(np.arange(len(self._folded)), np.diff(self.indptr))
        inside = self._capital[self._places] & ~self._first[self._places]
        # The index of a value in _NEAR: 1 for any other place, and 1 more for one in lower case, 2 more for one with a
        # capital.
        has = np.zeros((3, len(self._folded)), np.int32)
        has[0, of] = 1
        has[1, of[self._small[self._places]]] = 1
        has[2, of[inside]] = 2
        values = texts(_NEAR)
        return pa.DictionaryArray.from_arrays(numbers(has.sum(axis=0, dtype=np.int32)), values).cast(pa.large_string())

    def beside(self, step: int) -> npt.NDArray[np.int64]:
        """The word before (step -1) or after (step 1) each of the places, as its number in `lower`; -1 beyond the
        sentence."""
        beyond = self._first[self._places + (step > 0)]
        at = np.clip(self._places + step, 0, max(len(self._folded) - 1, 0))
        found: npt.NDArray[np.int64] = np.where(beyond, -1, self._folded[at] if len(self._folded) else 0)
        return found
