from typing import Generic

from typing_extensions import TypeVar

from linnet.core.form import Structure

S_co = TypeVar("S_co", bound=Structure, covariant=True, default=Structure)

class Machine(Generic[S_co]):
    @property
    def gen(self) -> S_co: ...
