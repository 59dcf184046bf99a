"""Naive Bayes: counts, smoothed, as the weights of a linear model. Over tags it is a hidden Markov model.

    w_0,y  = ln P(y)                   = ln(n_y / n)
    w_j,y  = ln P(j | y)               = ln((c_jy + alpha) / sum_j' (c_j'y + alpha))
    w_0,ay = ln P(y | a) - ln P(y),      P(y | a) = (n_ay + alpha) / sum_y' (n_ay' + alpha)    for tag y after tag a

c_jy is how often feature j was seen with label y, so that w.f(x, y) = ln P(x, y) (Carpuat, "This is a linear model!";
Crammer, "Smoothing"; Eisenstein, section 1). alpha = 0 is maximum likelihood: what was not seen is impossible.

That is the multinomial event, a word after the other. Two others see the same counts (McCallum and Nigam 1998; Rennie et al.
2003):

    bernoulli     each feature is there or not: p_jy = (c_jy + alpha) / (n_y + 2 alpha), w_j,y = ln p_jy - ln(1 - p_jy),
                  and the sum over all j of ln(1 - p_jy) is added to w_0,y
    complement    w_j,y = -ln P(j | any label but y), from c_j - c_jy: steadier where labels differ much in size

A Gaussian event would need x^2 beside x, and a categorical one which features exclude each other: neither is in f(x, y).

A pair of tags has a weight beside that of the tag alone, so it gets what is new: the sum over a sentence is ln P(y_1) +
ln P(y_2 | y_1) + ... (Rabiner 1989), and a sentence starts with a tag as often as the tag occurs. Which outcome is chosen given
which, the structure says (`given`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import UsageError
from linnet.learners.preset import Option, Options, Preset, Weights

Counts = npt.NDArray[np.float64]


def _loss(options: Options) -> object:
    from linnet.losses.likelihood import Likelihood

    return Likelihood()


def _step(options: Options) -> object:
    from linnet.steps.constant import Constant

    return Constant()


def _multinomial(c: Counts, n: Counts, alpha: float) -> tuple[Counts, Counts | float]:
    return np.log((c + alpha) / (c + alpha).sum(axis=0)), 0.0


def _complement(c: Counts, n: Counts, alpha: float) -> tuple[Counts, Counts | float]:
    rest = c.sum(axis=1, keepdims=True) - c + alpha
    return -np.log(rest / rest.sum(axis=0)), 0.0


def _bernoulli(c: Counts, n: Counts, alpha: float) -> tuple[Counts, Counts | float]:
    if alpha == 0:
        raise UsageError("event=bernoulli needs alpha > 0, for what was not seen would be certain not to be there.")
    if (c > n * (1 + 1e-5)).any():
        raise UsageError("event=bernoulli needs features that are 0 or 1. Add `presence raw` to the features.")
    p = (np.minimum(c, n) + alpha) / (n + 2 * alpha)
    absent = np.log1p(-p)
    return np.log(p) - absent, absent.sum(axis=0)


_EVENTS = {"multinomial": _multinomial, "bernoulli": _bernoulli, "complement": _complement}


def log_probabilities(counts: list[Weights], gen: Any, options: Options) -> list[Weights]:
    alpha, event = float(options["alpha"]), _EVENTS[str(options.get("event", "multinomial"))]
    weights, log_p = [], []
    for g, (c, k) in enumerate(zip(counts, gen.outcomes, strict=True)):
        context, below = gen.given(g)
        w = np.zeros_like(c)
        n = c[0, :k].astype(np.float64)
        choices = n + (alpha if below else 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_p.append(np.log(choices / np.bincount(context, choices)[context]))
            w[0, :k] = log_p[g] if below is None else log_p[g] - log_p[below[0]][below[1]]
            w[1:, :k], always = event(c[1:, :k].astype(np.float64), n, alpha)
            w[0, :k] += always
        w[np.isnan(w)] = -np.inf  # 0 / 0: a label without a single count is impossible
        weights.append(w)
    return weights


def documents(
    weights: Weights, n_labels: int, options: Options, length: float, rng: np.random.Generator
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Labels and features as the model believes that they come about, without end: y from P(y), then each feature given y.

    A document of the multinomial event has `length` features in the mean; bernoulli says of each one whether it is there.
    """
    w = weights[:, :n_labels].astype(np.float64)
    bernoulli = options["event"] == "bernoulli"
    if options["event"] == "complement":
        raise UsageError("event=complement says what is not of a label, so it cannot write documents. Use multinomial.")
    p = 1 / (1 + np.exp(-w[1:])) if bernoulli else np.exp(w[1:])
    prior = np.exp(w[0] - (np.log1p(-p).sum(axis=0) if bernoulli else 0))
    prior, cumulated = prior / prior.sum(), np.cumsum(p, axis=0)
    while True:
        y = int(rng.choice(n_labels, p=prior))
        if bernoulli:
            yield y, np.flatnonzero(rng.random(len(p)) < p[:, y])
        else:
            drawn = rng.random(max(1, rng.poisson(length))) * cumulated[-1, y]
            yield y, np.searchsorted(cumulated[:, y], drawn, side="right")


PRESET = Preset(
    name="naive-bayes",
    summary="naive Bayes, add-alpha smoothed: one pass, counts only; over tags a hidden Markov model",
    loss=_loss,
    step=_step,
    options={
        "alpha": Option(1.0, "added to every count; 0 is maximum likelihood", least=0),
        "event": Option(
            "multinomial",
            "multinomial: one feature after the other; bernoulli: each is there or not; complement: what other labels lack",
            choices=tuple(_EVENTS),
        ),
    },
    epochs=1,
    one_pass=True,
    probabilistic=True,
    generative=True,
    finish=log_probabilities,
)
