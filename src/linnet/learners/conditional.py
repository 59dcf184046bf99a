"""What logistic regression and the CRF share: which loss, and whether it is minimised online or over all examples."""

from __future__ import annotations

from typing import Any

from linnet.errors import UsageError
from linnet.learners.preset import Option, Options

OPTIONS = {
    "loss": Option(
        "log",
        "log: of the whole output; exp: the exponential loss; pointwise-log and pointwise-exp: the same of each place",
        choices=("log", "exp", "pointwise-log", "pointwise-exp"),
    ),
    "by": Option("online", "one example at a time, or lbfgs: over all, to the optimum", choices=("online", "lbfgs")),
    "l1": Option(0.0, "lbfgs: L1 regularisation, per example", least=0),
}


def loss(options: Options, cost: float = 0.0, negligible: float = 0.0) -> Any:
    """An optimum needs the whole gradient, so there nothing is negligible."""
    if options["loss"] == "log":
        from linnet.losses.log import Log

        return Log(cost, negligible if options["by"] == "online" else 0.0)
    if options["loss"] == "exp":
        from linnet.losses.exponential import Exponential

        return Exponential(cost)
    from linnet.losses.pointwise import Pointwise

    return Pointwise(cost, exponential=options["loss"] == "pointwise-exp")


def solver(options: Options) -> Any:
    if options["by"] == "online":
        if options["l1"]:
            raise UsageError("L1 regularisation is for by=lbfgs. Set it too, or leave out l1.")
        return None
    for name, default in (("dropout", 0), ("runs", 1)):
        if options[name] != default:
            raise UsageError(f"{name} is for by=online: by=lbfgs has one optimum. Leave out {name}.")
    from linnet.learners.batch import Gradients

    return Gradients
