"""The perceptron (Rosenblatt 1958; Collins 2002; Carpuat, algorithms 3 and 4; Eisenstein, section 3).

    y_hat = argmax_y w.f(x, y);    if y_hat != y:  w <- w + f(x, y) - f(x, y_hat)

On separable data it stops making mistakes after at most R^2 / gamma^2 of them; on other data it thrashes, and the
average of all w_t (not only of those after a mistake) generalises better (Freund and Schapire 1999).
"""

from __future__ import annotations

from dataclasses import replace

from linnet.learners.preset import Options, Preset


def _loss(options: Options) -> object:
    from linnet.losses.perceptron import Perceptron

    return Perceptron()


def _step(options: Options) -> object:
    from linnet.steps.constant import Constant

    return Constant()


PRESET = Preset(
    name="perceptron",
    summary="perceptron: on a mistake, add the right features and take off the wrong ones",
    loss=_loss,
    step=_step,
)

AVERAGED = replace(
    PRESET,
    name="averaged-perceptron",
    summary="perceptron, its weights averaged over all steps",
    averaged=True,
)
