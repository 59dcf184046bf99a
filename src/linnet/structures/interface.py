"""The base class of structures that users write in Python: every learner works with them.

`features` is called once for each example, before learning and before prediction. `Own` (structures/own.pyx) calls the other
methods from the compiled loops: for each example in each pass that of `argmax`, `augmented`, `best_k` and `marginals` which the
loss of the learner needs, and `mu` and `cost` for the outputs that it meets.

    theta_g   = X_g W_g                  scores of block g: a table, places x outcomes
    mu(y)                                the parts (block, place, outcome) that an output y uses
    w.f(x, y) = sum of theta over the parts of y

A subclass must have `outcomes`, `features` and `mu`, and a way to find the best output: `argmax`, or `outputs`, which lists all
outputs. From a list all else follows by enumeration; without one, each method says what it is needed for.

>>> class Pair(Structure):
...     '''Two tokens, of which at most one is marked.'''
...     outcomes = (2,)
...     one_outcome = True
...     def features(self, x):
...         return [[{"w": w} for w in x]]
...     def mu(self, y):
...         return [(0, t, k) for t, k in enumerate(y)]
...     def outputs(self, places):
...         return [(0, 0), (0, 1), (1, 0)]
>>> Pair().argmax([np.array([[0, 1.0], [0, 2.0]])])
(0, 1)
>>> Pair().cost((0, 1), (1, 0))
2.0
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.types import Data, Json, Output

Part = tuple[int, int, int]
"""A part of an output: (block, place, outcome)."""
Table = npt.NDArray[np.float64]
Attributes = Mapping[str, Json] | Sequence[str]
_IMPOSSIBLE = -1e12
"""A score that stands for -inf, since -inf times 0 is no number."""


class Structure(ABC):
    """GEN(x) in Python. It sees tables of scores, never weights; the places of each block say which outputs there are."""

    outcomes: Sequence[int]
    """The number of outcomes of a place, for each block."""
    one_outcome: bool = False
    """Whether every output uses exactly one outcome at each place of block 0, which pointwise losses need."""

    @abstractmethod
    def features(self, x: Data) -> Sequence[Sequence[Attributes]]:
        """For each block a list of its places, each a dict or a list of attributes: {"w": "dog", "cap": True, "len": 3}.

        A block whose weights do not depend on x has one place without any: [{}].
        """

    @abstractmethod
    def mu(self, y: Output) -> Iterable[Part]:
        """The parts of an output; a part that is used n times comes n times. Outputs with the same parts count as equal."""

    def outputs(self, places: tuple[int, ...]) -> Iterable[Output]:
        """All outputs of an x with this many places in each block."""
        raise NotImplementedError(f"{type(self).__name__} does not list its outputs")

    def argmax(self, theta: Sequence[Table]) -> Output:
        """The best output. theta has an array, places x outcomes, for each block, which may be changed."""
        return self._best(theta, 1)[0]

    def best_k(self, theta: Sequence[Table], k: int) -> Sequence[Output]:
        """The k best outputs, or as many as there are, the best first. They are needed for MIRA with k > 1 and for
        `predict_k`."""
        return self._best(theta, k)

    def marginals(self, theta: Sequence[Table]) -> tuple[float, Sequence[Table]]:
        """log Z, and the probability of each part as arrays like theta. They are needed for log losses (crf, logistic,
        boosting)."""
        return self._expected(theta)

    def cost(self, y: Output, y_hat: Output) -> float:
        """The cost of saying y_hat where y is right. By default it is half the number of parts of block 0 that only one of
        the two has: where each place has one outcome, the number of wrong places. Another cost needs `augmented` too, or
        `outputs`."""
        return len(self._parts_of_first_block(y) ^ self._parts_of_first_block(y_hat)) / 2

    def augmented(self, theta: Sequence[Table], y: Output, amount: float) -> Output:
        """The argmax of score(y_hat) + amount cost(y, y_hat), which learners with margins need (mira, pa, svm, pegasos)."""
        if not self.own_cost:
            costs = theta[0] + amount / 2
            for _, place, outcome in self._parts_of_first_block(y):
                costs[place, outcome] -= amount
            return self.argmax([costs, *theta[1:]])
        return self._best(theta, 1, y, amount)[0]

    def given(self, g: int) -> Sequence[int] | None:
        """For naive Bayes: the number of the context in which each outcome of block g is chosen; None where each is used or
        not by itself."""
        return [0] * self.outcomes[g] if g == 0 and self.one_outcome and self.outcomes[g] > 1 else None

    @property
    def listed(self) -> bool:
        """Whether the subclass lists all outputs, from which all else can be computed."""
        return type(self).outputs is not Structure.outputs

    @property
    def has_marginals(self) -> bool:
        """Whether there are marginals: those of the subclass, or those that follow from its list of outputs."""
        return self.listed or type(self).marginals is not Structure.marginals

    @property
    def has_k_best(self) -> bool:
        """Whether the k best outputs can be found: by the subclass, or from its list of outputs."""
        return self.listed or type(self).best_k is not Structure.best_k

    @property
    def own_cost(self) -> bool:
        """Whether the cost is not the default one, which is a sum over parts and is added to theta."""
        return type(self).cost is not Structure.cost

    @property
    def missing(self) -> str:
        """A sentence that says what has to be written yet; empty where nothing has."""
        name = type(self).__name__
        if not getattr(self, "outcomes", ()) or min(self.outcomes) < 1:
            return f"expected {name}.outcomes to have the number of outcomes of each block, such as (2,)."
        if not self.listed and type(self).argmax is Structure.argmax:
            return f"{name} has no way to the best output. Write argmax(theta), or outputs(places), which lists all of them."
        if self.own_cost and not self.listed and type(self).augmented is Structure.augmented:
            return (
                f"{name} has a cost of its own, but no way to the output that is best with it. Write "
                "augmented(theta, y, amount), or leave out cost."
            )
        return ""

    def _parts_of_first_block(self, y: Output) -> set[Part]:
        return {(g, place, outcome) for g, place, outcome in self.mu(y) if g == 0}

    def _enumerated(self, places: tuple[int, ...]) -> tuple[list[Output], Table]:
        """All outputs, and a matrix with mu of one output in each row, the tables of all blocks one after the other."""
        known: dict[tuple[int, ...], tuple[list[Output], Table]] = vars(self).setdefault("_known", {})
        if places not in known:
            outputs = list(self.outputs(places))
            if not outputs:
                raise ValueError(f"expected an output of {type(self).__name__} for places {places}, found none")
            starts = np.concatenate([[0], np.cumsum(np.multiply(places, self.outcomes))]).astype(int)
            M = np.zeros((len(outputs), starts[-1]))
            for row, y in zip(M, outputs, strict=True):
                for g, place, outcome in self.mu(y):
                    row[starts[g] + place * self.outcomes[g] + outcome] += 1
            known[places] = outputs, M
        return known[places]

    def _scores(self, theta: Sequence[Table], y: Output, amount: float) -> tuple[list[Output], Table, Table]:
        """All outputs, the matrix of `_enumerated`, and the score of each output plus amount cost(y, output)."""
        outputs, M = self._enumerated(tuple(map(len, theta)))
        scores: Table = times(M, np.maximum(np.concatenate([np.ravel(table) for table in theta]), _IMPOSSIBLE))
        if amount:
            scores += amount * np.array([self.cost(y, y_hat) for y_hat in outputs])
        return outputs, M, scores

    def _best(self, theta: Sequence[Table], k: int, y: Output = None, amount: float = 0) -> list[Output]:
        """The k outputs with the highest score plus amount cost(y, output), by enumeration."""
        outputs, _, scores = self._scores(theta, y, amount)
        if k == 1:
            return [outputs[int(scores.argmax())]]
        return [outputs[i] for i in np.argsort(-scores, kind="stable")[:k]]

    def _expected(self, theta: Sequence[Table], y: Output = None, amount: float = 0) -> tuple[float, list[Table]]:
        """log Z and the marginals of the scores plus amount cost(y, output), by enumeration."""
        _, M, scores = self._scores(theta, y, amount)
        p = np.exp(scores - scores.max())
        mean = times(p / p.sum(), M)
        ends = np.cumsum([table.size for table in theta])[:-1]
        tables = [part.reshape(table.shape) for part, table in zip(np.split(mean, ends), theta, strict=True)]
        return float(scores.max() + np.log(p.sum())), tables
