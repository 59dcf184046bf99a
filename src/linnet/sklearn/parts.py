"""Some learners can learn from some examples, and go on with others later; here is told which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linnet.learners import learner


def check_parts(name: str, options: Mapping[str, Any]) -> bool:
    """Say True, or raise AttributeError where the learner needs all examples at once."""
    why = _why_not(name, options)
    if why:
        raise AttributeError(f"{why} needs all examples at once. Use fit.")
    return True


def needs_state(name: str, options: Mapping[str, Any]) -> bool:
    """Tell whether the learner could go on from the state of its learning, but not from weights: it counts, or has none."""
    preset = learner(name)
    return (preset.one_pass or not preset.linear) and not _why_not(name, options)


def _why_not(name: str, options: Mapping[str, Any]) -> str:
    """Name the learner or the option that needs all examples at once; "" where there is none."""
    preset = learner(name)
    if preset.needs_all:
        return f"learner {preset.name!r}"
    checked = preset.checked(options)
    if preset.solver(checked) is not None:
        return f"learner {preset.name!r} with by={checked['by']}"
    return f"runs={checked['runs']}" if checked.get("runs", 1) != 1 else ""
