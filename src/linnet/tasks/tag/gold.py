"""Sentences with the numbers of their tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.core import arrow
from linnet.core.types import Json, Token
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import OfSentences, check_lengths, tokens_in_python


@dataclass(frozen=True)
class Tagged(OfSentences):
    """Sentences with the numbers of their tags."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    scheme: str | None = None
    """That of the file: bio, bioes or iob1; None where tags are no spans. The labels are always bioes."""
    repaired: int = 0
    """Tags that no scheme allows, such as an I- that follows nothing."""

    @property
    def details(self) -> Mapping[str, Json]:
        return {"scheme": self.scheme, "repaired": self.repaired}

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> Tagged:
        sentences, tokens = self.sentences.part(rows)
        return Tagged(sentences, self.y[tokens], self.labels, self.scheme, self.repaired)


def sentences_with_tags(X: Sequence[Sequence[Token]], Y: Sequence[Sequence[str]]) -> Sentences:
    """Sentences in Python, lists of words or of tuples of a word and other columns, with the tags of their tokens."""
    X, Y = list(X), list(Y)
    check_lengths(X, Y, "tags")
    sentences = tokens_in_python(X, column_names(max((len(token) for x in X for token in x), default=1)))
    return replace(sentences, tags=arrow.texts(tag for tags in Y for tag in tags))


def column_names(width: int) -> tuple[str, ...]:
    """The names of the columns of tokens that have so many values: the word, and col2, col3, ..."""
    return ("w", *(f"col{k}" for k in range(2, width + 1)))
