"""A structure and its scores beside the list of all its outputs: what every structure is compared with."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.core.predictor import Predictor
from linnet.core.weights import stride_of
from linnet.losses import phi
from linnet.losses.each import Each
from linnet.losses.exponential import Exponential
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.pointwise import Pointwise
from linnet.steps.sgd import SGD

SMOOTH = (Log(), Log(cost=1), Exponential(), Pointwise(), Pointwise(exponential=True))
PHIS = [
    (phi.Perceptron(), lambda s: max(0, -s), lambda s: -float(s <= 0)),
    (phi.Hinge(), lambda s: max(0, 1 - s), lambda s: -float(s < 1)),
    (phi.Hinge(2, squared=True), lambda s: max(0, 2 - s) ** 2, lambda s: -2 * max(0, 2 - s)),
    (phi.Log(), lambda s: np.logaddexp(0, -s), lambda s: -1 / (1 + np.exp(s))),
    (phi.Log(1.5), lambda s: np.logaddexp(0, 1.5 - s), lambda s: -1 / (1 + np.exp(s - 1.5))),
    (phi.Exponential(), lambda s: np.exp(-s), lambda s: -np.exp(-s)),
]
"""Each phi, its formula, and its slope."""


@dataclass
class Case:
    """One example whose places are features of their own, so that the weights are the scores."""

    gen: Any
    theta: list[np.ndarray]
    """Places x outcomes, one table for each block."""
    outputs: list[tuple[int, ...]]
    """All of GEN(x)."""
    mu: Any
    """Of an output, tables as those of theta."""
    cost: Any
    """Of a gold output and another one."""
    output: Any = tuple
    """Of a row of the k best."""
    decisions: Any = tuple
    """Of an output, what is decided one after the other."""
    any: int | None = None
    """What a gold output has where it leaves a decision open."""

    def blocks(self):
        return tuple(places(len(table)) for table in self.theta)

    def weights(self, theta=None):
        padded = []
        for table in self.theta if theta is None else theta:
            W = np.zeros((len(table) + 1, stride_of(table.shape[1])), np.float32)
            W[1:, : table.shape[1]] = table
            padded.append(W)
        return padded

    def score(self, y):
        return sum(
            float((table * part)[part != 0].sum()) for table, part in zip(finite(self.theta), self.mu(y), strict=True)
        )

    def check(self, gold):
        """The best, log Z, marginals, hinge and log loss, and their gradients."""
        scores = np.array([self.score(y) for y in self.outputs])
        y_hat, y_at = Predictor(self.gen, self.weights()).argmax(self.blocks())
        found = tuple(y_hat.tolist())
        assert found in self.outputs
        assert y_at.tolist() == [0, len(found)]
        assert self.score(found) == pytest.approx(scores.max(), rel=1e-5, abs=1e-4)

        augmented = scores + np.array([self.cost(gold, y) for y in self.outputs])
        loss, gradient = self.learned(Hinge(), gold)
        assert loss == pytest.approx(augmented.max() - self.score(gold), rel=1e-5, abs=1e-4)
        if np.sum(augmented > augmented.max() - 1e-3) == 1:
            best = self.outputs[int(augmented.argmax())]
            self._same(gradient, [a - b for a, b in zip(self.mu(best), self.mu(gold), strict=True)])

        if not self.gen.has_marginals:
            return
        top = scores.max()
        logz = top + np.log(np.exp(scores - top).sum())
        mean = [
            sum(np.exp(s - logz) * part for s, part in zip(scores, parts, strict=True))
            for parts in zip(*map(self.mu, self.outputs), strict=True)
        ]
        self._same(Predictor(self.gen, self.weights()).marginals(self.blocks()), mean)
        loss, gradient = self.learned(Log(), gold)
        assert loss == pytest.approx(logz - self.score(gold), rel=1e-4, abs=1e-4)
        self._same(gradient, [a - b for a, b in zip(mean, self.mu(gold), strict=True)])

        if len(gold) > 1 and {len(y) for y in self.outputs} == {len(gold)}:
            self._check_decisions(gold, scores, logz, mean)

    def _check_decisions(self, gold, scores, logz, mean):
        """-log p of each decision of the gold output, summed."""
        value, wanted = 0.0, [np.zeros(table.shape) for table in self.theta]
        for t, decided in enumerate(self.decisions(gold)):
            some = np.array([decided in (self.decisions(y)[t], self.any) for y in self.outputs])
            of_some = scores[some].max() + np.log(np.exp(scores[some] - scores[some].max()).sum())
            value += logz - of_some
            for s, y in zip(scores[some], np.array(self.outputs)[some], strict=True):
                for table, part, one in zip(wanted, mean, self.mu(tuple(y.tolist())), strict=True):
                    table += np.exp(s - of_some) * (part - one)
        loss, gradient = self.learned(Pointwise(), gold)
        assert loss == pytest.approx(value, rel=1e-4, abs=1e-3)
        for a, b in zip(gradient, wanted, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-3, rtol=1e-3)

    def check_k_best(self, k):
        """As many as there are, none twice, the best first."""
        ((rows, scores),) = Predictor(self.gen, self.weights()).kbest(self.blocks(), k)
        found = [self.output(row) for row in rows.tolist()]
        assert len(found) == len(set(found)) == min(k, len(self.outputs))
        assert set(found) <= set(self.outputs)
        np.testing.assert_allclose(
            scores, sorted(map(self.score, self.outputs), reverse=True)[:k], rtol=1e-5, atol=1e-4
        )
        np.testing.assert_allclose(scores, [self.score(y) for y in found], rtol=1e-5, atol=1e-4)

    def check_questions(self, gold, directions, counted=None):
        """The loss of all questions and r, given the directions z_q a_q; a mean is over `counted` of their margins."""
        margins = [sum(float((table * a).sum()) for table, a in zip(self.theta, q, strict=True)) for q in directions]
        for one, value, slope in PHIS:
            loss, gradient = self.learned(Each(one), gold)
            n = counted(one, margins) if counted else len(margins) if one.mean else 1
            assert loss == pytest.approx(sum(map(value, margins)) / max(n, 1), rel=1e-4, abs=1e-4)
            wanted = [np.zeros(table.shape) for table in self.theta]
            for s, q in zip(margins, directions, strict=True):
                for table, a in zip(wanted, q, strict=True):
                    table += slope(s) * a / max(n, 1)
            self._same(gradient, wanted)

    def check_gradients(self, loss, gold, eps=0.01):
        """r of a smooth loss by finite differences."""
        _, gradient = self.learned(loss, gold)
        for table, found in zip(self.theta, gradient, strict=True):
            for at in np.ndindex(*table.shape):
                kept, values = table[at], []
                for step in (eps, -eps):
                    table[at] = kept + step
                    values.append(self.learned(loss, gold)[0])
                table[at] = kept
                slope = (values[0] - values[1]) / (2 * eps)
                assert found[at] == pytest.approx(slope, rel=0.01, abs=0.01)

    def learned(self, loss, gold):
        """The loss, and r as what one step of size 1 takes from the weights."""
        weights = self.weights()
        online = Online(self.gen, loss, SGD(1.0), tuple(len(block) - 1 for block in weights))
        online.restore({f"v{g}": block for g, block in enumerate(weights)}, {})
        online.run(self.blocks(), np.array(gold, np.int32), np.array([0, len(gold)]), np.zeros(1, np.int64))
        before, after = finite(weights), finite(online.last())
        return online.total, [
            (was - now)[1:, : table.shape[1]] for was, now, table in zip(before, after, self.theta, strict=True)
        ]

    def _same(self, found, wanted):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, atol=2e-4, rtol=1e-3)


def finite(tables):
    """What is out of GEN(x) has a score of -inf, and is used by no output."""
    return [np.where(np.isneginf(table), 0, table) for table in tables]


def places(n):
    """One example of n places, place p with the feature p."""
    at = np.arange(n + 1, dtype=np.int64)
    return Block(at, at[:-1].astype(np.uint32), np.ones(n, np.float32), np.array([0, n], np.int64))
