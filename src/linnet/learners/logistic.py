"""Logistic regression, or maximum entropy, by stochastic gradients (Choi, "Logistic regression: multinomial").

    p(y | x) = exp(w.f(x, y)) / Z(x)
    w <- (1 - eta lam) w - eta (E[f(x, y)] - f(x, y_i))

By AdaGrad, which gives each weight a rate of its own, or by plain SGD.
"""

from __future__ import annotations

from linnet.learners.preset import Option, Options, Preset


def _loss(options: Options) -> object:
    from linnet.losses.log import Log

    return Log()


def _step(options: Options) -> object:
    if options["step"] == "adagrad":
        from linnet.steps.adagrad import AdaGrad

        return AdaGrad(options["eta"], options["lam"])
    from linnet.steps.sgd import SGD

    return SGD(options["eta"], options["lam"], options["power"], options["t0"])


PRESET = Preset(
    name="logistic",
    summary="logistic regression (maximum entropy) by AdaGrad or SGD, lazy L2; gives probabilities",
    loss=_loss,
    step=_step,
    options={
        "step": Option("adagrad", "adagrad or sgd", choices=("adagrad", "sgd")),
        "eta": Option(0.5, "the learning rate", least=0),
        "lam": Option(1e-6, "L2 regularisation, per example", least=0),
        "power": Option(0, "sgd: eta_t = eta / (1 + t / t0)^power", least=0),
        "t0": Option(1, "sgd: when the decay sets in", least=1e-9),
    },
    probabilistic=True,
)
