"""Logistic regression, or maximum entropy (Choi, "Logistic Regression: Multinomial").

    p(y | x) = exp(w.f(x, y)) / Z(x)
    w <- (1 - eta lam) w - eta (E[f(x, y)] - f(x, y_i))

It is learned by SGD, or by AdaGrad, which gives each weight a rate of its own; or to the optimum by L-BFGS (batch.py)
or in the dual (dual.py). eta = auto is 1 / median ||f||^2, so that the default does not depend on how the features are
scaled; a step of SGD goes no farther than loss / ||E[f(x, y)] - f(x, y_i)||^2 (steps/sgd.pyx), so that no example is so
long that it is overshot. With cap = no it goes as far as eta says, and diverges where eta is too large. The loss may
also be exponential, 1 / p - 1.
"""

from __future__ import annotations

from linnet.core.form import Loss, Step
from linnet.learners import conditional
from linnet.learners.preset import Option, Options, Preset


def _loss(options: Options) -> Loss:
    if options["loss"] == "exp":
        from linnet.losses.exponential import Exponential

        return Exponential()
    from linnet.losses.log import Log

    return Log()


def _step(options: Options) -> Step:
    if options["step"] == "adagrad":
        from linnet.steps.adagrad import AdaGrad

        return AdaGrad(options["eta"], options["lam"])
    from linnet.steps.sgd import SGD

    return SGD(options["eta"], options["lam"], options["power"], options["t0"], capped=options["cap"] == "yes")


PRESET = Preset(
    name="logistic",
    summary="logistic regression (maximum entropy) by SGD or AdaGrad, or to the optimum; gives probabilities",
    loss=_loss,
    step=_step,
    options={
        "loss": Option("log", "log, or exp: 1 / p - 1, by which boosting learns", choices=("log", "exp")),
        "step": Option("sgd", "sgd or adagrad", choices=("sgd", "adagrad")),
        "eta": Option("auto", "the learning rate; auto is 1 / median ||f||^2", least=0, most=1e9, choices=("auto",)),
        "lam": Option(1e-6, "L2 regularisation, per example", least=0, most=1e6),
        "power": Option(0, "sgd: eta_t = eta / (1 + t / t0)^power", least=0, most=10),
        "t0": Option(1, "sgd: when the decay sets in", least=1e-9, most=1e12),
        "cap": Option(
            "yes",
            "sgd: go no farther than would bring the loss of the example to 0, however large eta is; no: go as far as eta says",
            choices=("yes", "no"),
        ),
        **conditional.options("lbfgs", "dual"),
    },
    solver=conditional.solver,
    supported=conditional.supported,
    probabilistic=True,
)
