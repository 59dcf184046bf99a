"""Bias and variance by the size of the training part (Geman, Bienenstock and Doursat 1992; for errors, Domingos 2000).

A quarter of the data is held out. From the rest several parts of each size are drawn, each by its own seed, and learned from.

    error       of a model on the held-out examples, the mean over the parts
    bias        the error of the vote of these models: what they all get wrong
    variance    error - bias: what a model gets wrong since it saw this part and no other

The largest part is all of the rest. As it is the same for every seed, bias and variance are measured for the smaller ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.types import Data
from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import folds, groups_of
from linnet.fitting.contract import Counts, Gold, Plan, Task
from linnet.fitting.reading import read_gold
from linnet.fitting.trials import Trial, attempt, make_ready
from linnet.io.python_values import brought
from linnet.learners import learner as preset_of
from linnet.learners.preset import Options
from linnet.plot.axes import Axes
from linnet.plot.learner_options import options_of
from linnet.report.drawing import LINE, Box, heading, marks, short, words
from linnet.report.pictures import Panel, Picture
from linnet.tasks import task_for

Ints = npt.NDArray[np.int64]

_HELD = 4
"""One of so many parts is held out."""
_LEAST = 16
"""The least number of examples to learn from."""
_MOST_SIZES = 7
_WIDTH, _HEIGHT = 340.0, 236.0
_BOX = Box(40, 30, 258, 196)
_STYLE = """
svg .bias { stroke: var(--ink); stroke-width: 1.4; stroke-dasharray: 1.5 3; stroke-linecap: round; }
svg .variance { fill: var(--one); fill-opacity: .13; stroke: none; } svg circle.one { stroke: none; }
svg .seed { stroke: var(--one); stroke-width: .7; opacity: .5; } svg .own { stroke: var(--two); stroke-width: .7; opacity: .5; }
svg text.held { fill: var(--one); } svg text.train { fill: var(--two); }
"""


@dataclass(frozen=True)
class Errors:
    """The errors of one learner, each in a table with a row for each size and a column for each seed."""

    learner: str
    sizes: tuple[int, ...]
    train: npt.NDArray[np.float64]
    held: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64] | None
    """The error of the vote, for each size but the last; None where outputs cannot vote, since they differ in length."""
    counts: Counts
    """The measure by which outputs are judged."""


def sizes(
    data: Data,
    labels: Data = None,
    *,
    learners: str | Sequence[str] | None = None,
    features: str | None = None,
    options: Options | None = None,
    seeds: int = 5,
    seed: int = 0,
    task: str | None = None,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Picture:
    """Draw the errors on training and on held-out data as the training part grows, and how much of them is bias and variance.

    data: what `linnet.train` takes, of any task.
    learners: the name of a learner, or of several, each of which has a panel; by default the one that `linnet.train` takes.
    features: the features; by default those that `linnet.train` takes.
    seeds: the number of parts of each size that are learned from.
    progress: called with the share that is done, and the name of what is done.
    """
    if seeds < 2:
        raise UsageError(f"expected at least two seeds, of which variance can be measured, found {seeds}.")
    said: list[str] = []
    columns = {
        "text_col": text,
        "label_col": label,
        "format": format,
        "encoding": encoding,
        "delimiter": delimiter,
        "note": said.append,
    }
    given = brought(data, labels)
    kind, own = task_for(task, given, columns, options or {})
    gold = read_gold(kind, given, columns)
    usual = kind.plan(features, gold)
    named = [learners] if isinstance(learners, str) else [usual.learner] if learners is None else list(learners)
    plans = [
        Plan(usual.features, name, {**(usual.options if name == usual.learner else {}), **chosen})
        for name, chosen in options_of(named, own).items()
    ]
    found = _measured(kind, gold, plans, seeds, seed, progress or (lambda share, what: None))
    most = max(float(max(one.held.max(), one.train.max())) for one in found)
    panels = tuple(_panel(one, max(most, 0.01)) for one in found)
    title, notes = "Bias and variance by the size of the training part", _notes(found[0], seeds)
    return Picture(title, panels, notes=notes, said=tuple(said), style=_STYLE)


def _measured(
    task: Task, gold: Gold, plans: Sequence[Plan], seeds: int, seed: int, progress: Callable[[float, str], None]
) -> list[Errors]:
    """Learn from parts of all sizes by all plans. Features are made once for all of them."""
    rest, out = _parted(gold, seed)
    held, parts = gold.part(out), [_part(rest, size, s) for size in _sizes(len(rest)) for s in range(seeds)]
    total, done = sum(map(len, parts)), 0
    trials: dict[str, list[Trial]] = {plan.learner: [] for plan in plans}
    for k, part in enumerate(parts):
        ready = make_ready(task, plans[0].features, gold.part(part), held)
        for plan in plans:
            trials[plan.learner].append(attempt(ready, plan, seed=k % seeds, believes=False))
        done += len(part)
        progress(done / total, f"{len(part):,} examples")
    return [_summed(task, held, preset_of(name).name, _sizes(len(rest)), own, seeds) for name, own in trials.items()]


def _parted(gold: Gold, seed: int) -> tuple[Ints, Ints]:
    """The rows to learn from, and those that are held out; what belongs together stays together."""
    least = 4 * _LEAST * _HELD // (_HELD - 1) + 1
    if len(gold) < least:
        raise DataError(
            f"expected at least {least} examples, of which some are held out, found {len(gold)}.", gold.source
        )
    groups = groups_of(gold)
    y = gold.y if len(gold.y) == len(gold) else None
    fold = folds(len(gold), _HELD, y=y, groups=None if groups is None else groups.tolist(), seed=seed)
    return np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)


def _sizes(n: int) -> tuple[int, ...]:
    """The sizes of training parts, each about twice as large as the one before; the last is all."""
    some = [n >> k for k in range(_MOST_SIZES) if n >> k >= _LEAST]
    return tuple(reversed(some))


def _part(rest: Ints, size: int, seed: int) -> Ints:
    """Some of the rows, which are drawn anew by each seed and for each size."""
    return np.sort(np.random.default_rng([seed, size]).choice(rest, size, replace=False))


def _summed(
    task: Task, held: Gold, learner: str, sizes: tuple[int, ...], trials: Sequence[Trial], seeds: int
) -> Errors:
    counts = trials[0].counts
    table = {
        "train": np.array([counts.wrong(trial.train) for trial in trials]).reshape(-1, seeds),
        "held": np.array([counts.wrong(trial.counts.score) for trial in trials]).reshape(-1, seeds),
    }
    found = [_vote(trials[k : k + seeds]) for k in range(0, len(trials) - seeds, seeds)]
    votes = [vote for vote in found if vote is not None]
    at = trials[0].y_hat_at
    errors = np.array([counts.wrong(task.counts(held, vote, at).score) for vote in votes])
    bias = errors if len(votes) == len(found) else None
    return Errors(learner, sizes, table["train"], table["held"], bias, counts)


def _vote(trials: Sequence[Trial]) -> npt.NDArray[np.int32] | None:
    """What most of the outputs have at each of their places, the first of equals; None where they differ in length."""
    if any(not np.array_equal(trial.y_hat_at, trials[0].y_hat_at) for trial in trials):
        return None
    outputs = np.stack([trial.y_hat for trial in trials])
    votes = (outputs[:, None, :] == outputs[None, :, :]).sum(axis=1)
    best: npt.NDArray[np.int32] = outputs[votes.argmax(axis=0), np.arange(outputs.shape[1])]
    return best


def _panel(found: Errors, most: float) -> Panel:
    logs = [math.log2(size) for size in found.sizes]
    axes = Axes(_BOX, (logs[0], logs[-1]), (0.0, 1.06 * most))
    said: Callable[[float], str] = "{:g}".format if found.counts.less_is_better else lambda value: f"{100 * value:.3g}%"
    parts = [heading(found.learner, 6, 14, _WIDTH), *axes.levels(marks(0, 1.06 * most, 5), said)]
    parts += axes.below(logs, lambda log: short(round(2**log)))
    parts += axes.named("training examples")
    train, held = found.train.mean(axis=1).tolist(), found.held.mean(axis=1).tolist()
    if found.bias is not None:
        bias = [*zip(logs[:-1], found.bias.tolist(), strict=True)]
        between = [*zip(logs[:-1], held[:-1], strict=True), *reversed(bias)]
        parts.append(f'<path class="variance" d="M{" ".join(f"{a:.1f},{b:.1f}" for a, b in map(axes.at, between))}Z"/>')
        parts += [axes.line(bias, "bias"), words("bias", axes.x(bias[-1][0]), axes.y(bias[-1][1]) + 15, "name end")]
    for kind, table in (("own", found.train), ("seed", found.held)):
        parts += [axes.line([*zip(logs, one, strict=True)], kind) for one in table.T.tolist()]
    for kind, line in (("two", train), ("one", held)):
        points = [*zip(logs, line, strict=True)]
        parts.append(axes.line(points, kind))
        parts += [f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="2.2"/>' for a, b in map(axes.at, points)]
    parts += _ends(axes, [("held out", held[-1], "held"), ("training", train[-1], "train")])
    return Panel(found.learner, _WIDTH, _HEIGHT, tuple(parts))


def _ends(axes: Axes, ends: Sequence[tuple[str, float, str]]) -> Iterator[str]:
    """The names of two lines, each to the right of its end; they move apart where they would overlap."""
    ranked = sorted(ends, key=lambda end: -end[1])
    places = [axes.y(value) + 4 for _, value, _ in ranked]
    short_of = max(LINE - (places[1] - places[0]), 0.0)
    places = [places[0] - short_of / 2, places[1] + short_of / 2]
    for (name, _, kind), y in zip(ranked, places, strict=True):
        yield words(name, axes.box.x1 + 8, y, kind)


def _notes(found: Errors, seeds: int) -> tuple[str, ...]:
    counts = found.counts
    measured = f"The {counts.measure}" if counts.less_is_better else f"What is missing to 100% {counts.measure}"
    errors = "Errors" if counts.measure == "accuracy" else measured
    lines = f"{errors}: thin lines are {seeds} models, each learned from its own part of the data; thick lines are their means."
    if found.bias is None:
        return (lines,)
    return (
        lines,
        "Bias is the error of the vote of these models. What lies between it and the error of a single one, the blue area, is "
        "variance. The largest part is the same for all models, so that these are shown for the smaller ones.",
    )
