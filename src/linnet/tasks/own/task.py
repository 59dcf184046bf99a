"""A structure of one's own as a task, for a session that learns one example at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet.core.blocks import Block
from linnet.core.types import Data
from linnet.errors import UsageError
from linnet.features.attributes import AttributeFeatures
from linnet.fitting.contract import ClassWeight, Columns, Known, Plan
from linnet.fitting.progress import SILENT, Steps
from linnet.structures.own import Own
from linnet.tasks.defaults import Defaults
from linnet.tasks.own.features import OwnFeatures
from linnet.tasks.own.gold import OwnGold, encoded

if TYPE_CHECKING:
    from linnet.tasks.own.model import OwnModel


class OwnTask(Defaults):
    """The task of models over one structure. Its structure numbers the outputs that it meets and keeps them, so each
    session has a task, and with it a structure, of its own."""

    name: ClassVar[str] = "own"
    description: ClassVar[str] = "a structure of one's own"
    per_place: ClassVar[None] = None
    settings: ClassVar[Mapping[str, str]] = {}

    def __init__(self, kind: type[OwnModel]) -> None:
        self.kind = kind
        self.gen = Own(kind.own)

    @property
    def model(self) -> type[OwnModel]:  # type: ignore[override]
        """The models of this structure."""
        return self.kind

    def is_one(self, x: Data) -> bool:
        """An example may be anything, so several of them are learned one by one."""
        return True

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> OwnGold:
        X, Y = data
        self.gen.forget(gold=True)
        places = np.array([[len(part) for part in self.kind.own.features(x)] for x in X], np.int64)
        details = {"structure": self.kind.name_of_structure()} if known is None else known.details
        return OwnGold(X, *encoded(self.gen, Y, places), details)

    def plan(self, spec: str | None, gold: OwnGold) -> Plan:
        return Plan("", "averaged-mira")

    def weighted(self, features: OwnFeatures, gold: OwnGold, class_weight: ClassWeight) -> tuple[Own, None]:
        if class_weight is not None:
            raise UsageError("class weights are for labels and tags. Leave out class-weight.")
        return self.gen, None

    def begin(self, spec: str, gold: OwnGold, steps: Steps = SILENT) -> OwnFeatures:
        return OwnFeatures(self.kind.own, [AttributeFeatures() for _ in self.kind.own.outcomes])

    def grow(self, features: OwnFeatures, gold: OwnGold) -> tuple[Block, ...]:
        return features.grow_blocks(gold.X)
