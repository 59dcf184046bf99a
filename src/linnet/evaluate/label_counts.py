"""F1 of labels as a mean over examples, so that its standard error and its differences are computed like those of
accuracy.

The F1 of one label is a ratio of sums over examples, 2 right / (gold + predicted). The macro F1, the mean of F1 over
labels, is no such ratio, but it is the mean of pseudo-values, one for each example (Efron and Tibshirani 1993, 11.5).
To first order, with F_k the F1 of label k and n_k its number of gold and predicted examples together, that of example i
is

    macro F1 + n / K  sum_k (2 right_ik - F_k (gold_ik + predicted_ik)) / n_k

where K counts the labels that are gold or predicted somewhere. These values vary as the macro F1 itself would, if the
examples were others.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linnet.core.types import Integers

Floats = npt.NDArray[np.float64]


def macro_f1(gold: tuple[Integers, Integers], found: tuple[Integers, Integers], n: int, k: int) -> Floats:
    """Pseudo-values of the macro F1 of n examples and k labels. `gold` and `found` are pairs of arrays: the number of an
    example, and a label that it has. A gold label that is not among the k, -1, is an error and no label.

    >>> y, y_hat = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> values = macro_f1((np.arange(4), y), (np.arange(4), y_hat), 4, 2)
    >>> round(float(values.mean()), 4)  # the F1 are 2/3 and 4/5
    0.7333
    """
    of_gold, of_found = (_pairs(*part, k) for part in (gold, found))
    right = np.intersect1d(of_gold, of_found)
    both = np.concatenate([of_gold, of_found])
    size = np.bincount(both % k, minlength=k)
    f1 = 2 * np.bincount(right % k, minlength=k) / np.maximum(size, 1)
    seen = max(int(np.count_nonzero(size)), 1)
    each = 2 * np.bincount(right // k, 1 / size[right % k], minlength=n)
    each -= np.bincount(both // k, f1[both % k] / size[both % k], minlength=n)
    values: Floats = f1.sum() / seen + n / seen * each
    return values


def f1_of(label: int, gold: Integers, found: Integers) -> tuple[Floats, Floats]:
    """What the F1 of one label is the ratio of, for each example: 2 right, and gold and predicted together."""
    y, y_hat = gold == label, found == label
    return 2.0 * (y & y_hat), y.astype(np.float64) + y_hat


def _pairs(examples: Integers, labels: Integers, k: int) -> npt.NDArray[np.int64]:
    """Each pair of an example and a label as one number."""
    known = labels >= 0
    pairs: npt.NDArray[np.int64] = examples[known].astype(np.int64) * k + labels[known]
    return pairs
