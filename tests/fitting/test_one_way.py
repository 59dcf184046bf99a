"""Whoever learns the same thing learns the same bits: `train`, trials, models inside models, estimators, `linnet.learn`."""

import numpy as np
import pytest

import linnet
from linnet.fitting.contract import Plan
from linnet.fitting.fitting import Recipe
from linnet.fitting.trials import learn, make_ready
from linnet.learners import LEARNERS
from linnet.sklearn import (
    HierarchyClassifier,
    LabelRanker,
    LabelsetClassifier,
    LinearClassifier,
    OrdinalClassifier,
    SequenceTagger,
)
from linnet.tasks import named

SPEC = "words:1-2 tfidf"
TEXTS = [f"{a} {b} {c}" for a in ("a", "the", "one") for b in ("fine", "dull", "long") for c in ("film", "book", "day")]
LABELS = ["+" if "fine" in text or "book" in text else "-" for text in TEXTS]
TAGGED = [(text.split(), ["D", "J", "N" if i % 3 else "B"]) for i, text in enumerate(TEXTS)]


def trained(task="labels", y=LABELS, learner="averaged-mira", **settings):
    return linnet.train((TEXTS, y), task=task, learner=learner, features=SPEC, **settings).weights


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_trial_learns_what_training_learns(name):
    task = named("labels")
    gold = task.read((TEXTS, LABELS), {})
    learned, _ = learn(make_ready(task, SPEC, gold, gold), Plan(SPEC, name), seed=0)
    same(learned.weights, trained(learner=name))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_model_inside_another_one_is_learned_as_one_alone(name):
    task = named("labels")
    model = Recipe(task, Plan(SPEC, name), passes={"seed": 0}).learn(task.read((TEXTS, LABELS), {}))
    same(model.weights, trained(learner=name))


@pytest.mark.parametrize("name", [name for name in LEARNERS if LEARNERS[name].linear])
def test_the_classifier_learns_what_training_learns(name):
    W = trained(learner=name)[0]
    model = LinearClassifier(name, features=SPEC).fit(TEXTS, LABELS)
    np.testing.assert_array_equal(model.coef_[0], (W[1:, 1] - W[1:, 0]))
    np.testing.assert_array_equal(model.intercept_[0], W[0, 1] - W[0, 0])


@pytest.mark.parametrize(
    ("task", "estimator", "y", "options"),
    [
        ("labelset", LabelsetClassifier, [[label] for label in LABELS], {"thresholds": "none"}),
        ("ranking", LabelRanker, [[label] for label in LABELS], {}),
        ("hierarchy", HierarchyClassifier, [f"x:{label}" for label in LABELS], {"separator": ":"}),
        ("ordinal", OrdinalClassifier, ["1" if label == "+" else "2" for label in LABELS], {}),
    ],
)
def test_the_other_estimators_learn_what_training_learns(task, estimator, y, options):
    settings = {"separator": ":"} if task == "hierarchy" else {}
    model = estimator("averaged-mira", features=SPEC, **settings).fit(TEXTS, y)
    same(model.model_.weights, trained(task, y, options=options))


@pytest.mark.parametrize("name", ["crf", "averaged-perceptron", "averaged-mira", "hmm"])
def test_the_tagger_learns_what_training_learns(name, tmp_path):
    lines = "\n".join("".join(f"{w} {t}\n" for w, t in zip(*one, strict=True)) for one in TAGGED)
    (tmp_path / "a.conll").write_text(lines)
    model = linnet.train(tmp_path / "a.conll", features="w[-1..1]", learner=name)
    words, tags = zip(*TAGGED, strict=True)
    tagger = SequenceTagger(learner=name, features="w[-1..1]").fit(words, tags)
    same(tagger.model_.weights, model.weights)


def test_a_label_of_ones_own_is_learned_as_a_label_is():
    class Label(linnet.Structure):
        outcomes = (2,)

        def features(self, text):
            return [[dict.fromkeys(text.split(), 1.0)]]

        def mu(self, y):
            return [(0, 0, y)]

        def outputs(self, places):
            return [0, 1]

    number = [int(label == "-") for label in LABELS]
    own = linnet.learn(Label, TEXTS, number, learner="averaged-mira").weights
    same(own, linnet.train((TEXTS, LABELS), learner="averaged-mira", features="words:1").weights)


def refused(learn_it):
    with pytest.raises(linnet.UsageError, match="features with 'sequence' have positions in the text as their values"):
        learn_it()


def test_all_refuse_rows_in_the_order_of_the_text_where_the_learner_can_make_nothing_of_them():
    spec, task = "chars-across:1 sequence", named("labels")
    gold = task.read((TEXTS, LABELS), {})
    refused(lambda: linnet.train((TEXTS, LABELS), learner="mira", features=spec))
    refused(lambda: learn(make_ready(task, spec, gold, gold), Plan(spec, "mira")))
    refused(lambda: Recipe(task, Plan(spec, "mira")).learn(gold))
    refused(lambda: LinearClassifier("mira", features=spec).fit(TEXTS, LABELS))
    refused(lambda: OrdinalClassifier("mira", features=spec).fit(TEXTS, LABELS))


def test_all_know_which_features_belong_together():
    """Naive Bayes with numbers needs their fields: without them it would take them for counts."""
    rows = [{"text": text, "label": label, "year": len(text)} for text, label in zip(TEXTS, LABELS, strict=True)]
    table = {name: [row[name] for row in rows] for name in ("text", "year")}
    spec, task = "words:1 number:year", named("labels")
    gold = task.read((table, LABELS), {})
    W = linnet.train((table, LABELS), learner="naive-bayes", features=spec).weights
    same(learn(make_ready(task, spec, gold, gold), Plan(spec, "naive-bayes"))[0].weights, W)
    same(Recipe(task, Plan(spec, "naive-bayes")).learn(gold).weights, W)
    model = LinearClassifier("naive-bayes", features=spec).fit(table, LABELS)
    np.testing.assert_array_equal(model.coef_[0], W[0][1:, 1] - W[0][1:, 0])
