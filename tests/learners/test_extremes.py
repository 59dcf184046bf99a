"""Options at their extremes, and numbers beyond all measure: an answer or a sentence, never a crash or weights that are not
finite."""

import contextlib
import math
from dataclasses import replace

import numpy as np
import pytest

import linnet
from linnet.core.predictor import Predictor
from linnet.errors import DataError, DivergedError, LinnetError, ModelError, UsageError
from linnet.learners import LEARNERS
from linnet.steps.adagrad import AdaGrad
from linnet.steps.constant import Constant
from linnet.steps.sgd import SGD
from linnet.structures.labels import Labels
from linnet.training.auto import OPTIONS

TEXTS = ["good film", "bad film here", "a fine good day", "poor bad day"] * 3
LABELS = ["pos", "neg"] * 6
SENTENCES = [["the", "dog", "barks"], ["it", "barks", "well"]] * 3
TAGS = [["DT", "NN", "VBZ"], ["PRP", "VBZ", "RB"]] * 3
TREES = (
    "1\tthe\t_\tDT\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\tNN\t_\t_\t3\tsubj\t_\t_\n3\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n"
    "4\tat\t_\tIN\t_\t_\t3\tprep\t_\t_\n5\tcats\t_\tNN\t_\t_\t4\tpobj\t_\t_\n\n"
    "1\tit\t_\tPR\t_\t_\t2\tsubj\t_\t_\n2\tbarks\t_\tVB\t_\t_\t0\troot\t_\t_\n3\tloud\t_\tRB\t_\t_\t2\tadv\t_\t_\n\n"
) * 6
NUMBERS = [
    (name, key)
    for name, preset in LEARNERS.items()
    for key, option in preset.options.items()
    if len(option.choices) < 2
]


def ends_well(model, new):
    """Whether a model answers with finite scores, or refuses to by a sentence, when it was saved and loaded, too."""
    for weights in model.weights:
        assert np.isfinite(np.asarray(weights, np.float64)).all()
    with contextlib.suppress(ModelError):  # which says that scores are not finite
        assert len(model.predict(new)) == 12


@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_every_number_has_a_range(name, key):
    option = LEARNERS[name].options[key]
    assert math.isfinite(option.least)
    assert math.isfinite(option.most) or key == "C", "C = inf is the hard version"
    low, _, high = option.range.partition(" to ")
    assert float(low.replace(",", "")) == pytest.approx(option.least)
    assert float(high.replace(",", "")) == pytest.approx(option.most)


def test_the_seconds_of_a_search_have_a_range():
    assert OPTIONS["seconds"].range == "0 to 1e+07"


@pytest.mark.parametrize("value", [10**400, -(10**400), 2**63, 1e300, math.nan, -1e300])
@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_what_is_beyond_the_range_is_refused(name, key, value):
    if key == "C" and value > 0 and math.isinf(LEARNERS[name].options[key].most):
        return
    with pytest.raises(UsageError, match=f"^learner '{name}': expected {key} "):
        LEARNERS[name].checked({key: value})


@pytest.mark.parametrize(("name", "key"), NUMBERS)
@pytest.mark.parametrize("end", ["least", "most"])
def test_both_ends_of_every_range_end_well(name, key, end):
    option = LEARNERS[name].options[key]
    value = getattr(option, end)
    if key in ("runs", "votes", "hidden", "cache") and end == "most":
        value = min(value, 50)  # they are only slow or large
    options = {key: value} | ({"kernel": "polynomial"} if key in ("degree", "gamma") else {})
    try:
        model = linnet.train(
            (TEXTS, LABELS), task="labels", features="words:1", learner=name, options=options, epochs=3
        )
    except LinnetError:
        return
    ends_well(model, TEXTS)


@pytest.mark.parametrize(("order", "projective"), [(1, "yes"), (1, "no"), (2, "yes")])
@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("logistic", {"lam": 1e6}),
        ("logistic", {"eta": 1e9, "cap": "no"}),
        ("feedforward", {"lam": 1e6}),
        ("feedforward", {"eta": 1e6}),
        ("crf", {"eta": 1e6, "cost": 1e6}),
        ("pegasos", {"lam": 1e-12}),
    ],
)
def test_trees_of_weights_beyond_measure(tmp_path, learner, options, order, projective):
    path = tmp_path / "a.conllu"
    path.write_text(TREES)
    options = {**options, "tags": "given", "order": order, "projective": projective}
    try:
        model = linnet.train(path, task="parse", learner=learner, options=options, epochs=2)
    except DivergedError:
        return
    ends_well(model, path)


