"""No learner at all: weights that a person gives (`linnet make`). The model that has them is the log-linear one,

    p(y | x) = exp(w.f(x, y)) / Z(x)

so that with two labels, of which one has no weights, the other has the probability sigma(w.x + b) (Choi,
"Classification Function").
"""

from __future__ import annotations

from typing import NoReturn

from linnet.core.form import Loss, Step, Structure
from linnet.errors import UsageError
from linnet.learners.preset import Options, Preset


def _loss(options: Options) -> Loss:
    from linnet.losses.log import Log

    return Log()


def _step(options: Options) -> Step:
    from linnet.steps.constant import Constant

    return Constant()


def _refuse(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> NoReturn:
    raise UsageError(
        f"learner {preset.name!r} stands for weights that a person gives, and learns nothing. Name a learner, such as "
        "'logistic', or give weights to `linnet make`."
    )


PRESET = Preset(
    name="given",
    summary="weights that a person gives, by `linnet make`; nothing is learned",
    loss=_loss,
    step=_step,
    probabilistic=True,
    needs_all=True,
    core=_refuse,
)
