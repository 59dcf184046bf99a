from collections.abc import Mapping

from linnet.core.types import Array
from linnet.core.weights import Weights

class Ragged(Weights):
    @property
    def n_entries(self) -> int: ...

def compressed(arrays: Mapping[str, Array]) -> dict[str, Array]: ...
