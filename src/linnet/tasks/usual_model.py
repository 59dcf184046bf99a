"""A model of texts that leaves to its task what the task says anyway: how files are read, and how right its outputs are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.core.types import Data, Json, Setting
from linnet.features.sizes import Sizes
from linnet.fitting.contract import Counts, Gold
from linnet.fitting.kinds import F, S
from linnet.io.formats import FileOptions
from linnet.model.base import Model
from linnet.report.shown import Shown


@dataclass(frozen=True, repr=False)
class Measured(Shown):
    """How right the outputs of n examples are, by the measure of the task."""

    drawn_by: ClassVar[str] = "linnet.report.terminal:figures"

    n: int
    counts: Counts

    def in_brief(self) -> str:
        return f"{self.n:,} examples, {self.counts.measure} {self.score:.4f}"

    @property
    def score(self) -> float:
        return self.counts.score

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        return {"n": self.n, self.counts.measure: self.score}


class UsualModel(Model[F, S]):
    """A model of texts. Its task says `structure`, `read_features`, `predict`, `answers` and `explain`."""

    @classmethod
    def sizes(cls, features: F, gen: S) -> Sizes:
        """The features are those of the first block; any other has none but the bias."""
        return Sizes((features.n_features, *(0 for _ in gen.outcomes[1:])))

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[list[str]]:
        """The texts of files, a batch at a time."""
        for batch in io.read_batches(source, text_col=text, labelled=False, **how):
            yield batch.text.to_pylist()

    def outputs(self, blocks: tuple[Block, ...]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The best output of each example in numbers, and where each starts."""
        with self._predictor() as predictor:
            return self.decided(predictor, blocks, self.probabilistic)

    def evaluate(self, data: Data, /, *args: Data, **decide: Setting) -> Measured:
        """How right the outputs are, by `counts` of the task. data: what the task reads gold examples from; in Python examples
        and their outputs."""
        return self.judged(self.gold(data, *args))

    def judged(self, gold: Gold) -> Measured:
        """How right the outputs of gold examples are, by `counts` of the task."""
        task = self.own_task()
        return Measured(len(gold), task.counts(gold, *self.outputs(task.blocks(self.features, gold))))
