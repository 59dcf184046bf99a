from linnet.core.blocks import Lazy
from linnet.core.extract.text import Analyser
from linnet.core.extract.text_views import TextViews
from linnet.core.extract.weighting import Weighting
from linnet.core.types import Array

class TextRows(Lazy):
    """A block of texts with one place each, whose rows are made when they are needed. `weighting` is None where values
    are counts. `others`: indptr, indices and values of rows that are appended to those of the texts. `weights`: the
    weights that scoring will read, the first row that of the bias, so that they can be prefetched; None where they are
    not known."""

    def __init__(
        self,
        analyser: Analyser,
        weighting: Weighting | None,
        texts: TextViews,
        n_features: int,
        others: tuple[Array, ...] | None = None,
        weights: Array | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def block(self) -> TextRows:
        """The block itself, as `block()` of other rows (features/rows.py) returns one."""
