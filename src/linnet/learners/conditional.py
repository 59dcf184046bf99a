"""What logistic regression and the CRF share: whether they learn online or over all examples."""

from __future__ import annotations

from typing import Any

from linnet.errors import UsageError
from linnet.learners.preset import Option, Options

OPTIONS = {
    "by": Option("online", "one example at a time, or lbfgs: over all, to the optimum", choices=("online", "lbfgs")),
    "l1": Option(0.0, "lbfgs: L1 regularisation, per example", least=0),
}


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
