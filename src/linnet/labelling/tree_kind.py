"""Labelling of dependency trees: a head and a relation for each token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.digits import whole_number
from linnet.core.types import I64, Data, Json, Output
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Known, Task
from linnet.io.formats import FileOptions
from linnet.io.sentences.conllu import UNCHECKED
from linnet.io.sentences.heads import first_fault
from linnet.io.sentences.sentences import Sentences
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs
from linnet.labelling.kind import Save
from linnet.labelling.sentence_kinds import SentenceKind
from linnet.limits import PARSED
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted
from linnet.tasks.parse.decisions import choice_of
from linnet.tasks.parse.gold import COLUMNS
from linnet.tasks.parse.lines import conllu_lines
from linnet.tasks.parse.task import ParseTask
from linnet.tasks.sentences.gold import without_long

_TAG_FIRST = "Tag the sentences first, by a model of `linnet train --task tag` or with `linnet label --task tag`."
NO_RELATION = "_"
"""The relation of all arcs where there are no relations."""


class TreeKind(SentenceKind):
    """A head and a relation for each token of sentences that have tags."""

    name = "parse"
    drawn = "arcs"
    looks = 3000

    @property
    def task(self) -> Task:
        """Arcs may cross, since people may draw any tree. Taggers and pruner would need many trees, and are left out."""
        return ParseTask(tags="given", projective="no", order=1, prune=0)

    def sentences(self, paths: list[str], text: str | None, label: str | None, how: FileOptions) -> Sentences:
        """The sentences of CoNLL-U with their words and those of their tags that all tokens have."""
        if text is not None or label is not None:
            raise UsageError("CoNLL-U has fixed columns. Leave out --text-col and --label-col.")
        if not io.holds_sentences(paths[0], how.get("format"), how.get("encoding")):
            raise DataError(
                f"trees are labelled in files of CoNLL-U (.conllu), and this is none. {_TAG_FIRST}", paths[0]
            )
        asked: FileOptions = {**how, "format": how.get("format") or "conllu"}
        found = io.read_sentences(paths, label_col=UNCHECKED, labelled=False, framed=False, **asked)
        full = {
            name: found.columns[name]
            for name in COLUMNS
            if name in found.columns and "" not in found.columns[name].to_pylist()
        }
        if "upos" not in full:
            raise DataError(
                f"expected a tag for each token in the column UPOS, which trees are learned from. {_TAG_FIRST}",
                found.source,
            )
        return without_long(replace(found, columns=full), PARSED.most)[0]

    def given(self, sentences: Sentences) -> dict[int, Answer]:
        """The trees of the data that are whole."""
        assert sentences.tags is not None
        tags, starts = sentences.tags.to_pylist(), sentences.starts.tolist()
        found: dict[int, Answer] = {}
        for row, (a, b) in enumerate(pairwise(starts)):
            arcs = [tag.partition("\t") for tag in tags[a:b]]
            heads = [whole_number(head) for head, _, _ in arcs]
            tree = tuple((head, arc[2]) for head, arc in zip(heads, arcs, strict=True) if head is not None)
            if len(tree) == len(arcs) and _fault(tree) is None:
                found[row] = tree
        return found

    def labels_of(self, answer: Answer) -> Iterable[str]:
        return (str(part[1]) for part in answer if isinstance(part, tuple))

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        return {"labels": [label for label in labels if label != NO_RELATION]}

    def check_shape(self, inputs: Inputs, row: int, answer: Answer) -> None:
        self.check_length(inputs, row, answer, "a head and a relation")
        for part in answer:
            if not isinstance(part, tuple) or [type(one) for one in part] != [int, str]:
                raise UsageError(f"expected the number of a head and a relation for each token, found {part!r:.60}.")

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        self.check_shape(inputs, row, answer)
        fault = _fault(answer)
        if fault is not None:
            raise UsageError(fault)
        return answer

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return _arcs(answer)

    def answer(self, output: Output) -> Answer:
        return tuple((int(head), str(relation)) for head, relation in output)

    def predicted(self, model: Model, data: Data) -> list[Answer]:
        return [self.answer([(arc.head, arc.relation) for arc in tree]) for tree in model.predict(data)]

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return any(len(answer) > 1 for answer in answers)

    def known(self, labels: Sequence[str]) -> Known:
        return Known(tuple(labels), {"projective": False, "one_root": True})

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        """The heads of tokens, and their relations if the model knows these."""
        # The first n decisions are the heads of the tokens. Where there are relations, n decisions on them follow.
        decisions, n = decided.decisions(), len(answer)
        found: dict[int, int] = {}
        for m in fixed:
            head, relation = _arcs(answer)[m]
            found[m] = choice_of(m, head)
            if len(decisions) > n and relation in decisions[n + m].choices:
                found[n + m] = decisions[n + m].choices.index(relation)
        return found

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        trees = [_arcs(answer) for answer in answers]
        heads = np.array([head for tree in trees for head, _ in tree], np.int32)
        return {
            "tokens": arrow.text_lists([inputs.shown(row) for row in rows.tolist()]),
            "heads": arrow.lists(arrow.numbers(heads), arrow.starts_of(trees)),
            "relations": arrow.text_lists([[relation for _, relation in tree] for tree in trees]),
        }

    @staticmethod
    def _save(path: str, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> None:
        """Write CoNLL-U."""
        table = pa.table(TreeKind().columns(inputs, rows, answers))
        with io.SentenceWriter.open(path) as writer:
            writer.write_lines(conllu_lines(inputs.part(rows), table))

    saves: ClassVar[Mapping[str, Save]] = {".conllu": _save}


def _arcs(answer: Answer) -> list[tuple[int, str]]:
    """The head and the relation of each token."""
    return [(int(part[0]), str(part[1])) for part in answer if isinstance(part, tuple)]


def _fault(tree: Answer) -> str | None:
    """What keeps heads from being a tree, in words; None where they are one."""
    heads = np.array([head for head, _ in _arcs(tree)], np.int64)
    found = first_fault(heads, np.array([0, len(heads)]), one_root=True)
    return None if found is None else f"token {found.token + 1}: {found.message}"
