"""Kinds of labelling over sentences: each token is given a tag, or is kept or dropped."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.types import I64, Data, Json, Output
from linnet.errors import DataError, UsageError
from linnet.features.tokens import TokenFeatures
from linnet.fitting.contract import Counts, Known
from linnet.io.formats import FileOptions
from linnet.io.sentences.registry import sentence_format
from linnet.io.sentences.sentences import Sentences, join
from linnet.io.texts.labels import is_missing
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs, SentenceInputs
from linnet.labelling.kind import Save
from linnet.labelling.structured import StructuredKind
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted
from linnet.structures.schemes import convert, scheme_of
from linnet.tasks.compress.gold import DROP, KEEP, flags_in
from linnet.tasks.sentences.prose import sentence_batches
from linnet.tasks.tag.measures import spans_of_sentences, tokens_of_sentences
from linnet.tasks.tag.presets import PRESETS

_NONE = "_"
"""What the column of the tags has in files for a token that has no tag yet."""


class SentenceKind(StructuredKind):
    """Sentences in which each token has an output of its own."""

    def units(self, answer: Answer) -> Sequence[Hashable]:
        return answer

    def sentences(self, paths: list[str], text: str | None, label: str | None, how: FileOptions) -> Sentences:
        """The sentences of files; prose is cut into sentences and words."""
        batches = sentence_batches(paths, text, ("w",), how, label_col=label, formats=("jsonl",))
        return join(list(batches))

    def read(
        self, paths: list[str], text: str | None, label: str | None, how: FileOptions
    ) -> tuple[SentenceInputs, dict[int, Answer]]:
        found = self.sentences(paths, text, label, how)
        if label is not None and found.tags is None:
            raise DataError(
                f"the first sentence has no {label!r}, so none is read. Leave out --label-col, or name another.",
                found.source,
            )
        # The inputs keep no tags, as these are answers, and no frame, which is only needed to write the same file
        # again.
        return SentenceInputs(replace(found, tags=None, frame=None)), self.given(found)

    def given(self, sentences: Sentences) -> dict[int, Answer]:
        """The answers that the data have: those of sentences in which every token has a tag."""
        if sentences.tags is None:
            return {}
        tags, starts = sentences.tags.to_pylist(), sentences.starts.tolist()
        each = {row: tuple(tags[a:b]) for row, (a, b) in enumerate(pairwise(starts))}
        return {row: some for row, some in each.items() if not any(is_missing(tag) or tag == _NONE for tag in some)}

    def check_length(self, inputs: Inputs, row: int, answer: Answer, what: str) -> None:
        """Raise UsageError where an answer does not have as many parts as the sentence has tokens."""
        n = len(inputs.shown(row))
        if len(answer) != n:
            raise UsageError(f"expected {what} for each of {n} tokens, found {len(answer)}.")


class TagKind(SentenceKind):
    """A tag for each token. If the tags are of a scheme for spans, such as BIO, people mark spans in the browser, and
    the tags follow from these."""

    name = "tag"
    drawn = "tags"

    def spec(self, inputs: Inputs) -> str:
        """The features of the preset `pos-fast` without those that use learned attributes of words, such as the tags
        that a word can have. Such attributes are learned once, before any row is made, and a session begins with too
        few sentences to learn them from."""
        assert isinstance(inputs, SentenceInputs)
        columns = tuple(inputs.sentences.columns)
        items = PRESETS["pos-fast"].spec(columns, 1).split()
        return " ".join(item for item in items if not TokenFeatures(item, columns).learns_first)

    def given(self, sentences: Sentences) -> dict[int, Answer]:
        """The tags of the data. Tags of spans are converted to the scheme BIO, in which answers are kept."""
        found = super().given(sentences)
        if scheme_of(str(tag) for answer in found.values() for tag in answer) is None:
            return found
        return {row: tuple(convert(_names(answer), [0, len(answer)], "bio")[0]) for row, answer in found.items()}

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        if scheme_of(labels) is None:
            return {"labels": list(labels), "spans": False}
        # The page offers the types of spans, PER for the tags B-PER and I-PER.
        types = dict.fromkeys(label[2:] for label in labels if label[1:2] == "-")
        return {"labels": list(types), "spans": True}

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        tags = [part for part in answer if isinstance(part, str)]
        if len(tags) != len(answer):
            raise UsageError("expected tags that are strings.")
        self.check_length(inputs, row, answer, "a tag")
        if scheme_of(labels) is not None:
            other = next((tag for tag in tags if tag != "O" and (tag[:2] not in ("B-", "I-") or not tag[2:])), None)
            if other is not None:
                raise UsageError(f"expected tags of spans, such as B-PER, I-PER and O, found {other!r}.")
            before = ["O", *tags]  # so that the first tag has one before it, which begins no span
            alone = next((b for a, b in pairwise(before) if b[0] == "I" and a[1:] != b[1:]), None)
            if alone is not None:
                raise UsageError(f"expected every span to begin with B-, found {alone!r} that continues nothing.")
        return answer

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return list(answer)

    def answer(self, output: Output) -> Answer:
        return tuple(output)

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return len({tag for answer in answers for tag in answer}) > 1

    def counts(
        self,
        inputs: Inputs,
        rows: Sequence[int],
        answers: Sequence[Answer],
        guesses: Sequence[Answer],
        labels: Sequence[str],
    ) -> Counts:
        """The F1 of spans, 2 right / (predicted + gold), if tags mark spans, else the accuracy of tokens."""
        starts = arrow.starts_of(answers)
        gold, found = ([str(tag) for answer in some for tag in answer] for some in (answers, guesses))
        if scheme_of(labels) is not None:
            right, predicted, wanted = spans_of_sentences(gold, found, starts)
            return Counts("F1", 2 * right, predicted + wanted)
        same = np.array([one == other for one, other in zip(gold, found, strict=True)], np.bool_)
        return Counts("token accuracy", *tokens_of_sentences(same, starts))

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        """For each fixed token, the number of its tag among those that the model knows. The answer has spans in the
        scheme BIO and the model has them in BIOES, so they are converted first."""
        known = decided.decisions()[0].choices
        tags = _names(answer)
        if scheme_of(known) is not None:
            tags = convert(tags, [0, len(tags)], "bioes")[0]
        new = next((tags[t] for t in fixed if tags[t] not in known), None)
        if new is not None:
            raise UsageError(f"the model has not learned the tag {new!r} yet.")
        return {t: known.index(tags[t]) for t in fixed}

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        return {
            "tokens": arrow.text_lists([inputs.shown(row) for row in rows.tolist()]),
            "tags": arrow.text_lists([_names(answer) for answer in answers]),
        }

    @staticmethod
    def _save(path: str, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> None:
        """Write a line for each token, its columns with its tag as the last one, and a blank line after each
        sentence."""
        io.write_sentences(path, inputs.part(rows), [tag for answer in answers for tag in answer])

    saves: ClassVar[Mapping[str, Save]] = {".conll": _save}


class CompressKind(SentenceKind):
    """Sentences in which each token is kept or dropped."""

    name = "compress"
    drawn = "tags"  # The page draws keep and drop as it draws tags.
    grows = False  # There are no labels but these two.

    def ordered(self, labels: Sequence[str]) -> tuple[str, ...]:
        other = next((label for label in labels if label not in (DROP, KEEP)), None)
        if other is not None:
            raise UsageError(f"a token can only be labelled {KEEP} or {DROP}, not {other!r}. Leave out --labels.")
        return DROP, KEEP

    def facts(self, labels: Sequence[str]) -> dict[str, Json]:
        return {"labels": [DROP, KEEP], "spans": False}

    def sentences(self, paths: list[str], text: str | None, label: str | None, how: FileOptions) -> Sentences:
        """The sentences of files. What is kept is under `keep` in JSON; other formats tell it only in a column that the
        user names, and what they have as tags is something else."""
        if label is None and sentence_format(paths[0], how.get("format"), how.get("encoding")) == "jsonl":
            label = "keep"
        found = super().sentences(paths, text, label, how)
        return replace(found, tags=None) if label is None else found

    def given(self, sentences: Sentences) -> dict[int, Answer]:
        found = super().given(sentences)
        return {row: self.answer(flags_in(some, sentences.source)) for row, some in found.items()}

    def check(self, inputs: Inputs, row: int, answer: Answer, labels: Sequence[str]) -> Answer:
        self.check_length(inputs, row, answer, f"{KEEP} or {DROP}")
        other = next((part for part in answer if part not in (DROP, KEEP)), None)
        if other is not None:
            raise UsageError(f"expected {KEEP} or {DROP} for each token, found {other!r:.60}.")
        return answer

    def output(self, inputs: Inputs, row: int, answer: Answer) -> Output:
        return [int(part == KEEP) for part in answer]

    def answer(self, output: Output) -> Answer:
        return tuple(KEEP if kept else DROP for kept in output)

    def predicted(self, model: Model, data: Data) -> list[Answer]:
        return [self.answer(keep) for keep in model.answers(data)["keep"].to_pylist()]

    def known(self, labels: Sequence[str]) -> Known:
        return Known((DROP, KEEP), {})

    def is_enough(self, answers: Sequence[Answer]) -> bool:
        return {part for answer in answers for part in answer} == {DROP, KEEP}

    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        return {t: int(answer[t] == KEEP) for t in fixed}

    def columns(self, inputs: Inputs, rows: I64, answers: Sequence[Answer]) -> dict[str, pa.Array]:
        return {
            "tokens": arrow.text_lists([inputs.shown(row) for row in rows.tolist()]),
            "keep": pa.array([[int(part == KEEP) for part in answer] for answer in answers], pa.list_(pa.int64())),
        }


def _names(answer: Answer) -> list[str]:
    """The parts of an answer of tags, which are strings already, as a list of the type that says so."""
    return [str(part) for part in answer]
