"""Files of prose, for models that want sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from linnet import io
from linnet.features.paragraphs import paragraphs
from linnet.io.source import CODECS

_BATCH_BYTES = 4 << 20


def prose_batches(source: Any, format: str | None = None) -> Iterator[Sequence[str]]:
    """The texts of files, a batch at a time: of a .txt file whose lines look wrapped its paragraphs, else a text a line."""
    for path in [source] if isinstance(source, str | os.PathLike) else source:
        batches = io.read_batches(path, format=format, labelled=False, batch_bytes=_BATCH_BYTES)
        texts = (batch.text.to_pylist() for batch in batches)
        yield from paragraphs(texts) if format is None and _is_txt(os.fspath(path)) else texts


def _is_txt(path: str) -> bool:
    stem, extension = os.path.splitext(path.lower())
    return (os.path.splitext(stem)[1] if extension in CODECS else extension) == ".txt"
