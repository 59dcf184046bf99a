"""Labelling of lists of candidates: which one is the best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core.types import I64, Data, Json, Output, Reals
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Counts
from linnet.io.formats import FileOptions
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs, ListInputs
from linnet.labelling.kind import Kind
from linnet.labelling.structured import StructuredKind
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted
from linnet.tasks.rerank.model import RerankModel

_FIRST = 10
"""The number of answers that a session waits for: it has the features of the lists that it begins with, and no
others."""


class CandidateKind(StructuredKind):
    """The number of the best candidate of each list, from 0. In the output of the task it costs 0, and every other
    candidate costs 1."""

    name = "rerank"
    drawn = "candidates"
    grows = False
    prefilled = False

    def read(
        self, paths: list[str], text: str | None, label: str | None, how: FileOptions
    ) -> tuple[ListInputs, dict[int, Answer]]:
        """The lists of files. Costs in the files are ignored, as a file does not say whether less or more is better."""
        if text is not None or label is not None:
            raise UsageError("the texts of candidates are always under 'text'. Leave out --text-col and --label-col.")
        lists = io.read_lists(paths, **how)
        alone = next((i for i, one in enumerate(lists.lists, 1) if len(one.candidates) < 2), None)
        if alone is not None:
            raise DataError(
                f"list {alone} has one candidate, and there is nothing to choose. Leave it out.", lists.source
            )
        return ListInputs(lists), {}

    def labels_of(self, answer: Answer) -> Iterable[str]:
        return ()

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        if labels:
            raise UsageError("candidates have no labels. Leave out --labels.")
        return ()

    def places(self, inputs: Inputs, row: int) -> int:
        return 1

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        n = len(inputs.shown(row)["candidates"])
        if len(answer) != 1 or not isinstance(answer[0], int) or answer[0] >= n:
            raise UsageError(f"expected the number of one candidate from 0 to {n - 1}, found {list(answer)!r:.60}.")
        return answer

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        """The cost of each candidate."""
        return [float(c != answer[0]) for c in range(len(inputs.shown(row)["candidates"]))]

    def answer(self, output: Output) -> Answer:
        return (int(np.argmin(output)),)

    def predicted(self, model: Model, data: Data) -> list[Answer]:
        assert isinstance(model, RerankModel)
        return [(order[0],) for order in model.order(data)]

    def margins(self, model: Model, data: Data) -> Reals:
        """The difference between the scores of the best two candidates."""
        assert isinstance(model, RerankModel)
        best = (np.sort(scores)[-2:] for scores in model.scores(data))
        return np.array([float(high - low) for low, high in best])

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return len(answers) >= _FIRST

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        return {place: int(str(answer[0])) for place in fixed}

    def counts(
        self,
        inputs: Inputs,
        rows: Sequence[int],
        answers: Sequence[Answer],
        guesses: Sequence[Answer],
        labels: Sequence[str],
    ) -> Counts:
        """The share of lists whose best candidate is found."""
        return Kind.counts(self, inputs, rows, answers, guesses, labels)

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        every = [inputs.example(row) for row in rows.tolist()]
        costs = (self.output(inputs, row, answer) for row, answer in zip(rows.tolist(), answers, strict=True))
        return {
            "source": pa.array([one["source"] for one in every], pa.string()),
            "candidates": pa.array([_with_costs(one, some) for one, some in zip(every, costs, strict=True)]),
        }


def _with_costs(one: Json, costs: Sequence[float]) -> list[Json]:
    """The candidates of a list with their costs, as `linnet train` reads them."""
    return [
        {name: value for name, value in {**candidate, "cost": cost}.items() if value != {}}
        for candidate, cost in zip(one["candidates"], costs, strict=True)
    ]
