from collections.abc import Mapping

from linnet.core.types import Array
from linnet.core.weights import Weights

class Ragged(Weights):
    """W of one block while it is learned, in rows that hold only the outcomes that were changed."""

    @property
    def n_entries(self) -> int:
        """The number of weights that the rows hold, without the bias."""

def compressed(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The state of full rows as that of rows which hold only what is not zero."""
