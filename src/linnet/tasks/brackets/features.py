"""The features of a constituent parser: of spans, of the points where they are split, over tags of its own tagger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from linnet.core.blocks import Block
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.schema import Record
from linnet.core.types import Array, Arrays, Json
from linnet.errors import UsageError
from linnet.io.sentences.sentences import Sentences
from linnet.model import Model
from linnet.tasks.brackets.gold import TAG
from linnet.tasks.brackets.spans import SpanFeatures
from linnet.tasks.sentences.own_tags import OwnTags

BLOCKS = ("spans", "splits")


@dataclass
class BracketFeatures:
    """The features of spans, and the tagger whose tags they use; it is None where sentences come with tags."""

    spans: SpanFeatures
    tags: OwnTags | None = None

    @property
    def spec(self) -> str:
        return self.spans.spec

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that sentences must come with."""
        return tuple(name for name in self.spans.columns if self.tags is None or name != TAG)

    @property
    def n_features(self) -> int:
        return sum(map(self.spans.n_features, BLOCKS))

    def name(self, feature: int) -> str:
        """The name of a feature of a span."""
        return self.spans.name("spans", feature)

    def tagged(self, sentences: Sentences) -> Sentences:
        """Sentences with the tags that the tagger gives them. Raise UsageError if a column is missing."""
        missing = [name for name in self.columns if name not in sentences.columns]
        if missing:
            raise UsageError(
                f"{sentences.source}: the model needs the column {missing[0]!r}, which is missing. Give it trees (.mrg), or "
                "train it again with --set tags=own."
            )
        return sentences if self.tags is None else self.tags.fill(sentences)

    def blocks(self, sentences: Sentences) -> tuple[Block, ...]:
        return self.spans.blocks(sentences.columns, sentences.starts, BLOCKS)

    def header(self) -> dict[str, Json]:
        return {"spans": self.spans.header()}

    def arrays(self) -> dict[str, Array]:
        return flattened({"spans": self.spans.arrays()})

    def models(self) -> dict[str, Model]:
        """The tagger, keyed by the name that it has in a model file."""
        return {} if self.tags is None else self.tags.models()

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> BracketFeatures:
        Record({"spans": SpanFeatures.header_schema}).check(header, "features")
        if any(not name.startswith("spans.") for name in arrays):
            raise ValueError("the features have arrays that belong to nothing")
        spans = SpanFeatures.from_arrays(header["spans"], arrays_of("spans", arrays))
        return cls(spans, OwnTags.from_models(parts))
