"""A structure in Python: against enumeration, beside the compiled chain, with every learner, and when its code is wrong."""

import itertools
import signal

import numpy as np
import pytest
from enumeration import Case
from hypothesis import given, settings
from hypothesis import strategies as st

import linnet
from linnet import DataError, ModelError, Structure, UsageError
from linnet.core.blocks import Block
from linnet.learners import LEARNERS, Examples, Learning
from linnet.structures.chain import Chain
from linnet.structures.checks import check_structure
from linnet.structures.own import Own

L = 3


class Tags(Structure):
    """The chain again: T x L emissions and 1 x L² transitions, Viterbi and forward-backward in Python."""

    outcomes = (L, L * L)
    one_outcome = True

    def features(self, x):
        return [[{"w": w} for w in x], [{}]]

    def mu(self, y):
        return [*((0, t, k) for t, k in enumerate(y)), *((1, 0, a * L + b) for a, b in itertools.pairwise(y))]

    def argmax(self, theta):
        emit, trans = theta[0], theta[1].reshape(L, L)
        if not len(emit):
            return ()
        best, back = emit[0], []
        for row in emit[1:]:
            scores = best[:, None] + trans
            back.append(scores.argmax(axis=0))
            best = scores.max(axis=0) + row
        y = [int(best.argmax())]
        for ways in reversed(back):
            y.append(int(ways[y[-1]]))
        return tuple(reversed(y))

    def marginals(self, theta):
        emit, trans = theta[0], theta[1].reshape(L, L)
        T = len(emit)
        alpha, beta = np.zeros((T, L)), np.zeros((T, L))
        for t in range(T):
            alpha[t] = emit[t] + (np.logaddexp.reduce(alpha[t - 1][:, None] + trans, axis=0) if t else 0)
        for t in range(T - 2, -1, -1):
            beta[t] = np.logaddexp.reduce(trans + emit[t + 1] + beta[t + 1], axis=1)
        logz = float(np.logaddexp.reduce(alpha[-1])) if T else 0.0
        pairs = np.zeros((L, L))
        for t in range(T - 1):
            pairs += np.exp(alpha[t][:, None] + trans + emit[t + 1] + beta[t + 1] - logz)
        return logz, [np.exp(alpha + beta - logz), pairs.reshape(1, L * L)]

    def best_k(self, theta, k):
        def score(y):
            return sum(theta[g][place, outcome] for g, place, outcome in self.mu(y))

        return sorted(listed((len(theta[0]), 1)), key=score, reverse=True)[:k]


def listed(places):
    return list(itertools.product(range(L), repeat=places[0]))


class Costly(Tags):
    """A cost that is none of parts: whether all is right, and how many tags there are of each kind."""

    outputs = staticmethod(listed)

    def cost(self, y, y_hat):
        return float(y != y_hat) + sum(abs(y.count(k) - y_hat.count(k)) for k in range(L))


def test_the_two_are_right():
    check_structure(Tags, ["", "a", "abc"], outputs=listed)
    check_structure(Costly, ["", "a", "abc"])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([Tags, Costly]))
def test_beside_enumeration(seed, T, kind):
    rng = np.random.default_rng(seed)
    outputs = listed((T, 1))
    gen = Own(kind(), outputs)
    theta = [rng.normal(0, 1.5, shape).astype(np.float32) for shape in ((T, L), (1, L * L))]
    if gen.hides:
        theta.append(np.zeros((1, 2), np.float32))
    of = dict(zip((tuple(gen.encoded([y], [T])[0].tolist()) for y in outputs), outputs, strict=True))

    def mu(y):
        tables = [np.zeros(table.shape) for table in theta]
        for g, place, outcome in gen.of.mu(of[y]):
            tables[g][place, outcome] += 1
        return tables

    case = Case(gen, theta, list(of), mu, lambda y, y_hat: gen.of.cost(of[y], of[y_hat]), decisions=of.get)
    case.check(list(of)[rng.integers(len(of))])
    gen.check()


def sentences(n=40):
    rng = np.random.default_rng(0)
    tags = [tuple(rng.integers(0, L, rng.integers(1, 5)).tolist()) for _ in range(n)]
    words = [[f"w{k}" if rng.random() < 0.8 else "?" for k in y] for y in tags]
    return words, tags


