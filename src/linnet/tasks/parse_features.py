"""What a parser looks at: features of arcs over given tags or over its own, of those arcs that a first look has left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.form import Block
from linnet.errors import UsageError
from linnet.features.arcs import ArcFeatures
from linnet.io.sentences import Sentences
from linnet.model import Model, of_parts, parts_of
from linnet.tasks.contract import Plan
from linnet.tasks.learned import learned
from linnet.tasks.tag import Tagged, TagModel, TagTask
from linnet.tasks.tag_presets import PRESETS

Flags = npt.NDArray[np.uint8]
# Tags of the sentences of one part are those of a tagger that has learned from the others.
_PARTS = 5
_TAGGER = "pos-light"


@dataclass
class ParseFeatures:
    """The features of arcs, the taggers whose tags they are made of, and the model that prunes."""

    arcs: ArcFeatures
    taggers: dict[str, TagModel] = field(default_factory=dict)
    """By the column that each fills; none where tags are given."""
    pruner: Any | None = None
    prune: float = 0.0
    """Arcs are left out that the pruner finds less probable than this share of the best one of their token."""

    @property
    def spec(self) -> str:
        return self.arcs.spec

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that a sentence must come with."""
        return tuple(name for name in self.arcs.columns if name not in self.taggers)

    @property
    def n_features(self) -> int:
        return sum(self.arcs.n_features(name) for name in self.arcs.kinds)

    def names(self, labelled: bool) -> list[str]:
        """The blocks of the structure."""
        first, *others = self.arcs.names
        return [first, *(["relations"] if labelled else []), *others]

    def tagged(self, sentences: Sentences) -> Sentences:
        """The same sentences, with the tags that the taggers give them."""
        missing = [name for name in self.columns if name not in sentences.columns]
        if missing:
            raise UsageError(
                f"{sentences.source}: the model needs the column {missing[0]!r}, which is not there. Give it CoNLL-U with "
                "tags, or train it with --set tags=own."
            )
        tags = {name: as_column(tagger.tag(sentences)) for name, tagger in self.taggers.items()}
        return replace(sentences, columns=sentences.columns | tags) if tags else sentences

    def out(self, sentences: Sentences) -> Flags | None:
        """For each arc of each of these sentences, which have their tags, whether it is pruned."""
        return None if self.pruner is None else self.pruner.unlikely(sentences, self.prune)

    def blocks(self, sentences: Sentences, labelled: bool, out: Flags | None) -> tuple[Block, ...]:
        return self.arcs.blocks(sentences.columns, sentences.starts, self.names(labelled), out)

    def header(self) -> dict[str, Any]:
        return {
            "arcs": self.arcs.header(),
            "taggers": {name: parts_of(tagger)[0] for name, tagger in self.taggers.items()},
            "pruner": None if self.pruner is None else parts_of(self.pruner)[0],
            "prune": self.prune,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        models = {f"taggers.{name}": tagger for name, tagger in self.taggers.items()}
        models |= {} if self.pruner is None else {"pruner": self.pruner}
        arrays = {f"arcs.{name}": array for name, array in self.arcs.arrays().items()}
        for under, model in models.items():
            arrays |= {f"{under}.{name}": array for name, array in parts_of(model)[1].items()}
        return arrays

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], parser: type[Model]
    ) -> ParseFeatures:
        def under(prefix: str) -> dict[str, npt.NDArray[Any]]:
            found = f"{prefix}."
            return {name.removeprefix(found): array for name, array in arrays.items() if name.startswith(found)}

        return cls(
            ArcFeatures.from_arrays(header["arcs"], under("arcs")),
            {name: of_parts(TagModel, part, under(f"taggers.{name}")) for name, part in header["taggers"].items()},
            None if header["pruner"] is None else of_parts(parser, header["pruner"], under("pruner")),
            header["prune"],
        )


def as_column(values: Sequence[str]) -> pa.LargeStringArray:
    return pa.array(values, pa.large_string())


def own_tags(sentences: Sentences, columns: Sequence[str]) -> tuple[dict[str, TagModel], Sentences]:
    """A tagger for each of these columns, and the same sentences with tags as if they had not been seen before: each part is
    tagged by what was learned of the others."""
    part = np.arange(len(sentences)) % _PARTS
    taggers, tags = {}, {}
    for name in columns:
        gold = _gold(sentences, name)
        taggers[name] = _tagger(gold)
        found = np.empty(sentences.n_tokens, np.object_)
        for k in range(_PARTS if len(sentences) >= _PARTS else 0):
            own, tokens = sentences.part(np.flatnonzero(part == k))
            found[tokens] = _tagger(gold.part(np.flatnonzero(part != k))).tag(own)
        tags[name] = as_column(found.tolist()) if len(sentences) >= _PARTS else as_column(taggers[name].tag(sentences))
    return taggers, replace(sentences, columns=sentences.columns | tags)


def _gold(sentences: Sentences, column: str) -> Tagged:
    """The words of sentences, with a column of theirs as tags."""
    found = sentences.columns[column].dictionary_encode()
    labels = tuple(sorted(found.dictionary.to_pylist()))
    number = {label: k for k, label in enumerate(labels)}
    codes = np.array([number[label] for label in found.dictionary.to_pylist()], np.int32)
    words = replace(sentences, columns={"w": sentences.columns["w"]}, tags=None, frame=None)
    return Tagged(words, codes[np.from_dlpack(found.indices)], labels)


def _tagger(gold: Tagged) -> TagModel:
    preset = PRESETS[_TAGGER]
    plan = Plan(preset.spec(("w",), len(gold.labels)), "crf", preset.options)
    model: TagModel = learned(TagTask(), gold, plan)
    return model
