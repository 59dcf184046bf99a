"""Cutting prose and files of prose into sentences."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from linnet import io
from linnet.core.types import Data
from linnet.errors import DataError, UsageError
from linnet.io.bytes.source import CODECS
from linnet.io.formats import FileOptions
from linnet.io.sentences.paragraphs import paragraphs
from linnet.io.sentences.prose import split_sentences
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import as_sentences

_BATCH_BYTES = 512 << 10
"""The number of bytes of prose that are read at a time. It is small, as a token takes some 300 bytes, and in some
scripts every character is a token."""


def from_text(texts: Sequence[str]) -> Sentences:
    """Cut texts into sentences and words."""
    cut = [[text[a:b] for a, b in sentence] for text in texts for sentence in split_sentences(text)]
    return as_sentences(cut, ("w",))


def typed_sentences(texts: Sequence[str], columns: Sequence[str]) -> Sentences:
    """What people type as sentences. It is prose, which is cut into sentences and words; but where a model looks at more
    columns than the words, each token is on a line of its own with its values, as in CoNLL files without their tags.

    columns: those that are needed; `col3` is the third value of a line, and columns with other names follow each other.

    >>> typed_sentences(["the DT\\ndog NN\\n\\nit PRP"], ["w", "col2"]).columns["col2"].to_pylist()
    ['DT', 'NN', 'PRP']
    """
    if len(columns) == 1:
        return from_text(texts)
    numbers = [re.fullmatch(r"col([1-9]\d?)", name) for name in columns]
    places = [int(number[1]) - 1 if number else k for k, number in enumerate(numbers)]
    cut = [sentence for text in texts for sentence in _on_lines(text, places, columns)]
    return as_sentences(cut, columns)


def _on_lines(text: str, places: Sequence[int], columns: Sequence[str]) -> Iterator[list[tuple[str, ...]]]:
    """Yield the sentences of a text with a token on each line, as tuples of the values at some places of the lines."""
    sentence: list[tuple[str, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        values = line.split()
        if not values:
            if sentence:
                yield sentence
            sentence = []
            continue
        if len(values) != max(places) + 1:
            raise DataError(
                f"the model looks at more than the words ({', '.join(columns)}). Write a token on each line, such as: dog NN. "
                f"Expected {max(places) + 1} values on line {number}, found {len(values)}."
            )
        sentence.append(tuple(values[k] for k in places))
    if sentence:
        yield sentence


def refuse_text_col(text_col: str | None) -> None:
    """Raise UsageError if the user names a text column."""
    if text_col is not None:
        raise UsageError("the model is for sentences of tokens, which have no text column. Leave out --text-col.")


def prose_batches(source: Data, how: FileOptions) -> Iterator[Sequence[str]]:
    """Read the texts of files in batches. Each line is a text, but the lines of a .txt file that look wrapped are joined into
    paragraphs."""
    for path in [source] if isinstance(source, str | os.PathLike) else source:
        batches = io.read_batches(path, labelled=False, batch_bytes=_BATCH_BYTES, **how)
        texts = (batch.text.to_pylist() for batch in batches)
        yield from paragraphs(texts) if how.get("format") is None and _is_txt(os.fspath(path)) else texts


def _is_txt(path: str) -> bool:
    stem, extension = os.path.splitext(path.lower())
    return (os.path.splitext(stem)[1] if extension in CODECS else extension) == ".txt"


def sentence_batches(
    source: Data,
    text_col: str | None,
    columns: Sequence[str],
    how: FileOptions,
    *,
    label_col: str | None = None,
    formats: Sequence[str] = (),
) -> Iterator[Sentences]:
    """Read the sentences of files in batches. Plain text is cut into sentences and words, unless more columns than the words
    are needed, which it does not have.

    columns: those that are needed.
    how: how the files are to be read.
    formats: formats that hold sentences here, though they hold texts elsewhere.
    """
    refuse_text_col(text_col)
    first = os.fspath(source if isinstance(source, str | os.PathLike) else source[0])
    format = how.get("format")
    if io.holds_sentences(first, format, how.get("encoding")) or format in formats or len(columns) > 1:
        yield from io.read_sentence_batches(source, label_col=label_col, labelled=False, **how)
        return
    for texts in prose_batches(source, how):
        yield from_text(texts)
