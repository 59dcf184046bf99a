"""What most tasks do alike, and may do otherwise: whether data are Python values, and how a session begins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Generic, Self

from linnet.core.blocks import Block
from linnet.core.types import Data, Json
from linnet.fitting.contract import F, G
from linnet.fitting.progress import SILENT, Steps


def is_pair(data: Data) -> bool:
    """Whether data are examples and their outputs in Python, and not paths."""
    return isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data)


class Defaults(Generic[G, F]):
    """Methods of a task that most tasks have in common (`Task` in fitting/contract.py)."""

    def as_trained(self, details: Mapping[str, Json]) -> Self:
        """The task itself: what a model has to know of its settings is in its details."""
        return self

    def fit(self, spec: str, gold: G, steps: Steps = SILENT) -> tuple[F, tuple[Block, ...]]:
        raise NotImplementedError

    def begin(self, spec: str, gold: G, steps: Steps = SILENT) -> F:
        """Features that have seen the first examples: what they learn of all data at once, such as units and translations,
        they learn of these."""
        return self.fit(spec, gold, steps)[0]
