"""Sentences from prose and from files of prose."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from linnet import io
from linnet.core.types import Data
from linnet.errors import UsageError
from linnet.io.bytes.source import CODECS
from linnet.io.sentences.paragraphs import paragraphs
from linnet.io.sentences.prose import split_sentences
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import as_sentences

_BATCH_BYTES = 4 << 20


def from_text(texts: Sequence[str]) -> Sentences:
    """The sentences and words of prose."""
    cut = [[text[a:b] for a, b in sentence] for text in texts for sentence in split_sentences(text)]
    return as_sentences(cut, ("w",))


def refuse_text_col(text_col: str | None) -> None:
    """UsageError where there is a name of a column of texts."""
    if text_col is not None:
        raise UsageError("the model is for tokens: --text-col is for labels. Leave it out.")


def prose_batches(source: Data, format: str | None = None) -> Iterator[Sequence[str]]:
    """The texts of files, a batch at a time: of a .txt file whose lines look wrapped its paragraphs, else a text a line."""
    for path in [source] if isinstance(source, str | os.PathLike) else source:
        batches = io.read_batches(path, format=format, labelled=False, batch_bytes=_BATCH_BYTES)
        texts = (batch.text.to_pylist() for batch in batches)
        yield from paragraphs(texts) if format is None and _is_txt(os.fspath(path)) else texts


def _is_txt(path: str) -> bool:
    stem, extension = os.path.splitext(path.lower())
    return (os.path.splitext(stem)[1] if extension in CODECS else extension) == ".txt"
