"""What a model is, for the terminal: the lines that `print` shows."""

from __future__ import annotations

from rich.console import RenderableType

from linnet.core.types import Json
from linnet.model.base import Model
from linnet.report.terminal import counted, listed, named


def model_facts(model: Model) -> RenderableType:
    """The task, the learner, the labels and the features of a model, and what it was learned from."""
    return named(
        {
            "task": model.task,
            "learner": model.learner,
            "options": ", ".join(f"{name}={_short(value)}" for name, value in model.options.items()),
            "labels": listed(model.labels),
            "features": counted(model.features),
            "learned": _learned(model),
            "smaller": _smaller(model),
            "ended": str(model.report.get("stopped", "")),
            "look": str(model.report.get("warning", "")),
            "gives": "probabilities" if model.probabilistic else "scores, which are not probabilities",
            "with": ", ".join(model.parts),
        }
    )


def _short(value: Json) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _learned(model: Model) -> str:
    """What a model was learned from."""
    origin = model.provenance
    if "examples" not in origin:
        return ""
    return f"from {origin['examples']:,} examples ({origin.get('data', 'Python')})"


def _smaller(model: Model) -> str:
    """What a model was before it was made smaller."""
    steps = model.provenance.get("compacted", [])
    return f"than {steps[0]['bytes']:,} bytes with {steps[0]['features']:,} features" if steps else ""
