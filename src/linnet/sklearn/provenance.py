"""The model of what an estimator has learned says how it came about, as one of `linnet.train` does."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from linnet import __version__
from linnet.fitting.fitting import Fitting, Learned
from linnet.learners import Epoch, Fit, Learning
from linnet.model.base import Model
from linnet.training.kept_state import state_of


def model_of(fitting: Fitting, learning: Learning, fit: Fit, seed: int, *, keeps: bool) -> Model:
    """Make the model of a run. `keeps` says whether it keeps the state of learning, to go on from there."""
    learned = Learned(fit, tuple(fit.weights), fit.report())
    model = fitting.model(learning, learned, provenance(len(fitting.examples), seed))
    return replace(model, state=state_of(learning, fitting.problem.length2)) if keeps else model


def epochs_of(model: Model) -> list[Epoch]:
    """The epochs by which a model was learned, as its report has them, which does not say how long they took."""
    return [Epoch(seconds=math.nan, **epoch) for epoch in model.report.get("epochs", [])]


def provenance(n: int, seed: int | None = None) -> dict[str, Any]:
    """Say where a model comes from: from how many examples in Python, and by which seed where there was one."""
    return {"linnet": __version__, "data": "Python", "examples": n, "seed": seed}
