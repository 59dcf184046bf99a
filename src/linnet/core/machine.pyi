from typing import Generic

from typing_extensions import TypeVar

from linnet.core.form import Structure

_S_co = TypeVar("_S_co", bound=Structure, covariant=True, default=Structure)

class Machine(Generic[_S_co]):
    @property
    def gen(self) -> _S_co: ...
