"""Defaults that most tasks share: how to tell Python values from paths, and how a session begins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

from linnet.fitting.progress import SILENT, Steps


def is_pair(data: Any) -> bool:
    """Whether data are a pair of Python values, examples and their outputs, rather than paths."""
    return isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data)


class Defaults:
    """Methods that most tasks have in common (`Task` in fitting/contract.py)."""

    def as_trained(self, details: Mapping[str, Any]) -> Self:
        """The task itself, which suits tasks whose settings do not matter after training."""
        return self

    def fit(self, spec: str, gold: Any, steps: Steps = SILENT) -> tuple[Any, Any]:
        raise NotImplementedError

    def begin(self, spec: str, gold: Any, steps: Steps = SILENT) -> Any:
        """Features made from the first examples. What features learn from all data at once, such as units and translations,
        they learn from these."""
        return self.fit(spec, gold, steps)[0]
