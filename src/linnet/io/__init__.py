"""Readers and writers: labelled text in, columns out, one module per format."""

from linnet.io.atomic import atomic
from linnet.io.dataset import Dataset
from linnet.io.reading import read, read_batches
from linnet.io.registry import formats
from linnet.io.sentence_reading import read_sentence_batches, read_sentences
from linnet.io.sentence_registry import holds_sentences, sentence_formats
from linnet.io.sentence_writing import SentenceWriter, write_sentences
from linnet.io.sentences import Sentences
from linnet.io.writing import Writer, write_columns

__all__ = [
    "Dataset",
    "SentenceWriter",
    "Sentences",
    "Writer",
    "atomic",
    "formats",
    "holds_sentences",
    "read",
    "read_batches",
    "read_sentence_batches",
    "read_sentences",
    "sentence_formats",
    "write_columns",
    "write_sentences",
]
