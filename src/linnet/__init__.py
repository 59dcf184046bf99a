"""Every linear model of language in one form: y_hat = argmax over y of w.f(x, y).

>>> import linnet
>>> model = linnet.train(["good", "fine", "bad", "poor"], ["+", "+", "-", "-"], features="words:1")
>>> model.predict(["not bad"])
['-']
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_interpreters = import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
if _interpreters.get_current() != _interpreters.get_main():
    raise ImportError("linnet runs in the main interpreter of a process only. Use threads or processes instead.")

if TYPE_CHECKING:
    from linnet import plot as plot
    from linnet.comparison import compare
    from linnet.comparison.suspects import suspects
    from linnet.errors import DataError, DataWarning, DivergedError, LinnetError, ModelError, UsageError
    from linnet.fitting.session import Session
    from linnet.io import read
    from linnet.losses.interface import Loss
    from linnet.model.base import Model
    from linnet.plugins import use
    from linnet.steps.interface import Step
    from linnet.structures.interface import Structure
    from linnet.tasks import load
    from linnet.tasks.answering import answers
    from linnet.tasks.inspecting import inspect
    from linnet.tasks.labels.given import make
    from linnet.tasks.own.learn import learn
    from linnet.training.pool import Pool
    from linnet.training.stream import stream
    from linnet.training.tracing import trace
    from linnet.training.train import train

# Imported when first used, so that `linnet --help` does not wait for Arrow.
_HOMES = {
    "DataError": "linnet.errors",
    "DataWarning": "linnet.errors",
    "DivergedError": "linnet.errors",
    "LinnetError": "linnet.errors",
    "Loss": "linnet.losses.interface",
    "Model": "linnet.model.base",
    "ModelError": "linnet.errors",
    "Pool": "linnet.training.pool",
    "Session": "linnet.fitting.session",
    "Step": "linnet.steps.interface",
    "Structure": "linnet.structures.interface",
    "UsageError": "linnet.errors",
    "answers": "linnet.tasks.answering",
    "compare": "linnet.comparison",
    "inspect": "linnet.tasks.inspecting",
    "learn": "linnet.tasks.own.learn",
    "load": "linnet.tasks",
    "make": "linnet.tasks.labels.given",
    "read": "linnet.io",
    "stream": "linnet.training.stream",
    "suspects": "linnet.comparison.suspects",
    "trace": "linnet.training.tracing",
    "train": "linnet.training.train",
    "use": "linnet.plugins",
}

__all__ = [
    "DataError",
    "DataWarning",
    "DivergedError",
    "LinnetError",
    "Loss",
    "Model",
    "ModelError",
    "Pool",
    "Session",
    "Step",
    "Structure",
    "UsageError",
    "answers",
    "compare",
    "inspect",
    "learn",
    "load",
    "make",
    "read",
    "stream",
    "suspects",
    "trace",
    "train",
    "use",
]


def __getattr__(name: str) -> Any:
    if name == "plot":  # a module whose functions draw pictures
        return import_module("linnet.plot")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'linnet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "plot"])
