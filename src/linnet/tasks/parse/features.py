"""What a parser looks at: features of arcs over given tags or over its own, of those arcs that a first look has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.nested import nested, under
from linnet.core.types import Array, Arrays, Json
from linnet.errors import UsageError
from linnet.io.sentences.sentences import Sentences
from linnet.model.base import Model
from linnet.tasks.parse.arcs import ArcFeatures
from linnet.tasks.parse.markers import MARKER, with_marker, without_marker
from linnet.tasks.sentences.own_tags import OwnTags

Flags = npt.NDArray[np.uint8]
_PRUNER = "pruner"


@dataclass
class ParseFeatures:
    """The features of arcs, the tagger whose tags they are made of, and the model that prunes."""

    arcs: ArcFeatures
    tags: OwnTags | None = None
    """None where tags are given."""
    pruner: Any | None = None
    prune: float = 0.0
    """Arcs are left out that the pruner finds less probable than this share of the best one of their token."""

    @property
    def spec(self) -> str:
        return self.arcs.spec

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that a sentence must come with."""
        own = () if self.tags is None else self.tags.columns
        return tuple(name for name in without_marker(self.arcs.columns) if name not in own)

    @property
    def n_features(self) -> int:
        return sum(self.arcs.n_features(name) for name in self.arcs.kinds)

    def names(self, labelled: bool) -> list[str]:
        """The blocks of the structure."""
        first, *others = self.arcs.names
        return [first, *(["relations"] if labelled else []), *others]

    def tagged(self, sentences: Sentences) -> Sentences:
        """The same sentences, with the tags that the tagger gives them."""
        missing = [name for name in self.columns if name not in sentences.columns]
        if missing:
            raise UsageError(
                f"{sentences.source}: the model needs the column {missing[0]!r}, which is not there. Give it CoNLL-U with "
                "tags, or train it with --set tags=own."
            )
        return self.marked(sentences if self.tags is None else self.tags.fill(sentences))

    def marked(self, sentences: Sentences) -> Sentences:
        """The same sentences, which have their tags, with their markers where the features use them."""
        if MARKER not in self.arcs.columns:
            return sentences
        return replace(sentences, columns=with_marker(sentences.columns, sentences.starts))

    def out(self, sentences: Sentences) -> Flags | None:
        """For each arc of each of these sentences, which have their tags, whether it is pruned."""
        return None if self.pruner is None else self.pruner.unlikely(sentences, self.prune)

    def blocks(self, sentences: Sentences, labelled: bool, out: Flags | None) -> tuple[Block, ...]:
        return self.arcs.blocks(sentences.columns, sentences.starts, self.names(labelled), out)

    def header(self) -> dict[str, Json]:
        return {"arcs": self.arcs.header(), "prune": self.prune}

    def arrays(self) -> dict[str, Array]:
        return nested({"arcs": self.arcs.arrays()})

    def models(self) -> dict[str, Model]:
        """The taggers and the pruner, by name."""
        taggers = {} if self.tags is None else self.tags.models()
        return taggers if self.pruner is None else {**taggers, _PRUNER: self.pruner}

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> ParseFeatures:
        arcs = ArcFeatures.from_arrays(header["arcs"], under("arcs", arrays))
        return cls(arcs, OwnTags.from_models(parts), parts.get(_PRUNER), header["prune"])
