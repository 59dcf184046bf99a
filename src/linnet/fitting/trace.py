"""Learning step by step: what a learner sees, finds and changes, taken from a real run.

    for step in linnet.trace("reviews.csv", learner="mira"):
        print(step)

Every learner is watched in the same way. Its `course` (learners/learning.py) is run a piece of one example at a time,
which does not change what is learned. Before and after each piece the tables of the learner are compared: the weights,
the counts, or what each example has added. A step lasts until the learner has counted further examples as learned from.
That is one example for learners that learn from one after the other, and all examples for those that go over all of
them before a step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linnet.core.predictor import Predictor
from linnet.core.scorer import Linear, Scorer
from linnet.core.types import Array, Json
from linnet.fitting.changes import differences, rows_in_use
from linnet.fitting.notation import Notation, Tables
from linnet.fitting.traced import Change, Changes, Feature, Step
from linnet.learners import Examples, Fit, Learning
from linnet.learners.boosting import Boosting
from linnet.learners.contract import Core, StepsByExample
from linnet.learners.learning import Course, Piece, end_of
from linnet.learners.preset import online
from linnet.learners.weights import Matrix, blocks
from linnet.losses.each import Each
from linnet.steps.constant import Constant

_NUMBERS = {
    "value": "objective F(w)",
    "alpha": "alpha, the length of the next step",
    "total": "sum of the losses",
    "bound": "bound on that sum after the step",
    "lowered": "1 - Z, by how much the round lowers it",
}
"""What the numbers of learners that go over all examples are called, by their names in the state."""
_LARGEST_SHARES = 12
"""The number of examples of a distribution that are kept."""


@dataclass(frozen=True)
class _Snapshot:
    """The tables of a learner at one moment."""

    t: int
    tables: Mapping[str, Sequence[Matrix]]
    numbers: Mapping[str, Json]
    scorer: Scorer | None
    """What the learner scores an example with; None where it only counts."""


class Tracer:
    """Watches a learner over examples, and says in words what its steps are."""

    def __init__(
        self, learning: Learning, examples: Examples, notation: Callable[[int], Notation], most: int | None = None
    ) -> None:
        """notation: the words for the example with this number. most: the number of changes that are kept of a step; None
        for all."""
        self.learning = learning
        self.examples = examples
        self.notation = notation
        self.most = most
        loss = learning.preset.loss_over(learning.gen, learning.options)
        self.only_counts = loss.only_counts
        self._starts = [block.starts() for block in examples.blocks]

    def steps(self, course: Course) -> Generator[Step, None, Fit]:
        """Yield each step of a course, and return what was learned. A caller that stops early can go on with the
        course."""
        n = 0
        before: _Snapshot | None = None
        try:
            piece = next(course)
            while True:
                if piece.examples is None:
                    before = before or self._snapshot()
                elif before is not None and self.learning.online.t != before.t:
                    n += 1
                    step, before = self._step(n, piece, before, self._snapshot()), None
                    yield step
                piece = course.send(1)
        except StopIteration as end:
            fit: Fit = end.value
            return fit

    def tell(self, course: Course, watch: Callable[[Step], bool]) -> Fit:
        """Call `watch` with each step of a course until it returns False, then go to the end of the course, and return
        what was learned. Ctrl-C inside `watch` ends learning, as it does in the course."""
        steps = self.steps(course)
        try:
            while watch(next(steps)):
                pass
        except StopIteration as end:
            fit: Fit = end.value
            return fit
        except KeyboardInterrupt as interrupt:
            return end_of(course, interrupt)
        return end_of(course)

    def _snapshot(self) -> _Snapshot:
        core = self.learning.online
        _, numbers = core.state()
        tables, scorer = self._tables(core)
        return _Snapshot(core.t, tables, numbers, None if self.only_counts else scorer)

    def _tables(self, core: Core) -> tuple[dict[str, Sequence[Matrix]], Scorer]:
        """The tables of the learner by name, and a scorer made of them. The tables are the weights or counts of
        features, or the weights of two layers; and alpha, what each example has added, where the learner knows that."""
        preset, gen = self.learning.preset, self.learning.gen
        arrays, last = core.state()[0], core.last()
        added: dict[str, Sequence[Matrix]] = {"alpha": _copied(arrays, "m")} if "m0" in arrays else {}
        scorer = preset.scorer(last, self.learning.options)
        if preset.linear:
            return {"count" if self.only_counts else "w": blocks(last, gen), **added}, scorer
        if "survived" in core.state()[1]:  # The voted perceptron: the weights that learn are after those that vote.
            return {"w": last[-len(gen.outcomes) :]}, Linear(last[-len(gen.outcomes) :])
        if added or "effect" in arrays:  # Learners with a kernel have no weights of features.
            return added, scorer
        layers, n = _copied(arrays, "v"), len(gen.outcomes)
        return {"V": layers[:n], "E": layers[n:]}, scorer

    def _step(self, n: int, piece: Piece, before: _Snapshot, after: _Snapshot) -> Step:
        core = self.learning.online
        assert piece.examples is not None
        i = int(piece.examples[0])
        words = self.notation(i)
        step = Step(
            n, piece.run, piece.epoch, self.learning.preset.name, changes=self._changes(before, after, words, i)
        )
        if isinstance(core, StepsByExample):
            return self._example(step, core, i, before, words)
        return self._pass(step, before, after)

    def _example(self, step: Step, core: StepsByExample, i: int, before: _Snapshot, words: Notation) -> Step:
        """What a step from one example was."""
        gen, data = self.learning.gen, self.examples
        gold = np.ascontiguousarray(data.y[data.y_at[i] : data.y_at[i + 1]])
        step = replace(step, example=i, x=words.text, y=words.output(gold.tolist()), features=self._features(i, words))
        if before.scorer is None:
            return step
        loss = self.learning.preset.loss_over(gen, self.learning.options)
        of_outputs = None if isinstance(loss, Each) else loss  # A loss of questions finds no output.
        one = Predictor(gen, before.scorer).one(data.blocks, i, gold, of_outputs)
        theta, y_hat, right, score, score_of_y, mu_hat, mu = one
        in_words = words.output(y_hat.tolist())
        gen.forget()
        tables = Tables(theta, core.slopes(), mu, mu_hat)
        return replace(
            step,
            y_hat=in_words,
            right=right,
            score=score if gen.has_scores else None,
            score_of_y=score_of_y if gen.has_scores else None,
            charts=words.charts_of(gen, tables),
            loss=core.last_loss,
            tau=core.last_tau,
        )

    def _features(self, i: int, words: Notation) -> tuple[Feature, ...]:
        return tuple(
            Feature(words.place(g, p), words.feature(g, int(j)), float(value))
            for g, block in enumerate(self.examples.blocks)
            for p, (numbers, values) in enumerate(block.rows_of(i))
            for j, value in zip(numbers, values, strict=True)
        )

    def _pass(self, step: Step, before: _Snapshot, after: _Snapshot) -> Step:
        """What a step after a pass over all examples was."""
        numbers = {
            called: (float(before.numbers[name]), float(after.numbers[name]))
            for name, called in _NUMBERS.items()
            if name in after.numbers and not (name == "total" and "value" in after.numbers)
        }
        if "first" in after.numbers:
            numbers["|gradient|"] = (_gradient(before.numbers), _gradient(after.numbers))
        return replace(step, numbers=numbers, distribution=self._distribution(before))

    def _distribution(self, before: _Snapshot) -> tuple[tuple[str, float], ...]:
        """For boosting, the share that each example has in the loss that the round lowers; the largest first."""
        if not isinstance(self.learning.online, Boosting):
            return ()
        data, learning = self.examples, self.learning
        still = online(
            replace(learning.preset, step=lambda options: Constant(0)),
            learning.options,
            learning.gen,
            learning.n_features,
        )
        assert isinstance(still, StepsByExample)
        still.restore({f"v{g}": np.asarray(w) for g, w in enumerate(before.tables["w"])}, {})
        losses = np.zeros(len(data))
        for i in range(len(data)):
            still.run(data.blocks, data.y, data.y_at, np.array([i]), data.weight)
            losses[i] = still.last_loss
        shares = losses / max(losses.sum(), 1e-300)
        largest = np.argsort(-shares, kind="stable")[:_LARGEST_SHARES].tolist()
        return tuple((self.notation(i).text, float(shares[i])) for i in largest)

    def _changes(self, before: _Snapshot, after: _Snapshot, words: Notation, i: int) -> tuple[Changes, ...]:
        """What differs between two snapshots around example i."""
        found = []
        rows = [rows_in_use(block, i) for block in self.examples.blocks]
        for name, tables in after.tables.items():
            earlier = before.tables.get(name, [None] * len(tables))
            every = [
                (g, *change)
                for g, (old, new) in enumerate(zip(earlier, tables, strict=True))
                for change in differences(old, new, rows[g])
            ]
            every.sort(key=lambda change: -abs(change[4] - change[3]))
            largest = [self._change(name, words, *change) for change in every[: self.most]]
            found.append(Changes(name, len(every), tuple(largest)))
        return tuple(found)

    def _change(self, table: str, words: Notation, g: int, row: int, k: int, before: float, after: float) -> Change:
        """A change in words."""
        if table == "alpha":
            i = int(np.searchsorted(self._starts[g], row, "right")) - 1
            own = self.notation(i)
            place = own.place(g, row - int(self._starts[g][i]))
            return Change(g, f"example {i}" + (f", {place}" if place else ""), own.outcome(g, k), before, after)
        if table == "V":
            return Change(g, "bias" if row == 0 else f"h[{row - 1}]", words.outcome(g, k), before, after)
        if table == "E":
            g = [block for block, n in enumerate(self.learning.n_features) if n][g]
        name = "bias" if row == 0 else words.feature(g, row - 1)
        return Change(g, name, f"h[{k}]" if table == "E" else words.outcome(g, k), before, after)


def _gradient(numbers: Mapping[str, Json]) -> float:
    """The length of the gradient, which the state of L-BFGS has as a share of that at the start; inf before it is known."""
    return float(numbers["gap"]) * float(numbers["first"]) if numbers["first"] else np.inf


def _copied(arrays: Mapping[str, Array], name: str) -> list[Array]:
    """The arrays of this name of all blocks, copied, as the learner goes on changing them."""
    found: list[Array] = []
    while f"{name}{len(found)}" in arrays:
        found.append(np.array(arrays[f"{name}{len(found)}"]))
    return found
