"""Classes that come up later. The oracle is each learner in plain NumPy, over a dictionary of classes that may grow."""

import numpy as np
import pytest

from linnet.core.weights import stride_of
from linnet.learners import LEARNERS
from linnet.learners.widening import widened
from linnet.sklearn import LinearClassifier
from linnet.structures.labels import Labels

SETTINGS = [
    *((name, {}) for name in LEARNERS if not LEARNERS[name].needs_all),
    ("logistic", {"step": "adagrad", "eta": 0.2, "lam": 0.01}),
    ("logistic", {"eta": 0.1, "lam": 0.05, "power": 0.5, "t0": 3}),
    ("mira", {"C": 0.01}),
]
LOSSES = ("perceptron", "hinge", "log", "likelihood")
STEPS = ("constant", "passive-aggressive", "sgd", "adagrad")
D = 6


def has_oracle(name, options):
    """Whether `learn` knows the formulas of this learner."""
    preset = LEARNERS[name]
    options = preset.checked({"eta": 1, **options} if "eta" in preset.options else options)
    return preset.linear and preset.loss(options).name in LOSSES and preset.step(options).name in STEPS


def learn(w, G, f, y, loss, step, options, t):
    """One step of the formulas in the docstrings; w and G have a vector for each class."""
    theta = {k: w[k] @ f for k in w}
    p = np.exp(np.array([*theta.values()]) - max(theta.values()))
    p = dict(zip(theta, p / p.sum(), strict=True))
    cost = {"hinge": 1, "perceptron": 1e-9}.get(loss, 0)  # for the perceptron a tie is a mistake
    augmented = {k: theta[k] + cost * (k != y) for k in sorted(w)}
    y_hat = max(augmented, key=augmented.get)
    value = augmented[y_hat] - theta[y]
    r = {k: p[k] - (k == y) if loss == "log" else float(k == y_hat) - (k == y) for k in w}
    if loss == "likelihood":
        r = {k: -float(k == y) for k in w}
    eta = options.get("eta", 1)
    if step == "sgd":
        eta /= (1 + t / options["t0"]) ** options["power"]
    tau, norm2 = eta, sum(rk**2 for rk in r.values()) * (f @ f)
    if step == "sgd" and loss == "log":
        tau = min(eta, -np.log(p[y]) / norm2) if norm2 else eta
    if step == "passive-aggressive":
        tau = min(options.get("C", np.inf), value / norm2) if norm2 else 0
    for k in w:
        w[k] = w[k] * (1 - eta * options["lam"]) if "lam" in options else w[k]
        g = r[k] * f
        if step == "adagrad":
            G[k] = G[k] + g**2
            g = g / np.sqrt(np.maximum(G[k], 1e-30))
        w[k] = w[k] - tau * g


def reference(name, options, batches):
    """The weights of each class after the batches, classes joining with zero weights when they come up."""
    preset = LEARNERS[name]
    first = np.array([x for x, _ in batches[0]])
    options = preset.checked(options)
    if options.get("eta") == "auto":
        options["eta"] = 1 / (1 + np.median(np.sum(first**2, axis=1)))
    loss, step = preset.loss(options).name, preset.step(options).name
    w, G, total, t = {}, {}, {}, 0
    for batch in batches:
        for _, y in batch:
            for table in (w, G, total):
                table.setdefault(y, np.zeros(D + 1))
        for x, y in batch:
            t += 1
            learn(w, G, np.array([1, *x]), y, loss, step, options, t)
            for k in w:
                total[k] = total[k] + w[k]
    W = np.array([total[k] / t if preset.averaged else w[k] for k in sorted(w)]).T
    return preset.finish([W], Labels(len(w)), options, ())[0][:, : len(w)]


def stream(classes_of_batches, seed=0, size=12):
    """Positive features, so that every learner takes them; each class has a favourite. No two scores are equal."""
    rng = np.random.default_rng(seed)
    batches = []
    for classes in classes_of_batches:
        y = rng.choice(classes, size)
        y[: len(classes)] = classes
        x = rng.poisson(0.5, (size, D)) + 2 * (np.arange(D) == (y % D)[:, None]) + rng.random((size, D)) / 10
        batches.append([(row / 4, int(label)) for row, label in zip(x, y, strict=True)])
    return batches


