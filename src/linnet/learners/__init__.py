"""Learners by name. A further one is a file with a Preset and a line here."""

from __future__ import annotations

from linnet.errors import UsageError, meant
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
from linnet.learners.online import Epoch, Examples, Fit, Learning, Progress
from linnet.learners.preset import Option, Preset

LEARNERS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
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
    )
}
ALIASES = {"hmm": "naive-bayes", "maxent": "logistic", "pa1": "mira"}


def learner(name: str) -> Preset:
    """The learner of that name, or a UsageError that knows what was meant."""
    name = ALIASES.get(name, name)
    if name not in LEARNERS:
        hint = meant(name, [*LEARNERS, *ALIASES], 0.5)
        raise UsageError(f"unknown learner {name!r}.{hint} There are: {', '.join(LEARNERS)}.")
    return LEARNERS[name]


__all__ = ["ALIASES", "LEARNERS", "Epoch", "Examples", "Fit", "Learning", "Option", "Preset", "Progress", "learner"]
