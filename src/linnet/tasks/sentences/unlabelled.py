"""Sentences without outputs to learn from."""

from __future__ import annotations

import os
from dataclasses import replace

from linnet.core.types import Data
from linnet.errors import DataError, UsageError
from linnet.io.formats import FileOptions
from linnet.io.python_values import are_files, rows_of, several
from linnet.io.sentences.sentences import Sentences, join
from linnet.tasks.sentences.columns import tokens_in
from linnet.tasks.sentences.gold import column_names, tokens_in_python
from linnet.tasks.sentences.prose import from_text, sentence_batches


def without_outputs(own: Data, data: Data, how: FileOptions) -> Sentences:
    """The sentences of files or of Python values, without their tags. Prose is cut into sentences and words, as it is to
    predict.

    own: None; sentences of the data that are learned from have outputs, so that there are none to take from there.
    """
    if own is not None:
        raise UsageError("all sentences of the data have outputs. Put those without into a file of their own.")
    found = _from_files(data, how) if are_files(data) else _from_python(data)
    if not found.n_tokens:
        raise DataError("expected sentences to learn from, found no words.", found.source)
    return replace(found, tags=None, frame=None)


def _from_files(data: Data, how: FileOptions) -> Sentences:
    paths = [data] if isinstance(data, str | os.PathLike) else data
    return join([batch for path in paths for batch in sentence_batches(path, None, ("w",), how)])


def _from_python(data: Data) -> Sentences:
    if isinstance(data, Sentences):
        return data
    data = several(data)
    rows = rows_of(data)
    sentences = list(data) if rows is None else tokens_in(rows)
    if all(isinstance(sentence, str) for sentence in sentences):
        return from_text(sentences)
    width = max(
        (1 if isinstance(token, str) else len(token) for sentence in sentences for token in sentence), default=1
    )
    return tokens_in_python(sentences, column_names(width))
