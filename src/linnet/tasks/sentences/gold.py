"""What gold sentences of all tasks share, and sentences from lists of words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linnet.core.types import Data, Output, Token
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.fitting.contract import F, G
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.defaults import Defaults


class OfSentences:
    """What is the same of all gold examples that are sentences (`Gold` in contract.py), whatever their outputs are."""

    sentences: Sentences

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def source(self) -> str:
        return self.sentences.source

    def texts(self) -> list[str]:
        return self.sentences.texts()

    def column(self, name: str) -> None:
        """Files of sentences have columns of tokens only."""


def sentences_of(data: Sentences | Sequence[Sequence[Token]], names: Sequence[str]) -> Sentences:
    """Sentences as they are read, or from lists of words."""
    return data if isinstance(data, Sentences) else as_sentences(data, names)


class OverSentences(Defaults[G, F]):
    """What the tasks over sentences do alike."""

    def is_one(self, x: Data) -> bool:
        """A sentence is a list of words, or of tuples that begin with a word; several of them are a list of lists."""
        return len(x) > 0 and isinstance(x[0], str | tuple)


def tokens_in_python(X: Sequence[Sequence[Token]], names: Sequence[str]) -> Sentences:
    """Sentences from lists of words or of tuples, whose values are those of the first of these columns."""
    first = next((token for sentence in X for token in sentence), "")
    width = 1 if isinstance(first, str) else len(first)
    if width > len(names):
        raise DataError(f"expected at most {len(names)} values for each token ({', '.join(names)}), found {first!r}.")
    return as_sentences(X, names[:width])


def check_lengths(X: Sequence[Data], Y: Sequence[Output], what: str) -> None:
    """DataError where outputs do not fit sentences, token by token."""
    if len(X) != len(Y):
        raise DataError(f"expected as many sentences as lists of {what}, found {len(X)} and {len(Y)}.")
    for i, (sentence, outputs) in enumerate(zip(X, Y, strict=True)):
        if len(sentence) != len(outputs):
            raise DataError(f"sentence {i} has {len(sentence)} tokens, but {len(outputs)} {what}.")


def as_sentences(sentences: Sequence[Sequence[Token]], names: Sequence[str]) -> Sentences:
    """Sentences from lists of words, or of tuples with a value for each of the columns."""
    starts = np.concatenate(
        [np.zeros(1, np.int64), np.cumsum([len(sentence) for sentence in sentences], dtype=np.int64)]
    )
    tokens = [(token,) if isinstance(token, str) else tuple(token) for sentence in sentences for token in sentence]
    for token in tokens:
        if len(token) != len(names):
            raise DataError(f"expected {len(names)} values for each token ({', '.join(names)}), found {token!r}.")
    columns = {name: as_text([token[k] for token in tokens]) for k, name in enumerate(names)}
    return Sentences(columns, starts, None, "sentences", None)
