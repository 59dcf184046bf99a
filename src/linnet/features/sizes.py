"""What features are to a learner that never looks at them: how many each block has, and how their rows are to be read."""

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
    """Whether rows are in the order of a text, their values being places in it."""
    numbers: bool = False
    """Whether rows are points, whose features are the columns of a matrix or of a table and no words."""
