"""The joint probability of examples and their outputs by naive Bayes: ln P(x, y) = w.f(x, y), and by the multinomial story

    ln P(x, y) = w.f(x, y) + ln (sum_j x_j)! - sum_j ln x_j!

(Eisenstein, section 2; Carpuat, "Prediction with naive Bayes"). Over all examples the first part is the inner product of the
weights with the counts that they are made of, sum over i of w.f(x_i, y_i) = <w, sum over i of f(x_i, y_i)>, which takes no
further pass. Maximum likelihood, alpha = 0, makes it as large as it can be (Crammer, "Maximum Likelihood Estimation").
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.form import Structure
from linnet.features import Fields, SparseRows
from linnet.features.fields import WORD
from linnet.learners.examples import Examples
from linnet.learners.preset import Options, Weights

CERTAIN = 1e6
"""The weight of an outcome that every place seen has; that of an outcome that none has is -CERTAIN. Both are far beyond the
weights of what is likely, and e to the power of -CERTAIN is 0."""
COMPLEMENT = "complement"
"""The event that does not say how a text comes about, so that there is no P(x, y)."""
_MULTINOMIAL = "multinomial"

Floats = npt.NDArray[np.float64]


def joint_of_counts(counts: list[Weights], weights: list[Weights], gen: Structure, options: Options) -> float | None:
    """ln P of all examples and their outputs, without the coefficients of multinomials; None where outcomes are questions by
    themselves, and for event=complement."""
    if options["event"] == COMPLEMENT or any(gen.given(g) is None for g in range(len(gen.outcomes))):
        return None
    blocks = zip(counts, weights, gen.outcomes, strict=True)
    return float(sum(np.einsum("jk,jk", c[:, :k], w[:, :k], dtype=np.float64) for c, w, k in blocks))


def coefficients(examples: Examples, gen: Structure, options: Options, fields: Sequence[Fields | None]) -> float | None:
    """The sum of ln (sum_j x_j)! - sum_j ln x_j! over all examples; 0 for other events, and where an example is not one place
    with its counts, as a sentence is not. None where values are no counts."""
    if not gen.single or options["event"] != _MULTINOMIAL:
        return 0.0
    of_rows = []
    for piece in examples.blocks[0].pieces():
        found = coefficients_of(SparseRows(*piece), options, fields[0] if fields else None)
        if found is None:
            return None
        of_rows.append(found)
    return float(np.concatenate(of_rows).sum()) if of_rows else 0.0


def coefficients_of(rows: SparseRows, options: Options, fields: Fields | None) -> Floats | None:
    """ln (sum_j x_j)! - sum_j ln x_j! of each row, over its words; 0 for other events than the multinomial. None where values
    are no counts."""
    if options["event"] != _MULTINOMIAL:
        return np.zeros(len(rows))
    x = rows.values if fields is None else np.where(fields[rows.indices] == WORD, rows.values, np.float32(0))
    often = np.flatnonzero(x != 1)  # ln 1! = 0, and most words stand in a text once
    if (x[often] != np.rint(x[often])).any() or (x[often] < 0).any():
        return None
    there = np.diff(rows.indptr) > 0
    total = np.zeros(len(rows), np.int64)
    if there.any():
        total[there] = np.add.reduceat(x, rows.indptr[:-1][there], dtype=np.float64).astype(np.int64)
    log_factorial = np.array([math.lgamma(n + 1) for n in range(int(total.max(initial=0)) + 1)])
    row = np.searchsorted(rows.indptr, often, side="right") - 1
    found: Floats = log_factorial[total] - np.bincount(
        row, log_factorial[x[often].astype(np.int64)], minlength=len(rows)
    )
    return found
