"""What a learner has to know before it sees an example. Every learner is started here, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

from linnet.core.form import Structure
from linnet.features.sizes import Sizes
from linnet.learners import Learning, Preset
from linnet.learners import learner as named
from linnet.learners.preset import Options


@dataclass(frozen=True)
class Problem:
    """The structure of the outputs, and what a learner has to know about the features of examples."""

    structure: Structure
    sizes: Sizes
    length2: float
    """The typical ||x||^2 of a place of block 0, the bias counted: the sizes of steps follow from it."""

    def learning(self, learner: str | Preset, options: Options) -> Learning:
        """A learner for this problem that has learned nothing yet."""
        return Learning(
            named(learner) if isinstance(learner, str) else learner,
            options,
            self.structure,
            self.sizes.n_features,
            self.length2,
            self.sizes.fields,
            sequences=self.sizes.sequences,
            numbers=self.sizes.numbers,
        )
