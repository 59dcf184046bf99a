"""Gold sentences of all tasks, and sentences made from lists of words."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from linnet.core.arrow import numbers
from linnet.core.types import Data, Output, Token
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.fitting.kinds import F, G
from linnet.io.python_values import is_several, rows_of, several
from linnet.io.sentences.sentences import Sentences, join
from linnet.tasks.defaults import Defaults
from linnet.tasks.sentences.columns import tokens_with

if TYPE_CHECKING:
    from linnet.fitting.contract import Columns
    from linnet.model.base import Model


class GoldSentences:
    """The methods of gold examples that are the same for all tasks over sentences (`Gold` in fitting/contract.py)."""

    sentences: Sentences
    y: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def source(self) -> str:
        return self.sentences.source

    @property
    def examples(self) -> Sentences:
        """The sentences as a model takes them."""
        return self.sentences

    @property
    def right(self) -> npt.NDArray[np.int32]:
        """The integers of the right outputs, from which those to learn may differ."""
        return self.y

    def texts(self) -> list[str]:
        return self.sentences.texts()

    def column(self, name: str) -> None:
        """None, as files of sentences have columns of tokens only."""


def sentences_of(data: Data, model: Model) -> Sentences:
    """Sentences for a model: as they were read, from the file of a path, from rows, or from lists of words."""
    if isinstance(data, Sentences):
        return data
    if isinstance(data, os.PathLike):
        return join(list(model.batches(data)))
    data = several(data)
    if not is_several(data):
        raise DataError(f"expected sentences as lists of words, found {type(data).__name__}: {data!r:.60}.")
    rows = rows_of(data)
    names: tuple[str, ...] = model.features.columns
    return as_sentences(data if rows is None else tokens_with(rows, names[1:]), names)


def gold_sentences(model: Model, data: Data, outputs: Data, columns: Columns) -> Sentences:
    """Sentences with their outputs, from whatever `linnet.train` takes; as they are, if they were read before."""
    if isinstance(data, Sentences):
        return data
    sentences: Sentences = model.gold(data, outputs, columns).sentences
    return sentences


class OverSentences(Defaults[G, F]):
    """The methods that are the same for all tasks over sentences."""

    def is_one(self, x: Data) -> bool:
        """Whether x is one sentence: a list of words, or of tuples that begin with a word. Several are a list of lists."""
        if not isinstance(x, list | tuple):
            raise DataError(f"expected a sentence as a list of words, found {type(x).__name__}: {x!r:.60}.")
        return len(x) > 0 and isinstance(x[0], str | tuple)


def tokens_in_python(X: Sequence[Sequence[Token]], names: Sequence[str]) -> Sentences:
    """Sentences from lists of words or of tuples, whose values are for the first of the named columns."""
    first = next((token for sentence in X for token in sentence), "")
    width = len(values_of(first))
    if width > len(names):
        raise DataError(f"expected at most {len(names)} values for each token ({', '.join(names)}), found {first!r}.")
    return as_sentences(X, names[:width])


def values_of(token: Token) -> tuple[str, ...]:
    """The values of a token: its word, and those of other columns. DataError for what is no token."""
    if isinstance(token, str):
        return (token,)
    if not isinstance(token, tuple | list):
        raise DataError(
            f"expected each token as a string, or as a tuple of strings, found {type(token).__name__}: {token!r:.60}."
        )
    return tuple(token)


def _values_of_all(tokens: list[Token]) -> list[tuple[str, ...]]:
    """The values of each token. Where all tokens are strings, or all are tuples, none has to be looked at by itself."""
    kinds = set(map(type, tokens))
    if kinds == {str}:
        return list(zip(cast("list[str]", tokens), strict=True))
    return cast("list[tuple[str, ...]]", tokens) if kinds == {tuple} else [values_of(token) for token in tokens]


def check_lengths(X: Sequence[Data], Y: Sequence[Output], what: str) -> None:
    """Raise DataError if there are not as many outputs as sentences, or not as many in one as it has tokens."""
    if len(X) != len(Y):
        raise DataError(f"expected as many lists of {what} as sentences, found {len(Y)} and {len(X)}.")
    for i, (sentence, outputs) in enumerate(zip(X, Y, strict=True)):
        for one, of in ((sentence, "tokens"), (outputs, what)):
            if not hasattr(one, "__len__"):
                raise DataError(f"sentence {i}: expected a list of {of}, found {type(one).__name__}: {one!r:.60}.")
        if len(sentence) != len(outputs):
            raise DataError(f"sentence {i} has {len(sentence)} tokens, but {len(outputs)} {what}.")


def as_sentences(sentences: Sequence[Sequence[Token]], names: Sequence[str]) -> Sentences:
    """Sentences from lists of words, or of tuples with a value for each of the named columns."""
    for sentence in sentences:
        if isinstance(sentence, str) or not isinstance(sentence, Collection) or getattr(sentence, "ndim", 1) != 1:
            what = "the string" if isinstance(sentence, str) else type(sentence).__name__
            raise DataError(
                f"expected each sentence as a list of words, found {what} {sentence!r:.60}. Pass a list of lists."
            )
    starts = np.concatenate(
        [np.zeros(1, np.int64), np.cumsum([len(sentence) for sentence in sentences], dtype=np.int64)]
    )
    tokens = _values_of_all(list(chain.from_iterable(sentences)))
    if set(map(len, tokens)) - {len(names)}:
        wrong = next(token for token in tokens if len(token) != len(names))
        raise DataError(f"expected {len(names)} values for each token ({', '.join(names)}), found {wrong!r}.")
    columns = {name: as_text([token[k] for token in tokens]) for k, name in enumerate(names)}
    return Sentences(columns, starts, None, "sentences", None)


def column_names(width: int) -> tuple[str, ...]:
    """The names of the columns of tokens with this number of values: w for the word, then col2, col3, ..."""
    return ("w", *(f"col{k}" for k in range(2, width + 1)))


def without_long(sentences: Sentences, longest: int) -> tuple[Sentences, int]:
    """The sentences that are short enough to learn from, and the number of the others."""
    kept = np.flatnonzero(np.diff(sentences.starts) <= longest)
    if len(kept) == len(sentences):
        return sentences, 0
    part, tokens = sentences.part(kept)
    tags = None if sentences.tags is None else sentences.tags.take(numbers(tokens))
    return replace(part, tags=tags), len(sentences) - len(kept)