def test_a_step_takes_away_no_more_than_all_weights():
    """With eta lam > 1 the factor 1 - eta lam would turn the weights around, further at each step."""
    for step in (SGD(eta=1.0, lam=1e6), AdaGrad(eta=1.0, lam=1e6)):
        model = linnet.train(
            (TEXTS, LABELS), task="labels", features="words:1", learner="logistic", options={"lam": 1e6}, epochs=5
        )
        assert np.abs(model.weights[0]).max() < 1
        assert step.name in ("sgd", "adagrad")


@pytest.mark.parametrize(
    "learner", ["perceptron", "mira", "svm", "logistic", "naive-bayes", "boosting", "kernel-svm", "crf"]
)
@pytest.mark.parametrize("number", [1e308, -1e308, 3e38, 1e20, 1e-320])
def test_a_column_of_numbers_beyond_measure(learner, number):
    people = {"text": TEXTS, "n": [number, 1.0] * 6, "label": LABELS}
    if abs(number) > 1e30:
        with pytest.raises(
            DataError, match=r"^dict: expected numbers of at most 1e\+30 in column 'n', found -?[13]e\+"
        ):
            linnet.train(people, label="label", features="words:1 number:n", learner=learner, epochs=3)
        return
    model = linnet.train(people, label="label", features="words:1 number:n", learner=learner, epochs=3)
    assert model.predict([{"text": "good", "n": number}])[0] in {"pos", "neg"}


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("features", ["number:n", "words:1 number:n"])
@pytest.mark.parametrize("unit", [1.0, 1e25])
def test_answers_to_numbers_beyond_all_that_was_learned(learner, features, unit):
    """Scores of minus infinity are no scores: naive Bayes had them for all labels, and all their probabilities were 0."""
    people = {"text": TEXTS, "n": [unit, 2 * unit, -unit, 3 * unit] * 3, "label": LABELS}
    model = linnet.train(people, label="label", features=features, learner=learner, epochs=3)
    ask = model.predict_proba if model.has_probabilities else model.predict
    refused = 0
    for number in (1e15, 1e18, 2e18, 1e20, 1e25, 1e30):
        rows = [{"text": "good", "n": sign * number} for sign in (1, -1)]
        try:
            found = ask(rows)
        except (ModelError, DataError):
            refused += 1
        else:
            assert not model.has_probabilities or found.sum(axis=1) == pytest.approx([1, 1])
    assert refused >= (3 if unit == 1 else 0)


def test_a_number_too_far_from_those_that_were_learned_from(tmp_path):
    people = {"n": [1.0, 2.0, 3.0] * 4, "label": LABELS}
    model = linnet.train(people, label="label", features="number:n", learner="naive-bayes")
    (tmp_path / "new.csv").write_text("n\n1\n-1e20\n")
    with pytest.raises(DataError) as caught:
        model.predict(tmp_path / "new.csv")
    assert str(caught.value) == (
        f"{tmp_path}/new.csv:3: found -1e+20 in column 'n', where 2 was the mean and 1.633 twice the standard deviation: its "
        "square would be no number. Leave it empty, or learn from logarithms."
    )
    right = model.predict_proba([{"n": 1.0}, {"n": 2.5}])
    large = linnet.train(
        people | {"n": [1e25 * n for n in people["n"]]}, label="label", features="number:n", learner="naive-bayes"
    )
    assert large.predict_proba([{"n": 1e25}, {"n": 2.5e25}]) == pytest.approx(right, rel=1e-4)


