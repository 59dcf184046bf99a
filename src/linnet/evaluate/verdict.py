"""Over- and underfitting in words, from the errors on training and on held-out examples.

A learner that errs on its own training examples more often than the best one does on new ones underfits (bias), and so does
one that is as wrong on both and not as good as the best. One that is more often wrong on new examples than on its
own, by more than two standard errors, overfits (variance): if none does better, more data would help more than another learner.
"""

from __future__ import annotations

from dataclasses import dataclass

from linnet.evaluate.curves import Curve

_WORTH = 0.002
"""The least gain that is worth mentioning."""


@dataclass(frozen=True)
class Verdict:
    kind: str
    """The verdict in a word: fits, overfits or underfits."""
    sentence: str


def verdict(
    train: float, held: float, error: float, best: float, curve: Curve | None = None, cost: str | None = None
) -> Verdict:
    """The verdict on a learner. All numbers are shares of errors, or means of the cost of this name: on training examples,
    on held-out ones with their standard error, and the lowest held-out one of all learners.

    >>> verdict(0.0, 0.2, 0.01, 0.1).sentence
    'overfits: 0.0% wrong on its training data, 20.0% on new; averaging, regularisation or fewer features may help.'
    """
    wrong = f"{100 * train:.1f}% wrong" if cost is None else f"{cost} {train:.2f}"
    wrong += " on its training data, " + (f"{100 * held:.1f}% on new" if cost is None else f"{held:.2f} on new")
    noise = 2 * error
    gain = None if curve is None else curve.gain()
    more = ""
    if gain is not None:
        points = f"{100 * gain:.1f} points" if cost is None else f"{gain:.2f}"
        more = f"; twice the data would bring about {points}" if gain >= _WORTH else "; more data would bring little"
    is_best = held <= best + noise
    if (train > best and not is_best) or held - train <= noise:
        if is_best:
            return Verdict("fits", f"fits: {wrong}; what is left between the labels, richer features must tell{more}.")
        return Verdict(
            "underfits", f"underfits: {wrong}; richer features, more epochs or less regularisation may help{more}."
        )
    help = "none here does better on new" if is_best else "averaging, regularisation or fewer features may help"
    return Verdict("overfits", f"overfits: {wrong}; {help}{more}.")
