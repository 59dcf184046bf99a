"""Conditional random field, by averaged AdaGrad (Lafferty, McCallum and Pereira 2001; Duchi, Hazan and Singer 2011).

    loss = log Z - w.f(x, y_i),    Z over all outputs, each with its cost added (softmax-margin; 0 is the plain CRF)
    w <- w - eta g / sqrt(G),      the average over all steps is kept

Over labels this is multinomial logistic regression. A tag whose probability is right within 0.001 is left alone. The
loss may be another: exponential, or of each decision by itself. By L-BFGS it goes to the optimum (batch.py), without average.
"""

from __future__ import annotations

from linnet.core.form import Loss, Step
from linnet.learners import conditional
from linnet.learners.preset import Option, Options, Preset


def _loss(options: Options) -> Loss:
    if options["loss"] == "log":
        from linnet.losses.log import Log

        return Log(options["cost"], 1e-3 if options["by"] == "online" else 0)  # an optimum needs the whole gradient
    if options["loss"] == "exp":
        from linnet.losses.exponential import Exponential

        return Exponential(options["cost"])
    from linnet.losses.pointwise import Pointwise

    return Pointwise(options["cost"], exponential=options["loss"] == "pointwise-exp")


def _step(options: Options) -> Step:
    from linnet.steps.adagrad import AdaGrad

    return AdaGrad(options["eta"], options["lam"])


PRESET = Preset(
    name="crf",
    summary="log loss by averaged AdaGrad, with a margin if wanted: over tags a conditional random field",
    loss=_loss,
    step=_step,
    options={
        "eta": Option(0.1, "the learning rate", least=0, most=1e6),
        "cost": Option(0.0, "added to the score of every wrong tag while learning: softmax-margin", least=0, most=1e6),
        "lam": Option(0.0, "L2 regularisation, per example", least=0, most=1e6),
        "loss": Option(
            "log",
            "log or exp: of the whole output; pointwise-log or pointwise-exp: of each tag, head, span or link",
            choices=("log", "exp", "pointwise-log", "pointwise-exp"),
        ),
        **conditional.options("lbfgs"),
    },
    solver=conditional.solver,
    averaged=True,
    epochs=6,
    probabilistic=True,
)
