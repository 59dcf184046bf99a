"""What most tasks do alike, and may do otherwise: whether data are Python values, and how a session begins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

from linnet.fitting.progress import SILENT, Steps


def is_pair(data: Any) -> bool:
    """Whether data are examples and their outputs in Python, and not paths."""
    return isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data)


class Defaults:
    """Methods of a task that most tasks have in common (`Task` in fitting/contract.py)."""

    def as_trained(self, details: Mapping[str, Any]) -> Self:
        """The task itself: what a model has to know of its settings is in its details."""
        return self

    def fit(self, spec: str, gold: Any, steps: Steps = SILENT) -> tuple[Any, Any]:
        raise NotImplementedError

    def begin(self, spec: str, gold: Any, steps: Steps = SILENT) -> Any:
        """Features that have seen the first examples: what they learn of all data at once, such as units and translations,
        they learn of these."""
        return self.fit(spec, gold, steps)[0]
