from collections.abc import Iterator, Sequence

from numpy.typing import DTypeLike

from linnet.core.types import F32, F64, I64, U32, Array

class Block:
    """The features of all places of all examples, in one sparse matrix. Place p has the features
    indices[indptr[p]:indptr[p + 1]], with the values at the same positions. Example i has the places from places[i] to
    places[i + 1] - 1; without `places` it has place i alone. `constant` is the value of the feature f_0 of every place."""

    def __init__(
        self, indptr: I64, indices: U32, values: F32, places: I64 | None = None, constant: float = 1
    ) -> None: ...
    @property
    def n(self) -> int:
        """The number of examples."""

    def with_values(self, values: F32, constant: float) -> Block:
        """A block with other values of the same features, and another value of the constant feature."""

    def rows_of(self, i: int) -> list[tuple[list[int], list[float]]]:
        """The features of example i: for each of its places the numbers and the values of its features."""

    def starts(self) -> I64:
        """The number of the first place of each example, and last the number of all places."""

    @property
    def largest(self) -> int:
        """The largest number of a feature, -1 where there are no features."""

    @property
    def most_places(self) -> int:
        """The largest number of places that an example has."""

    def arrays(self) -> tuple[Sequence[int], Sequence[int], Sequence[float], I64 | None]:
        """indptr, indices, values and places. The first three are views of memory, which np.asarray makes arrays of."""

    def identity(self) -> Iterator[tuple[Array, ...]]:
        """Yield tuples of arrays that determine the block, to tell whether two blocks are the same; where not all rows
        are in memory, for some rows at a time."""

    def pieces(self) -> Iterator[tuple[I64, U32, F32]]:
        """indptr, indices and values of all places, some places at a time where not all of them are in memory."""

    def n_values(self) -> int:
        """The number of values of all rows."""

    def kept(self, shape: int | tuple[int, ...], dtype: DTypeLike) -> Array:
        """An array of zeros for numbers of all examples, kept where the rows are: in memory, or in a file."""

    def give_back(self) -> None:
        """Give back the memory of what is mapped from files."""

    def of_places(self, of_examples: Array) -> Array:
        """For each place what `of_examples` has for its example."""

    def lengths2(self) -> F64:
        """||x||^2 of each place, with the bias counted."""

    def length2(self) -> float:
        """The median of ||x||^2 over all places, with the bias counted."""

class Maker:
    """What makes the rows of a lazy block, one example at a time."""

class Lazy(Block):
    """A block whose rows are made one example at a time, because all of them would not fit in memory."""

    def __init__(self, places: I64, n_features: int) -> None: ...
