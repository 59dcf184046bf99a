"""check_structure finds each way in which a structure can be wrong, and says so in one sentence."""

import itertools

import numpy as np
import pytest

from linnet import Structure, UsageError
from linnet.structures.checks import check_structure


class Marks(Structure):
    """Tokens with a mark or without, never two marks side by side; block 1 counts the marks. All of it by hand."""

    outcomes = (2, 1)
    one_outcome = True

    def features(self, x):
        return [[[w] for w in x], [{}]]

    def mu(self, y):
        return [*((0, t, k) for t, k in enumerate(y)), *[(1, 0, 0)] * sum(y)]

    def outputs(self, places):
        every = itertools.product((0, 1), repeat=places[0])
        return [y for y in every if not any(a and b for a, b in itertools.pairwise(y))]


X = ["", "a", "abc", "abcd"]


def broken(**methods):
    return type("Marks", (Marks,), methods)()


def test_what_is_right_is_right():
    check_structure(Marks, X)
    check_structure(Marks(), X, n=3, seed=1)


def test_with_a_cost_of_its_own():
    check_structure(broken(cost=lambda self, y, y_hat: float(y != y_hat) + abs(sum(y) - sum(y_hat))), X)


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        (
            {"argmax": lambda self, theta: (0,) * len(theta[0])},
            r"argmax gives \(0.*\), which scores .*, but \(.*\) scores",
        ),
        (
            {"argmax": lambda self, theta: self._best(theta, 1)[0] if len(theta[0]) < 3 else (1, 1, 1)},
            r"argmax gives \(1, 1, 1\), which is not among the 5 outputs",
        ),
        ({"augmented": lambda self, theta, y, amount: self.argmax(theta)}, r"augmented for y=\(.*\) gives"),
        (
            {"best_k": lambda self, theta, k: [self.argmax(theta)]},
            "best_k gives 1 different outputs for k=2, expected 2",
        ),
        (
            {"best_k": lambda self, theta, k: self._best(theta, k)[::-1]},
            "best_k gives outputs that score .*, but the best score",
        ),
        (
            {"marginals": lambda self, theta: (self._expected(theta)[0] + 1, self._expected(theta)[1])},
            "marginals gives log Z = .*, expected",
        ),
        (
            {"marginals": lambda self, theta: (self._expected(theta)[0], [np.full_like(t, 0.5) for t in theta])},
            r"the marginal of place 0, outcome 0 of block \d is 0.5, expected",
        ),
        (
            {"marginals": lambda self, theta: (self._expected(theta)[0], [t.T for t in theta])},
            "marginals of block 0 have shape",
        ),
        (
            {"cost": lambda self, y, y_hat: 1.0},
            r"cost\((\(.*\)), \1\) is 1, expected 0 for the right output",
        ),
        (
            {"cost": lambda self, y, y_hat: abs(sum(y) - sum(y_hat))},
            r"cost\(.*\) is 0, expected more than 0 for another output",
        ),
        ({"mu": lambda self, y: [(0, 0, 0)] * bool(y)}, r"outputs \(0,\) and \(1,\) have the same parts"),
        (
            {"mu": lambda self, y: [(0, t + 1, k) for t, k in enumerate(y)]},
            r"has \(0, 1, 0\), which is outside of the table",
        ),
        ({"mu": lambda self, y: [(0, k) for k in y]}, r"has \(0, 0\), expected \(block, place, outcome\)"),
        (
            {"mu": lambda self, y: [(0, t, 1) for t, k in enumerate(y) if k]},
            r"one_outcome is True, but mu\(\(0,\)\) has not one",
        ),
        (
            {"mu": lambda self, y: 2 * Marks.mu(self, y), "one_outcome": False},
            r"has a part of block 0 twice",
        ),
        ({"outcomes": (2,)}, r"features have 2 blocks, outcomes 1"),
        ({"outputs": lambda self, places: []}, r"expected 1 to 100,000 outputs to compare with, found 0"),
    ],
)
def test_what_is_wrong_is_said(methods, sentence):
    with pytest.raises(UsageError, match=rf"^Marks with places \(.*\): .*{sentence}") as caught:
        check_structure(broken(**methods), X)
    assert str(caught.value).endswith(".")


def test_outputs_from_elsewhere():
    class Any(Marks):
        outputs = Structure.outputs

        def argmax(self, theta):
            return Marks().argmax(theta)

    check_structure(Any, X, outputs=Marks().outputs)
    with pytest.raises(UsageError, match=r"^Any does not list its outputs\. Write outputs\(places\), or give"):
        check_structure(Any, X)


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        ({"outcomes": ()}, r"expected Marks.outcomes to have the number of outcomes of each block, such as \(2,\)\."),
        ({"outputs": Structure.outputs}, r"Marks has no way to the best output\. Write argmax\(theta\), or outputs"),
        (
            {"outputs": Structure.outputs, "argmax": lambda self, theta: (), "cost": lambda self, y, y_hat: 0.0},
            r"Marks has a cost of its own, but no way to the output that is best with it\. Write augmented",
        ),
    ],
)
def test_what_is_missing_is_said(methods, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}"):
        check_structure(broken(**methods), X)
