"""Steps in plain Python beside the compiled ones, and steps of one's own."""

from dataclasses import replace

import numpy as np
import pytest

import linnet
from linnet.core.form import Step as CompiledStep
from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.losses import in_python as losses
from linnet.steps import in_python
from linnet.steps.sgd import SGD
from linnet.structures.labels import Labels

STEPS = {
    "perceptron": (lambda options: in_python.Constant(), {}),
    "mira": (lambda options: in_python.PassiveAggressive(options["C"]), {"C": 0.1}),
    "pegasos": (lambda options: in_python.Pegasos(options["lam"]), {"lam": 0.01}),
    "logistic": (lambda options: in_python.SGD(options["eta"], options["lam"]), {"eta": 0.3, "lam": 1e-3}),
}


def examples(n=60, weight=None):
    rng = np.random.default_rng(0)
    rows = SparseRows(
        np.arange(0, 3 * n + 1, 3),
        rng.integers(0, 12, 3 * n).astype(np.uint32),
        rng.normal(size=3 * n).astype(np.float32),
    )
    return Examples.labelled(rows, rng.integers(0, 3, n).astype(np.int32), weight)


def learned(preset, options, data, epochs=3):
    ours = Learning(preset, options, Labels(3), (12,))
    return [w.tobytes() for w in ours.run(data, epochs=epochs, tol=0).weights]


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("weight", [None, np.tile(np.array([1, 0.5, 2], np.float32), 20)], ids=["alike", "weighted"])
def test_it_is_the_compiled_step_to_the_bit(name, weight):
    step, options = STEPS[name]
    plain = {"logistic": replace(LEARNERS["logistic"], step=lambda o: SGD(o["eta"], o["lam"]))}
    compiled = plain.get(name, LEARNERS[name])
    data = examples(weight=weight)
    assert learned(replace(compiled, step=step), options, data) == learned(compiled, options, data)


def test_a_loss_and_a_step_in_python_are_a_learner():
    mine = replace(
        LEARNERS["mira"],
        loss=lambda o: losses.Hinge(),
        step=lambda o: in_python.PassiveAggressive(o["C"]),
        averaged=True,
    )
    data = examples()
    assert learned(mine, {"C": 0.1}, data) == learned(LEARNERS["averaged-mira"], {"C": 0.1}, data)


def test_what_a_step_is_told():
    told = []

    class Tells(linnet.Step):
        def tau(self, loss, norm2, t):
            told.append((loss, norm2, t))
            return 0.5

    rows = SparseRows(np.array([0, 1, 2]), np.zeros(2, np.uint32), np.array([2, 2], np.float32))
    data = Examples.labelled(rows, np.array([1, 1], np.int32))
    mine = replace(LEARNERS["mira"], step=lambda options: Tells())
    fit = Learning(mine, {}, Labels(2), (1,)).run(data, epochs=1, shuffle=False)
    # ||f(x, y) - f(x, y_hat)||^2 is 2 (2^2 + 1^2), with the bias. The first step closes the margin, so that there is no other.
    assert told == [(1, 10, 1)]
    assert fit.weights[0].tolist() == [[-0.5, 0.5], [-1, 1]]


def test_an_error_in_its_code_is_raised():
    class Wrong(linnet.Step):
        def tau(self, loss, norm2, t):
            return loss / 0

    with pytest.raises(ZeroDivisionError):
        learned(replace(LEARNERS["mira"], step=lambda options: Wrong()), {}, examples())


def test_python_that_would_never_run_is_refused():
    class Ignored(CompiledStep):
        def tau(self, loss, norm2, t):
            return 1.0

    with pytest.raises(UsageError) as caught:
        learned(replace(LEARNERS["mira"], step=lambda options: Ignored()), {}, examples())
    assert str(caught.value) == (
        "tau of Ignored is Python, but its class derives from a compiled one, whose own code would run. Derive it from "
        "linnet.Step."
    )
