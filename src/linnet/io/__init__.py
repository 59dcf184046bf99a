"""Readers and writers: labelled text in, columns out, one module per format."""

from linnet.io.atomic import atomic
from linnet.io.dataset import Dataset
from linnet.io.reading import read, read_batches
from linnet.io.registry import formats
from linnet.io.writing import Writer, write_columns

__all__ = ["Dataset", "Writer", "atomic", "formats", "read", "read_batches", "write_columns"]
