"""Sentences with their tags, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.extract.different import different
from linnet.core.long_arrays import pieces
from linnet.core.room import Room, zeros
from linnet.core.types import Json, Token
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.io.sentences.sentences import Sentences
from linnet.structures.schemes import Coded, check_outside, coded, converted, scheme_of_coded
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


def numbered(tags: pa.LargeStringArray, room: Room | None) -> Coded:
    """Tags as numbers, in the order in which they are first seen."""
    names: dict[str, int] = {}
    codes = zeros(room, len(tags), np.int32)
    for piece in pieces(len(tags)):
        found, places = different(tags.slice(piece.start, piece.stop - piece.start))
        new = np.array([names.setdefault(value, len(names)) for value in found.to_pylist()], np.int32)
        codes[piece] = new[places]
        _give_back(room)
    return coded(list(names), codes)


def in_bioes(tags: Coded, starts: npt.NDArray[np.int64], room: Room | None) -> tuple[Coded, int]:
    """The tags of the same spans as BIOES, and the number of tags that had to be repaired. DataError where tags are not of
    spans."""
    codes, names, repaired, scheme = zeros(room, len(tags.codes), np.int32), ["O"], 0, scheme_of_coded(tags)
    if scheme is None:
        check_outside(tags)
        return coded(names, codes), 0
    for piece in pieces(len(starts) - 1):
        at = starts[piece.start : piece.stop + 1]
        tokens = slice(int(at[0]), int(at[-1]))
        names, codes[tokens], wrong = converted(tags.part(tokens), at - at[0], scheme, "bioes")
        repaired += wrong
        _give_back(room)
    return coded(names, codes), repaired


def renumbered(tags: Coded, new: npt.NDArray[np.int32], room: Room | None) -> npt.NDArray[np.int32]:
    """The new number of each token's tag, given the new number of each name. `tags.codes` is overwritten."""
    for piece in pieces(len(tags.codes)):
        tags.codes[piece] = new[tags.codes[piece]]
        _give_back(room)
    y: npt.NDArray[np.int32] = tags.codes.astype(np.int32, copy=False)
    return y


def _give_back(room: Room | None) -> None:
    if room is not None:
        room.give_back()


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
