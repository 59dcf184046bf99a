"""What a model asks of its features, whatever they look at."""

from __future__ import annotations

from typing import Protocol

from linnet.core.types import Array, Json


class Features(Protocol):
    """Features that have seen their examples: they know their names, and a file can hold them."""

    @property
    def spec(self) -> object:
        """What they look at, as a specification: a string, or an object whose str() is that string."""

    @property
    def n_features(self) -> int: ...

    def header(self) -> dict[str, Json]:
        """What a model file keeps of them, beside the arrays."""

    def arrays(self) -> dict[str, Array]: ...
