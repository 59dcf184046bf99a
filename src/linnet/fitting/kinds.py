"""The kinds of examples, features and structures that tasks and models are generic in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import TypeVar

    from linnet.core.form import Structure
    from linnet.features.contract import Features
    from linnet.fitting.contract import Gold

    # The defaults let `Task` and `Model` without parameters stand for those of any kind.
    G = TypeVar("G", bound=Gold, default=Any)
    F = TypeVar("F", bound=Features, default=Any)
    S = TypeVar("S", bound=Structure, default=Any)
else:
    from typing import TypeVar

    G, F, S = TypeVar("G"), TypeVar("F"), TypeVar("S")
