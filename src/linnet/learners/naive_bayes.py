"""Naive Bayes: counts, smoothed, as the weights of a linear model.

    w_0,y = ln P(y)        = ln(n_y / n)
    w_j,y = ln P(j | y)    = ln((c_jy + alpha) / sum_j' (c_j'y + alpha))

c_jy is how often feature j was seen with label y, so that w.f(x, y) = ln P(x, y) (Carpuat, "This is a linear model!";
Crammer, "Smoothing"; Eisenstein, section 1). alpha = 0 is maximum likelihood: what was not seen is impossible.
"""

from __future__ import annotations

import numpy as np

from linnet.learners.preset import Option, Options, Preset, Weights


def _loss(options: Options) -> object:
    from linnet.losses.likelihood import Likelihood

    return Likelihood()


def _step(options: Options) -> object:
    from linnet.steps.constant import Constant

    return Constant()


def log_probabilities(counts: list[Weights], n_outcomes: tuple[int, ...], options: Options) -> list[Weights]:
    alpha = float(options["alpha"])
    weights = []
    for c, k in zip(counts, n_outcomes, strict=True):
        w = np.zeros_like(c)
        n_y = c[0, :k].astype(np.float64)
        smoothed = c[1:, :k].astype(np.float64) + alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            w[0, :k] = np.log(n_y / n_y.sum())
            w[1:, :k] = np.log(smoothed / smoothed.sum(axis=0))
        w[np.isnan(w)] = -np.inf  # 0 / 0: a label without a single count is impossible
        weights.append(w)
    return weights


PRESET = Preset(
    name="naive-bayes",
    summary="multinomial naive Bayes, add-alpha smoothed: one pass, counts only",
    loss=_loss,
    step=_step,
    options={"alpha": Option(1.0, "added to every count; 0 is maximum likelihood", least=0)},
    epochs=1,
    one_pass=True,
    probabilistic=True,
    structures=("labels",),
    finish=log_probabilities,
)
