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
KINDS = {
    "fits": "about as good on new data as on its training data, and none is clearly better: richer features may help",
    "overfits": "better on its training data than on new, by more than two standard errors. Where features are many, most "
    "learners get their training data right, which is no fault where none is clearly better on new; else averaging, "
    "regularisation or fewer features may help",
    "underfits": "worse than the best even on its training data, or as wrong there as on new: richer features, more epochs or "
    "less regularisation may help",
}
"""What each verdict means."""


@dataclass(frozen=True)
class Verdict:
    kind: str
    """The verdict in a word: fits, overfits or underfits."""
    sentence: str
    gain: float | None = None
    """What twice the training data might bring, by the learning curve; None where that is not known."""


def verdict(
    train: float,
    held: float,
    error: float,
    best: float,
    curve: Curve | None = None,
    measure: str = "accuracy",
    *,
    less_is_better: bool = False,
) -> Verdict:
    """The verdict on a learner. All numbers say how far a measure is from perfect: on training examples, on held-out ones with
    its standard error, and the least of all learners on held-out ones.

    >>> verdict(0.0, 0.2, 0.01, 0.1).sentence
    'overfits: accuracy 100.0% on its training data, 80.0% on new; averaging, regularisation or fewer features may help.'
    """

    def figure(wrong: float) -> str:
        return f"{wrong:.2f}" if less_is_better else f"{100 * (1 - wrong):.1f}%"

    found = f"{measure} {figure(train)} on its training data, {figure(held)} on new"
    noise = 2 * error
    gain = None if curve is None else curve.gain()
    more = ""
    if gain is not None:
        points = f"{gain:.2f}" if less_is_better else f"{100 * gain:.1f} points"
        more = f"; twice the data might bring {points}" if gain >= _WORTH else "; more data would bring little"
    leads, near = held <= best, held <= best + noise
    if (train > best and not near) or held - train <= noise:
        if near:
            return Verdict("fits", f"fits: {found}; richer features may help{more}.", gain)
        return Verdict(
            "underfits",
            f"underfits: {found}; richer features, more epochs or less regularisation may help{more}.",
            gain,
        )
    help = "averaging, regularisation or fewer features may help"
    if near:
        help = "none here does better on new" if leads else "none here is better on new by two standard errors"
    return Verdict("overfits", f"overfits: {found}; {help}{more}.", gain)
