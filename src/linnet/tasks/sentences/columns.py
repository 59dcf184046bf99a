"""The columns of tables that hold sentences: their tokens, and a list of tags for each."""

from __future__ import annotations

from collections.abc import Sequence

from linnet.core.types import Json
from linnet.io.python_values import Rows

TOKENS = ("tokens", "words")
"""The usual names of the column of the tokens of sentences."""
TAGS = ("tags", "ner_tags", "pos_tags", "chunk_tags", "labels")
"""The usual names of the column of their tags."""


def tokens_in(rows: Rows, name: str | None = None) -> list[Json]:
    """The tokens of each sentence, from the column of this name, or from the one that has a usual name."""
    return rows.values(rows.find("tokens", TOKENS, name, "text"))


def tokens_with(rows: Rows, names: Sequence[str]) -> list[Json]:
    """The tokens of each sentence; with the values of other columns, if any are named, as tuples."""
    words = tokens_in(rows)
    others = [rows.values(rows.find(name, (name,), None, "text")) for name in names]
    return [list(zip(*sentence, strict=False)) for sentence in zip(words, *others, strict=True)] if names else words
