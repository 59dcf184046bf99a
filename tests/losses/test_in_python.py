"""Losses in plain Python beside the compiled ones: the same weights, over every structure; and losses of one's own."""

from dataclasses import replace

import numpy as np
import pytest
from test_every_structure import PROBLEMS

import linnet
from linnet.core.form import Loss as CompiledLoss
from linnet.errors import UsageError
from linnet.learners import LEARNERS, Examples, Learning, Preset
from linnet.learners.examples import accuracy
from linnet.losses import in_python
from linnet.losses.hinge import Hinge
from linnet.steps.adagrad import AdaGrad
from linnet.steps.constant import Constant
from linnet.structures import STRUCTURES
from linnet.structures.labels import Labels

LOSSES = {
    "perceptron": ("perceptron", in_python.Perceptron, {}),
    "mira": ("mira", in_python.Hinge, {}),
    "log": ("logistic", in_python.Log, {"eta": 0.2}),
    "exponential": ("logistic", in_python.Exponential, {"eta": 0.02, "loss": "exp"}),
}
"""For each loss a compiled learner that has it, and its options."""


@pytest.fixture(scope="module")
def problems():
    return {structure: make() for structure, make in PROBLEMS.items()}


def learning(problem, preset, options):
    return Learning(preset, options, problem.gen, problem.n_features, problem.examples.length2())


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", LOSSES)
def test_it_learns_what_the_compiled_loss_learns(problems, structure, name):
    learner, loss, options = LOSSES[name]
    problem = problems[structure]
    compiled = problem.learning(learner, options)
    ours = learning(problem, replace(LEARNERS[learner], loss=lambda options: loss()), options)
    found, expected = (one.run(problem.examples, epochs=2, tol=0) for one in (ours, compiled))
    for w, v in zip(found.weights, expected.weights, strict=True):
        np.testing.assert_allclose(w, v, rtol=1e-5, atol=2e-6)
    for epoch, other in zip(found.history, expected.history, strict=True):
        assert epoch.loss == pytest.approx(other.loss, rel=1e-6, abs=1e-9)
        assert epoch.mistakes == other.mistakes


@pytest.mark.parametrize("name", LOSSES)
def test_over_labels_it_is_the_same_to_the_bit(problems, name):
    learner, loss, options = LOSSES[name]
    problem = problems["labels"]
    ours = learning(problem, replace(LEARNERS[learner], loss=lambda options: loss()), options)
    found = ours.run(problem.examples, epochs=3, tol=0)
    expected = problem.learning(learner, options).run(problem.examples, epochs=3, tol=0)
    assert [w.tobytes() for w in found.weights] == [w.tobytes() for w in expected.weights]


def test_a_loss_in_python_goes_to_the_optimum_too(problems):
    problem = problems["chain"]
    by_lbfgs = replace(LEARNERS["crf"], loss=lambda options: in_python.Log())
    ours, compiled = (
        learning(problem, preset, {"by": "lbfgs", "lam": 0.01}).run(problem.examples, epochs=20, tol=0)
        for preset in (by_lbfgs, LEARNERS["crf"])
    )
    np.testing.assert_allclose(ours.weights[0], compiled.weights[0], rtol=1e-4, atol=1e-5)


class Ramp(linnet.Loss):
    """Of what is hopelessly wrong, no more than its cost."""

    called = "ramp"

    def evaluate(self, x):
        fear, hope = x.with_cost(1), x.with_cost(-1)
        y_fear, y_hope = fear.argmax(), hope.argmax()
        return fear.score(y_fear) - hope.score(y_hope), x.mu(y_fear) - x.mu(y_hope)


def preset(loss, step=Constant):
    return Preset("mine", "a loss of one's own", lambda options: loss(), lambda options: step())


@pytest.mark.parametrize("structure", ["labels", "chain", "tree", "brackets", "own"])
def test_a_loss_of_ones_own_learns(problems, structure):
    problem = problems[structure]
    ours = learning(problem, preset(Ramp, lambda: AdaGrad(0.1, 0)), {})
    fit = ours.run(problem.examples, epochs=10, tol=0)
    assert accuracy(problem.gen, ours.scorer(fit.weights), problem.examples) == 1


def test_what_it_sees_of_an_example():
    seen = []

    class Looks(linnet.Loss):
        def evaluate(self, x):
            more, (log_z, p) = x.with_cost(2), x.marginals()
            seen.append((x.theta, x.y, x.argmax(), x.mu(x.y), x.score(x.y), more.theta, log_z, p))
            kept.append(x)
            return 0.5, x.mu(x.y) * -1

    kept = []
    run_one(Looks)
    theta, y, y_hat, mu, score, more, log_z, p = seen[0]
    assert theta.tolist() == [0, 0]
    assert (y.numbers, y_hat.numbers, y == y_hat) == ((1,), (0,), False)
    assert mu.tolist() == [0, 1]
    assert (score, log_z) == (0, pytest.approx(np.log(2)))
    assert more.tolist() == [2, 0]
    assert p.tolist() == [0.5, 0.5]
    assert seen[1][0].tolist() == [0, 2]  # The bias and the only feature have gone up by 1.
    with pytest.raises(ValueError, match="these scores are gone"):
        kept[0].argmax()


def run_one(loss, step=Constant, n=2):
    """Two examples x = 1 with label 1 of two."""
    rows = (np.arange(n + 1), np.zeros(n, np.uint32), np.ones(n, np.float32))
    ours = Learning(preset(loss, step), {}, Labels(2), (1,))
    return ours.run(Examples.labelled(rows, np.ones(n, np.int32)), epochs=1, shuffle=False)


def test_an_error_in_its_code_is_raised():
    class Wrong(linnet.Loss):
        def evaluate(self, x):
            return x.nothing

    with pytest.raises(AttributeError, match="'nothing'"):
        run_one(Wrong)


def test_r_must_be_like_theta():
    class Short(linnet.Loss):
        called = "short"

        def evaluate(self, x):
            return 1.0, [1.0]

    with pytest.raises(UsageError, match=r"^expected r of loss 'short' like theta, 2 numbers, found \(1,\)\.$"):
        run_one(Short)


def test_ctrl_c_in_its_code_ends_learning_and_keeps_what_was_learned():
    asked = []

    class Stopped(linnet.Loss):
        def evaluate(self, x):
            asked.append(x.y)
            if len(asked) == 2:
                raise KeyboardInterrupt
            return 1.0, -x.mu(x.y)

    fit = run_one(Stopped)
    assert fit.interrupted
    assert len(asked) == 3  # The second example was asked about once more.
    assert fit.weights[0].tolist() == [[0, 2], [0, 2]]


@pytest.mark.parametrize("base", [CompiledLoss, Hinge])
def test_python_that_would_never_run_is_refused(base):
    class Ignored(base):
        def evaluate(self, x):
            return 0.0, x.theta

    with pytest.raises(UsageError) as caught:
        run_one(Ignored)
    assert str(caught.value) == (
        "evaluate of Ignored is Python, but its class derives from a compiled one, whose own code would run. Derive it from "
        "linnet.Loss."
    )


def test_rankings_need_a_loss_of_margins(problems):
    with pytest.raises(UsageError) as caught:
        learning(problems["ranking"], preset(Ramp), {})
    assert str(caught.value) == (
        "loss 'ramp' is one of whole outputs, but those of structure 'ranking' are decided by yes-or-no questions. Write "
        "of_margin, too: losses/in_python.py shows how."
    )
