"""AROW, adaptive regularisation of weights (Crammer, Kulesza and Dredze 2009).

    y_hat = argmax_y w.f(x, y) + cost(y_i, y),    g = f(x, y_hat) - f(x, y_i),    v = g.Sigma g
    w    <- w - loss / (v + lam) Sigma g
    1/Sigma <- 1/Sigma + g^2 / lam

Each weight has a variance, Sigma, which falls each time the weight is used. So the weights of rare features take long
steps, and those of frequent features hardly move. lam is r in the paper. Over tags, g is the difference of whole
sentences.
"""

from __future__ import annotations

from linnet.core.form import Step
from linnet.learners.mira import hinge
from linnet.learners.preset import Option, Options, Preset


def _step(options: Options) -> Step:
    from linnet.steps.confidence import Arow

    return Arow(options["lam"])


PRESET = Preset(
    name="arow",
    summary="AROW: each weight moves by how unsure it is",
    loss=hinge,
    step=_step,
    options={
        "lam": Option(
            10.0, "the larger, the shorter the steps and the longer weights stay unsure", least=1e-9, most=1e9
        )
    },
    mixing=1.5,
)
