"""Learners by name. A further one is a file with a Preset, and a line of LEARNERS that says where it is; a file of one's own
calls `LEARNERS.add`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linnet.registry import Registry

if TYPE_CHECKING:
    from linnet.learners.examples import Examples
    from linnet.learners.fit import Epoch, Fit, Progress
    from linnet.learners.learning import Learning
    from linnet.learners.preset import Option, Preset

# The module of each public name. A module is imported when its name is first used, so that a program that only applies
# a model does not wait for the modules that learn one.
_HOMES = {
    "Epoch": "fit",
    "Examples": "examples",
    "Fit": "fit",
    "Learning": "learning",
    "Option": "preset",
    "Preset": "preset",
    "Progress": "fit",
}
_ALSO_CALLED = {
    "naive-bayes": ("hmm", "hidden-markov-model", "multinomial-nb", "multinomial-naive-bayes"),
    "perceptron": ("structured-perceptron",),
    "averaged-perceptron": ("averaged-structured-perceptron", "ap"),
    "mira": ("pa1", "pa-i", "passive-aggressive-1"),
    "pa": ("passive-aggressive",),
    "pa2": ("pa-ii", "passive-aggressive-2"),
    "scw": ("soft-confidence-weighted",),
    "svm": ("support-vector-machine", "linear-svm", "linear-svc", "structured-svm", "structural-svm", "ssvm"),
    "logistic": (
        "logistic-regression",
        "maxent",
        "maximum-entropy",
        "log-linear",
        "softmax-regression",
        "multinomial-logistic-regression",
    ),
    "crf": ("conditional-random-field", "linear-chain-crf"),
    "boosting": ("adaboost",),
    "parzen": ("parzen-window", "kernel-density"),
    "neighbours": ("knn", "nearest-neighbours", "nearest-neighbors", "k-nearest-neighbours", "k-nearest-neighbors"),
    "feedforward": ("mlp", "multilayer-perceptron", "neural-network"),
}
"""Other names that people have for some learners."""
LEARNERS: Registry[Preset] = Registry(
    "learner",
    homes={
        "naive-bayes": "linnet.learners.naive_bayes:PRESET",
        "perceptron": "linnet.learners.perceptron:PRESET",
        "averaged-perceptron": "linnet.learners.perceptron:AVERAGED",
        "voted-perceptron": "linnet.learners.perceptron:VOTED",
        "mira": "linnet.learners.mira:PRESET",
        "averaged-mira": "linnet.learners.mira:AVERAGED",
        "pa": "linnet.learners.mira:PA",
        "pa2": "linnet.learners.mira:PA2",
        "arow": "linnet.learners.arow:PRESET",
        "scw": "linnet.learners.scw:PRESET",
        "scw2": "linnet.learners.scw:SECOND",
        "svm": "linnet.learners.svm:PRESET",
        "nb-svm": "linnet.learners.nb_svm:PRESET",
        "pegasos": "linnet.learners.svm:PEGASOS",
        "logistic": "linnet.learners.logistic:PRESET",
        "crf": "linnet.learners.crf:PRESET",
        "boosting": "linnet.learners.boosting:PRESET",
        "kernel-perceptron": "linnet.learners.kernel:PERCEPTRON",
        "kernel-svm": "linnet.learners.kernel:SVM",
        "parzen": "linnet.learners.neighbours:PARZEN",
        "neighbours": "linnet.learners.neighbours:NEIGHBOURS",
        "feedforward": "linnet.learners.feedforward:PRESET",
    },
    aliases={alias: name for name, aliases in _ALSO_CALLED.items() for alias in aliases},
)
_GIVEN = "given"


def learner(name: str) -> Preset:
    """The learner of that name. `given` is a name, too: it learns nothing and is not among LEARNERS, but is the learner
    of models whose weights a person has typed. Raise UsageError, which suggests a name, where there is no such
    learner."""
    if name == _GIVEN:
        from linnet.learners.given import PRESET

        return PRESET
    return LEARNERS.named(name)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"linnet.learners.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'linnet.learners' has no attribute {name!r}")


__all__ = ["LEARNERS", "Epoch", "Examples", "Fit", "Learning", "Option", "Preset", "Progress", "learner"]