def compiled(words, tags, name, options, epochs):
    """What the chain learns of the same words, whose numbers are in the order in which they come."""
    numbers = {w: j for j, w in enumerate(dict.fromkeys(w for sentence in words for w in sentence))}
    at = np.concatenate([[0], np.cumsum([len(y) for y in tags])])
    indices = np.array([numbers[w] for sentence in words for w in sentence], np.uint32)
    emit = Block(np.arange(len(indices) + 1), indices, np.ones(len(indices), np.float32), at)
    trans = Block(np.zeros(len(tags) + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((emit, trans), np.concatenate(tags).astype(np.int32), at)
    learning = Learning(LEARNERS[name], options, Chain(L), (len(numbers), 0), examples.length2())
    return learning.run(examples, epochs=epochs)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("perceptron", {}),
        ("averaged-perceptron", {"dropout": 0.2, "runs": 2}),
        ("voted-perceptron", {}),
        ("averaged-mira", {}),
        ("mira", {"k": 3}),
        ("pa2", {}),
        ("svm", {}),
        ("arow", {}),
        ("crf", {}),
        ("crf", {"by": "lbfgs"}),
        ("crf", {"loss": "pointwise-log"}),
        ("boosting", {}),
    ],
)
def test_what_it_learns_is_what_the_chain_learns(name, options):
    words, tags = sentences()
    model = linnet.learn(Tags, words, tags, learner=name, options=options, epochs=4)
    fit = compiled(words, tags, name, options, epochs=4)
    for found, wanted in zip(model.weights, fit.weights, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-4)
    assert [epoch["loss"] for epoch in model.report["epochs"]] == pytest.approx(
        [epoch.loss for epoch in fit.history], rel=1e-3
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_with_a_cost_of_its_own(name):
    words, tags = sentences(20)
    try:
        model = linnet.learn(Costly, words, tags, learner=name, epochs=3)
    except UsageError as error:
        assert "structure 'Costly'" in str(error)  # noqa: PT017
        return
    assert all(len(y) == len(x) for x, y in zip(words, model.predict(words), strict=True))
    if len(model.weights) == 3 and name != "naive-bayes":
        assert not model.weights[2].any()


def test_what_a_cost_of_its_own_costs():
    """The loss of weights 0 is the mean of the largest cost: of one token 1 + 2, of two 1 + 4."""
    model = linnet.learn(Costly, [["a"], ["b", "c"]], [(0,), (1, 2)], learner="pegasos", epochs=1, options={"lam": 1e6})
    assert model.report["epochs"][0]["loss"] == pytest.approx((3 + 5) / 2)


class Broken(Tags):
    def __init__(self, where, error):
        self.where, self.error, self.calls = where, error, 0

    def fail(self, name):
        self.calls += name == self.where
        if name == self.where and self.calls > 3:
            raise self.error

    def argmax(self, theta):
        self.fail("argmax")
        return super().argmax(theta)

    def mu(self, y):
        self.fail("mu")
        return super().mu(y)

    def marginals(self, theta):
        self.fail("marginals")
        return super().marginals(theta)

    def best_k(self, theta, k):
        self.fail("best_k")
        return super().best_k(theta, k)


@pytest.mark.parametrize(
    ("where", "name", "options"),
    [
        ("argmax", "perceptron", {}),
        ("argmax", "svm", {}),
        ("mu", "averaged-mira", {}),
        ("marginals", "crf", {}),
        ("marginals", "crf", {"by": "lbfgs"}),
        ("best_k", "mira", {"k": 2}),
    ],
)
def test_an_error_of_the_code_is_raised(where, name, options):
    words, tags = sentences()
    structure = Broken(where, KeyError("my own mistake"))
    with pytest.raises(KeyError, match="my own mistake"):
        linnet.learn(structure, words, tags, learner=name, options=options)
    if where != "mu":
        assert structure.calls == 4


def test_an_error_on_the_held_out_part_is_raised():
    words, tags = sentences()

    class Surprised(Tags):
        def argmax(self, theta):
            if len(theta[0]) > 4:
                raise RuntimeError("so long")
            return super().argmax(theta)

    with pytest.raises(RuntimeError, match="so long"):
        linnet.learn(Surprised, words, tags, learner="crf", dev=([["a"] * 5], [(0,) * 5]))


def test_an_error_of_a_cost_is_raised():
    class Torn(Costly):
        def augmented(self, theta, y, amount):
            return self.argmax(theta)

        def cost(self, y, y_hat):
            raise ArithmeticError("no such cost")

    with pytest.raises(ArithmeticError, match="no such cost"):
        linnet.learn(Torn, *sentences(), learner="mira")


@pytest.fixture
def hears_ctrl_c():
    """A process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_keeps_what_was_learned(hears_ctrl_c):
    words, tags = sentences()

    class Interrupted(Tags):
        calls = 0

        def argmax(self, theta):
            type(self).calls += 1
            found = super().argmax(theta)
            for table in theta:
                table[:] = 0
            if self.calls == 100:
                signal.raise_signal(signal.SIGINT)
            return found

    model = linnet.learn(Interrupted, words, tags, learner="perceptron", epochs=50)
    whole = linnet.learn(Tags, words, tags, learner="perceptron", epochs=3)
    assert "interrupted after 2 of 50 epochs" in model.report["stopped"]
    for found, wanted in zip(model.weights, whole.weights, strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"argmax": lambda self, theta: (0,) * (len(theta[0]) + 1)},
            r"mu of Tags has a part at place \d of block 0, which has",
        ),
        (
            {"argmax": lambda self, theta: (7,) * len(theta[0])},
            r"mu of Tags has the part \(0, 0, 7\), but outcomes are \(3, 9\)",
        ),
        (
            {"mu": lambda self, y: [(0, 1)]},
            r"expected parts \(block, place, outcome\) from mu of Tags, found \[\(0, 1\)\]\.",
        ),
        ({"outcomes": (0,)}, r"expected Tags\.outcomes to have the number of outcomes of each block"),
    ],
)
def test_what_does_not_fit_is_said(changed, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}"):
        linnet.learn(type("Tags", (Tags,), changed), *sentences(), learner="perceptron")


def test_marginals_that_do_not_fit():
    wrong = type("Tags", (Tags,), {"marginals": lambda self, theta: (0.0, [theta[0].T, theta[1]])})
    with pytest.raises(
        UsageError, match=r"^expected marginals of Tags like theta, \[\(.*, 3\), \(1, 9\)\], found \[\(3, "
    ):
        linnet.learn(wrong, *sentences(), learner="crf")


@pytest.mark.parametrize(
    ("X", "Y", "sentence"),
    [
        ([["a"]], [(0, 1)], r"^output 0: mu of Tags has a part at place 1 of block 0, which has 1 places, from 0\.$"),
        ([["a"]], [], r"^expected as many outputs as examples, and at least one, found 0 and 1\.$"),
        ([], [], r"^expected as many outputs as examples, and at least one, found 0 and 0\.$"),
    ],
)
def test_data_that_do_not_fit(X, Y, sentence):
    with pytest.raises(DataError, match=sentence):
        linnet.learn(Tags, X, Y)


def test_features_that_do_not_fit():
    wrong = type("Tags", (Tags,), {"features": lambda self, x: [["a"]]})
    with pytest.raises(
        DataError, match=r"^expected features\(\) of example 0 to return a list of places for each of 2 blocks, found "
    ):
        linnet.learn(wrong, [["a"]], [(0,)])


def test_the_model():
    words, tags = sentences()
    model = linnet.learn(Tags, words, tags, learner="crf", seed=3)
    report = model.evaluate(words, tags)
    found = model.predict(words)
    wrong = [sum(a != b for a, b in zip(y, y_hat, strict=True)) for y, y_hat in zip(tags, found, strict=True)]
    assert report.n == 40
    assert report.accuracy == np.mean(np.array(wrong) == 0)
    assert report.mean_cost == np.mean(wrong)
    assert report.f1 == pytest.approx(1 - sum(wrong) / sum(map(len, tags)))
    assert 0.7 < report.f1 < 1
    (theta,) = model.scores([["w0", "w1"]])
    np.testing.assert_allclose(
        theta[0], model.weights[0][0, :L] + model.weights[0][[1 + find(model, w) for w in ("w0", "w1")], :L]
    )
    ((first, best), *_), *_ = model.predict_k([["w0", "w1"]], 2)
    assert first == model.predict([["w0", "w1"]])[0]
    assert best == pytest.approx(theta[0][0, first[0]] + theta[0][1, first[1]] + theta[1][0, first[0] * L + first[1]])
    p = model.predict_proba([["w0", "w1"]])[0]
    assert p[0].sum(axis=1).tolist() == pytest.approx([1, 1])
    assert model.strongest(1)["block 0, outcome 2"][0].feature == "w:w2"
    assert repr(model).startswith("<linnet model: crf over ")
    assert model.predict([]) == []
    assert model._gen.encoded([(0,)], [1])[0].tolist() == [0]


def find(model, word):
    return model.features.blocks[0].attributes.index(f"w:{word}")


def test_what_cannot_be_predicted():
    model = linnet.learn(Tags, *sentences(), learner="perceptron")
    with pytest.raises(UsageError, match=r"^learner 'perceptron' over Tags has no probabilities\. Use 'crf'"):
        model.predict_proba([["a"]])
    without = type("Tags", (Tags,), {"best_k": Structure.best_k})
    with pytest.raises(UsageError, match=r"^Tags has no k best outputs\. Define best_k\(theta, k\)"):
        linnet.learn(without, *sentences(), learner="perceptron").predict_k([["a"]], 2)
    with pytest.raises(UsageError, match=r"^k=2 needs the k best outputs, which structure 'Tags' does not have"):
        linnet.learn(without, *sentences(), learner="mira", options={"k": 2})


@pytest.mark.parametrize("kind", [Tags, Costly])
@pytest.mark.parametrize("name", ["averaged-mira", "voted-perceptron", "kernel-perceptron", "feedforward"])
def test_the_model_file(tmp_path, kind, name):
    words, tags = sentences()
    model = linnet.learn(kind, words, tags, learner=name, epochs=2)
    model.save(tmp_path / "m.linnet")
    for structure in (kind, kind()):
        again = linnet.load(tmp_path / "m.linnet", structure=structure)
        assert again.predict(words) == model.predict(words)
        assert again.options == model.options
    with pytest.raises(
        ModelError,
        match=rf"m\.linnet: the model was learned with a structure of the user's own, '.*:{kind.__name__}'\. "
        "Load it",
    ):
        linnet.load(tmp_path / "m.linnet")


def test_a_file_of_another_structure(tmp_path):
    linnet.learn(Tags, *sentences(), epochs=1).save(tmp_path / "m.linnet")
    other = type("Other", (Tags,), {})
    with pytest.raises(ModelError, match=r"the model was learned with the structure '.*:Tags', not with '.*:Other'\.$"):
        linnet.load(tmp_path / "m.linnet", structure=other)
    with pytest.raises(ModelError, match=r"weights for \[3, 9\] outcomes"):
        linnet.load(tmp_path / "m.linnet", structure=type("Tags", (Tags,), {"outcomes": (3, 10)}))


def test_a_held_out_part_ends_learning():
    words, tags = sentences(80)
    model = linnet.learn(
        Tags, words[:60], tags[:60], learner="perceptron", dev=(words[60:], tags[60:]), epochs=40, patience=2, tol=0
    )
    scores = [epoch["dev"] for epoch in model.report["epochs"]]
    assert model.report["best"] == 1 + int(np.argmax(scores))
    assert model.evaluate(words[60:], tags[60:]).f1 == pytest.approx(max(scores))
    assert len(scores) == min(40, model.report["best"] + 2)


def test_rare_features_are_left_out():
    model = linnet.learn(Tags, [["a", "b"], ["a"]], [(0, 1), (0,)], min_freq=2)
    assert model.features.blocks[0].attributes == ["w:a"]


def test_outputs_that_are_not_gold_are_forgotten():
    gen = Own(Tags(), [(0,), (1,)])
    assert gen.number((2,)) == 2
    gen.forget()
    assert gen.number((0, 0)) == 2
    assert gen.number((1,)) == 1
