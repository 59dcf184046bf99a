"""The features of a user-defined structure, which are the attributes of the places of each block."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linnet.core.blocks import Block
from linnet.core.types import Array, Data, Json
from linnet.errors import DataError
from linnet.features import SparseRows
from linnet.features.attributes import AttributeFeatures
from linnet.structures.interface import Attributes, Structure


class OwnFeatures:
    """The features of a user-defined structure, numbered for each block."""

    def __init__(self, own: Structure, blocks: list[AttributeFeatures]) -> None:
        self.own = own
        self.blocks = blocks
        self.spec = f"those of {type(own).__name__}"

    @property
    def n_features(self) -> int:
        return sum(block.n_features for block in self.blocks)

    def header(self) -> dict[str, Json]:
        return {"attributes": [block.attributes for block in self.blocks]}

    def arrays(self) -> dict[str, Array]:
        return {}

    def fit_blocks(self, X: Sequence[Data]) -> tuple[Block, ...]:
        """Number the features of examples, and return the blocks of their values."""
        return self._made(X, AttributeFeatures.fit_transform)

    def grow_blocks(self, X: Sequence[Data]) -> tuple[Block, ...]:
        """The blocks of further examples; attributes that are new in them join those that there are."""
        return self._made(X, AttributeFeatures.grow_rows)

    def transform(self, X: Sequence[Data]) -> tuple[Block, ...]:
        """The blocks of feature values of further examples; features that are not known are left out."""
        return self._made(X, AttributeFeatures.transform)

    def _made(
        self, X: Sequence[Data], rows: Callable[[AttributeFeatures, Sequence[Sequence[Attributes]]], SparseRows]
    ) -> tuple[Block, ...]:
        found = list(map(self._places, range(len(X)), X))
        blocks = []
        for features, places in zip(self.blocks, zip(*found, strict=True), strict=True):
            starts = np.concatenate([[0], np.cumsum([len(part) for part in places])]).astype(np.int64)
            blocks.append(Block(*rows(features, places), starts))
        if self.own.own_cost:
            # A cost that is no sum over parts has a block of its own: a place without features for each example.
            n = len(X)
            blocks.append(Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)))
        return tuple(blocks)

    def _places(self, i: int, x: Data) -> Sequence[Sequence[Attributes]]:
        found = self.own.features(x)
        lists = isinstance(found, Sequence) and len(found) == len(self.blocks)
        if lists and all(isinstance(places, Sequence) and not isinstance(places, str) for places in found):
            return found
        raise DataError(
            f"expected features() of example {i} to return a list of places for each of {len(self.blocks)} blocks, found "
            f"{found!r:.60}."
        )
