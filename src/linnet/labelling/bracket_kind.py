"""Labelling of constituent trees: spans of words with a label, one inside the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.types import I64, Data, Output
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Known, Task
from linnet.io.formats import FileOptions
from linnet.io.sentences.mrg import bracketed, sentences_of
from linnet.io.sentences.sentences import Sentences
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs, SentenceInputs
from linnet.labelling.kind import Save
from linnet.labelling.sentence_kinds import SentenceKind
from linnet.limits import BRACKETED
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted
from linnet.structures.bits import JOIN, NONE, Labelled, binary, bits_of, is_label
from linnet.tasks.brackets.decisions import BracketDecisions
from linnet.tasks.brackets.gold import TAG, column_of
from linnet.tasks.brackets.model import BracketsModel
from linnet.tasks.brackets.task import FEATURES, BracketsTask
from linnet.tasks.sentences.gold import without_long

_NO_TAG = "X"
"""The tag of all words in trees where words have no tags."""


class BracketKind(SentenceKind):
    """Constituents of sentences, each with the number of its first word and of its last word, from 0, and its label. Labels of
    constituents over the same words are joined to one, as in `S+VP`."""

    name = "brackets"
    drawn = "brackets"
    looks = 1500

    @property
    def task(self) -> Task:
        """A tagger would need many trees, and is left out."""
        return BracketsTask(tags="given")

    def spec(self, inputs: Inputs) -> str:
        """The usual features, however rare they are; those of tags only where words have tags."""
        assert isinstance(inputs, SentenceInputs)
        items = [item for item in FEATURES.split() if not item.startswith("min=")]
        has_tags = TAG in inputs.sentences.columns
        return " ".join(item for item in items if has_tags or f".{TAG}" not in item)

    def sentences(self, paths: list[str], text: str | None, label: str | None, how: FileOptions) -> Sentences:
        """The sentences of files, without those that are too long for a tree, with the brackets around each word where the
        files have trees."""
        return without_long(super().sentences(paths, text, label or column_of(paths, how), how), BRACKETED.most)[0]

    def given(self, sentences: Sentences) -> dict[int, Answer]:
        """The trees of the data that have constituents, and not tags alone."""
        found = super().given(sentences)
        each = {row: _read([str(bit) for bit in bits], row, sentences.source) for row, bits in found.items()}
        return {row: answer for row, answer in each.items() if answer}

    def labels_of(self, answer: Answer) -> Iterable[str]:
        return _labelled(answer).values()

    def places(self, inputs: Inputs, row: int) -> int:
        """The number of spans that a sentence has."""
        n = super().places(inputs, row)
        return n * (n + 1) // 2

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        n, found = len(inputs.shown(row)), _labelled(answer)
        if len(found) != len(answer) or not found:
            raise UsageError(
                f"expected constituents such as [0, 1, 'NP'], each over other words, found {answer!r:.60}."
            )
        for first, last in found:
            if not 0 <= first <= last < n:
                raise UsageError(f"expected constituents of {n} words, found one from {first} to {last}.")
            if any(first < a <= last < b for a, b in found):
                raise UsageError(f"the constituent from word {first + 1} to word {last + 1} crosses another one.")
        wrong = next((label for label in found.values() if not all(map(_is_read, label.split(JOIN)))), None)
        if wrong is not None:
            raise UsageError(f"expected a label such as NP, without blanks, brackets and hyphens, found {wrong!r:.60}.")
        return _parts(found)

    def check_shape(self, inputs: Inputs, row: int, answer: Answer) -> None:
        """An answer is checked in whole when it is saved; while a tree is drawn, it may have no constituent yet."""
        if len(_labelled(answer)) != len(answer):
            raise UsageError(f"expected constituents such as [0, 1, 'NP'], found {answer!r:.60}.")

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return self._trees(inputs, np.array([row]), [answer])[0]

    def answer(self, output: Output) -> Answer:
        bits = sentences_of([output]).tags
        assert bits is not None
        return _answer(bits.to_pylist())

    def predicted(self, model: Model, data: Data) -> list[Answer]:
        assert isinstance(model, BracketsModel)
        tagged, bits = model.bracket(data)
        return [_answer(bits[a:b]) for a, b in pairwise(tagged.starts.tolist())]

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return bool(answers)

    def known(self, labels: Sequence[str]) -> Known:
        return Known((NONE, *labels), {"branch": BracketsTask().branch, "longest": BRACKETED.most, "left out": 0})

    def decided(self, model: Model, data: Data, fixed: Sequence[int]) -> Decided:
        """Decisions about the fixed spans, which need not be constituents."""
        (found,) = model.decisions(data)
        assert isinstance(found, BracketDecisions)
        return found.over(fixed)

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        """The label of each fixed span, or that it is no constituent."""
        labels = {last * (last + 1) // 2 + first: label for (first, last), label in _labelled(answer).items()}
        decisions, found = decided.decisions(), {}
        for number, place in enumerate(fixed):
            label = labels.get(place)
            if label is not None and label not in decisions[number].choices:
                raise UsageError(f"the model has not learned the label {label!r} yet.")
            found[number] = 0 if label is None else decisions[number].choices.index(label)
        return found

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        return {
            "tokens": arrow.text_lists([inputs.shown(row) for row in rows.tolist()]),
            "tree": arrow.texts(self._trees(inputs, rows, answers)),
        }

    @staticmethod
    def _trees(inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> list[str]:
        """The trees in brackets, each on a line."""
        assert isinstance(inputs, SentenceInputs)
        some = inputs.part(rows)
        words = some.columns["w"].to_pylist()
        tags = some.columns[TAG].to_pylist() if TAG in some.columns else [_NO_TAG] * len(words)
        sizes = np.diff(some.starts).tolist()
        bits = [bit for answer, n in zip(answers, sizes, strict=True) for bit in bits_of(_labelled(answer), n)]
        return bracketed(words, tags, bits, some.starts)

    @staticmethod
    def _save(path: str, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> None:
        """Write trees in brackets."""
        with io.SentenceWriter.open(path) as writer:
            writer.write_lines(BracketKind._trees(inputs, rows, answers))

    saves: ClassVar[Mapping[str, Save]] = {".mrg": _save}


def _labelled(answer: Answer) -> Labelled:
    """The label of each constituent; without parts of the answer that are no constituents, and without those over the same
    words as one before."""
    return {
        (int(part[0]), int(part[1])): str(part[2])
        for part in answer
        if isinstance(part, tuple) and [type(one) for one in part] == [int, int, str]
    }


def _parts(tree: Labelled) -> Answer:
    """The constituents as an answer, outer ones before those inside."""
    return tuple((a, b, tree[a, b]) for a, b in sorted(tree, key=lambda span: (span[0], -span[1])))


def _read(bits: Sequence[str], row: int, source: str) -> Answer:
    """The constituents of a sentence of the data. Raise DataError where its brackets are no tree."""
    try:
        return _answer(bits)
    except ValueError as error:
        raise DataError(f"the brackets of sentence {row + 1} do not form a tree: {error}.", source) from None


def _answer(bits: Sequence[str]) -> Answer:
    """The constituents that the brackets around words stand for."""
    return _parts({place: label for place, label in binary(bits, left=True).items() if label != NONE})


def _is_read(label: str) -> bool:
    """Whether trees in brackets that are read have labels such as this one: blanks end a label, and function tags, which
    follow a hyphen, are cut off."""
    return is_label(label) and not any(mark.isspace() or mark in "-=" for mark in label)
