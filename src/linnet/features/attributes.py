"""Make sparse rows of tokens that are dicts or lists of attributes, as python-crfsuite reads them.

["bias", "w=dog"]                       two attributes of value 1
{"w": "dog", "cap": True, "len": 3}     "w:dog" of value 1, "cap" of value 1, "len" of value 3
{"w": {"-1": "the"}, "in": ["a", "b"]}  "w:-1:the", "in:a", "in:b"

Tokens of any other kind need a function that makes such attributes, given a sentence and the place of a token in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Token
from linnet.errors import DataError
from linnet.features import SparseRows

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Function = Callable[[Sequence[Token], int], Token]
"""A function that gives the attributes of token i of a sentence."""


class AttributeFeatures:
    """Features that are attributes by name. They are those that were seen while learning, in the order in which they
    were first seen."""

    def __init__(self, min_freq: float | None = None, function: Function | None = None) -> None:
        self.min_freq = min_freq or 0
        self.function = function
        self.attributes: list[str] = []
        self._ids: dict[str, int] = {}

    @classmethod
    def from_names(cls, attributes: Sequence[str]) -> AttributeFeatures:
        """Features with these attributes, which are known already."""
        features = cls()
        features.attributes = list(attributes)
        features._ids = {name: j for j, name in enumerate(features.attributes)}
        return features

    @property
    def n_features(self) -> int:
        return len(self.attributes)

    def fit_transform(self, X: Sequence[Sequence[Token]], y: object = None, tags: Sequence[str] = ()) -> SparseRows:
        """The rows of all tokens. Attributes that fewer than `min_freq` tokens have are left out."""
        number: defaultdict[str, int] = defaultdict(count().__next__)
        indptr, indices, values = _read(self._tokens(X), number.__getitem__)
        kept = np.bincount(indices, minlength=len(number)) >= self.min_freq
        self.attributes = [name for name, stays in zip(number, kept.tolist(), strict=True) if stays]
        self._ids = {name: j for j, name in enumerate(self.attributes)}
        return _without_unknown(indptr, np.where(kept, np.cumsum(kept) - 1, -1)[indices], values)

    def grow_rows(self, X: Sequence[Sequence[Token]]) -> SparseRows:
        """The rows of further tokens. Attributes that are new in them are appended to the features."""
        known = self._ids
        rows = _read(self._tokens(X), lambda name: known.setdefault(name, len(known)))
        self.attributes = list(known)
        return _without_unknown(*rows)

    def transform(self, X: Sequence[Sequence[Token]]) -> SparseRows:
        """The rows of all tokens. Attributes that are not known are passed over."""
        find = self._ids.get
        return _without_unknown(*_read(self._tokens(X), lambda name: find(name, -1)))

    def name(self, feature: int) -> str:
        return self.attributes[feature]

    def _tokens(self, X: Sequence[Sequence[Token]]) -> Iterable[Iterable[Token]]:
        f = self.function
        return X if f is None else ((f(sentence, i) for i in range(len(sentence))) for sentence in X)


def _read(X: Iterable[Iterable[Token]], number: Callable[[str], int]) -> tuple[Ints, Ints, Floats]:
    """indptr, indices and values of all tokens, with the number of each attribute as its index."""
    indices: list[int] = []
    values: list[float] = []
    indptr = [0]
    for sentence in X:
        for token in sentence:
            if isinstance(token, Mapping):
                for name, value in _attributes(token):
                    indices.append(number(name))
                    values.append(value)
            elif isinstance(token, str | bytes) or not isinstance(token, Iterable):
                raise DataError(
                    f"expected a dict or a list of attributes for each token, found {token!r:.60}. "
                    "For words, say what to look at in them: features='w[-1..1] suffix:1-3'."
                )
            else:
                found = [number(name) for name in token]
                indices += found
                values += [1.0] * len(found)
            indptr.append(len(indices))
    return np.array(indptr, np.int64), np.array(indices, np.int64), np.array(values, np.float32)


def _without_unknown(indptr: Ints, indices: Ints, values: Floats) -> SparseRows:
    known = indices >= 0
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(known)])
    return SparseRows(before[indptr], indices[known].astype(np.uint32), values[known])


def _attributes(token: Mapping[str, Json], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in token.items():
        if isinstance(value, str):
            yield f"{prefix}{name}:{value}", 1.0
        elif isinstance(value, int | float | np.number | np.bool_):
            if value:
                yield f"{prefix}{name}", float(value)
        elif isinstance(value, Mapping):
            yield from _attributes(value, f"{prefix}{name}:")
        elif isinstance(value, list | tuple | set | frozenset):
            yield from ((f"{prefix}{name}:{item}", 1.0) for item in value)
        else:
            raise DataError(
                f"expected a string, a number, a list or a dict as the value of attribute {name!r}, found {value!r:.60}."
            )
