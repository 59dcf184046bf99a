"""Epochs over examples: shuffling, progress, early stopping, and when to give up.

`Learning` runs the Core of a learner (preset.py) over examples, one piece of an epoch after the other, so that it can show
progress, be interrupted, and go on later from its state.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.core.filed import Filed
from linnet.core.form import Structure
from linnet.core.schema import Numbers
from linnet.core.scorer import Scorer
from linnet.core.threads import available, each
from linnet.core.types import I64, Arrays, Integers, Json, Setting, State
from linnet.errors import DivergedError, ModelError, UsageError
from linnet.features import Fields
from linnet.learners.contract import Core, HasSupport, KnowsFields, RemembersExamples, Settles
from linnet.learners.examples import Examples, accuracy
from linnet.learners.fit import Epoch, Fit, Progress
from linnet.learners.joint import coefficients
from linnet.learners.order import Order
from linnet.learners.passes import Passes
from linnet.learners.preset import Options, Preset, Weights, check_room, check_written, online
from linnet.learners.state import checked_numbers
from linnet.learners.theory import theory
from linnet.learners.weights import divided, fade, norm
from linnet.steps.constant import Constant

# Seconds of a piece of an epoch. Between two pieces Python looks at signals and shows progress.
_PIECE_SECONDS = 0.1
# The number of examples of the first piece of an epoch; the next may be four times as long, and so on.
_FIRST_PIECE = 256
# When the mean loss of an epoch is this many times that of guessing, learning has diverged, and ends with an error.
_RUNAWAY = 10.0
# When the mean loss of the last epoch is above this many times that of guessing, the user is warned.
_GROWN = 1.05
# The most passes of a learner on its way to an optimum.
_MOST_PASSES = 200
# The number of examples over which the loss of guessing is computed.
_GUESSED_EXAMPLES = 256
# The names, in a checkpoint, of the sample of weights at the start of the epoch, and of the number of examples seen before.
_SAMPLE_NAME = "start"
_SEEN_BEFORE_NAME = "base"
# The names, in a checkpoint, of arrays of weights in full rows; the number of the block follows: v0, U1.
_NAMES_OF_ROWS = ("v", "U", "G")


@dataclass(frozen=True)
class _Plan:
    """The plan of `Learning.run`: over which examples it goes, how often, and in which order."""

    examples: Examples
    dev: Examples | None
    epochs: int
    runs: int
    seed: int
    shuffle: bool
    patience: int
    tol: float
    piece: int

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"expected a seed of 0 or more, found {self.seed}.")

    @property
    def watches(self) -> bool:
        """Whether the run must know how far the weights move."""
        return self.epochs > 1 and self.tol > 0

    def order(self, run: int, epoch: int, *, shuffle: bool) -> Order:
        """The order of the examples in an epoch, which follows from (seed, epoch), and from the run if it is not the first."""
        if not (self.shuffle and shuffle):
            return Order(len(self.examples))
        return Order(len(self.examples), lambda window: self._random(run, epoch, window))

    def seed_of_dropout(self, run: int) -> int:
        # 0xD209 takes the place of the number of an epoch, so that dropout does not follow the order of one.
        return int(self._random(run, 0xD209).integers(1 << 63))

    def _random(self, run: int, what: int, window: int = 0) -> np.random.Generator:
        """The random numbers that follow from the seed, the run, what they are for (the number of an epoch, or that of
        dropout) and the window of the order (order.py)."""
        # A window may be -1, and numpy takes no negative seeds.
        further = [run, 2 + window] if window else [run] if run else []
        return np.random.default_rng([self.seed, what, *further])


class _ShownProgress:
    """Shows the progress over all runs, and the time that is left."""

    def __init__(self, progress: Callable[[Progress], None] | None, plan: _Plan, fit: Fit, seen: int) -> None:
        self.progress = progress
        self.plan = plan
        self.start = self._at(fit, seen / max(len(plan.examples), 1))
        self.began = time.perf_counter()

    def _at(self, fit: Fit, epochs: float) -> float:
        """The number of epochs done in all runs, if so many are done in this one."""
        return fit.runs * self.plan.epochs + epochs

    def __call__(self, fit: Fit, epochs: float) -> None:
        if self.progress is None:
            return
        n, at = self.plan.runs * self.plan.epochs, self._at(fit, epochs)
        done = (at - self.start) / (n - self.start)
        left = (time.perf_counter() - self.began) * (1 - done) / done
        self.progress(Progress(math.ceil(at), n, done, left, fit.history[-1] if fit.history else None))


@dataclass(frozen=True)
class Piece:
    """A piece of an epoch, before and after it was learned from."""

    run: int
    """The number of the run, from 1."""
    epoch: int
    """The number of the epoch in its run, from 1."""
    examples: I64 | None
    """The numbers of the examples that were learned from; None before."""


Course: TypeAlias = Generator[Piece, int | None, Fit]
"""The course of learning: it stops before and after each piece, and ends with what was learned. If it is sent a number
before a piece, the piece has so many examples; otherwise it has as many as take about 0.1 s. What is learned does not
depend on the pieces. Learners that go over all examples before each step ignore the number."""


def end_of(course: Course, interrupt: KeyboardInterrupt | None = None) -> Fit:
    """Go to the end of a course, and return what was learned. Ctrl-C between two pieces, or an `interrupt` that came before, is
    raised inside the course, which then ends and gives what was learned so far."""
    try:
        if interrupt is not None:
            course.throw(interrupt)
        while True:
            try:
                next(course)
            except KeyboardInterrupt as interrupt:
                course.throw(interrupt)
    except StopIteration as end:
        fit: Fit = end.value
        return fit


def _do_nothing(fit: Fit) -> None:
    pass


def _say_nothing(share: float) -> None:
    pass


@dataclass(frozen=True)
class _Hooks:
    """What is called in the course of a run: `show` and `between` after each piece of an epoch, `after_epoch` after each
    epoch."""

    show: _ShownProgress
    after_epoch: Callable[[Fit], None]
    between: Callable[[Fit], None]

    def tell(self, fit: Fit, epochs: int, share: float) -> None:
        """Tell that after these epochs this share of another is done."""
        self.show(fit, epochs + share)
        self.between(fit)


class Learning:
    """A learner at work over a structure: run() is for epochs, partial() for a few examples at a time.

    n_features: the number of features of each block.
    length2: the typical ||x||^2 of a place, the bias counted; eta=auto and gamma=auto are its inverse.
    fields: for each block the fields that say which features belong together, or None; () where none do.
    sequences: whether the features keep the order of texts (`sequence` in features/spec.py), which few learners can use.
    numbers: whether rows are points, the columns of a matrix or numbers of a table; metric=auto is then the Euclidean distance.
    """

    def __init__(
        self,
        preset: Preset,
        options: Options,
        gen: Structure,
        n_features: tuple[int, ...],
        length2: float = 2.0,
        fields: Sequence[Fields | None] = (),
        *,
        sequences: bool = False,
        numbers: bool = False,
    ) -> None:
        self.preset = preset
        self.options = preset.checked(options)
        if sequences and not preset.sequences(self.options):
            raise UsageError(
                f"features with 'sequence' have positions in the text as their values, which learner {preset.name!r} cannot "
                "use with these options. Use kernel-svm with kernel=subsequence, or leave out 'sequence'."
            )
        self.gen = gen
        self._bias = self.options.get("bias", "yes") == "yes"
        """Whether the places of block 0 have the constant feature f_0 = 1."""
        length2 -= 0 if self._bias else 1
        self._safe_eta = 1 / length2 if length2 > 0 else 1.0
        for name in ("eta", "gamma"):
            if self.options.get(name) == "auto":
                self.options[name] = self._safe_eta
        if self.options.get("metric") == "auto":
            self.options["metric"] = "euclid" if numbers else "cosine"
        loss = preset.loss_over(gen, self.options)
        check_written(loss, preset.step(self.options))
        if loss.phi is None and not gen.has_scores and not loss.only_counts:
            raise UsageError(
                f"loss {loss.name!r} is one of whole outputs, but those of structure {gen.name!r} are decided by yes-or-no "
                "questions. Write of_margin, too: losses/in_python.py shows how."
            )
        if loss.needs_marginals and not gen.has_marginals:
            raise UsageError(
                f"loss {loss.name!r} needs marginals, which structure {gen.name!r} does not have{gen.no_marginals}. "
                "Use 'hinge' or 'perceptron'."
            )
        if loss.pointwise and not gen.has_decisions:
            raise UsageError(
                f"loss {loss.name!r} needs one outcome at each place, which structure {gen.name!r} does not have. Use 'log'."
            )
        self._until_no_mistake = loss.is_mistake
        """Whether only mistakes move the weights. Learning then ends early only after a pass without mistakes."""
        self._dropout = float(self.options.get("dropout", 0))
        self._runs = int(self.options.get("runs", 1))
        self._solver = preset.solver(self.options)
        self._averaged = preset.averaged and self._solver is None
        if preset.linear and not preset.changes_few(self.options):
            check_room(preset, gen, n_features)
        self._n = n_features
        self.fields = fields
        """The fields that say which features of each block belong together; () where none do."""
        self._core: Core | None = self._new()
        self._sample_before_epoch: list[Weights] = []
        """A sample of the weights before the epoch, by which it is known how far they moved in it."""
        self._joint: float | None = None
        """ln P(x, y) of the examples that the last weights were made of, without the coefficients of multinomials."""
        self._seen_before = 0
        """The number of examples seen before this run, where it goes on from another one."""

    @property
    def n_features(self) -> tuple[int, ...]:
        """The number of features of each block."""
        return self._n

    @property
    def further_columns(self) -> tuple[int, ...]:
        """The number of columns of each block of weights that follow those of its outcomes: learners that count keep
        the number of places there. () for a Core that has no such blocks."""
        columns = [weights.n_outcomes for weights in getattr(self.online, "weights", ())]
        return tuple(n - k for n, k in zip(columns, self.gen.outcomes, strict=False))

    @property
    def online(self) -> Core:
        """The Core that goes over the examples; ValueError after its weights were taken."""
        if self._core is None:
            raise ValueError("nothing can be learned after the weights were taken")
        return self._core

    def _new(self) -> Core:
        make = self._solver or self.preset.core
        core = make(self.preset, self.options, self.gen, self._n)
        core.bias = self._bias
        if isinstance(core, KnowsFields):
            core.fields = self.fields
        return core

    def weights(self, *, take: bool = False) -> list[Weights]:
        """The weights learned so far, ready to predict with. With `take` they overwrite those of the learner, which
        saves memory; nothing can be learned afterwards."""
        if take:
            learned = self.online.settle(self._averaged)
            self._core = None
        else:
            learned = self.online.average() if self._averaged else self.online.last()
        if not math.isfinite(norm(learned)):
            raise self._beyond("weights")
        if self._dropout:
            fade(learned, 1 - self._dropout)
        weights = self.preset.finish(learned, self.gen, self.options, self.fields)
        self._joint = self.preset.joint(learned, weights, self.gen, self.options)
        return weights

    @property
    def remembers(self) -> bool:
        """Whether the learner knows what each example has added to the weights, so that `held_out` has scores."""
        return isinstance(self.online, RemembersExamples)

    def held_out(self, examples: Examples, fold: Integers, tol: float = 0.01, *, exact: bool = True) -> Weights | None:
        """The scores of the training examples, each as if its fold had not been learned from, within `tol` of the optimum.
        Thresholds can be set by them. Examples of fold -1 are never held out, and have no scores. None where the learner
        does not know what each example has added. `exact`: whether nothing of the fold may be in the scores; without it they
        are found sooner."""
        core = self.online
        if not isinstance(core, RemembersExamples):
            return None
        if isinstance(examples.blocks[0], Filed):
            # The data are too large for memory, where each thread would keep its own copy of what the learner knows.
            return core.held_out(examples.blocks, examples.y, examples.y_at, examples.weight, fold, tol, exact)
        held = fold[fold >= 0]
        folds = np.flatnonzero(np.bincount(held))
        n = max(min(available(), len(folds)), 1)
        thread = np.full(int(folds.max(initial=-1)) + 2, -1)  # thread[-1] is for fold -1, which is never held out.
        thread[folds] = np.arange(len(folds)) % n
        cores = [core, *(self._twin(core.state()) for _ in range(n - 1))]

        def of_some(k: int) -> Weights:
            own = np.where(thread[fold] == k, fold, -1)
            return cores[k].held_out(examples.blocks, examples.y, examples.y_at, examples.weight, own, tol, exact)

        found = each(of_some, range(n))
        scores = np.zeros((len(held), *found[0].shape[1:]), np.float32)
        for k, some in enumerate(found):
            scores[thread[held] == k] = some
        return scores

    def _twin(self, state: State) -> RemembersExamples:
        """A Core that knows what this one knows, for another thread."""
        twin = self._new()
        twin.restore({name: array.copy() for name, array in state[0].items()}, state[1])
        assert isinstance(twin, RemembersExamples)
        return twin

    def support_vectors(self, examples: Examples) -> tuple[npt.NDArray[np.int64], Weights]:
        """The numbers of the examples that the weights are a sum of, and alpha: what each has added for each outcome of block
        0. Raise UsageError where the learner does not know it."""
        core = self.online
        if not self.preset.supported(self.options) or not isinstance(core, HasSupport):
            raise UsageError(f"learner {self.preset.name!r} has no support vectors with these options.")
        return core.support_vectors(examples.blocks)

    def scorer(self, weights: Sequence[Weights]) -> Scorer:
        """A scorer with these weights, for one thread at a time."""
        return self.preset.scorer(weights, self.options)

    @property
    def learns_in_parts(self) -> bool:
        """Whether it can learn from some examples, and go on with others later."""
        return self._runs == 1 and self._solver is None and not self.preset.needs_all

    def partial(self, examples: Examples, *, begin: bool = True) -> None:
        """Learn from some examples in their order, in one pass. `begin`: whether they begin a pass, with its counts at 0;
        without it, they go on with the last one."""
        if self._runs > 1:
            raise UsageError(f"runs={self._runs} needs all examples at once. Use fit, or runs=1.")
        if not self.learns_in_parts:
            raise UsageError(f"learner {self.preset.name!r} needs all examples at once with these options. Use fit.")
        if begin:
            self.online.begin()
        for _ in self._pieces(examples, Order(len(examples)), 0):
            pass
        if not math.isfinite(self.online.total):
            raise self._diverged(self.online.total)

    def grow(self, n_features: tuple[int, ...], fields: Sequence[Fields | None]) -> None:
        """Make room for features that came up since."""
        self._n, self.fields = n_features, fields
        self.online.grow(n_features)

    def state(self) -> State:
        """The state needed to go on exactly, in the middle of an epoch too: the arrays at work, and numbers, by name."""
        arrays, numbers = self.online.state()
        return arrays | {
            f"{_SAMPLE_NAME}{g}": part[None] for g, part in enumerate(self._sample_before_epoch)
        }, numbers | {_SEEN_BEFORE_NAME: self._seen_before}

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`. As it may come from a file that anyone has written, it is checked: raise ModelError
        where it is not a state of this learner."""
        try:
            self._restore(arrays, numbers)
        except (KeyError, ValueError, TypeError, OverflowError, IndexError, AttributeError) as error:
            raise ModelError(
                f"the state of learning that was kept is damaged ({error}). Train again, or go on from the weights alone."
            ) from error

    def _restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        numbers = checked_numbers(self.online.state(), arrays, numbers, {_SEEN_BEFORE_NAME})
        self._sample_before_epoch = [
            np.array(arrays[name])[0] for name in sorted(arrays) if name.startswith(_SAMPLE_NAME)
        ]
        self._seen_before = int(numbers.get(_SEEN_BEFORE_NAME, 0))
        self.online.restore(
            {name: array for name, array in arrays.items() if not name.startswith(_SAMPLE_NAME)},
            {name: value for name, value in numbers.items() if name != _SEEN_BEFORE_NAME},
        )
        for part in self._sample_before_epoch:
            Numbers(np.float32).check(part, _SAMPLE_NAME)

    def begin_with(self, arrays: Arrays) -> None:
        """Begin with given weights instead of zeros: `arrays` has v of each block in full rows, by name (v0, v1 ...).
        What a learner keeps besides, such as the sums for the average, begins at zero unless it is given, too."""
        empty = self.online.state()[0]
        rows = {name: name[1:] for name in empty if name[:1] in _NAMES_OF_ROWS and name[1:].isdigit()}
        self.online.restore(
            {name: arrays.get(name, np.zeros_like(arrays[f"v{block}"])) for name, block in rows.items()}, {}
        )

    def run(self, examples: Examples, **how: Setting) -> Fit:
        """Go over the examples to the end of the `course`, which says what can be asked for, and return what was learned."""
        return end_of(self.course(examples, **how))

    def course(
        self,
        examples: Examples,
        *,
        epochs: int | None = None,
        seed: int = 0,
        dev: Examples | None = None,
        patience: int = 3,
        tol: float = 1e-3,
        shuffle: bool = True,
        fit: Fit | None = None,
        take: bool = False,
        measure: bool = False,
        progress: Callable[[Progress], None] | None = None,
        after_epoch: Callable[[Fit], None] | None = None,
        between: Callable[[Fit], None] | None = None,
        further: bool = False,
        piece: int = _FIRST_PIECE,
    ) -> Course:
        """Pass over the examples until `epochs`, until the weights move by less than `tol` of their length in an
        epoch (where the learner can tell how far the optimum is, until that is less than `tol`; where only mistakes move
        the weights, until an epoch has none), or until `patience` epochs have not improved on `dev`. Ctrl-C ends it
        early; what was learned is kept.

        Epoch e is shuffled by (seed, e) alone, so a run that goes on from an earlier `fit` sees what it would have
        seen: `online.t` says how many examples of the epoch it has seen. With the option `runs` all this is done several
        times, in other orders, and the weights are averaged.

        take: the weights take the place of what learned them, and nothing can be learned afterwards.
        measure: say in `fit.theory` what margin the weights have on the examples, and what follows from it.
        between: called between two pieces of an epoch, and when learning was interrupted, as long as it could go on.
        further: go on from what was learned of other examples; without it, learning begins from nothing.
        piece: the number of examples of the first piece of an epoch. It says how often `between` is called, and nothing else.
        """
        n = epochs if epochs is not None and not self.preset.one_pass else self._usual_epochs(len(examples))
        plan = _Plan(examples, dev, n, self._runs, seed, shuffle, patience, tol, piece)
        if further and not self.learns_in_parts:
            raise UsageError(f"learner {self.preset.name!r} cannot go on from what was learned, with these options.")
        if fit is None:
            fit = Fit([])
            if further:
                self._seen_before = self.online.t
            else:
                self._core = self._new() if self.online.t else self.online
        fit.interrupted = False
        self._renew_core(plan, fit)
        show = _ShownProgress(progress, plan, fit, self.online.t - self._seen_before)
        hooks = _Hooks(show, after_epoch or _do_nothing, between or _do_nothing)
        try:
            while fit.runs < self._runs:
                self._renew_core(plan, fit)
                yield from self._epochs(plan, fit, hooks)
                if self._runs == 1:
                    break
                fit.end_run()
        except KeyboardInterrupt:
            fit.interrupted = True
            hooks.between(fit)
            fit.stopped = f"interrupted after {len(fit.history)} of {n * self._runs} epochs"
        if fit.runs == 0 and (dev is None or not fit.this_run()):
            fit.best, fit.weights = len(fit.history), self.weights(take=take)
        if take:
            self._core = None
        if fit.runs:
            fit.weights = divided(fit.total, fit.runs)
        if measure and self.preset.linear and not fit.interrupted:
            online = shuffle and self._solver is None and not self._dropout
            exponential = self.preset.loss_over(self.gen, self.options).name == "exponential"
            fit.theory = theory(
                self.gen, fit.weights, examples, fit.history, online=online, bias=self._bias, exponential=exponential
            )
        if measure and self._joint is not None and not fit.interrupted:
            more = coefficients(examples, self.gen, self.options, self.fields)
            fit.likelihood = None if more is None else self._joint + more
        if fit.history and not fit.interrupted:
            fit.warning = self._overshooting(examples, fit.history[-1].loss)
        if fit.runs > 1:
            right = 0 if dev is None else accuracy(self.gen, self.scorer(fit.weights), dev)
            score = "" if dev is None else f" with {100 * right:.2f}% on the held-out part"
            fit.stopped = f"the average of {fit.runs} runs{score}; {fit.stopped}"
        return fit

    def _usual_epochs(self, n: int) -> int:
        return self.preset.usual_epochs(n) if self._solver is None else _MOST_PASSES

    def _renew_core(self, plan: _Plan, fit: Fit) -> None:
        """Before a run, make a Core that has learned nothing, unless there is one of this run already, or learning goes on from
        other examples."""
        if self._seen_before:
            return
        seed = plan.seed_of_dropout(fit.runs)  # A Core with another seed is that of an earlier run.
        if self.online.t and self.online.seed != seed:
            self._core = self._new()
        self.online.seed = seed

    def _epochs(self, plan: _Plan, fit: Fit, hooks: _Hooks) -> Generator[Piece, int | None, None]:
        """Do one run, or what is left of it."""
        if not fit.this_run():
            fit.best = 0
        began = time.perf_counter()
        e = len(fit.this_run())
        while not (why := self._why_stop(plan, fit)) and e < plan.epochs:
            order = plan.order(fit.runs, e, shuffle=self.online.shuffled and not self.preset.one_pass)
            seen = self.online.t - self._seen_before - e * len(order)
            if seen == 0:
                self.online.begin()
                self._sample_before_epoch = self.online.sample() if plan.watches else []
            yield from self._pieces(
                plan.examples, order, seen, plan.piece, partial(hooks.tell, fit, e), (fit.runs + 1, e + 1)
            )
            self._record(plan, fit, time.perf_counter() - began)
            hooks.after_epoch(fit)
            e += 1
        fit.stopped = why or (f"all {e} epochs are done" if e > 1 else "one pass is all there is")
        if fit.history and fit.history[-1].gap is not None:
            fit.stopped += f" ({_optimality(fit.history[-1])})"
        if plan.dev is None and plan.runs > 1:
            fit.best, fit.weights = len(fit.history), self.weights()

    def _record(self, plan: _Plan, fit: Fit, seconds: float) -> None:
        """Add what this epoch did to the history, and keep its weights if they are the best of the run on dev."""
        examples, dev = plan.examples, plan.dev
        loss = self.online.total / max(examples.total_weight(), 1e-12)
        if self._eta is not None and not loss < _RUNAWAY * self._guessing(examples, loss):
            raise self._diverged(loss)
        moved = math.nan
        if plan.watches:
            change, size = self.online.moved(self._sample_before_epoch)
            moved = change / size if size else 0.0
        score = best = None
        if dev is not None:
            weights = self.weights()
            score = accuracy(self.gen, self.scorer(weights), dev)
            if all(score > epoch.dev for epoch in fit.this_run() if epoch.dev is not None):
                best = weights
        gap = self.online.left(examples.blocks, examples.y, examples.y_at, examples.weight, plan.tol)
        epoch = Epoch(
            epoch=len(fit.history) + 1,
            loss=loss,
            updates=self.online.updates,
            moved=moved,
            dev=score,
            seconds=seconds,
            run=fit.runs + 1,
            gap=gap,
            support=self.online.support,
            mistakes=self.online.mistakes,
        )
        fit.end_epoch(epoch, best)

    def _why_stop(self, plan: _Plan, fit: Fit) -> str:
        """Why the run ends before all its epochs are done, in words; "" where it goes on."""
        if plan.epochs == 1 or not fit.this_run():
            return ""
        last = fit.history[-1]
        if last.dev is not None and last.epoch - fit.best >= plan.patience:
            return f"{plan.patience} epochs brought nothing on the held-out part"
        if last.gap is not None:
            if isinstance(self.online, Settles) and self.online.settled and last.gap > plan.tol:
                return "the shards have nothing more to add"
            return "the optimum is reached" if last.gap <= plan.tol else ""
        if last.updates == 0:
            return "the last epoch made no mistake" if self._until_no_mistake else "the weights stopped moving"
        if last.moved < plan.tol and not self._until_no_mistake:
            return f"the weights moved by less than {100 * plan.tol:.2g}% of their length in the last epoch"
        return ""

    def _pieces(
        self,
        examples: Examples,
        order: Order,
        at: int,
        usual: int = _FIRST_PIECE,
        tell: Callable[[float], None] = _say_nothing,
        where: tuple[int, int] = (1, 1),
    ) -> Generator[Piece, int | None, None]:
        """Learn from the rest of an epoch from `at` on, in pieces of about 0.1 s or of as many examples as are sent, and tell
        the share that is done after each."""
        while at < len(order):
            asked = yield Piece(*where, None)
            n = usual if asked is None or isinstance(self.online, Passes) else asked
            piece = order[at : at + n]
            began = time.perf_counter()
            try:
                self.online.run(examples.blocks, examples.y, examples.y_at, piece, examples.weight)
            except DivergedError:
                raise self._beyond("scores") from None
            self.gen.check()
            self.gen.forget()
            at += n
            seconds = time.perf_counter() - began
            if n == usual:
                usual = int(min(n * 4, max(_FIRST_PIECE, n * _PIECE_SECONDS / max(seconds, 1e-6))))
            if at >= len(order):
                self.online.end()
            tell(min(at / len(order), 1.0))
            yield Piece(*where, piece)

    def _guessing(self, examples: Examples, loss: float) -> float:
        """The mean loss of knowing nothing. For log losses it is known; for others it is computed when it matters."""
        guess = self._roughly_guessing(examples)
        if loss < _RUNAWAY * guess or not math.isfinite(loss):
            return guess
        return max(guess, self._nothing_known(examples))

    def _roughly_guessing(self, examples: Examples) -> float:
        """About the mean log loss of knowing nothing; over labels it is just that. It is too large where there are several
        blocks, of which one has an outcome for each pair of outcomes of another."""
        return len(examples.y) / max(len(examples), 1) * math.log(max(2, *self.gen.outcomes))

    def _nothing_known(self, examples: Examples) -> float:
        """The mean loss of the first examples where all weights are 0."""
        still = online(replace(self.preset, step=lambda options: Constant(0)), self.options, self.gen, self._n)
        some = np.arange(min(len(examples), _GUESSED_EXAMPLES))
        still.run(examples.blocks, examples.y, examples.y_at, some)
        return still.total / len(some)

    @property
    def _eta(self) -> float | None:
        """The learning rate, which may be too large; None for learners that find the length of their steps themselves."""
        eta = self.options.get("eta")
        return eta if self._solver is None and isinstance(eta, float) else None

    def _beyond(self, what: str) -> DivergedError:
        """The error for weights or scores that have left the finite numbers."""
        return DivergedError(f"{self._too_large()}: the {what} are no longer finite numbers. {self._smaller()}")

    def _diverged(self, loss: float) -> DivergedError:
        """The error for steps so long that learning runs away, to a loss far above that of knowing nothing."""
        return DivergedError(f"{self._too_large()}: the mean loss of the last epoch is {loss:.3g}. {self._smaller()}")

    def _overshooting(self, examples: Examples, loss: float) -> str:
        """A sentence for the user where the loss has grown above that of knowing nothing; "" where it has not."""
        # The rough value is too large by at most a factor of the number of blocks, so most losses need no exact one.
        if self._eta is None or loss < self._roughly_guessing(examples) / len(self.gen.outcomes):
            return ""
        nothing = self._nothing_known(examples)
        if loss <= _GROWN * nothing:
            return ""
        return (
            f"{self._too_large()}: its steps overshoot, and the mean loss has grown from {nothing:.3g}, when nothing was "
            f"learned, to {loss:.3g} in the last epoch. {self._smaller()}"
        )

    def _too_large(self) -> str:
        """What is too large for learning to end well, for messages."""
        if self._eta is not None:
            return f"the learning rate eta={self._eta:g} is too large"
        return "the values of some features are too large"

    def _smaller(self) -> str:
        """What to do about it."""
        if self._eta is not None:
            return f"Try --set eta={min(self._safe_eta, self._eta / 10):.1g}."
        return "Divide them by a constant, so that most are not far above 1."


def _optimality(epoch: Epoch) -> str:
    vectors = "" if epoch.support is None else f", {epoch.support:,} support vectors"
    return f"gap {epoch.gap:.2g}{vectors}"
