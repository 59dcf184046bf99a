"""Sentences as tests look at them: their columns, their parts, what is written of them, and how a file is refused."""

import io

import pytest

from linnet.errors import DataError
from linnet.io import read_sentences, write_sentences


def columns_of(sentences):
    return {name: column.to_pylist() for name, column in sentences.columns.items()}


def by_sentence(values, sentences):
    values = values.to_pylist()
    return [values[i:j] for i, j in zip(sentences.starts[:-1], sentences.starts[1:], strict=True)]


def written(sentences, tags):
    out = io.BytesIO()
    write_sentences(out, sentences, tags)
    return out.getvalue()


def refusal(source, **options):
    """The whole message with which `read_sentences` refuses a source."""
    with pytest.raises(DataError) as caught:
        read_sentences(source, **options)
    return str(caught.value)
