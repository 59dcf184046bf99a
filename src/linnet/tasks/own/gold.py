"""Examples of a structure of one's own, and their right outputs as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.types import I64, Data, Json, Output
from linnet.errors import DataError, UsageError
from linnet.learners import Examples
from linnet.structures.own import Own


@dataclass(frozen=True)
class OwnGold:
    """Examples with the numbers that their outputs have in the structure."""

    X: Sequence[Data]
    y: npt.NDArray[np.int32]
    y_at: npt.NDArray[np.int64]
    details: Mapping[str, Json]
    labels: tuple[str, ...] = ()
    source: str = "examples"

    def __len__(self) -> int:
        return len(self.X)


def encoded_examples(gen: Own, blocks: tuple[Block, ...], Y: Sequence[Output]) -> Examples:
    """The blocks of examples with the numbers of their outputs; DataError for an output that does not fit its
    example."""
    places = np.stack([np.diff(starts) for starts in starts_of(blocks[: len(gen.own_outcomes)])], axis=1)
    return Examples(blocks, *encoded(gen, Y, places))


def encoded(
    gen: Own, Y: Sequence[Output], places: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The numbers of the outputs, and where that of each example starts. places: the number of places of each example
    (row) in each block (column)."""
    y, y_at = gen.encoded(Y, places[:, 0])
    for i, (number, sizes) in enumerate(zip(y[y_at[:-1]].tolist(), places.tolist(), strict=True)):
        try:
            gen.fits(number, sizes)
        except UsageError as error:
            raise DataError(f"output {i}: {error}") from None
    return y, y_at


def starts_of(blocks: Sequence[Block]) -> list[I64]:
    """For each block, the number of the first place of each example and, last, the number of all places."""
    return [starts for block in blocks if (starts := block.arrays()[3]) is not None]
