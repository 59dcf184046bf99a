"""Names for the types that all layers share: of arrays, and of what comes from outside and is not known before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

F32: TypeAlias = npt.NDArray[np.float32]
F64: TypeAlias = npt.NDArray[np.float64]
I32: TypeAlias = npt.NDArray[np.int32]
I64: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]
U8: TypeAlias = npt.NDArray[np.uint8]
U32: TypeAlias = npt.NDArray[np.uint32]
U64: TypeAlias = npt.NDArray[np.uint64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Reals: TypeAlias = npt.NDArray[np.floating[Any]]
Array: TypeAlias = npt.NDArray[Any]
"""An array of numbers of any kind."""
Arrays: TypeAlias = Mapping[str, Array]
"""Arrays by name, as a model file holds them."""

Json: TypeAlias = Any
"""A value that JSON can hold, as a file or a report has it."""
Setting: TypeAlias = Any
"""A value that the user sets: a number, a word, or what is still to be checked."""
Data: TypeAlias = Any
"""Examples as the user has them: a path, several, or Python values such as a pair (texts, labels)."""
Output: TypeAlias = Any
"""An output as the user has it: a label, a list of tags, or whatever a structure of one's own makes of it."""
Label: TypeAlias = Any
"""A label as the user has it: a string, an integer, a number or a boolean."""
Token: TypeAlias = Any
"""A token as the user has it: a word, or the values of its columns."""
State: TypeAlias = tuple[dict[str, Array], dict[str, Json]]
"""The state of learning as a file keeps it: arrays by name, and numbers."""
