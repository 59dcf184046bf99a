"""Learners by name. A further one is a file with a Preset and a line here."""

from __future__ import annotations

import difflib

from linnet.errors import UsageError
from linnet.learners import crf, logistic, mira, naive_bayes, perceptron, svm
from linnet.learners.online import Epoch, Examples, Fit, Learning, Progress
from linnet.learners.preset import Option, Preset

LEARNERS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        naive_bayes.PRESET,
        perceptron.PRESET,
        perceptron.AVERAGED,
        mira.PRESET,
        mira.AVERAGED,
        mira.PA,
        mira.PA2,
        svm.PRESET,
        svm.PEGASOS,
        logistic.PRESET,
        crf.PRESET,
    )
}
ALIASES = {"hmm": "naive-bayes", "maxent": "logistic", "pa1": "mira"}


def learner(name: str) -> Preset:
    """The learner of that name, or a UsageError that knows what was meant."""
    name = ALIASES.get(name, name)
    if name not in LEARNERS:
        close = difflib.get_close_matches(name, [*LEARNERS, *ALIASES], 1, 0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"unknown learner {name!r}.{hint} There are: {', '.join(LEARNERS)}.")
    return LEARNERS[name]


__all__ = ["ALIASES", "LEARNERS", "Epoch", "Examples", "Fit", "Learning", "Option", "Preset", "Progress", "learner"]
