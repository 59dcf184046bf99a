"""CoNLL-U: ten columns with tabs between them. Comments, ranges of words (1-2) and empty nodes (8.1) are no tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from linnet.core.digits import whole_number
from linnet.core.extract.different import different
from linnet.errors import DataError, UsageError, meant
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.faults import good_first, raise_first
from linnet.io.bytes.line_blocks import Block
from linnet.io.bytes.source import Source
from linnet.io.sentences.contract import SentenceRequest
from linnet.io.sentences.frames import Frame, Splice
from linnet.io.sentences.heads import first_fault
from linnet.io.sentences.line_fields import Fields, Flags, Ints, Spans, gather, sentence_starts, tabbed
from linnet.io.sentences.sentence_blocks import paragraphs
from linnet.io.sentences.sentences import Sentences

_WIDTH = 10
TREE = "tree"
"""The value of `label_col` that asks for head and relation as one tag, `3\tnsubj`. When such sentences are written, the
columns from UPOS to DEPREL are replaced by what `tree_row` gives."""
FOREST = "forest"
"""The value of `label_col` that asks for the same, where a sentence may have several roots."""
UNCHECKED = "unchecked"
"""The value of `label_col` that asks for the same, whether the heads form a tree or not."""
_TREES = (TREE, FOREST, UNCHECKED)
_WRITTEN = 5
"""The number of columns from UPOS to DEPREL."""
_COLUMNS = {"w": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7}
_TAGS = ("upos", "xpos", "feats", "lemma", "deprel", TREE)
_NO_TOKEN = re.compile(rb"[0-9]+-[0-9]+|[0-9]+\.[0-9]+")
_FIRST = re.compile(rb"(?:[ \t\r]*\n|#[^\n]*\n)*1(?:-[0-9]+)?(?:\t[^\t\n]+){9}\r?(?:\n|$)")
_LONGEST_ID = 9
"""The largest number of digits of the number of a word."""
_HASH, _ZERO, _UNDERSCORE = b"#0_"


class ConllU:
    name = "conllu"
    description = "CoNLL-U: ten columns between tabs, the tag in UPOS"
    extensions = (".conllu", ".conll-u")
    empty = "the file holds no tokens. Expected lines of ten columns that begin with 1, 2, ..."

    def sniff(self, head: bytes) -> bool:
        return _FIRST.match(head) is not None

    def read(self, source: Source, request: SentenceRequest) -> Iterator[Sentences]:
        rows = _Rows(source.name, _tag(request.label_col), request.labelled)
        with source.open() as stream:
            for block in paragraphs(stream, request.batch_bytes, source.name):
                yield from good_first(rows.read, block)


@dataclass(frozen=True)
class _Rows:
    name: str
    tag: str
    labelled: bool

    def read(self, block: Block) -> Sentences:
        check_block(block.data, self.name, block.line)
        fields = tabbed(block.data)
        number = _numbers(fields)
        ends, fault = self._ends(fields, number, block)
        tokens = np.flatnonzero(number)
        starts = sentence_starts(tokens, ends)
        spans = {name: fields.column(tokens, k) for name, k in _COLUMNS.items()}
        if self.tag in _TREES:
            (begin, _), (_, end) = spans.pop("head"), spans.pop("deprel")
            spans[self.tag] = begin, end
        tag_begin, tag_end = spans["upos" if self.tag in _TREES else self.tag][0], spans[self.tag][1]
        values = {name: self._value(fields, name, spans) for name in spans}
        disorder = self._wrong_order(number[tokens], tokens, starts, block)
        raise_first([fault, disorder, *self._missing(values, tokens, block)])
        arrays = {name: gather(fields.raw, *value) for name, value in values.items()}
        if self.tag in (TREE, FOREST) and self.labelled:
            self._check_trees(arrays[self.tag], starts, tokens, block)
        return Sentences(
            columns={name: array for name, array in arrays.items() if name != self.tag},
            starts=starts,
            tags=arrays[self.tag],
            source=self.name,
            frame=Frame((self._splice(block.data, tag_begin, tag_end),)),
        )

    def _splice(self, data: bytes, begin: Ints, end: Ints) -> Splice:
        columns = _WRITTEN if self.tag in _TREES else 1
        return Splice(data, begin, end, absent="\t".join("_" * columns), columns=columns)

    def _check_trees(self, trees: pa.LargeStringArray, starts: Ints, tokens: Ints, block: Block) -> None:
        found = first_fault(heads_of(trees), starts, self.tag == TREE)
        if found is not None:
            raise DataError(found.message, self.name, block.line + int(tokens[found.token]))

    def _ends(self, fields: Fields, number: Ints, block: Block) -> tuple[Flags, DataError | None]:
        """The lines that end a sentence, and the first fault."""
        ends = fields.line_begin == fields.line_end
        is_comment = fields.lead() == _HASH
        for i in np.flatnonzero((number == 0) & ~ends & ~is_comment).tolist():
            line = fields.line(i)
            if not line.strip():
                ends[i] = True
            elif fields.count[i] != _WIDTH or not _NO_TOKEN.fullmatch(line.partition(b"\t")[0]):
                return ends, self._wrong_line(line, int(fields.count[i]), block.line + i)
        return ends, None

    def _wrong_line(self, line: bytes, count: int, number: int) -> DataError:
        if count != _WIDTH:
            advice = "Write _ where there is nothing." if count > 1 else "Is the file one of another format (--format)?"
            message = f"expected 10 columns separated by tabs, found {count}. {advice}"
            return DataError(message, self.name, number)
        found = line.partition(b"\t")[0].decode()
        message = (
            f"expected a number such as 3, 3-4 or 3.1 in the first column, found '{found}'. Number the words from 1."
        )
        return DataError(message, self.name, number)

    def _wrong_order(self, found: Ints, tokens: Ints, starts: Ints, block: Block) -> DataError | None:
        expected = np.arange(1, len(tokens) + 1) - np.repeat(starts[:-1], np.diff(starts))
        wrong = np.flatnonzero(found != expected)
        if not len(wrong):
            return None
        at = wrong[0]
        advice = "Put a blank line between sentences." if found[at] == 1 else "Number the words of a sentence from 1."
        message = f"expected word {expected[at]} of the sentence, found {found[at]}. {advice}"
        return DataError(message, self.name, block.line + int(tokens[at]))

    def _value(self, fields: Fields, name: str, spans: dict[str, Spans]) -> Spans:
        """Where the values of a column begin and end. "_" stands for no value, which begins and ends at the same place;
        but in the column of words, and in FEATS as a tag, it is a value, and so it is as the lemma of the word "_"."""
        begin, end = spans[name]
        if name == "w" or name == self.tag == "feats":
            return begin, end
        hollow = _is_underscore(fields, begin, end)
        if name == "lemma":
            hollow &= ~_is_underscore(fields, *spans["w"])
        return begin, np.where(hollow, begin, end)

    def _missing(self, values: dict[str, Spans], tokens: Ints, block: Block) -> Iterator[DataError]:
        wanted = {"word (FORM)": "w"} | ({f"tag ({self.tag.upper()})": self.tag} if self.labelled else {})
        for what, name in wanted.items():
            begin, end = values[name]
            hollow = np.flatnonzero(begin == end)
            if name in _TREES:
                continue  # Where trees are checked, _check_trees reports heads that are missing.
            if len(hollow):
                advice = "Fill it in." if name == "w" else "Fill it in, or choose another column with --label-col."
                number = block.line + int(tokens[hollow[0]])
                yield DataError(f"the {what} in column {_COLUMNS[name] + 1} is missing. {advice}", self.name, number)


def heads_of(trees: pa.LargeStringArray) -> Ints:
    """The head of each token, given heads and relations as one string; -1 where the head is no number of up to 18 digits."""
    found, places = different(trees)
    heads = (whole_number(tree.partition("\t")[0]) for tree in found.to_pylist())
    return np.array([-1 if head is None else head for head in heads], np.int64)[places]


def tree_row(upos: str, xpos: str, feats: str, tree: str) -> str:
    """The columns that are written for a sentence that was read with its trees: UPOS, XPOS, FEATS, head and relation."""
    return "\t".join((upos or "_", xpos or "_", feats or "_", tree))


def _tag(label_col: str | None) -> str:
    tag = "upos" if label_col is None else label_col.lower()
    if tag not in (*_TAGS, *_TREES):
        hint = meant(tag, _TAGS)
        raise UsageError(f"expected --label-col {', '.join(_TAGS[:-1])} or {_TAGS[-1]}, found '{label_col}'.{hint}")
    return tag


def _numbers(fields: Fields) -> Ints:
    """The number of the word on each line; 0 where the line is something else."""
    lines = np.flatnonzero(fields.count == _WIDTH)
    begin, end = fields.column(lines, 0)
    length = np.where(end - begin <= _LONGEST_ID, end - begin, 0)
    is_number = length > 0
    value = np.zeros(len(lines), np.int64)
    for k in range(length.max(initial=0)):
        inside = length > k
        digit = fields.raw[begin + inside * k] - np.uint8(_ZERO)
        is_number &= ~inside | (digit < 10)
        value = np.where(inside, 10 * value + digit, value)
    number = np.zeros(len(fields), np.int64)
    number[lines] = value * is_number
    return number


def _is_underscore(fields: Fields, begin: Ints, end: Ints) -> Flags:
    found: Flags = (end - begin == 1) & (fields.raw[begin] == _UNDERSCORE)
    return found
