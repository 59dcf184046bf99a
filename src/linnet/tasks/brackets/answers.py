"""Constituents of trees as a column of a table: for each sentence a list of brackets with their label, first and last word."""

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
    """The brackets of each sentence. `bits` has for each word the brackets that begin before it and that end after it,
    such as `(S(NP*`, and `starts` has where each sentence starts and, last, where the last one ends. Words are counted
    from 0 in each sentence, and the last one belongs to the bracket.

    >>> brackets_of_sentences(["(S(NP*)", "(VP*))"], np.array([0, 2])).to_pylist()[0][1]
    {'label': 'NP', 'first': 0, 'last': 0}
    """
    return _brackets([spans_of(bits[a:b]) for a, b in pairwise(starts.tolist())])


def found_brackets(found: Sequence[Sequence[Bracket]]) -> pa.Array:
    """The brackets of each sentence that a model has found, with their probabilities."""
    p = np.array([bracket.probability for sentence in found for bracket in sentence], np.float32)
    return _brackets(found, probability=arrow.numbers(p))


def _brackets(sentences: Sequence[Sequence[Span | Bracket]], **more: pa.Array) -> pa.Array:
    flat = [bracket for sentence in sentences for bracket in sentence]
    first = arrow.numbers(np.array([bracket.first for bracket in flat], np.int32))
    last = arrow.numbers(np.array([bracket.last for bracket in flat], np.int32))
    fields = {"label": arrow.texts(bracket.label for bracket in flat), "first": first, "last": last, **more}
    return arrow.lists(arrow.structs(fields), arrow.starts_of(sentences))
