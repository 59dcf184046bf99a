"""Choosing what becomes the model, the teacher, the student or their sum (student.py), by held-out labelled examples.

Fifths of the labelled examples are held out in turn. The sum is taken unless the teacher or the student alone is better
by more than a standard error. With v_i, how right the answer to example i is, that is

    d_i = v_i(other) - v_i(sum),    sum_i d_i > (sum_i d_i^2)^(1/2)

A hundred labels cannot tell much more than that one of the two is much worse than the other, and then it is left out of
the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linnet.core.predictor import Predictor
from linnet.core.threads import few_at_once
from linnet.evaluate.folds import folds, groups_of
from linnet.fitting.student import Student, Use

if TYPE_CHECKING:
    from linnet.fitting.contract import Counts, Gold
    from linnet.fitting.fitting import Fitting, Recipe

_FOLDS = 5
"""The number of parts into which the labelled examples are cut."""
_LEAST = 20
"""The number of labelled examples below which nothing can be told, so that the sum is taken."""

Values = npt.NDArray[np.float64]


def chosen(recipe: Recipe, gold: Gold, whole: Fitting, student: Student) -> Use:
    """What becomes the model.

    whole: the labelled examples, made ready.
    student: a student of at most MOST_OF_FOLDS examples, which learns anew for each fold.
    """
    groups = groups_of(gold)
    units = len(gold) if groups is None else int(groups.max()) + 1
    if len(gold) < _LEAST or units < 2:
        return Use.BOTH
    fold_of = folds(
        len(gold),
        min(_FOLDS, units),
        y=gold.y if len(gold.y) == len(gold) else None,
        groups=None if groups is None else groups.tolist(),
        seed=recipe.passes["seed"],
    )

    def of_fold(fold: int) -> list[Values]:
        rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        fitting, learning, teacher = recipe.learned_without(gold.part(rest), whole)
        learned = student.learned(fitting, learning, teacher)
        part = gold.part(held)
        blocks = fitting.further(part).blocks
        decided = recipe.task.model.decided
        right = []
        for use in Use:
            predictor = Predictor(fitting.structure, learning.scorer(use.of(teacher, learned)))
            right.append(_values(recipe.task.counts(part, *decided(predictor, blocks, learning.preset.probabilistic))))
        return right

    of_folds = few_at_once(of_fold, range(int(fold_of.max()) + 1))
    return best(*(np.concatenate(values) for values in zip(*of_folds, strict=True)))


def best(both: Values, *others: Values) -> Use:
    """What becomes the model, given how right each is about each example, in the order of `Use`.

    >>> best(np.array([1.0, 0, 0, 0]), np.array([1.0, 1, 1, 0]), np.array([1.0, 1, 0, 0]))
    <Use.STUDENT: 'student'>
    """
    ahead = [_ahead(other - both) for other in others]
    return Use.BOTH if max(ahead) <= 0 else list(Use)[1 + int(np.argmax(ahead))]


def _ahead(d: Values) -> float:
    """How much one is ahead, in numbers of examples, or 0 if it is less than a standard error."""
    return float(d.sum()) if d.sum() > np.sqrt((d**2).sum()) else 0.0


def _values(counts: Counts) -> Values:
    """How right each answer is, from 0 to 1, or minus its cost. Where the total is 0, as there is nothing to be found,
    the share is 1."""
    value: Values = np.divide(counts.right, counts.total, out=np.ones(len(counts.right)), where=counts.total > 0)
    return -value if counts.less_is_better else value
