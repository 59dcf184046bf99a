"""What the tasks over sentences share: gold ones, and sentences from lists of words, from prose and from files of prose."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from linnet import io
from linnet.errors import DataError
from linnet.features.columns import as_text
from linnet.features.paragraphs import paragraphs
from linnet.features.prose import split_sentences
from linnet.io.sentences import Sentences
from linnet.io.source import CODECS

_BATCH_BYTES = 4 << 20


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


def as_sentences(sentences: Sequence[Sequence[Any]], names: Sequence[str]) -> Sentences:
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


def from_text(texts: Sequence[str]) -> Sentences:
    """The sentences and words of prose."""
    cut = [[text[a:b] for a, b in sentence] for text in texts for sentence in split_sentences(text)]
    return as_sentences(cut, ("w",))


def prose_batches(source: Any, format: str | None = None) -> Iterator[Sequence[str]]:
    """The texts of files, a batch at a time: of a .txt file whose lines look wrapped its paragraphs, else a text a line."""
    for path in [source] if isinstance(source, str | os.PathLike) else source:
        batches = io.read_batches(path, format=format, labelled=False, batch_bytes=_BATCH_BYTES)
        texts = (batch.text.to_pylist() for batch in batches)
        yield from paragraphs(texts) if format is None and _is_txt(os.fspath(path)) else texts


def _is_txt(path: str) -> bool:
    stem, extension = os.path.splitext(path.lower())
    return (os.path.splitext(stem)[1] if extension in CODECS else extension) == ".txt"
