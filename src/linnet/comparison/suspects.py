"""Labels that are probably wrong, the most suspicious first.

Every text is held out once, and three learners that have not seen it say how probable each label is: the default learner of
the task, naive Bayes, and logistic regression. Scores become probabilities by a sigmoid that is fitted to the scores of the
other folds. With p the mean of the three, y the label that the data gives and y_hat the most probable other one,

    score = p(y_hat | x) - p(y | x)

Labels are ranked by this margin, as in confident learning (Northcutt, Jiang and Chuang 2021); those with a score above 0
are suspects. Learners that err in different ways seldom agree against a label that is right, so that fewer of these are
suspected than by one learner: benchmarks/suspects.py measures it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Unpack

import numpy as np
import numpy.typing as npt

from linnet.core.types import Data, Integers, Json, Reals
from linnet.errors import UsageError
from linnet.evaluate.calibration import fit_sigmoid
from linnet.evaluate.folds import folds
from linnet.fitting.contract import Gold, Plan, Task
from linnet.fitting.reading import read_gold
from linnet.fitting.trials import decision_scores, learn, make_ready
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions
from linnet.io.python_values import brought
from linnet.io.texts.contract import Request
from linnet.io.texts.line_of_value import Lined
from linnet.io.texts.registry import choose
from linnet.tasks import guess, named
from linnet.tasks.texts.gold import Texts

FOLDS = 5
FEWEST = FOLDS
"""The number of texts that a label needs to be judged: with fewer, some fold would have to be learned without it."""
OTHERS = ("naive-bayes", "crf")
"""The learners that are asked beside the default learner. Over labels, crf is logistic regression."""
_TASK = "labels"
_ALSO = (_TASK, "hierarchy", "ordinal")
"""The tasks in which each text has one label; labels are suspected without regard to their order or their tree."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Suspect:
    """A label that is probably wrong."""

    row: int
    """The number of the text in the data, from 1."""
    line: int | None
    """The line of the file on which the text stands, where that is known."""
    label: str
    """The label that the data gives."""
    suggested: str
    """The label that the learners think most probable, beside the given one."""
    score: float
    """The probability of the suggested label less that of the given one."""
    text: str

    def as_dict(self) -> dict[str, Json]:
        return asdict(self)


def suspects(
    data: Data,
    labels: Data = None,
    *,
    task: str | None = None,
    text: str | None = None,
    label: str | None = None,
    seed: int = 0,
    **how: Unpack[FileOptions],
) -> list[Suspect]:
    """Find the labels of texts that are probably wrong, the most suspicious first. Labels of fewer than 5 texts are not judged.

    >>> texts, labels = ["good fine", "bad poor"] * 20, ["+", "-"] * 20
    >>> labels[3] = "+"
    >>> [(found.row, found.label, found.suggested) for found in suspects(texts, labels)]
    [(4, '+', '-')]
    """
    data = brought(data, labels)
    columns = {"text_col": text, "label_col": label, **how}
    kind = task if task is not None else guess(data, columns).name
    if kind not in _ALSO:
        raise UsageError(
            f"suspects are found where each text has one label, but the data are for task {kind!r}. Name data with labels."
        )
    of_labels = named(_TASK)
    gold: Texts = read_gold(of_labels, data, columns)
    judged, rows = _judged(gold)
    score, other = margins(of_labels, judged, seed)
    order = np.argsort(-score, kind="stable")
    order = order[score[order] > 0]
    rows = gold.rows()[rows]
    texts, lines = judged.part(order).texts(), lines_of(data, int(gold.rows()[-1]) + 1, how)
    return [
        Suspect(
            row=int(rows[i]) + 1,
            line=None if lines is None else lines[rows[i]],
            label=judged.labels[judged.y[i]],
            suggested=judged.labels[other[i]],
            score=round(float(score[i]), 4),
            text=text,
        )
        for i, text in zip(order.tolist(), texts, strict=True)
    ]


def _judged(gold: Texts) -> tuple[Texts, Ints]:
    """The texts whose labels have enough of them to be judged, with these labels alone, and their rows."""
    often = np.bincount(gold.y, minlength=len(gold.labels))
    known = np.flatnonzero(often >= FEWEST)
    if len(known) < 2:
        raise UsageError(
            f"expected at least two labels with {FEWEST} texts or more each, found {len(known)}. Add examples."
        )
    rows = np.flatnonzero(often[gold.y] >= FEWEST)
    part = gold.part(rows)
    y = np.searchsorted(known, part.y).astype(np.int32)
    return replace(part, y=y, labels=tuple(gold.labels[k] for k in known)), rows


def margins(task: Task, gold: Gold, seed: int = 0, others: Sequence[str] = OTHERS) -> tuple[Floats, Ints]:
    """For each example, the margin by which another label is more probable than its own, and that other label. `others` are
    the learners that are asked beside the default one."""
    y = np.asarray(gold.y, np.int64)
    p = _held_out(task, gold, seed, others)
    rows = np.arange(len(y))
    own = p[rows, y].copy()
    p[rows, y] = -np.inf
    other = p.argmax(axis=1)
    return p[rows, other] - own, other


def _held_out(task: Task, gold: Gold, seed: int, others: Sequence[str]) -> Floats:
    """The mean of the probabilities that the learners give to each label of each example when it is held out."""
    plan = task.plan(None, gold)
    plans = [plan, *(Plan(plan.features, name) for name in others if name != plan.learner)]
    fold_of = folds(len(gold), FOLDS, y=gold.y, seed=seed)
    theta = np.empty((len(plans), len(gold), len(gold.labels)), np.float32)
    for fold in range(FOLDS):
        held = np.flatnonzero(fold_of == fold)
        ready = make_ready(task, plan.features, gold.part(np.flatnonzero(fold_of != fold)), gold.part(held))
        for k, one in enumerate(plans):
            _, predictor = learn(ready, one, seed=seed)
            theta[k, held] = decision_scores(predictor, ready.held_examples)
    p: Floats = np.mean([_probabilities(scores, gold.y, fold_of) for scores in theta], axis=0)
    return p


def _probabilities(theta: Reals, y: Integers, fold_of: Ints) -> Floats:
    """Probabilities of held-out scores: those of each fold by a sigmoid that is fitted to the other folds."""
    p = np.empty(theta.shape)
    for fold in range(FOLDS):
        held = fold_of == fold
        p[held] = fit_sigmoid(theta[~held], y[~held])(theta[held])
    return p


def lines_of(data: Data, n: int, how: FileOptions) -> list[int] | None:
    """The line of each row of a file; None where data are no such file, or where it has fewer than n rows on lines."""
    if not isinstance(data, str | os.PathLike) or not os.path.isfile(data):
        return None
    request = Request(labelled=False, delimiter=how.get("delimiter"))
    with Source(os.fspath(data), how.get("encoding")) as file:
        reader = choose(file, how.get("format"), request)
        lines = [line for line, _ in reader.lines(file, request)] if isinstance(reader, Lined) else []
    return lines if len(lines) >= n else None
