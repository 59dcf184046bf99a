"""Learning from examples without outputs, by a teacher and a student.

The teacher is the learner, over features that were learned from all texts (`vectors`, `topics`). It says what the
outputs of the other examples are (`Task.taught`). The student is the same learner again, over all features but the
vectors. It learns from the labelled examples, and from the others with the outputs of the teacher, which have a tenth
of the weight. The model is the sum of both,

    w = w_teacher + w_student,

unless one of them alone is better on labelled examples that were held out (choosing_student.py). The teacher knows words that
no labelled example has, because words like them have labels; the student learns which pairs of words go with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import F32, I64, U32, Bools, Json
from linnet.features.fields import VECTOR
from linnet.learners import Examples, Learning
from linnet.learners.preset import Weights
from linnet.learners.weights import total

if TYPE_CHECKING:
    from linnet.fitting.contract import Plan
    from linnet.fitting.fitting import Fitting

MOST_OF_FOLDS = 4000
"""The largest number of examples without outputs that a student learns from, where it is learned for a fold alone."""
_AT_A_TIME = 2000
"""The number of rows that are copied at a time."""
_WEIGHT = 0.1
"""The weight of an example that the teacher has labelled; one that a person has labelled weighs 1."""


class Use(Enum):
    """What becomes the model; the values are the words of the report."""

    BOTH = "sum of teacher and student"
    STUDENT = "student"
    TEACHER = "teacher"

    def of(self, teacher: Sequence[Weights], student: Sequence[Weights]) -> list[Weights]:
        """The weights of the model."""
        if self is Use.BOTH:
            return total(teacher, student)
        return list(student if self is Use.STUDENT else teacher)


@dataclass(frozen=True)
class Student:
    """A student that learns from what a teacher says about some examples.

    blocks: the features of the examples without outputs.
    other_kind: whether these are of another kind than the examples with outputs.
    """

    plan: Plan
    passes: Mapping[str, Json]
    blocks: tuple[Block, ...]
    other_kind: bool = False

    @property
    def n_examples(self) -> int:
        """The number of examples without outputs."""
        return int(self.blocks[0].n)

    def learned(self, fitting: Fitting, learning: Learning, teacher: Sequence[Weights]) -> list[Weights]:
        """The weights of the student, given those of its teacher. Raise KeyboardInterrupt if it is interrupted."""
        return self.learned_from(self.taught(fitting, learning, teacher), fitting)

    def taught(self, fitting: Fitting, learning: Learning, teacher: Sequence[Weights]) -> Examples:
        """The examples that the student learns from: those with outputs, and the others with what the teacher says."""
        predictor = Predictor(fitting.structure, learning.scorer(teacher))
        given = fitting.examples
        y, y_at = fitting.task.taught(predictor, self.blocks, given, learning.preset.probabilistic, self.other_kind)
        fields = fitting.problem.sizes.fields
        return Examples(
            tuple(
                _together(mine, theirs, None if not fields or of is None else of == VECTOR)
                for mine, theirs, of in zip(given.blocks, self.blocks, fields or [None] * len(self.blocks), strict=True)
            ),
            np.concatenate([given.y, y.astype(np.int32)]),
            _behind(given.y_at, y_at),
            np.concatenate([_weights(given), np.full(len(y_at) - 1, _WEIGHT, np.float32)]),
        )

    def learned_from(self, examples: Examples, fitting: Fitting) -> list[Weights]:
        """The weights of the student, given the examples that it learns from, which are what `taught` gives."""
        fit = fitting.learning(self.plan).run(examples, take=True, **self.passes)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return list(fit.weights)


def _weights(examples: Examples) -> F32:
    return np.ones(len(examples), np.float32) if examples.weight is None else examples.weight


def _together(mine: Block, theirs: Block, left_out: Bools | None) -> Block:
    """The rows of one block, followed by those of another, without the features that are left out."""
    both = (mine, theirs)
    indptr = np.zeros(sum(len(block.arrays()[0]) - 1 for block in both) + 1, np.int64)
    n = sum(len(j) for block in both for _, j, _ in _pieces(block, left_out))
    indices, values = np.empty(n, np.uint32), np.empty(n, np.float32)
    row = at = 0
    for sizes, j, x in (piece for block in both for piece in _pieces(block, left_out)):
        indptr[row + 1 : row + 1 + len(sizes)] = at + np.cumsum(sizes)
        indices[at : at + len(j)], values[at : at + len(j)] = j, x
        row, at = row + len(sizes), at + len(j)
    is_flat = mine.arrays()[3] is None and theirs.arrays()[3] is None
    starts = None if is_flat else _behind(mine.starts(), theirs.starts())
    return Block(indptr, indices, values, starts)


def _pieces(block: Block, left_out: Bools | None) -> Iterator[tuple[I64, U32, F32]]:
    """Yield for some rows at a time their sizes, features and values, without the features that are left out."""
    indptr, indices, values = (np.asarray(part) for part in block.arrays()[:3])
    for begin in range(0, max(len(indptr) - 1, 1), _AT_A_TIME):
        at = indptr[begin : begin + _AT_A_TIME + 1]
        j, x = indices[at[0] : at[-1]], values[at[0] : at[-1]]
        if left_out is None:
            yield np.diff(at), j, x
        else:
            stays = ~left_out[j]
            before = np.concatenate([np.zeros(1, np.int64), np.cumsum(stays)])
            yield np.diff(before[at - at[0]]), j[stays], x[stays]


def _behind(first: I64, second: I64) -> I64:
    """Where the items of two sequences start, and where the last one ends, if the second sequence follows the first."""
    return np.concatenate([first, first[-1] + second[1:]])
