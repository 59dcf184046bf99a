"""Learners by name. A further one is a file with a Preset and a line here; a file of one's own calls `LEARNERS.add`."""

from __future__ import annotations

from linnet.learners import (
    arow,
    boosting,
    crf,
    feedforward,
    given,
    kernel,
    logistic,
    mira,
    naive_bayes,
    nb_svm,
    neighbours,
    perceptron,
    scw,
    svm,
)
from linnet.learners.examples import Examples
from linnet.learners.fit import Epoch, Fit, Progress
from linnet.learners.learning import Learning
from linnet.learners.preset import Option, Preset
from linnet.registry import Registry

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
    naive_bayes.PRESET,
    perceptron.PRESET,
    perceptron.AVERAGED,
    perceptron.VOTED,
    mira.PRESET,
    mira.AVERAGED,
    mira.PA,
    mira.PA2,
    arow.PRESET,
    scw.PRESET,
    scw.SECOND,
    svm.PRESET,
    nb_svm.PRESET,
    svm.PEGASOS,
    logistic.PRESET,
    crf.PRESET,
    boosting.PRESET,
    kernel.PERCEPTRON,
    kernel.SVM,
    neighbours.PARZEN,
    neighbours.NEIGHBOURS,
    feedforward.PRESET,
    aliases={alias: name for name, aliases in _ALSO_CALLED.items() for alias in aliases},
)


def learner(name: str) -> Preset:
    """The learner of that name; or `given`, which has no way to learn and is not among LEARNERS, but is the learner of models
    whose weights a person has typed. UsageError, with what was meant, where there is none."""
    return given.PRESET if name == given.PRESET.name else LEARNERS.named(name)


__all__ = ["LEARNERS", "Epoch", "Examples", "Fit", "Learning", "Option", "Preset", "Progress", "learner"]
