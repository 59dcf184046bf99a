"""What a learner has to know of features: how many each block has, and what kind of rows they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from linnet.features.fields import Fields


class Sizes(NamedTuple):
    """The number of features of each block of a structure, and what a learner has to know of them."""

    n_features: tuple[int, ...]
    fields: Sequence[Fields | None] = ()
    """For each block, which of its features belong together; () where none do."""
    sequences: bool = False
    """Whether the features of a row are in the order of the text, with their positions in it as values."""
    numbers: bool = False
    """Whether rows are points of numbers: columns of a matrix or of a table, and no words."""
