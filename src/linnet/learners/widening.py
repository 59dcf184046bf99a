"""Widening the state of a learner for outcomes that are new: each row gets columns for them, filled with zeros.

Zero is what the weights, the past (U), the squared gradients (G) and the counts of an outcome are before anything is learned of
it, so a learner that meets a new label goes on as if the label had been there from the start.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from linnet.core.strips import by_block
from linnet.core.types import Array, Integers
from linnet.core.weights import stride_of

Arrays = Mapping[str, Array]
Outcomes = Integers
_BLOCK = re.compile(r"(\D+|vote\d+\.)(\d+)")
"""Arrays are named by what they hold and by their block: v0, U1; those of the voted perceptron vote3.0."""
_RAGGED = ("indptr", "entries")
"""Arrays of rows that have only what was changed, and that name no outcome."""


def widened(
    arrays: Arrays, moved: Sequence[Outcomes], n_outcomes: Sequence[int], further: Sequence[int] = ()
) -> dict[str, Array]:
    """The arrays of a learner's state, wider. The column of outcome k of block g becomes column moved[g][k] of
    n_outcomes[g]; columns of new outcomes are zero.

    further: the number of columns of each block that follow those of the outcomes, and still follow them afterwards.

    Blocks beyond those of the structure, such as the first layer of a network, have no outcomes and are left as they
    are.

    >>> widened({"v0": np.array([[1.0, 2.0]], np.float32)}, [np.array([0, 2])], [3])["v0"].tolist()
    [[1.0, 0.0, 2.0, 0.0]]
    """
    behind = [np.arange(n, n + more) for n, more in zip(n_outcomes, further, strict=False)]
    moved = [np.append(to, more) for to, more in zip_longest(moved, behind, fillvalue=np.zeros(0, np.int64))]
    n_columns = [n + more for n, more in zip_longest(n_outcomes, further, fillvalue=0)]
    return {name: _widened(name, array, moved, n_columns) for name, array in arrays.items()}


def _widened(name: str, array: Array, moved: Sequence[Outcomes], n_outcomes: Sequence[int]) -> Array:
    found = _BLOCK.fullmatch(name)
    what, g = (name, len(moved)) if found is None else (found[1], int(found[2]))
    if g >= len(moved) or what in _RAGGED:
        return array
    if what == "outcomes":
        renamed: Array = moved[g].astype(np.uint32)[array]
        return renamed
    wide = np.zeros((len(array), stride_of(n_outcomes[g])), array.dtype)
    wide[:, moved[g]] = array[:, : len(moved[g])]
    return wide


def state_of(weights: Sequence[Array], n_outcomes: Sequence[int]) -> dict[str, npt.NDArray[np.float32]]:
    """The state of a learner that begins with the weights of a linear model: v of each block, in full rows."""
    blocks = zip(by_block(weights), n_outcomes, strict=True)
    return {f"v{g}": block[0] if len(block) == 1 else _full_rows(block, n) for g, (block, n) in enumerate(blocks)}


def _full_rows(block: Sequence[Array], n_outcomes: int) -> npt.NDArray[np.float32]:
    """Full rows, made of those that hold only the weights that are not zero (core/strips.pyx)."""
    indptr, outcomes, values = block
    rows = np.zeros((len(indptr) - 1, stride_of(n_outcomes)), np.float32)
    row = np.repeat(np.arange(len(rows)), np.diff(indptr).astype(np.int64))
    rows[row, outcomes] = values
    return rows