@pytest.mark.parametrize("x", [3e38, -3e38, 1e30, -1e31])
@pytest.mark.parametrize("k", [0, 1])
def test_a_score_of_minus_infinity_is_refused(block_of, x, k):
    """No matter which label has it, and whether others have scores."""
    weights = np.zeros((2, 2), np.float32)
    weights[1, k] = 1e8
    block = block_of([[x]])
    with pytest.raises(ModelError, match="the scores of example 0 are not finite"):
        Predictor(Labels(2), [weights]).argmax((block,))


def test_steps_as_long_as_can_be():
    for options in ({"C": 1e30}, {"C": math.inf}):
        ends_well(
            linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="mira", options=options), TEXTS
        )


@pytest.mark.parametrize("task", ["labels", "tag", "parse", "parse2"])
@pytest.mark.parametrize("base", ["perceptron", "mira", "voted-perceptron", "logistic", "feedforward"])
def test_scores_beyond_measure_end_learning(monkeypatch, tmp_path, task, base):
    """Structures find no best output among scores that are not finite: what follows their pointers would be lost."""
    far = replace(LEARNERS[base], name="far", step=lambda options: Constant(3e38))
    monkeypatch.setitem(LEARNERS, "far", far)
    (tmp_path / "a.conllu").write_text(TREES)
    gold = {"labels": (TEXTS, LABELS), "tag": (SENTENCES, TAGS)}.get(task, tmp_path / "a.conllu")
    options = {"tags": "given", "order": 2 if task == "parse2" else 1} if task.startswith("parse") else {}
    with pytest.raises(DivergedError, match="the (scores|weights) are no longer finite numbers"):
        linnet.train(gold, task=task.removesuffix("2"), learner="far", options=options, epochs=3)


@pytest.mark.parametrize("k", [2**31, 2**63, 100_001])
def test_more_of_the_best_outputs_than_can_be_asked_for(k):
    model = linnet.train((SENTENCES, TAGS), task="tag", epochs=2)
    with pytest.raises(UsageError, match="^expected 1 to 100,000 of the best outputs, found"):
        model.answers([["it", "barks"]], top=k)
    with pytest.raises(UsageError, match="^expected 1 to 100,000 of the best outputs, found"):
        linnet.train((SENTENCES, TAGS), task="tag", epochs=2, rerank=k)


def test_a_seed_below_zero():
    with pytest.raises(UsageError, match="^expected a seed of 0 or more, found -1"):
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", seed=-1, learner="perceptron")


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("|".join(["w"] * 20), "'w|w|w|w|w|w|w|w|w|w|w|w|w|w|w|w|w|w|w|w': 20 parts; at most 8 can be joined."),
        ("|".join(["w[-20..20]"] * 8), "more than 1000 templates. Join fewer, or shorten their ranges."),
        ("w min=" + "9" * 5000, "expected min=N with N of 1 or more, found 'min=999"),
        ("w most=0", "expected most=N with N of 1 or more, found 'most=0'"),
        ("w[" + "9" * 5000 + "]", "expected [K] or [K..M], found"),
    ],
)
def test_templates_beyond_measure(features, message):
    with pytest.raises(UsageError) as caught:
        linnet.train((SENTENCES, TAGS), task="tag", features=features)
    assert message in str(caught.value)


@pytest.mark.parametrize("data", ["texts", "tokens"])
def test_lists_of_words_that_never_end(data):
    gold, features = ((TEXTS, LABELS), "words:1") if data == "texts" else ((SENTENCES, TAGS), "w")
    task = "labels" if data == "texts" else "tag"
    with pytest.raises(
        DataError, match="^/dev/zero: is larger than 64 MB, the limit of such files. Name a smaller one."
    ):
        linnet.train(gold, task=task, features=f"{features} lexicon:/dev/zero")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_data_that_never_end(path):
    with pytest.raises(DataError, match=f"^{path}: is a device that never ends. Name a file, or - for stdin."):
        linnet.train(path)
    with pytest.raises(DataError, match=f"^{path}: is a device that never ends"):
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="logistic", options={"costs": path})


def test_a_cost_beyond_measure():
    costs = {("pos", "neg"): 1e30}
    with pytest.raises(UsageError, match="^expected a cost of at most 1,000,000 for 'pos' taken for 'neg', found 1e"):
        linnet.train((TEXTS, LABELS), task="labels", features="words:1", learner="logistic", options={"costs": costs})
