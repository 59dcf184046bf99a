"""The taggers of a parser: one for each column of tags, learned before the parser is.

The sentences that a parser learns from get tags as new sentences would: each part of them is tagged by taggers that have
learned from the other parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import cast

import numpy as np

from linnet.core.arrow import texts
from linnet.core.extract.different import different
from linnet.fitting.contract import Plan
from linnet.fitting.fitting import Recipe
from linnet.fitting.progress import SILENT, Steps
from linnet.io.sentences.sentences import Sentences
from linnet.model.base import Model, model_from_parts, parts_of_model
from linnet.model.packing import packed, unpacked
from linnet.tasks.tag.gold import Tagged
from linnet.tasks.tag.model import TagModel
from linnet.tasks.tag.presets import FEW_TAGS, PRESETS
from linnet.tasks.tag.task import TagTask

_PARTS = 5
"""The number of parts of the sentences, each of which is tagged by a tagger that has learned from the others."""
_PART = "tagger-"
"""The beginning of the name that a tagger has in a model file; the column that it fills follows."""
_LEAST = "min=3"
"""The item of the specification that leaves out features which are seen less than three times."""
# The plans of taggers of few and of many tags, each with its number of epochs. A CRF of many tags would need three times the
# memory, and would not tag better. They were chosen on the development part of English web text.
_FEW = Plan("pos", "crf", {"cost": 2.0}), 6
_MANY = Plan("pos", "averaged-mira", {"C": 0.01, "dropout": 0.2}), 10


@dataclass(frozen=True)
class OwnTags:
    """The taggers of a parser."""

    taggers: Mapping[str, Callable[[], TagModel]]
    """Functions that give the taggers, keyed by the columns that these fill. A tagger that was just learned is unpacked
    when it is needed, as it would only take memory while trees are learned."""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.taggers)

    def fill(self, sentences: Sentences) -> Sentences:
        """The sentences with the columns of tags filled."""
        return _with_tags(sentences, {name: tagger().tag(sentences) for name, tagger in self.taggers.items()})

    def models(self) -> dict[str, Model]:
        """The taggers, keyed by the names that they have in a model file."""
        return {f"{_PART}{name}": tagger() for name, tagger in self.taggers.items()}

    @classmethod
    def from_models(cls, models: Mapping[str, Model]) -> OwnTags | None:
        """The taggers among models that are keyed by the names of parts; None where there are none."""
        found = {
            name.removeprefix(_PART): partial(_itself, cast(TagModel, model))
            for name, model in models.items()
            if name.startswith(_PART)
        }
        return cls(found) if found else None


def _itself(tagger: TagModel) -> TagModel:
    return tagger


def _packed_tagger(tagger: TagModel) -> Callable[[], TagModel]:
    """A function that unpacks the tagger, which is kept as small as in a file until then."""
    header, arrays = parts_of_model(tagger)
    kept = packed(arrays)
    return cache(lambda: model_from_parts(TagModel, header, unpacked(*kept)))


def own_tags(
    sentences: Sentences, columns: Sequence[str], steps: Steps = SILENT, unlabelled: Sentences | None = None
) -> tuple[OwnTags, Sentences]:
    """Learn taggers for these columns, from sentences without tags, too, if there are any; return them, and the sentences with
    tags by taggers that have not seen them."""
    parts = _PARTS if len(sentences) >= _PARTS else 0
    own, found = {}, {}
    taggers = steps.inside("tagger", len(columns) * (1 + parts))
    for name in columns:
        gold = replace(_gold(sentences, name), unlabelled=unlabelled)
        own[name] = _packed_tagger(_learned(gold, taggers))
        found[name] = _tags_by_other_parts(sentences, gold, parts, taggers)
    tags = OwnTags(own)
    return tags, _with_tags(sentences, found) if parts else tags.fill(sentences)


def _tags_by_other_parts(sentences: Sentences, gold: Tagged, parts: int, steps: Steps) -> list[str]:
    """The tags of all sentences, each part of them tagged by a tagger that has learned from the other parts."""
    found = np.empty(sentences.n_tokens, np.object_)
    part = np.arange(len(sentences)) % max(parts, 1)
    for k in range(parts):
        words, tokens = sentences.part(np.flatnonzero(part == k))
        found[tokens] = _learned(gold.part(np.flatnonzero(part != k)), steps).tag(words)
    return found.tolist()


def _gold(sentences: Sentences, column: str) -> Tagged:
    """The words of sentences, with one of their columns as the tags."""
    found, places = different(sentences.columns[column])
    labels = tuple(sorted(found.to_pylist()))
    number = {label: k for k, label in enumerate(labels)}
    codes = np.array([number[label] for label in found.to_pylist()], np.int32)
    words = replace(sentences, columns={"w": sentences.columns["w"]}, tags=None, frame=None)
    return Tagged(words, codes[places], labels)


def _learned(gold: Tagged, steps: Steps = SILENT) -> TagModel:
    """A tagger that has learned from these sentences."""
    n = len(gold.labels)
    plan, epochs = _FEW if n <= FEW_TAGS else _MANY
    spec = f"{PRESETS[plan.features].spec(('w',), n, unlabelled=gold.unlabelled is not None)} {_LEAST}"
    recipe = Recipe(TagTask(), replace(plan, features=spec), passes={"epochs": epochs})
    return cast(TagModel, recipe.learn(gold, steps))


def _with_tags(sentences: Sentences, tags: Mapping[str, Sequence[str]]) -> Sentences:
    """The sentences with these columns, which have a tag for each token."""
    return replace(sentences, columns=sentences.columns | {name: texts(column) for name, column in tags.items()})
