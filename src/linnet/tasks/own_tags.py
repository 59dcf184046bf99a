"""The tags that a parser gives itself: one tagger for all columns of tags, learned before the trees are.

A tag of it is the tags of all columns together, "NOUN NN", so that they fit each other. The sentences that a parser learns
from get tags as if they had not been seen before: those of each part are of a tagger that has learned from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.arrow import texts
from linnet.io.sentences import Sentences
from linnet.model import of_parts, parts_of
from linnet.tasks.contract import Plan
from linnet.tasks.learned import learned
from linnet.tasks.tag import Tagged, TagModel, TagTask
from linnet.tasks.tag_presets import PRESETS

_PARTS = 5
_PRESET = "pos-light"
# A CRF of so many tags would need three times the memory, and tags no better.
_LEARNER, _OPTIONS, _EPOCHS = "averaged-mira", {"C": 0.01, "dropout": 0.2}, 10


@dataclass(frozen=True)
class OwnTags:
    columns: tuple[str, ...]
    """Those that it fills."""
    parts: tuple[Mapping[str, Any], dict[str, npt.NDArray[Any]]]
    """Those of the tagger, which is made when it is needed: while trees are learned it would only take memory."""

    @cached_property
    def tagger(self) -> TagModel:
        return of_parts(TagModel, *self.parts)

    def fill(self, sentences: Sentences) -> Sentences:
        """The same sentences with tags."""
        return _filled(sentences, self.columns, self.tagger.tag(sentences))

    def header(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "tagger": self.parts[0]}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return self.parts[1]

    @classmethod
    def from_arrays(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> OwnTags:
        own = cls(tuple(header["columns"]), (header["tagger"], dict(arrays)))
        _ = own.tagger  # what does not fit is refused when a file is read
        return own


def own_tags(sentences: Sentences, columns: Sequence[str]) -> tuple[OwnTags, Sentences]:
    """A tagger for these columns, and the same sentences with tags of taggers that have not seen them."""
    gold = _gold(sentences, columns)
    own = OwnTags(tuple(columns), parts_of(_learned(gold)))
    if len(sentences) < _PARTS:
        return own, own.fill(sentences)
    part = np.arange(len(sentences)) % _PARTS
    found = np.empty(sentences.n_tokens, np.object_)
    for k in range(_PARTS):
        words, tokens = sentences.part(np.flatnonzero(part == k))
        found[tokens] = _learned(gold.part(np.flatnonzero(part != k))).tag(words)
    return own, _filled(sentences, columns, found.tolist())


def _gold(sentences: Sentences, columns: Sequence[str]) -> Tagged:
    """The words of sentences, with these columns of theirs as tags."""
    values = zip(*(sentences.columns[name].to_pylist() for name in columns), strict=True)
    found = texts(map(" ".join, values)).dictionary_encode()
    labels = tuple(sorted(found.dictionary.to_pylist()))
    number = {label: k for k, label in enumerate(labels)}
    codes = np.array([number[label] for label in found.dictionary.to_pylist()], np.int32)
    words = replace(sentences, columns={"w": sentences.columns["w"]}, tags=None, frame=None)
    return Tagged(words, codes[np.from_dlpack(found.indices)], labels)


def _learned(gold: Tagged) -> TagModel:
    plan = Plan(PRESETS[_PRESET].spec(("w",), len(gold.labels)), _LEARNER, _OPTIONS)
    model: TagModel = learned(TagTask(), gold, plan, epochs=_EPOCHS)
    return model


def _filled(sentences: Sentences, columns: Sequence[str], tags: Sequence[str]) -> Sentences:
    found = texts(tags).dictionary_encode()
    parts = [tag.split(" ") for tag in found.dictionary.to_pylist()]
    own = {name: texts(part[k] for part in parts).take(found.indices) for k, name in enumerate(columns)}
    return replace(sentences, columns=sentences.columns | own)
