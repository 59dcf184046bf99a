"""What a learner is told before it sees an example. Every learner of linnet is set to work here, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from linnet.core.form import Structure
from linnet.features import Fields
from linnet.features.contract import Features
from linnet.learners import Examples, Learning, Preset
from linnet.learners import learner as named
from linnet.learners.preset import Options

F = TypeVar("F", bound=Features)
S = TypeVar("S", bound=Structure)
F_contra = TypeVar("F_contra", bound=Features, contravariant=True)
S_contra = TypeVar("S_contra", bound=Structure, contravariant=True)


class Kind(Protocol[F_contra, S_contra]):
    """The class of a model, which knows what its features are to a learner (`linnet.model.Model`)."""

    def n_features(self, features: F_contra, gen: S_contra) -> tuple[int, ...]: ...

    def fields(self, features: F_contra, gen: S_contra) -> Sequence[Fields | None]: ...

    def sequences(self, features: F_contra) -> bool: ...


@dataclass(frozen=True)
class Problem:
    """The structure of the outputs, and what a learner has to know of the features of examples."""

    structure: Structure
    n_features: tuple[int, ...]
    """The number of features of each block."""
    length2: float
    """The typical ||x||^2 of a place of block 0, the bias counted: step sizes follow from it."""
    fields: Sequence[Fields | None] = ()
    """For each block, which of its features belong together; () where none do."""
    sequences: bool = False
    """Whether rows are in the order of a text, their values being places in it."""

    @classmethod
    def of_examples(cls, kind: Kind[F, S], features: F, structure: S, examples: Examples) -> Problem:
        """The problem of these examples, which were made by the features of a model of this kind."""
        return cls(
            structure,
            kind.n_features(features, structure),
            examples.length2(),
            kind.fields(features, structure),
            kind.sequences(features),
        )

    def learning(self, learner: str | Preset, options: Options) -> Learning:
        """A learner that has learned nothing yet."""
        return Learning(
            named(learner) if isinstance(learner, str) else learner,
            options,
            self.structure,
            self.n_features,
            self.length2,
            self.fields,
            sequences=self.sequences,
        )
