"""The arithmetic of the lectures, through linnet's own code."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linnet
from linnet.core.predictor import Predictor
from linnet.features import TextFeatures
from linnet.losses.hinge import Hinge
from linnet.losses.log import Log
from linnet.losses.perceptron import Perceptron
from linnet.steps.constant import Constant
from linnet.steps.passive_aggressive import PassiveAggressive
from linnet.steps.sgd import SGD
from linnet.structures.labels import Labels

# Eisenstein, section 2.1: of seven days the lights are broken on one, both red, and work on six, one of them green.
LIGHTS = (
    ["ns_red ew_red"] + 3 * ["ns_green ew_red"] + 3 * ["ns_red ew_green"],
    ["broken"] + 6 * ["works"],
)


def naive_bayes(data, features, alpha):
    return linnet.train(data, learner="naive-bayes", features=features, options={"alpha": alpha})


def test_naive_bayes_believes_that_two_red_lights_work():
    # One light of a document is red with probability 1/2 of two words if broken, 3/12 if not, so that
    # P(broken) : P(works) = 1/7 1/2 1/2 : 6/7 1/4 1/4 = 4 : 6, though P(R, R | works) = 0.
    model = naive_bayes(LIGHTS, "words:1", 0)
    assert model.labels == ("broken", "works")
    assert model.predict_proba(["ns_red ew_red"])[0] == pytest.approx([0.4, 0.6])
    assert model.scores(["ns_red ew_red"])[0] == pytest.approx(np.log([1 / 28, 6 / 112]))
    assert model.predict(["ns_red ew_red"]) == ["works"]


def test_one_feature_for_the_pair_of_lights_gets_it_right():
    # Eisenstein, "Less Naive Bayes?": P(R, R) is modelled as it is. ln P(R, R | works) = ln 0.
    model = naive_bayes(LIGHTS, "words:2", 0)
    assert model.predict_proba(["ns_red ew_red"])[0].tolist() == [1.0, 0.0]
    # ln 0 is a weight of -1e6, so that all scores are numbers.
    assert model.scores(["ns_red ew_red"])[0].tolist() == [pytest.approx(math.log(1 / 7)), pytest.approx(-1e6)]
    assert model.predict_proba(["ns_green ew_red"])[0].tolist() == [0.0, 1.0]


# Crammer, "Need for Smoothing": basketball was never seen with SPORTS.
SPORTS = (["football", "election basketball"], ["SPORTS", "POLITICS"])


def test_what_was_not_seen_is_impossible_by_maximum_likelihood():
    model = naive_bayes(SPORTS, "words:1", 0)
    assert model.labels == ("POLITICS", "SPORTS")
    politics, sports = model.scores(["basketball"])[0]
    assert politics == pytest.approx(math.log(1 / 2 * 1 / 2))
    assert sports == pytest.approx(-1e6)
    assert model.predict_proba(["basketball"])[0].tolist() == [1.0, 0.0]


def test_one_fake_count_per_word_makes_it_possible():
    # Crammer, "Smoothing": three words, so P(basketball | SPORTS) = (0 + 1) / (1 + 3), P(. | POLITICS) = (1 + 1) / (2 + 3).
    model = naive_bayes(SPORTS, "words:1", 1)
    assert model.scores(["basketball"])[0] == pytest.approx(np.log([1 / 2 * 2 / 5, 1 / 2 * 1 / 4]))
    assert model.predict_proba(["basketball"])[0] == pytest.approx([8 / 13, 5 / 13])


def test_the_bag_of_words_is_a_linear_model():
    # Carpuat, "Prediction with Naïve Bayes": theta = [log phi, log mu]. P(SPORTS) = 1/2 is the bias.
    model = naive_bayes(SPORTS, "words:1", 1)
    row = {name: model.weights[0][1 + j] for j, name in enumerate(model.features.names())}
    assert model.weights[0][0] == pytest.approx(np.log([1 / 2, 1 / 2]))
    assert row["football"] == pytest.approx(np.log([1 / 5, 2 / 4]))
    assert row["election"] == pytest.approx(np.log([2 / 5, 1 / 4]))
    assert row["basketball"] == pytest.approx(np.log([2 / 5, 1 / 4]))


# Crammer, "Example": one document with one label.
FOOTBALL = (["football"], ["SPORTS"])


def test_one_document_and_one_label_are_a_model():
    # "Model II", by maximum likelihood: P(SPORTS) = 1, P(football | SPORTS) = 1.
    model = naive_bayes(FOOTBALL, "words:1", 0)
    assert model.labels == ("SPORTS",)
    assert model.weights[0][:, 0].tolist() == [0.0, 0.0]
    assert model.predict(["football"]) == ["SPORTS"]
    assert np.exp(model.joint(["football"])).tolist() == [[1.0]]
    assert model.report["likelihood"] == 0.0


def test_maximum_likelihood_prefers_the_model_that_was_learned():
    # "Model I" gives the document P(SPORTS) P(football | SPORTS) = 0.5 * 0.2.
    first = linnet.make(
        {
            "SPORTS": {"bias": math.log(0.5), "football": math.log(0.2), "basketball": math.log(0.8)},
            "POLITICS": {"bias": math.log(0.5), "election": 0.0, "football": -1e6, "basketball": -1e6},
        }
    )
    assert np.exp(first.scores(["football"])[0]) == pytest.approx([0.1, 0.0])
    assert naive_bayes(FOOTBALL, "words:1", 0).report["likelihood"] > math.log(0.1)


def test_what_was_never_seen_has_probability_0_if_unknown_words_count():
    # Crammer, "Need for Smoothing": P(SPORTS | "basketball game") = 0.
    options = {"alpha": 0, "impossible": "zero"}
    model = linnet.train(FOOTBALL, learner="naive-bayes", features="words:1 unknown", options=options)
    assert np.exp(model.joint(["football", "basketball game"])).tolist() == [[1.0], [0.0]]
    assert model.predict_proba(["football", "basketball game"]).tolist() == [[1.0], [0.0]]
    assert model.answers(["basketball game"], proba=True).to_pylist() == [{"prediction": "SPORTS", "confidence": 0.0}]
    # "Smoothing": a fake count for each dictionary word, and one for all that are unknown.
    smoothed = linnet.train(FOOTBALL, learner="naive-bayes", features="words:1 unknown", options={"alpha": 1})
    assert np.exp(smoothed.joint(["football", "basketball"])[:, 0]) == pytest.approx([2 / 3, 1 / 3])


def test_two_stories_differ_by_the_number_of_orders():
    # Eisenstein, section 2: the categorical story has (sum x)! / prod x! less of the probability; here 3! / (2! 1!) = 3.
    data = ["naive bayes naive", "bayes"], ["a", "b"]
    joint = {
        event: linnet.train(data, learner="naive-bayes", features="words:1", options={"alpha": 0, "event": event})
        for event in ("categorical", "multinomial")
    }
    text = ["naive naive bayes"]
    # P(a) = 1/2, P(naive | a) = 2/3, P(bayes | a) = 1/3; b never has `naive`.
    assert np.exp(joint["categorical"].joint(text)[0]) == pytest.approx([1 / 2 * 4 / 27, 0])
    assert np.exp(joint["multinomial"].joint(text)[0]) == pytest.approx([3 * 1 / 2 * 4 / 27, 0])
    assert np.array_equal(joint["categorical"].weights[0], joint["multinomial"].weights[0])
    assert joint["categorical"].report["likelihood"] == pytest.approx(math.log(1 / 2 * 4 / 27) + math.log(1 / 2))
    assert joint["multinomial"].report["likelihood"] == pytest.approx(math.log(3 / 2 * 4 / 27) + math.log(1 / 2))


# The lights as a table, without a text: each light is a column.
LIGHTS_TABLE = {
    "ns": ["red"] + 3 * ["green"] + 3 * ["red"],
    "ew": ["red"] + 3 * ["red"] + 3 * ["green"],
    "label": ["broken"] + 6 * ["works"],
}


def test_the_lights_as_columns_have_the_numbers_of_the_lecture():
    # P(broken) = 1/7 and each light is red with 1: 4/28. P(works) = 6/7 and each is red with 1/2: 6/28.
    model = linnet.train(LIGHTS_TABLE, learner="naive-bayes", features="column:ns column:ew", options={"alpha": 0})
    both_red = {"ns": ["red"], "ew": ["red"]}
    assert np.exp(model.joint(both_red)[0]) == pytest.approx([4 / 28, 6 / 28])
    assert model.predict_proba(both_red)[0] == pytest.approx([0.4, 0.6])
    assert model.predict(both_red) == ["works"]
    assert model.evaluate(LIGHTS_TABLE).accuracy == pytest.approx(6 / 7)


# Choi, "Example: Sentiment Classification" (eq. 5.6): the six features of a review, ln 64 rounded as on the slide.
CHOI_X = [[3, 2, 1, 3, 0, 4.15]]
CHOI_W = np.array([[0, 0.1], [0, 2.5], [0, -5.0], [0, -1.2], [0, 0.5], [0, 2.0], [0, 0.7]])


def test_the_review_is_positive_with_probability_0_69(block_of, padded):
    # 7.5 - 10 - 1.2 + 1.5 + 0 + 2.905 + 0.1 = 0.805; the other label has no weights, so that softmax is sigma.
    predictor = Predictor(Labels(2), [padded(CHOI_W)])
    against, score = predictor.scores((block_of(CHOI_X),))[0][0]
    assert score - against == pytest.approx(0.805, abs=1e-6)
    negative, positive = predictor.marginals((block_of(CHOI_X),))[0][0]
    assert positive == pytest.approx(1 / (1 + math.exp(-0.805)), abs=1e-6)
    assert (round(float(positive), 2), round(float(negative), 2)) == (0.69, 0.31)


@pytest.mark.parametrize(("y", "loss"), [(1, 0.37), (0, 1.17)])
def test_the_log_loss_of_the_review(learner_of, teach, y, loss):
    # Choi, "Example: Loss": -ln 0.69 if the review is positive, -ln 0.31 if not.
    online = learner_of(CHOI_W, Log(), SGD(eta=0))
    teach(online, CHOI_X, [y])
    assert round(online.total, 2) == loss
    assert online.total == pytest.approx(math.log1p(math.exp(-0.805 if y else 0.805)), abs=1e-6)


# The same model as a person would write it down: + has the weights of the slide, - has none.
GIVEN = {"+": {"bias": 0.1, "x1": 2.5, "x2": -5.0, "x3": -1.2, "x4": 0.5, "x5": 2.0, "x6": 0.7}}
SIX = "number:x1 number:x2 number:x3 number:x4 number:x5 number:x6"


def test_given_weights_are_a_model():
    model = linnet.make(GIVEN, features=SIX, labels=["-", "+"])
    row = [dict(zip(("x1", "x2", "x3", "x4", "x5", "x6"), CHOI_X[0], strict=True))]
    assert model.explain(row[0]).score == pytest.approx(0.805, abs=1e-6)
    negative, positive = model.predict_proba(row)[0]
    assert (round(float(positive), 2), round(float(negative), 2)) == (0.69, 0.31)
    assert positive == pytest.approx(1 / (1 + math.exp(-0.805)), abs=1e-6)
    assert model.predict(row) == ["+"]
    assert round(model.evaluate(row, ["+"]).log_loss, 2) == 0.37
    assert round(model.evaluate(row, ["-"]).log_loss, 2) == 1.17


def test_the_six_features_of_a_text(tmp_path):
    # Choi, "Features: Sentiment Classification": positive, negative, no, first and second person, !, ln(length), which is of 16
    # words and 5 marks.
    (tmp_path / "pos.txt").write_text("; a comment\nfine\nLovely\n")
    (tmp_path / "neg.txt").write_text("dull\n")
    features = TextFeatures(f"sentiment:{tmp_path / 'pos.txt'},{tmp_path / 'neg.txt'}")
    text = "No, I say: a fine and lovely, LOVELY film! You may find my one dull moment."
    rows = features.fit_transform([text])
    found = {features.name(int(j)): float(x) for j, x in zip(rows.indices, rows.values, strict=True)}
    assert found == {
        "sentiment=positive": 3,
        "sentiment=negative": 1,
        "sentiment=no": 1,
        "sentiment=pronouns": 3,
        "sentiment=!": 1,
        "sentiment=log-length": pytest.approx(math.log(21)),
    }


# The review of Jurafsky and Martin, "Speech and Language Processing", in the figure that Choi's table is about.
REVIEW = (
    "It's hokey. There are virtually no surprises, and the writing is second-rate. So why was it so enjoyable? For one thing, "
    "the cast is great. Another nice touch is the music. I was overcome with the urge to get off the couch and start dancing. "
    "It sucked me in, and it'll do the same to you."
)


@pytest.mark.parametrize(
    "spec", ["sentiment", "sentiment punct", "words:1 case sentiment", "words:1-2 not punct sentiment"]
)
def test_the_table_of_six_features_for_the_review_of_the_book(spec):
    # 3 for enjoyable, great, nice; 2 for hokey and second-rate; `no`; 3 for I, me, you; no `!`; 56 words and 10 marks.
    features = TextFeatures(spec)
    rows = features.fit_transform([REVIEW])
    found = {features.name(int(j)): float(x) for j, x in zip(rows.indices, rows.values, strict=True)}
    names = ("positive", "negative", "no", "pronouns", "!", "log-length")
    values = [found.get(f"sentiment={name}", 0.0) for name in names]
    assert values == [3, 2, 1, 3, 0, pytest.approx(math.log(66))]


def test_the_review_of_the_book_by_the_weights_of_the_slide():
    # With 66 words and marks it is sigma(0.833) = 0.70, as later editions of the book have it; 64 of them would be 0.69.
    names = ("positive", "negative", "no", "pronouns", "!", "log-length")
    weights = {f"sentiment={name}": GIVEN["+"][f"x{j}"] for j, name in enumerate(names, 1)}
    model = linnet.make({"+": {"bias": 0.1, **weights}}, features="sentiment", labels=["-", "+"])
    assert model.explain(REVIEW).score == pytest.approx(0.805 + 0.7 * (math.log(66) - 4.15), abs=1e-5)
    assert round(float(model.predict_proba([REVIEW])[0, 1]), 2) == 0.70


# Choi, "Geometric Interpretation: Separating Hyperplane": [1, 1] and [1, -1] are positive, [-1, -1] is negative.
# Labels: 0 is -, 1 is +.
POINTS, SIGNS = np.array([[1, 1], [1, -1], [-1, -1]]), np.array([1, 1, 0])


def test_one_mistake_is_enough_for_the_points_of_the_slide(learner_of, teach):
    # At w = 0 all is tied, which is a mistake, so w(+) = f, w(-) = -f with f = (1; 1, 1), the bias first.
    # The two other points are right then: 1 + 1 - 1 > 0 for +, and 1 - 1 - 1 < 0. The slide's w = [1, 1] is w(+).
    online = learner_of(np.zeros((3, 2)), Perceptron(), Constant())
    w = teach(online, POINTS, SIGNS)
    assert w.tolist() == [[-1, 1], [-1, 1], [-1, 1]]
    assert online.updates == 1


def test_the_weights_after_each_update_in_another_order(learner_of, teach):
    online = learner_of(np.zeros((3, 2)), Perceptron(), Constant())
    steps = [
        (2, (-1, 1, 1)),  # tied, which is a mistake though predictions would take -: w(+) = -(1; -1, -1)
        (1, (0, 2, 0)),  # -1 + 1 - 1 = -1, but it is +: w(+) = (-1; 1, 1) + (1; 1, -1)
        (0, (0, 2, 0)),  # 2, -2 and 2: all are right from here on
        (2, (0, 2, 0)),
        (1, (0, 2, 0)),
    ]
    for i, w in steps:
        assert teach(online, POINTS, SIGNS, order=[i])[:, 1].tolist() == list(w)
        assert online.last()[0][:, 0].tolist() == [-number for number in w]
    assert online.updates == 2


@st.composite
def separable(draw):
    """Integer points that planted integer weights separate, each with a margin of at least 1 before scaling."""
    n_labels, n_features = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    numbers = st.integers(-3, 3)
    W = np.array(draw(st.lists(numbers, min_size=n_labels * (n_features + 1), max_size=n_labels * (n_features + 1))))
    W = W.reshape(n_features + 1, n_labels)
    candidates = draw(st.lists(st.tuples(*[numbers] * n_features), min_size=1, max_size=20))
    X = np.array([x for x in candidates if _gap(W, x) >= 1], int).reshape(-1, n_features)
    return W, X


def _gap(W, x):
    least, most = np.sort(W[0] + np.array(x) @ W[1:])[-2:]
    return most - least


@given(separable())
def test_mistakes_are_bounded_on_separable_points(learner_of, teach, planted):
    # Smith, "Theorems": at most R^2 / m^2 mistakes; R bounds ||f(x, y) - f(x, y')|| = sqrt(2) ||(1, x)||, the bias counted.
    W, X = planted
    assume(len(X) > 0)
    y = np.argmax(W[0] + X @ W[1:], axis=1)
    margin = min(_gap(W, x) for x in X) / np.linalg.norm(W)
    R2 = 2 * max(1 + x @ x for x in X)
    online = learner_of(np.zeros_like(W), Perceptron(), Constant())
    before = -1
    while online.updates != before and online.updates <= R2 / margin**2:
        before = online.updates
        w = teach(online, X, y)
    assert online.updates <= R2 / margin**2
    assert np.array_equal(np.argmax(w[0] + X @ w[1:], axis=1), y)


def hinge(w, x, y):
    """Eisenstein, eq. 6 and 7, written out."""
    scores = w[0] + np.asarray(x) @ w[1:]
    return max(0.0, 1 - (scores[y] - np.delete(scores, y).max()))


def random_example(seed, n_labels):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 0.5, (4, n_labels)), rng.normal(0, 1, (1, 3)).astype(np.float32), [int(rng.integers(n_labels))]


@given(st.integers(0, 10**6))
def test_mira_without_slack_closes_the_margin(learner_of, teach, seed):
    # Eisenstein, eq. 8: the smallest change after which the hinge loss of the example is 0.
    W, X, y = random_example(seed, 2)
    loss = hinge(W, X[0], y[0])
    w = teach(learner_of(W, Hinge(), PassiveAggressive(np.inf)), X, y)
    assert hinge(w, X[0], y[0]) == pytest.approx(0, abs=1e-5)
    # Eq. 10: the change is tau f for both labels, tau = loss / (2 ||f||^2); ||f||^2 counts the bias.
    tau = loss / (2 * (1 + np.sum(X[0] ** 2)))
    assert np.linalg.norm(w - W) == pytest.approx(tau * math.sqrt(2 * (1 + np.sum(X[0] ** 2))), rel=1e-3, abs=1e-6)


@given(st.integers(0, 10**6))
def test_mira_closes_the_margin_to_the_strongest_rival(learner_of, teach, seed):
    W, X, y = random_example(seed, 4)
    scores = W[0] + X[0] @ W[1:]
    rival = int(np.argmax(scores + (np.arange(4) != y[0])))
    w = teach(learner_of(W, Hinge(), PassiveAggressive(np.inf)), X, y)
    after = w[0] + X[0] @ w[1:]
    if rival == y[0]:
        assert np.array_equal(w, W.astype(np.float32))
    else:
        assert after[y[0]] - after[rival] == pytest.approx(1, abs=1e-4)


def test_mira_with_infinite_slack_changes_nothing(learner_of, teach):
    # Eisenstein, below eq. 14: C = 0.
    W, X, y = random_example(1, 3)
    assert np.array_equal(teach(learner_of(W, Hinge(), PassiveAggressive(0)), X, y), W.astype(np.float32))


def test_mira_with_large_C_is_the_hard_version(learner_of, teach):
    # Eisenstein, below eq. 14: C -> infinity.
    W, X, y = random_example(1, 3)
    hard, large, small = (teach(learner_of(W, Hinge(), PassiveAggressive(C)), X, y) for C in (np.inf, 1e6, 1e-3))
    assert np.array_equal(hard, large)
    assert not np.array_equal(hard, small)


def test_mira_steps_by_C_where_the_margin_is_too_far(learner_of, teach):
    # loss 1 over ||f - f'||^2 = 2 (1 + 1) would be a step of 1/4; C = 0.1 is less. w(y) gets C f, w(y_hat) loses it.
    w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive(0.1)), [[1]], [0])
    assert w == pytest.approx(np.array([[0.1, -0.1], [0.1, -0.1]]))
    w = teach(learner_of(np.zeros((2, 2)), Hinge(), PassiveAggressive(1)), [[1]], [0])
    assert w == pytest.approx(np.array([[0.25, -0.25], [0.25, -0.25]]))


def test_an_example_inside_the_margin_is_updated_though_it_is_right(learner_of, teach):
    # Right by 0.5, so the hinge loss is 0.5 (Eisenstein, eq. 7): tau = 0.5 / (2 (1 + 1)).
    W = [[0.25, -0.25], [0, 0]]
    online = learner_of(W, Hinge(), PassiveAggressive())
    w = teach(online, [[1]], [0])
    assert online.total == pytest.approx(0.5)
    assert w == pytest.approx(np.array([[0.375, -0.375], [0.125, -0.125]]))
