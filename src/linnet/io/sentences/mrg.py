"""Bracketed trees, as the Penn Treebank has them (.mrg): `( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks))))`.

Each token has its word and its tag, and the brackets that open before it and close after it, as in the CoNLL tasks:

    The     DT     (S(NP*
    dog     NN     *)
    barks   VBZ    (VP*))

Empty elements (`-NONE-`), which stand for no word of the sentence, are left out with the brackets that hold nothing
else. Function tags are cut off: NP-SBJ-1 becomes NP. An outermost bracket without a label, or with one such as TOP or
ROOT, is left out, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np

from linnet.core.arrow import large_strings
from linnet.errors import DataError, UsageError, meant
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.line_blocks import blocks
from linnet.io.bytes.source import Source
from linnet.io.sentences.contract import SentenceRequest
from linnet.io.sentences.detection import BRACKETED
from linnet.io.sentences.frames import Frame, Ints, Splice
from linnet.io.sentences.sentences import Sentences
from linnet.limits import BRACKETS, NESTED

TREE = "tree"
_TAG = "tag"
_PARTS = re.compile(rb"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|(\()\s*([^\s()]*)|(\))|([^\s()]+)")
"""A pattern for the parts of a tree: (TAG word), or ( with a label, or ), or what should not be there."""
_EMPTY = b"-NONE-"
_OUTERMOST = (b"", b"TOP", b"ROOT", b"S1", b"VROOT")
_FUNCTION = re.compile(rb"(?<=.)[-=].*", re.DOTALL)


class Mrg:
    name = "mrg"
    description = "bracketed trees, as the Penn Treebank has them"
    extensions = (".mrg", ".ptb", ".penn")
    empty = "the file holds no words. Expected trees such as ( (S (NP (DT The) (NN dog)) (VP (VBZ barks))))."

    def sniff(self, head: bytes) -> bool:
        return re.match(BRACKETED, head) is not None

    def read(self, source: Source, request: SentenceRequest) -> Iterator[Sentences]:
        column = _column(request.label_col)
        for line, data in _whole_trees(source, request.batch_bytes):
            trees = _Trees(source.name, line, data)
            fault = trees.fault()
            yield trees.sentences(column)
            if fault is not None:
                raise fault


def sentences_of(trees: Sequence[str]) -> Sentences:
    """Trees in brackets as sentences, with the brackets around each word as tags. The line of a fault is the number of its
    tree."""
    found = _Trees("trees", 1, "\n".join(" ".join(tree.split()) for tree in trees).encode())
    fault = found.fault()
    if fault is not None:
        raise fault
    return found.sentences(TREE)


def bracketed(words: Sequence[str], tags: Sequence[str], bits: Sequence[str], starts: Ints) -> list[str]:
    """The trees in brackets, each on a line.

    >>> bracketed(["The", "dog", "barks"], ["DT", "NN", "VBZ"], ["(S(NP*", "*)", "(VP*))"], np.array([0, 3]))
    ['( (S (NP (DT The) (NN dog)) (VP (VBZ barks))))']
    """
    for one in (*words, *tags):
        if not one or any(character.isspace() for character in one):
            raise UsageError(
                f"cannot write {one!r} into brackets: words and tags have no spaces. Give it another form."
            )
    leaves = [f" ({_spelled(tag)} {_spelled(word)})" for word, tag in zip(words, tags, strict=True)]
    around = [bit.rpartition("*") for bit in bits]
    shown = [opens.replace("(", " (") + leaf + closes for (opens, _, closes), leaf in zip(around, leaves, strict=True)]
    return [f"({''.join(shown[a:b])})" for a, b in pairwise(starts.tolist())]


def _spelled(word: str) -> str:
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def _column(label_col: str | None) -> str:
    column = _TAG if label_col is None else label_col.lower()
    if column not in (_TAG, TREE):
        raise UsageError(f"expected --label-col {_TAG} or {TREE}, found '{label_col}'.{meant(column, (_TAG, TREE))}")
    return column


def _whole_trees(source: Source, batch_bytes: int) -> Iterator[tuple[int, bytes]]:
    """Yield the line on which each part of a file begins, and the part, which ends with a whole tree unless that is
    wrong."""
    with source.open() as stream:
        first, kept = 1, b""
        for block in blocks(stream, batch_bytes):
            check_block(block.data, source.name, block.line)
            data = kept + block.data
            cut = _last_end(data) if len(data) <= BRACKETS.most else len(data)
            if cut:
                yield first, data[:cut]
                first += data.count(b"\n", 0, cut)
            kept = data[cut:]
        if kept.strip():
            yield first, kept


def _last_end(data: bytes) -> int:
    """The position after the last bracket that closes a whole tree, or 0 where no tree ends; the end of the data where
    a bracket is closed that was not open, or more are open than a tree may have."""
    raw = np.frombuffer(data, np.uint8)
    at = np.flatnonzero((raw == ord("(")) | (raw == ord(")")))
    depth = np.cumsum(np.where(raw[at] == ord("("), 1, -1))
    if (depth < 0).any() or depth.max(initial=0) > NESTED.most:
        return len(data)
    ends = np.flatnonzero(depth == 0)
    return int(at[ends[-1]]) + 1 if len(ends) else 0


@dataclass
class _Trees:
    """The trees of one part of a file, up to the first that is wrong."""

    name: str
    line: int
    data: bytes
    words: list[bytes] = field(default_factory=list)
    tags: list[bytes] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """The bytes of `data` from which and up to which the tag of each word goes."""
    bits: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    end: int = 0
    """The end of the last tree."""

    def fault(self) -> DataError | None:
        """Read all trees, and return the fault, if there is any."""
        # The label of each open bracket, None for one that is left out, and where it opens.
        stack: list[tuple[bytes | None, int]] = []
        shown = 0  # the number of open brackets, the outer ones, that are in `bits` of a word already
        full = False  # whether there is anything in the innermost open bracket
        for match in _PARTS.finditer(self.data):
            tag, word, opens, label, closes, stray = match.groups()
            if tag is not None:
                if tag != _EMPTY:
                    before = b"".join(b"(" + one for one, _ in stack[shown:] if one is not None)
                    shown = len(stack)
                    self.words.append(word)
                    self.tags.append(tag)
                    self.places.append(match.span(1))
                    self.bits.append(before + b"*")
            elif opens is not None:
                if stack and not label:
                    return self._fault(match.start(), "expected a label after (, found none. Is a ) missing before it?")
                if len(stack) == NESTED.most:
                    return self._fault(
                        match.start(),
                        f"more than {NESTED.shown} brackets are open. Is a ) missing in a tree before it?",
                    )
                outermost = not stack and label in _OUTERMOST
                stack.append((None if outermost else _FUNCTION.sub(b"", label), match.start()))
                full = False
                continue
            elif closes is not None:
                if not stack:
                    return self._fault(match.start(), "found a ) that closes nothing. Remove it, or add its (.")
                label, begin = stack.pop()
                if not full:
                    inside = f"({(label or b'').decode()}"
                    return self._fault(begin, f"expected words or brackets inside {inside}, found nothing. Remove it.")
                if shown > len(stack):
                    shown = len(stack)
                    self.bits[-1] += b")" if label is not None else b""
            else:
                return self._fault(match.start(), self._stray(stray.decode(), bool(stack)))
            full = True
            if not stack:
                self.end = match.end()
                if len(self.words) > self.starts[-1]:
                    self.starts.append(len(self.words))
        if stack:
            return self._fault(stack[0][1], "the bracket that opens here is never closed. Add the ) that is missing.")
        return None

    def _stray(self, found: str, inside: bool) -> str:
        if inside:
            return f"expected a tag and a word in brackets such as (NN dog), found '{found}'. Give every word its tag."
        return f"expected a tree that begins with (, found '{found}'. Is the file one of another format (--format)?"

    def _fault(self, at: int, message: str) -> DataError:
        return DataError(message, self.name, self.line + self.data.count(b"\n", 0, at))

    def sentences(self, column: str) -> Sentences:
        n = self.starts[-1]
        words, tags, bits = (large_strings(values[:n]) for values in (self.words, self.tags, self.bits))
        starts = np.array(self.starts, np.int64)
        if column == TREE:
            columns, frame = {"w": words, _TAG: tags}, Frame((_Lines(words.to_pylist(), tags.to_pylist(), starts),))
        else:
            begin, end = np.array(self.places[:n], np.int64).reshape(-1, 2).T
            columns, frame = {"w": words}, Frame((Splice(self.data[: self.end], begin, end, spaced=True),))
        return Sentences(columns, starts, bits if column == TREE else tags, self.name, frame)


@dataclass(frozen=True, eq=False)
class _Lines:
    """Words and tags that are written with other trees, each on a line."""

    words: list[str]
    tags: list[str]
    starts: Ints
    is_json: ClassVar[bool] = False

    @property
    def n_tokens(self) -> int:
        return len(self.words)

    @property
    def nbytes(self) -> int:
        return sum(map(len, self.words)) + sum(map(len, self.tags))

    def fill(self, tags: Sequence[str]) -> bytes:
        return "".join(f"{tree}\n" for tree in bracketed(self.words, self.tags, tags, self.starts)).encode()

    def gap(self) -> bytes:
        return b""
