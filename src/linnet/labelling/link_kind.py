"""Labelling of word alignments: links between the tokens of a sentence and of its translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.types import I64, Json, Output
from linnet.errors import UsageError
from linnet.fitting.contract import Known, Task
from linnet.io.formats import FileOptions
from linnet.io.pairs.formats import BETWEEN, as_pharaoh, read_pair_batches
from linnet.io.pairs.pairs import Link, join
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs, PairInputs
from linnet.labelling.kind import Save
from linnet.labelling.structured import StructuredKind
from linnet.model.decisions import Decided, Wanted
from linnet.tasks.align.task import AlignTask


class LinkKind(StructuredKind):
    """Links between the tokens of two sentences, each with the number of a source token and of a target token, from 0."""

    name = "align"
    drawn = "links"
    grows = False
    looks = 40_000

    def task_for(self, inputs: Inputs) -> Task:
        """The task, with translations of words that are learned from all pairs of the pool, without their links."""
        assert isinstance(inputs, PairInputs)
        return _task(inputs.paths)

    def read(
        self, paths: list[str], text: str | None, label: str | None, how: FileOptions
    ) -> tuple[PairInputs, dict[int, Answer]]:
        """The pairs of files, and the links of those files that have links."""
        if text is not None or label is not None:
            raise UsageError("pairs of sentences have no columns to name. Leave out --text-col and --label-col.")
        parts = list(read_pair_batches(paths, labelled=False, **how))
        every = [links for part in parts for links in part.links or (None,) * len(part)]
        given = {row: tuple(sorted(links.sure)) for row, links in enumerate(every) if links is not None}
        pairs = join([replace(part, links=None) for part in parts])
        return PairInputs(pairs, tuple(paths)), {row: links for row, links in given.items() if links}

    def labels_of(self, answer: Answer) -> Iterable[str]:
        return ()

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        if labels:
            raise UsageError("links have no labels. Leave out --labels.")
        return ()

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        return {"labels": []}

    def places(self, inputs: Inputs, row: int) -> int:
        """The number of target tokens: a correction fixes all links of one of them."""
        return len(inputs.shown(row)[1])

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        n, m = map(len, inputs.shown(row))
        for part in answer:
            shaped = isinstance(part, tuple) and len(part) == 2 and all(isinstance(k, int) for k in part)
            if not shaped or any(i >= n or j >= m for i, j in _links((part,))):
                raise UsageError(f"expected links such as [0, 1] between {n} and {m} tokens, found {part!r:.60}.")
        return tuple(sorted(set(_links(answer))))

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return _links(answer)

    def answer(self, output: Output) -> Answer:
        return tuple(sorted((int(i), int(j)) for i, j in output))

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return any(map(len, answers))

    def known(self, labels: Sequence[str]) -> Known:
        task = AlignTask()
        return Known(("link",), {"search": task.search, "miss": float(task.miss)})

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        sources = {j: [i for i, at in _links(answer) if at == j] for j in fixed}
        if any(len(some) > 1 for some in sources.values()):
            raise UsageError("the model links each target token to one source token at most.")
        # Choice 0 of a target token is no link, and choice 1 + i is source token i.
        return {j: 1 + some[0] if some else 0 for j, some in sources.items()}

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        pairs = [inputs.shown(row) for row in rows.tolist()]
        return {
            "source": arrow.text_lists([source for source, _ in pairs]),
            "target": arrow.text_lists([target for _, target in pairs]),
            "sure": pa.array([[list(link) for link in _links(one)] for one in answers], pa.list_(pa.list_(pa.int64()))),
        }

    @staticmethod
    def _save(path: str, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> None:
        """Write lines of source ||| target ||| links, in the notation of Pharaoh."""
        with io.SentenceWriter.open(path) as writer:
            writer.write_lines(
                f"{inputs.text(row)} {BETWEEN} {as_pharaoh(_links(answer))}"
                for row, answer in zip(rows.tolist(), answers, strict=True)
            )

    saves: ClassVar[Mapping[str, Save]] = {".bitext": _save}


def _links(answer: Answer) -> list[Link]:
    """The number of a source token and of a target token for each link."""
    return [(int(part[0]), int(part[1])) for part in answer if isinstance(part, tuple)]


@lru_cache(maxsize=4)
def _task(paths: tuple[str, ...]) -> AlignTask:
    """The task that learns translations from the pairs of these files, once."""
    return AlignTask(parallel=paths)