def fed(name, options, batches, **first):
    classifier = LinearClassifier(name, options=options)
    for i, batch in enumerate(batches):
        X, y = zip(*batch, strict=True)
        classifier.partial_fit(np.array(X), np.array(y), **(first if i == 0 else {}))
    return classifier


def weights(classifier):
    """Bias and features in rows, classes in columns: what has a column for each class, one under the other."""
    n = len(classifier.classes_)
    return np.concatenate([w[:, :n] for w in classifier._learned.weights if w.shape[1:] == (stride_of(n),)])


GROWTH = {
    "1 to 2": [[4], [4, 7]],
    "2 to 3, the new one last": [[0, 1], [0, 1, 2]],
    "2 to 3, the new one first": [[1, 2], [0, 1, 2]],
    "2 to 3, the new one between": [[0, 2], [0, 1, 2]],
    "2 to 5 to 9": [[3, 8], [1, 3, 5, 8, 9], [0, 1, 2, 3, 4, 5, 6, 8, 9]],
    "4 to 5, old ones absent": [[0, 1, 2, 3], [4]],
}


@pytest.mark.parametrize("growth", GROWTH.values(), ids=GROWTH)
@pytest.mark.parametrize(("name", "options"), [setting for setting in SETTINGS if has_oracle(*setting)])
def test_learning_goes_on_as_in_the_formulas(name, options, growth):
    batches = stream(growth)
    expected = reference(name, options, batches)
    np.testing.assert_allclose(weights(fed(name, options, batches)), expected, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", ["naive-bayes", "perceptron", "averaged-perceptron", "voted-perceptron"])
@pytest.mark.parametrize("growth", [[[0, 1], [0, 1, 2]], [[0, 1], [0, 1], [0, 1, 2, 3, 4]]])
def test_late_classes_are_as_if_known_from_the_start(name, growth):
    """Exactly so where an unseen class takes no part. In the perceptron the scores of the others sum to 0, so that the
    best of them is at least 0, and the first of equals wins. MIRA's margin and the partition function of logistic
    regression are over all classes that are known, so there it makes a difference; the formulas above cover them.
    """
    batches = stream(growth)
    from_the_start = fed(name, {}, batches, classes=growth[-1])
    np.testing.assert_array_equal(weights(fed(name, {}, batches)), weights(from_the_start))


@pytest.mark.parametrize(("name", "options"), SETTINGS)
def test_the_name_of_a_new_class_does_not_matter(name, options):
    """Sorted before, between or after the others, it learns the same."""
    batches = stream([[1, 2], [1, 2], [1, 2, 3]])
    last = weights(fed(name, options, batches))
    for new, columns in ((0, [1, 2, 0]), (1.5, [0, 2, 1])):
        # labels are whole numbers for scikit-learn
        named = {1: 2, 2: 4, 3: int(2 * new)}
        renamed = [[(x, named[y]) for x, y in batch] for batch in batches]
        np.testing.assert_allclose(weights(fed(name, options, renamed))[:, columns], last, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("name", "options"), [setting for setting in SETTINGS if LEARNERS[setting[0]].linear])
def test_naming_a_class_changes_no_score_of_the_others(name, options):
    batches = stream([[0, 2], [0, 2]])
    classifier = fed(name, options, batches)
    X = np.array([x for x, _ in batches[0]])
    before = classifier._score_classes(X)
    wider = classifier._learned.wider(np.array([0, 2], np.int32), 3)
    if LEARNERS[name].one_pass:
        assert wider.learning.online.last()[0][:, 1].tolist() == [0] * (D + 1)
        return
    np.testing.assert_array_equal(wider.W[:, [0, 2]], weights(classifier))
    assert wider.W[:, [1, 3]].tolist() == [[0, 0]] * (D + 1)
    np.testing.assert_array_equal(before, classifier._score_classes(X))


@pytest.mark.parametrize(("old", "new"), [(1, 2), (2, 3), (3, 4), (4, 5), (8, 9), (16, 17), (5, 40)])
def test_columns_go_where_they_belong(old, new):
    rng = np.random.default_rng(old)
    array = np.zeros((3, stride_of(old)))
    array[:, :old] = rng.random((3, old))
    where = np.sort(rng.permutation(new)[:old]).astype(np.int32)
    wide = widened({"U0": array}, [where], [new])["U0"]
    assert wide.shape == (3, stride_of(new))
    np.testing.assert_array_equal(wide[:, where], array[:, :old])
    assert np.delete(wide, where, axis=1).sum() == 0
