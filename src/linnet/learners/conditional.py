"""What logistic regression and the CRF share: the options that say whether they learn online or to the optimum, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from linnet.core.form import Structure
from linnet.errors import UsageError
from linnet.learners.dual import ascent
from linnet.learners.preset import Make, Option, Options, Preset

if TYPE_CHECKING:
    from linnet.learners.contract import Core


def options(*optima: str) -> dict[str, Option]:
    """The options by and l1, where by= may be `online` or one of these solvers, which go to the optimum."""
    solvers = "; ".join(_HELP[name] for name in optima)
    return {
        "by": Option("online", f"one example at a time; or to the optimum by {solvers}", choices=("online", *optima)),
        "l1": Option(0.0, "lbfgs: L1 regularisation, per example", least=0, most=1e6),
    }


def solver(options: Options) -> Make | None:
    """The `solver` of a preset with these options: what makes the Core for by=; None for by=online."""
    by = options["by"]
    if options["l1"] and by != "lbfgs":
        raise UsageError("L1 regularisation is for by=lbfgs. Set it too, or leave out l1.")
    if by == "online":
        return None
    for name, default in (("dropout", 0), ("runs", 1)):
        if options[name] != default:
            raise UsageError(f"{name} is for by=online: by={by} has one optimum. Leave out {name}.")
    return _OPTIMA[by]


def supported(options: Options) -> bool:
    """Whether these options learn in the dual, where each example knows what it has added."""
    return bool(options["by"] == "dual")


def _lbfgs(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.learners.batch import Gradients

    return Gradients(preset, options, gen, n_features)


def _dual(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    if not options["lam"]:
        raise UsageError("by=dual needs lam > 0: without it there is no dual. Set lam, or use by=lbfgs.")
    return ascent(gen, preset.loss_over(gen, options), n_features, lam=options["lam"])


_OPTIMA: Mapping[str, Make] = {"lbfgs": _lbfgs, "dual": _dual}
_HELP = {"lbfgs": "lbfgs (L1 too)", "dual": "dual: one example at a time in the dual, the fastest over labels"}
