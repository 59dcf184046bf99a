"""Whether two systems differ on the same examples, or only by chance.

McNemar (1947): only one of two systems gets some of the examples right, the first a of them and the second b. If the
two are equally good, each of these examples is as likely to be of the one kind as of the other, so with K ~ Binomial(a
+ b, 1/2) and m = min(a, b)

    exact   p = 2 P(K <= m)
    mid-p   p = 2 P(K <= m) - P(K = m)       nearest to its level (Fagerland, Lydersen and Laake 2013)
    chi2        (|a - b| - 1)^2 / (a + b), one degree of freedom

Paired bootstrap (Efron and Tibshirani 1993, 16.4; Koehn 2004), for any score that is a ratio of sums over examples: with d the
difference of the two scores, and d* that of a sample of as many examples with replacement, p = P(|d* - d| >= |d|).

Holm (1979): the i-th smallest of m p-values times m - i + 1, and never less than those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, product
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt
from scipy import stats

from linnet.core.products import times

Floats = npt.NDArray[np.float64]

_MOST_PARTS = 2000
"""The number of parts from which samples are drawn; with fewer examples, each is a part."""
_SAMPLES = 10_000
_AT_ONCE = 500
"""The number of samples that are drawn at a time, which bounds the memory."""


def mcnemar(a: int, b: int, how: str = "mid-p") -> float:
    """The p-value, two-sided, of `a` examples that only the first gets right and `b` that only the second does.

    >>> mcnemar(1, 5, "exact")  # 2 (1 + 6) / 64
    0.21875
    """
    n, m = a + b, min(a, b)
    if n == 0:
        return 1.0
    if how == "chi2":
        return float(stats.chi2.sf(max(abs(a - b) - 1, 0) ** 2 / n, 1))
    p = 2 * float(stats.binom.cdf(m, n, 0.5))
    return min(1.0, p - float(stats.binom.pmf(m, n, 0.5)) if how == "mid-p" else p)


def bootstrap(right: Floats, total: Floats, samples: int = _SAMPLES, seed: int = 0) -> Floats:
    """Scores of samples of the examples: a row for each system, a column for each sample, the same for all systems.

    `right` and `total` have a row for each system and a column for each example. Where there are many examples,
    neighbours are drawn together: they are alike, and it is quicker.
    """
    n = right.shape[1]
    cut = np.unique(np.linspace(0, n, min(n, _MOST_PARTS) + 1).astype(np.int64))[:-1]
    sums = np.concatenate([np.add.reduceat(part, cut, axis=1) for part in (right, total)])
    rng = np.random.default_rng(seed)
    scores = np.empty((len(right), samples))
    for start in range(0, samples, _AT_ONCE):
        size = min(_AT_ONCE, samples - start)
        drawn = rng.integers(len(cut), size=(size, len(cut))) + len(cut) * np.arange(size)[:, None]
        often = np.bincount(drawn.ravel(), minlength=size * len(cut)).reshape(size, -1)
        of_right, of_total = np.split(times(sums, often.T.astype(np.float64)), 2)
        scores[:, start : start + size] = of_right / np.maximum(of_total, 1e-300)
    return scores


def differences(right: Floats, total: Floats, seed: int = 0) -> Floats:
    """A symmetric table with a p-value for each pair of systems: McNemar's mid-p where each example is right or wrong, else the
    paired bootstrap. `right` and `total` have a row for each system and a column for each example."""
    n = len(right)
    p = np.ones((n, n))
    either = bool(np.all(total == 1) and np.all((right == 0) | (right == 1)))
    scores = right.sum(axis=1) / np.maximum(total.sum(axis=1), 1e-300)
    drawn = None if either or n < 2 else bootstrap(right, total, seed=seed)
    for i, j in product(range(n), range(n)):
        if i >= j:
            continue
        if drawn is None:
            p[i, j] = mcnemar(int(np.sum(right[i] > right[j])), int(np.sum(right[i] < right[j])))
        else:
            d = scores[i] - scores[j]
            far = np.abs(drawn[i] - drawn[j] - d) >= abs(d)
            p[i, j] = (1 + np.count_nonzero(far)) / (1 + drawn.shape[1])
        p[j, i] = p[i, j]
    return p


def holm(p: npt.ArrayLike) -> Floats:
    """The p-values of several tests, each as large as it must be for all of them to be believed together.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def holm_pairs(p: Floats) -> Floats:
    """Holm's correction over the pairs of a symmetric table."""
    upper = np.triu_indices(len(p), 1)
    out = np.ones(p.shape)
    out[upper] = holm(p[upper])
    return np.minimum(out, out.T)


def letters(differ: npt.NDArray[np.bool_]) -> list[str]:
    """A compact letter display (Piepho 2004): the letters of each system, where two systems share a letter if they do not
    differ. `differ` is a symmetric table over the systems, the best of which comes first.

    >>> letters(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    ['a', 'ab', 'b']
    """
    n = len(differ)
    columns = [frozenset(range(n))] if n else []
    for i, j in zip(*np.nonzero(np.triu(differ, 1)), strict=True):
        split = [part for column in columns for part in _apart(column, int(i), int(j))]
        columns = [part for part in dict.fromkeys(split) if not any(part < other for other in split)]
    columns.sort(key=sorted)
    names = _names()
    named = [(next(names), column) for column in columns]
    return ["".join(name for name, column in named if i in column) for i in range(n)]


def _apart(column: frozenset[int], i: int, j: int) -> Sequence[frozenset[int]]:
    """A set of systems that share a letter, split so that i and j are not in the same set."""
    return (column - {i}, column - {j}) if {i, j} <= column else (column,)


def _names() -> Iterator[str]:
    """The letters a to z, then a1 to z1, ..."""
    yield from ascii_lowercase
    for k in count(1):
        yield from (f"{letter}{k}" for letter in ascii_lowercase)
