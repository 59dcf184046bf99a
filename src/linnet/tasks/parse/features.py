"""The features of a dependency parser: of arcs, over given tags or tags of its own, for arcs that its pruner has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.schema import Real, Record
from linnet.core.types import Array, Arrays, Json
from linnet.errors import DataError, UsageError
from linnet.io.sentences.sentences import Sentences
from linnet.limits import PARSED
from linnet.model.base import Model
from linnet.tasks.parse.arcs import ArcFeatures
from linnet.tasks.parse.markers import MARKER, with_marker, without_marker
from linnet.tasks.sentences.own_tags import OwnTags

Flags = npt.NDArray[np.uint8]
"""A flag, 0 or 1, for each possible arc of all sentences."""
_PRUNER = "pruner"


def check_length(sentences: Sentences) -> None:
    """Raise DataError where a sentence is too long for a parser, whose time grows with the third power of its length."""
    longest = int(np.diff(sentences.starts).max(initial=0))
    if longest > PARSED.most:
        raise DataError(
            f"a sentence has {longest:,} tokens, and trees are found for at most {PARSED.most:,}. Split it.",
            sentences.source,
        )


@dataclass
class ParseFeatures:
    """The features of arcs, the tagger whose tags they use, and the pruner, a simple model that leaves out unlikely arcs."""

    arcs: ArcFeatures
    tags: OwnTags | None = None
    """The taggers; None where sentences come with tags."""
    pruner: Any | None = None
    """A ParseModel that leaves out unlikely arcs (model.py imports this module); None where all arcs are kept."""
    prune: float = 0.0
    """The share of the probability of the best arc of a token below which the pruner leaves out its other arcs."""

    @property
    def spec(self) -> str:
        return self.arcs.spec

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that sentences must come with."""
        own = () if self.tags is None else self.tags.columns
        return tuple(name for name in without_marker(self.arcs.columns) if name not in own)

    @property
    def n_features(self) -> int:
        return sum(self.arcs.n_features(name) for name in self.arcs.kinds)

    def names(self, labelled: bool) -> list[str]:
        """The names of the blocks of the structure."""
        first, *others = self.arcs.names
        return [first, *(["relations"] if labelled else []), *others]

    def tagged(self, sentences: Sentences) -> Sentences:
        """Sentences with the tags that the taggers give them. Raise UsageError if a column is missing, and DataError if a
        sentence is too long."""
        check_length(sentences)
        missing = [name for name in self.columns if name not in sentences.columns]
        if missing:
            raise UsageError(
                f"{sentences.source}: the model needs the column {missing[0]!r}, which is missing. Give it CoNLL-U with "
                "tags, or train it again with --set tags=own."
            )
        return self.marked(sentences if self.tags is None else self.tags.fill(sentences))

    def marked(self, sentences: Sentences) -> Sentences:
        """Sentences that have their tags, with the column of markers (markers.py) if the features use it."""
        if MARKER not in self.arcs.columns:
            return sentences
        return replace(sentences, columns=with_marker(sentences.columns, sentences.starts))

    def out(self, sentences: Sentences) -> Flags | None:
        """A flag for each possible arc of sentences that have their tags, in the order of gold.py: 1 where it is pruned. None
        without a pruner."""
        return None if self.pruner is None else self.pruner.unlikely(sentences, self.prune)

    def blocks(self, sentences: Sentences, labelled: bool, out: Flags | None) -> tuple[Block, ...]:
        """The blocks of sentences that have their tags, without the arcs whose flag in `out` is set. `labelled` says whether
        there is more than one relation, and so a block for relations."""
        return self.arcs.blocks(sentences.columns, sentences.starts, self.names(labelled), out)

    def header(self) -> dict[str, Json]:
        return {"arcs": self.arcs.header(), "prune": self.prune}

    def arrays(self) -> dict[str, Array]:
        return flattened({"arcs": self.arcs.arrays()})

    def models(self) -> dict[str, Model]:
        """The taggers and the pruner, keyed by the names that they have in a model file."""
        taggers = {} if self.tags is None else self.tags.models()
        return taggers if self.pruner is None else {**taggers, _PRUNER: self.pruner}

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> ParseFeatures:
        Record({"arcs": ArcFeatures.header_schema, "prune": Real(0, 1)}).check(header, "features")
        if any(not name.startswith("arcs.") for name in arrays):
            raise ValueError("the features have arrays that belong to nothing")
        arcs = ArcFeatures.from_arrays(header["arcs"], arrays_of("arcs", arrays))
        return cls(arcs, OwnTags.from_models(parts), parts.get(_PRUNER), header["prune"])
