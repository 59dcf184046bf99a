"""A named learner is a preset: a loss, a step, whether to average, and what to do with the weights at the end.

`Learning` (learning.py) makes a Core from a preset, and runs it over the examples.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from linnet.core.form import Loss, Step, Structure
from linnet.core.scorer import Scorer
from linnet.core.types import Array, Setting
from linnet.errors import UsageError, check_choice, meant
from linnet.features import Fields

if TYPE_CHECKING:
    from linnet.learners.contract import Core

Weights: TypeAlias = Array
"""One array of what was learned. Those of a linear model are laid out as weights.py says."""
Options: TypeAlias = Mapping[str, Setting]
"""The options of a learner by name; `Preset.checked` says whether they are right."""
Make: TypeAlias = "Callable[[Preset, Options, Structure, tuple[int, ...]], Core]"
"""A function that makes what goes over the examples of a structure, given the number of features of each block."""

YES_OR_NO = ("yes", "no")
"""The choices of an option that is a switch. Python may also say True or False."""


class Option(NamedTuple):
    """A number or a word that a learner takes, declared once with its help and its bounds."""

    default: float | str
    help: str
    least: float = -np.inf
    most: float = np.inf
    whole: bool = False
    choices: tuple[str, ...] = ()

    def check(self, learner: str, name: str, value: Setting) -> float | str:
        if isinstance(value, bool) and self.choices == YES_OR_NO:
            value = YES_OR_NO[not value]
        if value in self.choices:
            return str(value)
        if len(self.choices) > 1:
            check_choice(f"{name} to be ", value, self.choices, f"learner {learner!r}: ")
        try:
            number = float(value)
        except OverflowError:  # an integer of hundreds of digits
            number = np.inf if value > 0 else -np.inf
        except (TypeError, ValueError):
            raise UsageError(f"learner {learner!r}: expected a number for {name}, found {value!r:.60}.") from None
        if not number >= self.least:
            raise UsageError(f"learner {learner!r}: expected {name} >= {self.least:g}, found {value!s:.60}.")
        if number > self.most:
            raise UsageError(f"learner {learner!r}: expected {name} <= {self.most:g}, found {value!s:.60}.")
        if self.whole and not number.is_integer():
            raise UsageError(f"learner {learner!r}: expected a whole number for {name}, found {value}.")
        return int(number) if self.whole else number

    @property
    def range(self) -> str:
        """The numbers that the option may be, for people; empty where it is a word.

        >>> Option(5, "how many neighbours vote", least=1, most=1e6, whole=True).range
        '1 to 1,000,000'
        """
        return "" if len(self.choices) > 1 else f"{_plain(self.least)} to {_plain(self.most)}"


def _plain(number: float) -> str:
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e7 else f"{number:g}"


LARGE = float(1 << 30)
"""The most bytes by which full rows of weights may exceed rows that hold only what was changed."""
_ROW = 64
"""The least bytes that a row of changed weights takes, once it has been changed."""
_WIDE, _SHARE = 48, 1 / 32
"""With at least _WIDE outcomes, full rows may exceed the others by this share of LARGE only: a feature then meets few
of the outcomes, and to look these up in its row costs little."""

BIAS = {
    "bias": Option(
        "yes",
        "no: without the constant feature f_0 = 1; pairs of tags and thresholds keep their weights",
        choices=YES_OR_NO,
    )
}
"""The option of every learner with a weight for the constant feature, but for those that count: theirs is the prior."""
ONLINE = {
    "dropout": Option(0.0, "the share of features left out at random while learning", least=0, most=0.99),
    "runs": Option(1, "how many runs, each in another order, to average", least=1, most=1000, whole=True),
}
"""Options of every linear model that is learned in more than one pass."""


def _unchanged(
    weights: list[Weights], gen: Structure, options: Options, fields: Sequence[Fields | None]
) -> list[Weights]:
    return weights


def _no_solver(options: Options) -> None:
    return None


def _no_joint(counts: list[Weights], weights: list[Weights], gen: Structure, options: Options) -> None:
    return None


def _none_impossible(options: Options) -> float:
    return -np.inf


def _never(options: Options) -> bool:
    return False


def online(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...], **more: Setting) -> Core:
    """The loop over examples that learns a linear model: `Online`, or the class `kind`, which is given the other
    options in `more`."""
    from linnet.core.loops.online import Online

    kind: Callable[..., Core] = more.pop("kind", Online)
    loss, step, dropout = preset.loss_over(gen, options), preset.step(options), float(options.get("dropout", 0))
    ragged = large(gen, n_features) if preset.changes_few(options) else ()
    return kind(gen, loss, step, n_features, averaged=preset.averaged, dropout=dropout, ragged=ragged, **more)


def large(gen: Structure, n_features: Sequence[int]) -> tuple[int, ...]:
    """The numbers of the blocks for which full rows would be too large: a weight for each feature and outcome, most of them
    never changed."""
    sizes = zip(n_features, gen.outcomes, strict=True)
    return tuple(g for g, (n, k) in enumerate(sizes) if n * (4 * k - _ROW) > LARGE * (_SHARE if k >= _WIDE else 1))


def check_room(preset: Preset, gen: Structure, n_features: Sequence[int]) -> None:
    """Raise UsageError where a learner needs full rows, and these would be more than there can be."""
    size = sum(4 * n * k for n, k in zip(n_features, gen.outcomes, strict=True))
    if size > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"):
        raise UsageError(
            f"learner {preset.name!r} would need {size / 1e9:.0f} GB for a weight of each of {max(n_features):,} features for "
            f"each of {max(gen.outcomes):,} outcomes. Use 'averaged-perceptron' or 'averaged-mira', which keep only those "
            "that they have changed."
        )


def check_written(loss: Loss, step: Step) -> None:
    """Raise UsageError where a loss or a step has its method in Python but derives from a compiled class, so that the
    compiled loops would never call that method."""
    for part, method, base in ((loss, "evaluate", "Loss"), (step, "tau", "Step")):
        if hasattr(part, method) and not getattr(part, "is_asked", False):
            raise UsageError(
                f"{method} of {type(part).__name__} is Python, but its class derives from a compiled one, whose own code would "
                f"run. Derive it from linnet.{base}."
            )


def _linear(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.scorer import Linear

    return Linear(weights)


@dataclass(frozen=True)
class Preset:
    """A learner by name. Functions in it are given the options of the learner, all of them and checked."""

    name: str
    summary: str
    """The line that `linnet list learners` shows."""
    loss: Callable[[Options], Loss]
    step: Callable[[Options], Step]
    options: Mapping[str, Option] = field(default_factory=dict)
    averaged: bool = False
    """Whether the weights are averaged over all steps."""
    epochs: int = 10
    """The number of passes over few examples; `usual_epochs` takes fewer over many."""
    probabilistic: bool = False
    """Whether the marginals of the scores are meant as probabilities."""
    mixing: float = 1.0
    """When the results of several shards are mixed (cluster/mixing.py), a feature moves by the mean of their changes
    times a factor, and this is the largest factor. 1, the mean itself, is safe for steps of any length."""
    one_pass: bool = False
    """Whether a second pass over the data would be wrong, as for learners that count, which count each example once."""
    generative: bool = False
    """Whether the learner is a model of how examples come about."""
    needs_all: bool = False
    """Whether the learner must have all examples at once, and go over the same ones again."""
    solver: Callable[[Options], Make | None] = _no_solver
    """Returns the function that makes a Core which goes to an optimum, to be used in the place of `core`; None where these
    options learn by `core`."""
    core: Make = online
    """Makes the Core that learns one example at a time."""
    scorer: Callable[[Sequence[Weights], Options], Scorer] = _linear
    """Makes the Scorer of what was learned."""
    finish: Callable[[list[Weights], Structure, Options, Sequence[Fields | None]], list[Weights]] = _unchanged
    """Turns the weights that a Core gives into those of the model, given the structure, the options, and which features of
    each block belong together (`Fields`); `Learning.weights` calls it."""
    joint: Callable[[list[Weights], list[Weights], Structure, Options], float | None] = _no_joint
    """ln of the joint probability of all examples and their outputs, given what a Core has counted and the weights that
    `finish` has made of it; None where the learner has no such probability."""
    impossible: Callable[[Options], float] = _none_impossible
    """The score below which an output is impossible, so that examples with none above it have probabilities of 0."""
    sequences: Callable[[Options], bool] = _never
    """Whether the learner compares rows that are in the order of a text, with places as their values."""
    supported: Callable[[Options], bool] = _never
    """Whether the Core is one that knows its support vectors (`HasSupport`)."""

    def __post_init__(self) -> None:
        if self.linear and not self.one_pass:
            common = BIAS if self.needs_all else {**ONLINE, **BIAS}
            object.__setattr__(self, "options", {**self.options, **common})

    def loss_over(self, gen: Structure, options: Options) -> Loss:
        """The loss over the outputs of a structure; where these are decided by yes-or-no questions, the sum of the
        losses of the questions."""
        loss = self.loss(options)
        alone = gen.independent if loss.pointwise else gen.separate
        if loss.phi is None or (gen.has_scores and not alone):
            return loss
        from linnet.losses.each import Each

        return Each(loss.phi)

    @property
    def linear(self) -> bool:
        """Whether what is learned is a weight for each feature and outcome."""
        return self.scorer is _linear

    def changes_few(self, options: Options) -> bool:
        """Whether most of the learned weights may be 0, since a step changes those of few outcomes."""
        few = self.linear and self.finish is _unchanged and not self.loss(options).needs_marginals
        return few and self.solver(options) is None

    def check_linear(self) -> None:
        """Raise UsageError where the learner has no weight for each feature and outcome to show."""
        if not self.linear:
            raise UsageError(
                f"learner {self.name!r} has no weight for each feature that could be shown. Use a linear one, such as "
                "'averaged-mira'."
            )

    def usual_epochs(self, n: int) -> int:
        """The usual number of epochs over n examples. Online learners converge with the examples that they have seen: about
        125,000, in 5 to 10 epochs."""
        return 1 if self.one_pass else min(self.epochs, max(5, round(125_000 / max(n, 1))))

    def checked(self, given: Options) -> dict[str, float | str]:
        """All options with their values; UsageError for one that this learner does not have."""
        for name in given:
            if name not in self.options:
                hint = meant(name, self.options)
                known = ", ".join(self.options) or "none"
                raise UsageError(f"learner {self.name!r} has no option {name!r}.{hint} It has: {known}.")
        return {
            name: option.check(self.name, name, given.get(name, option.default))
            for name, option in self.options.items()
        }
