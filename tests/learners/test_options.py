"""Learners by name, and the options that they take: every sentence that refuses one."""

import math

import pytest

import linnet
from linnet.errors import UsageError
from linnet.learners import LEARNERS, learner


def refusal(name, **options):
    with pytest.raises(UsageError) as caught:
        learner(name).checked(options)
    return str(caught.value)


def test_an_unknown_learner():
    with pytest.raises(UsageError) as caught:
        learner("percepton")
    assert str(caught.value) == (
        f"unknown learner 'percepton'. Did you mean 'perceptron'? There are: {', '.join(LEARNERS)}."
    )


def test_a_learner_that_resembles_none():
    with pytest.raises(UsageError) as caught:
        learner("zzz")
    assert str(caught.value) == f"unknown learner 'zzz'. There are: {', '.join(LEARNERS)}."


def test_aliases_are_the_learner_itself():
    assert learner("maxent") is LEARNERS["logistic"]
    assert all(learner(alias) is LEARNERS[name] for alias, name in LEARNERS.aliases.items())


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("log-linear", "logistic"),
        ("Softmax_Regression", "logistic"),
        ("MaxEnt", "logistic"),
        ("structured-perceptron", "perceptron"),
        ("StructuredSVM", "svm"),
        ("SVM", "svm"),
        ("LinearSVC", "svm"),
        ("AdaBoost", "boosting"),
        ("kNN", "neighbours"),
        ("k-nearest-neighbours", "neighbours"),
        ("K Nearest Neighbors", "neighbours"),
        ("passive-aggressive", "pa"),
        ("PA-II", "pa2"),
        ("MultinomialNB", "naive-bayes"),
        ("NaiveBayes", "naive-bayes"),
        ("naive_bayes", "naive-bayes"),
        ("NBSVM", "nb-svm"),
        ("Averaged_Perceptron", "averaged-perceptron"),
        ("CRF", "crf"),
    ],
)
def test_a_learner_is_found_by_what_people_call_it(typed, name):
    assert learner(typed) is LEARNERS[name]
    model = linnet.train((["a", "b"] * 4, ["x", "y"] * 4), learner=typed, features="words:1")
    assert model.learner == name


def test_no_two_learners_share_a_name():
    names = [*LEARNERS, *LEARNERS.aliases]
    assert len({name.replace("-", "") for name in names}) == len(names)


def test_what_is_nearest_is_found_in_any_case_and_among_all_names():
    for typed, near in (("Percepton", "perceptron"), ("K-NEREST-NEIGHBOURS", "k-nearest-neighbours")):
        with pytest.raises(UsageError) as caught:
            learner(typed)
        assert str(caught.value).startswith(
            f"unknown learner {typed!r}. Did you mean {near!r}? There are: naive-bayes,"
        )


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_registered_under_its_own_name(name):
    assert LEARNERS[name].name == name


@pytest.mark.parametrize("name", LEARNERS)
def test_defaults_are_within_their_own_bounds(name):
    preset = LEARNERS[name]
    assert preset.checked({}) == {key: option.default for key, option in preset.options.items()}


def test_an_option_that_a_learner_does_not_have():
    assert refusal("mira", D=1) == "learner 'mira' has no option 'D'. It has: C, k, dropout, runs, bias."
    assert refusal("perceptron", C=1) == "learner 'perceptron' has no option 'C'. It has: dropout, runs, bias."
    assert refusal("naive-bayes", alhpa=1) == (
        "learner 'naive-bayes' has no option 'alhpa'. Did you mean 'alpha'? It has: alpha, event, impossible, var_smoothing."
    )


def test_options_out_of_bounds():
    assert refusal("mira", C=-1) == "learner 'mira': expected C >= 0, found -1."
    assert refusal("naive-bayes", alpha="-0.5") == "learner 'naive-bayes': expected alpha >= 0, found -0.5."
    assert refusal("logistic", t0=0) == "learner 'logistic': expected t0 >= 1e-09, found 0."
    assert refusal("mira", dropout=1) == "learner 'mira': expected dropout <= 0.99, found 1."
    assert refusal("mira", runs=0) == "learner 'mira': expected runs >= 1, found 0."
    assert refusal("mira", runs="1.5") == "learner 'mira': expected a whole number for runs, found 1.5."
    assert refusal("mira", C="nan") == "learner 'mira': expected C >= 0, found nan."


def test_options_that_are_no_numbers():
    assert refusal("mira", C="big") == "learner 'mira': expected a number for C, found 'big'."
    assert refusal("logistic", eta="fast") == "learner 'logistic': expected a number for eta, found 'fast'."
    assert refusal("mira", C=None) == "learner 'mira': expected a number for C, found None."


def test_linear_models_that_are_learned_online_in_more_than_one_pass_have_dropout_and_runs():
    for name, preset in LEARNERS.items():
        online = preset.linear and not (preset.one_pass or preset.needs_all)
        assert ("dropout" in preset.options, "runs" in preset.options) == (online, online), name


def test_options_that_are_words():
    assert refusal("logistic", step="adam") == ("learner 'logistic': expected step to be sgd or adagrad, found 'adam'.")


def test_numbers_may_be_given_as_text():
    assert learner("mira").checked({"C": "0.25", "runs": "3"}) == {
        "C": 0.25,
        "k": 1,
        "dropout": 0,
        "runs": 3,
        "bias": "yes",
    }
    assert learner("mira").checked({"C": "inf"})["C"] == math.inf
    assert learner("logistic").checked({"eta": "auto"})["eta"] == "auto"
    assert learner("logistic").checked({"step": "adagrad"})["step"] == "adagrad"


def test_the_usual_epochs_are_fewer_over_more_examples():
    preset = LEARNERS["mira"]
    assert [preset.usual_epochs(n) for n in (0, 1, 10_000, 20_000, 50_000, 10**6)] == [10, 10, 10, 6, 5, 5]
    assert LEARNERS["naive-bayes"].usual_epochs(7) == 1
