"""How a word is usually written inside a sentence: `lower`, `cap`, or `both`.

At the beginning of a sentence every word has a capital, so a capital there does not tell whether a word is a name. How
the word is written inside of other sentences, labelled or not, does.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from linnet.core.arrow import flags, numbers
from linnet.core.extract.different import different
from linnet.core.types import I64
from linnet.features.word_values import WordValues

_MOSTLY = 0.9
"""A word is usually written in one way if more than this share of its occurrences are."""


def usual_case(words: pa.LargeStringArray, lower: pa.LargeStringArray, starts: I64) -> WordValues:
    """The usual case of each word in lower case, given the words of sentences as they are and in lower case."""
    import pyarrow.compute as pc

    is_small = flags(pc.equal(words, lower))
    # A word without letters is the same in upper and in lower case.
    has_letters = ~flags(pc.equal(pc.utf8_upper(words), lower))
    inside = np.ones(len(words), np.bool_)
    inside[starts[:-1][np.diff(starts) > 0]] = False
    found, number = different(lower)
    n = len(found)
    small = np.bincount(number[is_small & has_letters], minlength=n)
    capital = np.bincount(number[~is_small & inside], minlength=n)
    seen = np.flatnonzero(small + capital)
    share = small[seen] / (small[seen] + capital[seen])
    values = np.where(share > _MOSTLY, "lower", np.where(share < 1 - _MOSTLY, "cap", "both"))
    return WordValues.of(found.take(numbers(seen)).to_pylist(), values.tolist())
