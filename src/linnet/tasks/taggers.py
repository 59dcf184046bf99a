"""The taggers of a parser, as steps of its learning."""

from __future__ import annotations

from collections.abc import Sequence

from linnet.io.sentences import Sentences
from linnet.tasks.own_tags import _PARTS, OwnTags, own_tags
from linnet.tasks.steps import steps


def learned_tags(sentences: Sentences, columns: Sequence[str]) -> tuple[OwnTags, Sentences]:
    """As `own_tags`: one tagger of all sentences, and one for each part of them."""
    with steps("tagger", 1 if len(sentences) < _PARTS else 1 + _PARTS):
        return own_tags(sentences, columns)
