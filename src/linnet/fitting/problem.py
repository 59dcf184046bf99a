"""What a learner has to know before it sees an example. Every learner is started here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from linnet.features import Fields
from linnet.learners import Examples, Learning, Preset
from linnet.learners import learner as named


class Kind(Protocol):
    """The class of a model (`linnet.model.Model`), which tells a learner about its features. Its methods are explained
    there."""

    def n_features(self, features: Any, gen: Any) -> tuple[int, ...]: ...

    def fields(self, features: Any, gen: Any) -> Sequence[Fields | None]: ...

    def sequences(self, features: Any) -> bool: ...


@dataclass(frozen=True)
class Problem:
    """The structure of the outputs, and what a learner has to know about the features of examples."""

    structure: Any
    n_features: tuple[int, ...]
    """The number of features of each block."""
    length2: float
    """The typical ||x||^2 of a place of block 0, the bias counted. The sizes of steps follow from it."""
    fields: Sequence[Fields | None] = ()
    """For each block, which of its features belong together, such as all words of a text; () where none do."""
    sequences: bool = False
    """Whether each row lists the features in the order of a text, with their places in the text as values."""

    @classmethod
    def from_examples(cls, kind: Kind, features: Any, structure: Any, examples: Examples) -> Problem:
        """The problem for examples that were made by the features of a model of this kind."""
        return cls(
            structure,
            kind.n_features(features, structure),
            examples.length2(),
            kind.fields(features, structure),
            kind.sequences(features),
        )

    def learning(self, learner: str | Preset, options: Mapping[str, Any]) -> Learning:
        """A learner for this problem that has learned nothing yet."""
        return Learning(
            named(learner) if isinstance(learner, str) else learner,
            options,
            self.structure,
            self.n_features,
            self.length2,
            self.fields,
            sequences=self.sequences,
        )
