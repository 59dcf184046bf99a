"""Whether examples without outputs are of another kind than those with outputs, such as sentences beside whole reviews.

The scores of a teacher then mean something else: what it learned from long texts it may find in four of five sentences to speak
for the same label, and held-out examples cannot show it, as they are of the kind that it knows. So it is asked how well the two
kinds are told apart by the simplest linear model, the difference of the two means,

    w = mean of x with an output - mean of x without one,

over fifths that are held out in turn. The measure is the probability that of two examples the one with an output scores higher.
Of one kind, it is one half, whatever the labels; two sets of film reviews have 0.94, reviews and sentences 1.0, and where half
of the examples without outputs are of another kind, it is 0.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.features.rows import SparseRows

if TYPE_CHECKING:
    import scipy.sparse as sp

_OTHER = 0.85
"""The probability from which on examples are of another kind."""
_LEAST = 40
"""The number of examples of either side below which nothing can be told."""
_MOST = 1000
"""The number of examples of either side that are looked at."""
_FOLDS = 5

Floats = npt.NDArray[np.float64]


def is_of_other_kind(given: Block, n: int, others: Block) -> bool:
    """Whether examples without outputs are of another kind than those with outputs, the first n of `given`."""
    return min(n, others.n) >= _LEAST and told_apart(given, n, others) > _OTHER


def told_apart(given: Block, n: int, others: Block) -> float:
    """The probability that one of the first n rows of `given` scores higher than one of `others`, where neither was learned
    from.

    >>> few, many = np.arange(41), np.ones(40, np.float32)
    >>> a, b = (Block(few, np.full(40, j, np.uint32), many) for j in (0, 1))
    >>> told_apart(a, 40, b), told_apart(a, 40, a)
    (1.0, 0.5)
    """
    of_sides = [_some(given, n), _some(others, others.n)]
    width = 1 + max(int(np.max(rows.indices, initial=0)) for rows in of_sides)
    sides = [_matrix(rows, width) for rows in of_sides]
    folds = [np.arange(side.shape[0]) % _FOLDS for side in sides]
    scores = [np.zeros(side.shape[0]) for side in sides]
    for fold in range(_FOLDS):
        means = [_mean(side[of != fold]) for side, of in zip(sides, folds, strict=True)]
        for side, of, score in zip(sides, folds, scores, strict=True):
            score[of == fold] = side[of == fold] @ (means[0] - means[1])
    return _higher(*scores)


def _some(block: Block, n: int) -> SparseRows:
    """The first n rows of a block, or _MOST of them, taken evenly: a copy of them alone, as all rows take much memory."""
    rows = SparseRows(*(np.asarray(part) for part in block.arrays()[:3]))
    return rows.take(np.linspace(0, n - 1, min(n, _MOST)).astype(np.int64))


def _matrix(rows: SparseRows, width: int) -> sp.csr_matrix:
    import scipy.sparse as sp  # which takes longer than most training needs until here

    return sp.csr_matrix((rows.values, rows.indices, rows.indptr), (len(rows), width))


def _mean(rows: sp.csr_matrix) -> Floats:
    found: Floats = np.asarray(rows.mean(axis=0)).ravel()
    return found


def _higher(a: Floats, b: Floats) -> float:
    """The probability that a number of a is above one of b; equal ones count half."""
    b = np.sort(b)
    below = np.searchsorted(b, a, "left") + np.searchsorted(b, a, "right")
    return float(below.mean() / (2 * len(b)))
