"""Readers and writers: labelled text or tagged sentences in, columns or tags out, one module per format."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linnet.io.atomic import atomic
from linnet.io.dataset import Dataset
from linnet.io.finding import find_line
from linnet.io.kind import holds_sentences, kind_of
from linnet.io.reading import read, read_batches
from linnet.io.registry import formats
from linnet.io.writing import Writer, write_columns

if TYPE_CHECKING:
    from linnet.io.list_reading import list_formats, read_list_batches, read_lists
    from linnet.io.sentence_reading import read_sentence_batches, read_sentences
    from linnet.io.sentence_registry import sentence_format, sentence_formats
    from linnet.io.sentence_writing import SentenceWriter, write_sentences
    from linnet.io.sentences import Sentences

# Imported when first used: who labels texts does not wait for the readers of sentences and of candidates.
_HOMES = {
    "SentenceWriter": "sentence_writing",
    "Sentences": "sentences",
    "list_formats": "list_reading",
    "read_list_batches": "list_reading",
    "read_lists": "list_reading",
    "read_sentence_batches": "sentence_reading",
    "read_sentences": "sentence_reading",
    "sentence_format": "sentence_registry",
    "sentence_formats": "sentence_registry",
    "write_sentences": "sentence_writing",
}

__all__ = [
    "Dataset",
    "SentenceWriter",
    "Sentences",
    "Writer",
    "atomic",
    "find_line",
    "formats",
    "holds_sentences",
    "kind_of",
    "list_formats",
    "read",
    "read_batches",
    "read_list_batches",
    "read_lists",
    "read_sentence_batches",
    "read_sentences",
    "sentence_format",
    "sentence_formats",
    "write_columns",
    "write_sentences",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"linnet.io.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'linnet.io' has no attribute {name!r}")
