"""Naive Bayes: counts, smoothed, as the weights of a linear model. Over tags it is a hidden Markov model.

    w_0,y  = ln P(y)                   = ln(n_y / n)
    w_j,y  = ln P(j | y)               = ln((c_jy + alpha) / sum_j' (c_j'y + alpha))
    w_0,ay = ln P(y | a) - ln P(y),      P(y | a) = (n_ay + alpha) / sum_y' (n_ay' + alpha)    for tag y after tag a

c_jy is how often feature j was seen with label y, so that w.f(x, y) = ln P(x, y) (Carpuat, "This is a linear model!";
Crammer, "Smoothing"; Eisenstein, section 1). alpha = 0 is maximum likelihood: what was not seen is impossible.

A pair of tags has a weight beside that of the tag alone, so it gets what is new: the sum over a sentence is ln P(y_1) +
ln P(y_2 | y_1) + ... (Rabiner 1989), and a sentence starts with a tag as often as the tag occurs. Which outcome is chosen given
which, the structure says (`given`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linnet.learners.preset import Option, Options, Preset, Weights


def _loss(options: Options) -> object:
    from linnet.losses.likelihood import Likelihood

    return Likelihood()


def _step(options: Options) -> object:
    from linnet.steps.constant import Constant

    return Constant()


def log_probabilities(counts: list[Weights], gen: Any, options: Options) -> list[Weights]:
    alpha = float(options["alpha"])
    weights, log_p = [], []
    for g, (c, k) in enumerate(zip(counts, gen.outcomes, strict=True)):
        context, below = gen.given(g)
        w = np.zeros_like(c)
        n = c[0, :k].astype(np.float64) + (alpha if below else 0)
        smoothed = c[1:, :k].astype(np.float64) + alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            log_p.append(np.log(n / np.bincount(context, n)[context]))
            w[0, :k] = log_p[g] if below is None else log_p[g] - log_p[below[0]][below[1]]
            w[1:, :k] = np.log(smoothed / smoothed.sum(axis=0))
        w[np.isnan(w)] = -np.inf  # 0 / 0: a label without a single count is impossible
        weights.append(w)
    return weights


PRESET = Preset(
    name="naive-bayes",
    summary="multinomial naive Bayes, add-alpha smoothed: one pass, counts only; over tags a hidden Markov model",
    loss=_loss,
    step=_step,
    options={"alpha": Option(1.0, "added to every count; 0 is maximum likelihood", least=0)},
    epochs=1,
    one_pass=True,
    probabilistic=True,
    generative=True,
    finish=log_probabilities,
)
