"""Learners by name. A further one is a file with a Preset and a line here; a file of one's own calls `LEARNERS.add`."""

from __future__ import annotations

from linnet.learners import (
    arow,
    boosting,
    crf,
    feedforward,
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
    aliases={"hmm": "naive-bayes", "maxent": "logistic", "pa1": "mira"},
)
learner = LEARNERS.named

__all__ = ["LEARNERS", "Epoch", "Examples", "Fit", "Learning", "Option", "Preset", "Progress", "learner"]
