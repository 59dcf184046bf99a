"""Sentences with the tokens of them that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.core import arrow
from linnet.core.types import Json, Token
from linnet.errors import DataError
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import GoldSentences, check_lengths, tokens_in_python

DROP, KEEP = "drop", "keep"
_LABELS = (DROP, KEEP)


@dataclass(frozen=True)
class Compressed(GoldSentences):
    """Sentences with 1 for each token that is kept and 0 for each that is dropped."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...] = _LABELS

    @property
    def details(self) -> Mapping[str, Json]:
        return {"rate": float(self.y.mean())}

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> Compressed:
        sentences, tokens = self.sentences.part(rows)
        return Compressed(sentences, self.y[tokens])


def kept_of(sentences: Sentences) -> npt.NDArray[np.int32]:
    """The values of `keep` that sentences were read with: 1 for a token that is kept, 0 for one that is dropped."""
    if sentences.tags is None:
        raise DataError("expected 'keep', with 1 or 0 for each token, found none.", sentences.source)
    return np.array(flags_in(sentences.tags.to_pylist(), sentences.source), np.int32)


def flags_in(tags: Sequence[object], source: str) -> list[bool]:
    """Whether each token is kept, given what a file has for it. Raise DataError where that is neither 1 nor 0."""
    wrong = next((tag for tag in tags if tag not in ("0", "1")), None)
    if wrong is not None:
        raise DataError(f"expected 1 for tokens that are kept and 0 for others, found {wrong!r}.", source)
    return [tag == "1" for tag in tags]


def sentences_with_keep(X: Sequence[Sequence[Token]], Y: Sequence[Sequence[Token]]) -> Sentences:
    """Sentences from lists of words, with 1 for each token that is kept and 0 for each that is dropped."""
    X, Y = list(X), list(Y)
    check_lengths(X, Y, "flags")
    return replace(tokens_in_python(X, ("w",)), tags=arrow.texts(str(int(keep)) for flags in Y for keep in flags))
