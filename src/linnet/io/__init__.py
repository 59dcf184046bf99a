"""Readers and writers: labelled text or tagged sentences in, columns or tags out, one module per format."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linnet.io.bytes.atomic import atomic
    from linnet.io.lists.reading import list_formats, read_list_batches, read_lists
    from linnet.io.sentences.detection import holds_sentences
    from linnet.io.sentences.reading import read_sentence_batches, read_sentences
    from linnet.io.sentences.registry import sentence_format, sentence_formats
    from linnet.io.sentences.sentences import Sentences
    from linnet.io.sentences.writing import SentenceWriter, write_sentences
    from linnet.io.texts.dataset import Dataset
    from linnet.io.texts.line_of_value import find_line
    from linnet.io.texts.reading import read, read_batches
    from linnet.io.texts.registry import text_formats
    from linnet.io.texts.writing import Writer, write_columns

# All of these are imported when they are first used, so that reading one kind of data does not wait for the other
# readers.
_HOMES = {
    "Dataset": "texts.dataset",
    "SentenceWriter": "sentences.writing",
    "Sentences": "sentences.sentences",
    "Writer": "texts.writing",
    "atomic": "bytes.atomic",
    "find_line": "texts.line_of_value",
    "holds_sentences": "sentences.detection",
    "list_formats": "lists.reading",
    "read": "texts.reading",
    "read_batches": "texts.reading",
    "read_list_batches": "lists.reading",
    "read_lists": "lists.reading",
    "read_sentence_batches": "sentences.reading",
    "read_sentences": "sentences.reading",
    "sentence_format": "sentences.registry",
    "sentence_formats": "sentences.registry",
    "text_formats": "texts.registry",
    "write_columns": "texts.writing",
    "write_sentences": "sentences.writing",
}

__all__ = [
    "Dataset",
    "SentenceWriter",
    "Sentences",
    "Writer",
    "atomic",
    "find_line",
    "holds_sentences",
    "list_formats",
    "read",
    "read_batches",
    "read_list_batches",
    "read_lists",
    "read_sentence_batches",
    "read_sentences",
    "sentence_format",
    "sentence_formats",
    "text_formats",
    "write_columns",
    "write_sentences",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"linnet.io.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'linnet.io' has no attribute {name!r}")
