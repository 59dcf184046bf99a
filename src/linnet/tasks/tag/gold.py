"""Sentences with their tags, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from linnet.core.room import Room
from linnet.core.types import Json, Token
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import GoldSentences, check_lengths, column_names, tokens_in_python, values_of


@dataclass(frozen=True)
class Tagged(GoldSentences):
    """Sentences with the numbers of their tags."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    scheme: str | None = None
    """The tag scheme of the file: bio, bioes or iob1; None where tags do not mark spans. The labels are always bioes."""
    repaired: int = 0
    """The number of tags that were repaired as no scheme allows them, such as an I- that continues nothing."""
    legal: bool = True
    """Whether tags of spans follow each other as their scheme allows. If not, any tag may follow any other."""

    room: Room | None = None
    """Where features are kept that are more than memory holds; None: all are kept in memory."""
    unlabelled: Sentences | None = None
    """Sentences without tags to learn from, too."""

    @property
    def details(self) -> Mapping[str, Json]:
        return {"scheme": self.scheme, "repaired": self.repaired} | ({} if self.legal else {"legal": False})

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> Tagged:
        sentences, tokens = self.sentences.part(rows)
        return replace(self, sentences=sentences, y=self.y[tokens])


def sentences_with_tags(X: Sequence[Sequence[Token]], Y: Sequence[Sequence[str]]) -> Sentences:
    """Sentences from lists of words, or of tuples with a word and other columns, with the tags of their tokens."""
    X, Y = list(X), list(Y)
    check_lengths(X, Y, "tags")
    sentences = tokens_in_python(X, column_names(max((len(values_of(token)) for x in X for token in x), default=1)))
    for i, tags in enumerate(Y):
        for tag in tags:
            if not isinstance(tag, str):
                raise DataError(
                    f"expected tags that are strings, found {type(tag).__name__}: {tag!r:.60} in sentence {i}."
                )
    return replace(sentences, tags=as_text([tag for tags in Y for tag in tags]))
