"""scikit-learn's own checks, for every learner there is."""

import warnings

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from linnet.learners import LEARNERS
from linnet.sklearn import LinearClassifier, TextVectorizer

EQUIVALENCE = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


def expected_failures(estimator):
    preset = LEARNERS[estimator.learner]
    if estimator.learner == "parzen":
        return {"check_class_weight_classifiers": "in windows of 0.2, being far away outweighs a prior of 1000"}
    if preset.one_pass and not preset.linear:
        return {}
    if estimator.options:
        return dict.fromkeys(
            EQUIVALENCE, "a class has one example, so a variance of 1e-9: more digits than float32 has"
        )
    if preset.one_pass:
        negative = "the check passes negative values, which cannot be counts"
        rounding = "counts are float32: the same to 6 digits (test_classifier), where the check wants 7"
        return {
            "check_class_weight_classifiers": negative,
            "check_decision_proba_consistency": negative,
            **dict.fromkeys(EQUIVALENCE, rounding),
        }
    failures = dict.fromkeys(EQUIVALENCE, "one step of weight 2 is not two steps, which see different weights")
    if "eta" in preset.options:
        failures["check_class_weight_classifiers"] = (
            "a class weight of 1000 is 1000 times the learning rate: it diverges"
        )
    return failures


def checked(name):
    """The check of class weights gives an estimator max_iter=1000, but does not know of epochs."""
    return LinearClassifier(name) if "eta" in LEARNERS[name].options else LinearClassifier(name, epochs=200, tol=0)


@parametrize_with_checks(
    [*map(checked, LEARNERS), LinearClassifier("naive-bayes", options={"event": "gaussian"})],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_accepts_the_classifier(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", LEARNERS)
def test_only_class_weights_need_many_epochs(name):
    """What the other checks say of 200 epochs is true of the default as well."""
    estimator = LinearClassifier(name)
    failures = {**expected_failures(estimator), "check_class_weight_classifiers": ""}
    estimator_checks.check_estimator(estimator, expected_failed_checks=failures, on_skip=None)


TEXT_CHECKS = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
)


@pytest.mark.parametrize("estimator", [TextVectorizer(), LinearClassifier(features="words:1")], ids=repr)
@pytest.mark.parametrize("check", TEXT_CHECKS)
def test_scikit_learn_accepts_what_reads_text(estimator, check):
    getattr(estimator_checks, check)(type(estimator).__name__, estimator)


def test_the_other_checks_know_that_they_have_no_text():
    """As for CountVectorizer: scikit-learn generates matrices only."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SkipTestWarning, match="Can't test estimator TextVectorizer"):
            list(estimator_checks_generator(TextVectorizer()))
