from typing import Generic

from typing_extensions import TypeVar

from linnet.core.form import Structure

_S_co = TypeVar("_S_co", bound=Structure, covariant=True, default=Structure)

class Machine(Generic[_S_co]):
    """A structure with the tables of one example at a time: the base of all that learns or predicts."""

    bias: bool
    """Whether the places of block 0 have the constant feature f_0 = 1."""

    @property
    def gen(self) -> _S_co:
        """The structure, GEN(x)."""
