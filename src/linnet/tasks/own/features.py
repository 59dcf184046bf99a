"""The features of a structure of one's own: the attributes of the places of each block."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linnet.core.blocks import Block
from linnet.core.types import I64, Array, Data, Json
from linnet.errors import DataError
from linnet.features import SparseRows
from linnet.features.attributes import AttributeFeatures
from linnet.structures.interface import Attributes, Structure


class OwnFeatures:
    """The attributes of the places of each block."""

    def __init__(self, of: Structure, blocks: list[AttributeFeatures]) -> None:
        self.of = of
        self.blocks = blocks
        self.spec = f"those of {type(of).__name__}"

    @property
    def n_features(self) -> int:
        return sum(block.n_features for block in self.blocks)

    def header(self) -> dict[str, Json]:
        return {"attributes": [block.attributes for block in self.blocks]}

    def arrays(self) -> dict[str, Array]:
        return {}

    def fit_blocks(self, X: Sequence[Data]) -> tuple[Block, ...]:
        return self._made(X, AttributeFeatures.fit_transform)

    def transform(self, X: Sequence[Data]) -> tuple[Block, ...]:
        return self._made(X, AttributeFeatures.transform)

    def _made(
        self, X: Sequence[Data], rows: Callable[[AttributeFeatures, Sequence[Sequence[Attributes]]], SparseRows]
    ) -> tuple[Block, ...]:
        found = list(map(self._places, range(len(X)), X))
        blocks = []
        for features, places in zip(self.blocks, zip(*found, strict=True), strict=True):
            starts = np.concatenate([[0], np.cumsum([len(part) for part in places])]).astype(np.int64)
            indptr, indices, values = rows(features, places)
            blocks.append(Block(indptr, indices, values, starts))
        if self.of.own_cost:
            n = len(X)
            blocks.append(Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)))
        return tuple(blocks)

    def _places(self, i: int, x: Data) -> Sequence[Sequence[Attributes]]:
        found = self.of.features(x)
        lists = isinstance(found, Sequence) and len(found) == len(self.blocks)
        if lists and all(isinstance(places, Sequence) and not isinstance(places, str) for places in found):
            return found
        raise DataError(
            f"expected features of example {i} to be a list of places for each of {len(self.blocks)} blocks, found "
            f"{found!r:.60}."
        )


def starts_of(blocks: Sequence[Block]) -> list[I64]:
    """The number of the first place of each example, and that behind the last, for each block."""
    return [starts for block in blocks if (starts := block.arrays()[3]) is not None]
