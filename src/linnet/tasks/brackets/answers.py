"""The brackets of trees as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.structures.bits import Span, spans_of

if TYPE_CHECKING:
    from linnet.tasks.brackets.model import Bracket


def brackets_of_sentences(bits: Sequence[str], starts: npt.NDArray[np.int64]) -> pa.Array:
    """The label, first word and last word of each bracket, from the brackets that begin and end at each word.

    >>> brackets_of_sentences(["(S(NP*)", "(VP*))"], np.array([0, 2])).to_pylist()[0][1]
    {'label': 'NP', 'first': 0, 'last': 0}
    """
    return _brackets([spans_of(bits[a:b]) for a, b in pairwise(starts.tolist())])


def found_brackets(found: Sequence[Sequence[Bracket]]) -> pa.Array:
    """Brackets with their probabilities."""
    p = np.array([one.probability for some in found for one in some], np.float32)
    return _brackets(found, probability=arrow.numbers(p))


def _brackets(found: Sequence[Sequence[Span | Bracket]], **more: pa.Array) -> pa.Array:
    flat = [one for some in found for one in some]
    first, last = (
        arrow.numbers(np.array(ends, np.int32)) for ends in ([one.first for one in flat], [one.last for one in flat])
    )
    fields = {"label": arrow.texts(one.label for one in flat), "first": first, "last": last, **more}
    return arrow.lists(arrow.structs(fields), arrow.starts_of(found))
