"""Naive Bayes beyond the examples of the lectures."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linnet
from linnet.sklearn import LinearClassifier


def trained(texts, labels, alpha=1.0, **options):
    return linnet.train((texts, labels), learner="naive-bayes", features="words:1", options={"alpha": alpha}, **options)


@given(
    st.lists(st.tuples(st.text("abc ", min_size=1, max_size=9), st.sampled_from("xyz")), min_size=2, max_size=12),
    st.sampled_from([0.1, 1.0, 3.0]),
)
def test_scores_are_the_smoothed_log_counts(rows, alpha):
    texts, labels = map(list, zip(*rows, strict=True))
    assume(len(set(labels)) > 1 and any(text.split() for text in texts))
    model = trained(texts, labels, alpha)
    words = model.features.names()
    count = np.array(
        [[sum(text.split().count(w) for text, label in rows if label == y) for y in model.labels] for w in words]
    )
    expected = np.log((count + alpha) / (count.sum(axis=0) + alpha * len(words)))
    assert model.weights[0][1:, : len(model.labels)] == pytest.approx(expected, abs=1e-5)
    prior = np.array([labels.count(y) / len(labels) for y in model.labels])
    assert model.weights[0][0, : len(model.labels)] == pytest.approx(np.log(prior), abs=1e-6)


def test_counting_twice_would_be_wrong_so_epochs_are_not_asked_for():
    model = trained(["a", "b"], ["x", "y"], epochs=7)
    assert len(model.report["epochs"]) == 1
    assert model.report["stopped"] == "one pass is all there is"
    assert np.array_equal(model.weights, trained(["a", "b"], ["x", "y"]).weights)


def test_scikit_learn_agrees():
    peer = pytest.importorskip("sklearn.naive_bayes").MultinomialNB(alpha=0.5)
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer(token_pattern=r"\w+")
    texts = ["a b b", "b c", "c c a d", "d", "a a"]
    labels = ["x", "x", "y", "y", "z"]
    peer.fit(vectorizer.fit_transform(texts), labels)
    model = trained(texts, labels, 0.5)
    new = ["a b", "c d d", "b"]
    assert model.predict_proba(new) == pytest.approx(peer.predict_proba(vectorizer.transform(new)), abs=1e-6)


def test_a_label_whose_texts_have_no_words_does_not_win_by_maximum_likelihood():
    # alpha = 0 and no counts: 0 / 0 must not become a NaN, which argmax never leaves again.
    model = trained(["", "word"], ["a", "b"], alpha=0)
    assert not np.isnan(model.scores(["word"])).any()
    assert model.predict(["word"]) == ["b"]


def random_counts(seed=0, most=4):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [20, 9, 4])
    X = rng.poisson(rng.uniform(0, 1.5, (3, 12))[y]).clip(0, most).astype(np.float32)
    return X, y, rng.poisson(0.7, (10, 12)).clip(0, most).astype(np.float32)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_bernoulli_is_that_of_scikit_learn(alpha):
    X, y, new = random_counts(most=1)
    peer = pytest.importorskip("sklearn.naive_bayes").BernoulliNB(alpha=alpha).fit(X, y)
    model = LinearClassifier("naive-bayes", options={"event": "bernoulli", "alpha": alpha}).fit(X, y)
    assert model.decision_function(new) == pytest.approx(peer.predict_joint_log_proba(new), abs=1e-5)


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_complement_is_that_of_scikit_learn_with_the_prior(alpha):
    # scikit-learn leaves ln P(y) out, which the paper has.
    X, y, new = random_counts()
    peer = pytest.importorskip("sklearn.naive_bayes").ComplementNB(alpha=alpha).fit(X, y)
    model = LinearClassifier("naive-bayes", options={"event": "complement", "alpha": alpha}).fit(X, y)
    assert model.coef_ == pytest.approx(peer.feature_log_prob_, abs=1e-5)
    assert model.intercept_ == pytest.approx(np.log(np.bincount(y) / len(y)), abs=1e-6)
    assert model.decision_function(new) == pytest.approx(
        peer.predict_joint_log_proba(new) + np.log(np.bincount(y) / len(y)), abs=1e-4
    )


def test_counting_in_parts_is_counting():
    X, y, _ = random_counts(most=1)
    for event in ("bernoulli", "complement"):
        whole = LinearClassifier("naive-bayes", options={"event": event}).fit(X, y)
        parts = LinearClassifier("naive-bayes", options={"event": event})
        for rows in np.array_split(np.arange(len(y)), 3):
            parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
        assert parts.coef_ == pytest.approx(whole.coef_, abs=1e-6)


def test_bernoulli_refuses_what_is_not_there_or_not():
    X, y, _ = random_counts()
    for options, message in (
        ({}, "event=bernoulli needs features that are 0 or 1. Add `presence raw` to the features."),
        ({"alpha": 0}, "event=bernoulli needs alpha > 0, for what was not seen would be certain not to be there."),
    ):
        with pytest.raises(linnet.UsageError) as caught:
            LinearClassifier("naive-bayes", options={"event": "bernoulli", **options}).fit(X, y)
        assert str(caught.value) == message


TEXTS, GOLD = ["a a b", "a b b c", "c c d", "d d d c c"] * 5, ["x", "x", "x", "y"] * 5


def test_documents_have_the_labels_lengths_and_words_that_the_model_believes_in():
    model = trained(TEXTS, GOLD, alpha=0.5)
    drawn = model.sample(4000, seed=1)
    assert drawn == model.sample(4000, seed=1) != model.sample(4000, seed=2)
    labels, texts = zip(*drawn, strict=True)
    assert labels.count("x") / 4000 == pytest.approx(0.75, abs=0.03)
    # 15 words in four texts; a Poisson variable of that mean, at least 1
    assert np.mean([len(text.split()) for text in texts]) == pytest.approx(3.75 + np.exp(-3.75), abs=0.12)
    words = " ".join(text for label, text in drawn if label == "x").split()
    counts = {"a": 15, "b": 15, "c": 15, "d": 5}
    for word, count in counts.items():
        assert words.count(word) / len(words) == pytest.approx((count + 0.5) / 52, abs=0.02)


def test_documents_of_words_that_are_there_or_not():
    options = {"alpha": 0.5, "event": "bernoulli"}
    model = linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1 presence", options=options)
    drawn = model.sample(4000)
    assert sum(label == "x" for label, _ in drawn) / 4000 == pytest.approx(0.75, abs=0.03)
    texts = [text.split() for label, text in drawn if label == "x"]
    for word, count in {"a": 10, "b": 10, "c": 10, "d": 5}.items():
        assert np.mean([word in text for text in texts]) == pytest.approx((count + 0.5) / 16, abs=0.03)


def test_documents_have_words_only_whatever_else_the_features_are():
    spec = "words:1-2 chars:3-5 start:1-3*0.5 skip:1-3*0.5 shapes:1-3*0.5 punct presence tfidf min=2 sentiment"
    model = linnet.train((TEXTS, GOLD), learner="naive-bayes", features=spec)
    drawn = model.sample(2000)
    assert {word for _, text in drawn for word in text.split()} == {"a", "b", "c", "d"}
    # 15 words and 11 pairs of them in four texts: n + (n - 1) = 6.5.
    assert np.mean([len(text.split()) for _, text in drawn]) == pytest.approx(3.75 + np.exp(-3.75), abs=0.15)
    # Words are drawn in the ratios that the model has learned of them.
    p = np.exp(model.weights[0][1:, 0].astype(float))
    of = {word: p[model.features.names().index(word)] for word in "abcd"}
    words = [word for label, text in drawn if label == "x" for word in text.split()]
    for word, share in of.items():
        assert words.count(word) / len(words) == pytest.approx(share / sum(of.values()), abs=0.03)


def test_without_single_words_documents_have_what_is_nearest_to_them():
    def drawn(features, texts=TEXTS):
        return linnet.train((texts, GOLD), learner="naive-bayes", features=features).sample(200)

    assert {part for _, text in drawn("words:2-3") for part in text.split()} == {"a", "b", "c", "d"}
    assert all(len(text.split()) % 2 == 0 for _, text in drawn("words:2-3"))
    chinese = ["很好", "不错", "不好", "很差"] * 5
    found = drawn("chars-across:1-2 shapes:1", chinese)
    assert {character for _, text in found for character in text} == set("很好不错差")
    # Two characters in the mean, of a Poisson variable that is at least 1.
    assert np.mean([len(text) for _, text in found]) == pytest.approx(2 + np.exp(-2), abs=0.25)


def test_a_label_without_a_word_writes_nothing_by_maximum_likelihood():
    model = trained(["", "word"], ["a", "b"], alpha=0)
    drawn = model.sample(50)
    assert {text for label, text in drawn if label == "a"} == {""}
    assert {word for label, text in drawn if label == "b" for word in text.split()} == {"word"}


def test_by_maximum_likelihood_everything_is_a_number():
    texts, labels = ["good film", "good fun", "bad film", "bad time"], ["x", "x", "y", "y"]
    for event in ("multinomial", "complement"):
        options = {"alpha": 0, "event": event}
        model = linnet.train((texts, labels), learner="naive-bayes", features="words:1-2", options=options)
        # Each label is impossible for the second text; its probabilities are numbers for all that.
        p = model.predict_proba(["good film", "good bad", "new"])
        assert p.sum(axis=1) == pytest.approx(np.ones(3))
        assert p[0].tolist() == [1, 0]
        assert p[2] == pytest.approx([0.5, 0.5])
        report = model.evaluate(texts, labels)
        assert (report.accuracy, str(report.log_loss)) == (1, "0.0")
        assert report.losses["log"] == pytest.approx(0, abs=1e-12)
        assert "-0.0" not in str(report.as_dict())
        why = model.explain("good bad")
        assert np.isfinite(why.score)
        assert {label: items[0].feature for label, items in model.strongest().items()} == {"x": "good", "y": "bad"}


def test_what_cannot_write():
    with pytest.raises(linnet.UsageError, match="^learner 'logistic' has no probabilities of features"):
        linnet.train((TEXTS, GOLD), learner="logistic", features="words:1").sample()
    with pytest.raises(linnet.UsageError, match="^event=complement says"):
        linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1", options={"event": "complement"}).sample()
    with pytest.raises(linnet.UsageError, match="^features with hash= keep no words"):
        linnet.train((TEXTS, GOLD), learner="naive-bayes", features="words:1 hash=8").sample()
    with pytest.raises(linnet.UsageError, match="^the features 'shapes:1' have neither words nor characters, so the"):
        linnet.train((TEXTS, GOLD), learner="naive-bayes", features="shapes:1").sample()


MIXED = "words:1 column:country number:age"
ROWS = [
    ("a a b", "DE", 30.0, "x"),
    ("b", "DE", 34.0, "x"),
    ("a", "", None, "x"),
    ("c c", "FR", 60.0, "y"),
    ("c b", "DE", 66.0, "y"),
]


def mixed(rows=ROWS, features=MIXED, **options):
    text, country, age, labels = map(list, zip(*rows, strict=True))
    data = pa.table({"text": text, "country": country, "age": age})
    return linnet.train((data, labels), learner="naive-bayes", features=features, options=options)


def normal(x, values):
    """ln of the density that has the mean and the variance of these."""
    v = np.var(values)
    return -((x - np.mean(values)) ** 2) / (2 * v) - np.log(2 * np.pi * v) / 2


def test_words_columns_and_numbers_are_multiplied():
    # by label: 3, 2 of 5 texts; words a b c; countries DE FR and none; ages. The unit of age is two standard deviations.
    alpha, unit = 0.5, 2 * np.std([30, 34, 60, 66])
    log_x = (
        np.log(3 / 5)
        + np.log((3 + alpha) / (5 + 3 * alpha))
        + np.log((2 + alpha) / (3 + 3 * alpha))
        + normal(40, [30, 34])
        + np.log(unit)
    )
    log_y = (
        np.log(2 / 5)
        + np.log((0 + alpha) / (4 + 3 * alpha))
        + np.log((1 + alpha) / (2 + 3 * alpha))
        + normal(40, [60, 66])
        + np.log(unit)
    )
    scores = mixed(alpha=alpha).scores([{"text": "a", "country": "DE", "age": 40}])
    assert scores[0] == pytest.approx([log_x, log_y], abs=1e-4)


def test_what_is_missing_or_new_says_nothing():
    model = mixed()
    words = trained([row[0] for row in ROWS], [row[3] for row in ROWS])
    assert model.scores([{"text": "a b", "country": "AT", "age": None}]) == pytest.approx(
        words.scores(["a b"]), abs=1e-4
    )


def test_a_label_without_any_number_believes_what_the_others_do():
    model = mixed([*ROWS, ("d", "FR", None, "z")])
    theta = model.scores([{"text": "", "country": "FR", "age": age} for age in (None, 47.5)])[:, 2]
    ages = [30, 34, 60, 66]
    assert theta[1] - theta[0] == pytest.approx(normal(47.5, ages) + np.log(2 * np.std(ages)), abs=1e-5)


@pytest.mark.parametrize("event", ["bernoulli", "complement", "multinomial"])
def test_the_event_is_that_of_the_words(event):
    model = mixed(ROWS[1:], f"{MIXED} presence", event=event)
    assert model.features.names() == ["b", "a", "c", "country=DE", "country=", "country=FR", "age=", "age", "age^2"]
    alike = mixed(ROWS[1:], f"{MIXED} presence")
    assert model.weights[0][4:] == pytest.approx(alike.weights[0][4:], abs=1e-6)
    assert (model.weights[0][1:4] != alike.weights[0][1:4]).any() == (event != "multinomial")


def test_an_event_of_columns_alone():
    text, country, age, labels = map(list, zip(*ROWS, strict=True))
    data = pa.table({"text": text, "country": country, "age": age})

    def of(features, event):
        return linnet.train((data, labels), learner="naive-bayes", features=features, options={"event": event})

    assert of("number:age", "gaussian").scores(data).tolist() == of("number:age", "multinomial").scores(data).tolist()
    assert (
        of("words:1 column:country", "categorical").scores(data).tolist()
        == of("words:1 column:country", "multinomial").scores(data).tolist()
    )
    with pytest.raises(
        linnet.UsageError, match=r"^event=gaussian is for numbers \(number:NAME\) alone\. Where there are"
    ):
        of("words:1 number:age", "gaussian")


def test_documents_have_the_columns_and_numbers_that_the_model_believes_in():
    model = mixed(alpha=0.5)
    drawn = [text.split() for label, text in model.sample(4000, seed=1) if label == "x"]
    assert len(drawn) / 4000 == pytest.approx(0.6, abs=0.03)
    country, age = zip(*[text[-2:] for text in drawn], strict=True)
    for value, count in {"DE": 2, "FR": 0, "": 1}.items():
        assert country.count(f"country={value}") / len(drawn) == pytest.approx((count + 0.5) / 4.5, abs=0.03)
    ages = [float(text.removeprefix("age=")) for text in age]
    assert np.mean(ages) == pytest.approx(32, abs=0.15)
    assert np.std(ages) == pytest.approx(2, abs=0.1)


def test_documents_of_columns_alone():
    data = pa.table({"age": [1.0, 3.0, 5.0, 7.0], "sex": ["f", "m", "f", "f"]})
    model = linnet.train((data, list("xxyy")), learner="naive-bayes", features="column:sex number:age")
    drawn = [(label, *text.split()) for label, text in model.sample(4000)]
    for label, women, mu in (("x", 0.5, 2), ("y", 0.75, 6)):
        sexes, ages = zip(*[row[1:] for row in drawn if row[0] == label], strict=True)
        assert sexes.count("sex=f") / len(sexes) == pytest.approx(women, abs=0.03)
        assert np.mean([float(age.removeprefix("age=")) for age in ages]) == pytest.approx(mu, abs=0.06)
