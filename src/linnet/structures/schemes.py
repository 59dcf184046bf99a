"""Tags that mark spans: the scheme that they follow, the spans that they mark, and the same spans in another scheme.

    bio     B-X I-X O B-X B-X    IOB2: B begins every span (Tjong Kim Sang and Veenstra 1999)
    iob1    I-X I-X O I-X B-X    B only where a span of the same type stands right before (Ramshaw and Marcus 1995)
    bioes   B-X E-X O S-X S-X    E ends a span and S is one by itself; BILOU has L and U for them (Ratinov and Roth 2009)

Spans are what the script conlleval (Tjong Kim Sang and Buchholz 2000) finds, in malformed sequences too:

    token t goes on with the span of t-1  iff  both have the same type, t is not B or S, and t-1 is not E or S

and a token with a type that does not go on begins a span. The script knows no S, and joins E-X B-X; here B always begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.core.long_arrays import pieces
from linnet.core.types import Array, Integers
from linnet.errors import DataError, UsageError

SCHEMES = ("bio", "bioes", "iob1")

Span: TypeAlias = tuple[int, int, str]
Tags: TypeAlias = Sequence[str] | Array
Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]

_OUT, _B, _I, _E, _S = range(5)
_LETTERS = {"B": _B, "I": _I, "E": _E, "L": _E, "S": _S, "U": _S}
_TAG = re.compile(r"([BIELSU])(?:-(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Coded:
    """Tags of all tokens as numbers. The tag of token t is names[codes[t]]: the letter letter[t] (_B, _I, ...), and the type
    types[kind[t]]; kind is -1 outside spans."""

    names: list[str]
    types: list[str]
    codes: Integers
    letters: npt.NDArray[np.int8]
    """The letter of each of the names."""
    kinds: npt.NDArray[np.int32]
    """The number of the type of each of the names."""

    @property
    def letter(self) -> Integers:
        return self.letters[self.codes]

    @property
    def kind(self) -> Integers:
        return self.kinds[self.codes]

    def part(self, tokens: slice) -> Coded:
        """The tags of some tokens."""
        return replace(self, codes=self.codes[tokens])


@dataclass(frozen=True)
class Reading:
    """The spans of all sentences, with an entry for each token of all sentences."""

    types: list[str]
    kind: Integers
    """The number of the type among `types`; -1 outside spans."""
    begins: Bools
    """Whether a span begins with the token."""
    ends: Bools
    """Whether a span ends with the token."""
    firsts: Bools
    """Whether the token is the first of its sentence."""


def code(tags: Tags) -> Coded:
    """The tags as numbers. Each distinct tag is taken apart once."""
    tags = as_list(tags)
    names = list(dict.fromkeys(tags))
    at = {name: k for k, name in enumerate(names)}
    return coded(names, np.fromiter(map(at.__getitem__, tags), np.int64, len(tags)))


def coded(names: list[str], codes: Integers) -> Coded:
    """The tags of all tokens, given those that there are and the number of each token's among them."""
    parts = [_parts(name) for name in names]
    types = sorted({kind for letter, kind in parts if letter != _OUT})
    number = {kind: k for k, kind in enumerate(types)}
    letters = np.array([letter for letter, _ in parts], np.int8)
    kinds = np.array([number[kind] if letter != _OUT else -1 for letter, kind in parts], np.int32)
    return Coded(names, types, codes, letters, kinds)


def as_list(tags: Tags) -> list[str]:
    """Tags as plain strings."""
    return list(tags.tolist() if isinstance(tags, np.ndarray) else tags)


def _parts(tag: str) -> tuple[int, str]:
    """The letter and the type of a tag. Whatever does not look like the tag of a span is outside, as O is."""
    found = _TAG.fullmatch(tag)
    return (_LETTERS[found[1]], found[2] or "") if found else (_OUT, "")


def scheme_of(tags: Iterable[str]) -> str | None:
    """The scheme of these tags, or None where they are not tags of spans.

    The order of running text tells iob1 from bio. A set of tags, each there once, tells it only where a type has no B.

    >>> scheme_of(["O", "B-PER", "I-PER", "O", "B-LOC"]), scheme_of(["U-PER", "O"]), scheme_of(["I-PER", "O"])
    ('bio', 'bioes', 'iob1')
    >>> scheme_of(["DT", "NN"])
    """
    return scheme_of_coded(code(list(tags)))


def scheme_of_coded(coded: Coded) -> str | None:
    """The scheme of the tags of running text, as `scheme_of` has it."""
    letters = {_parts(name)[0] for name in coded.names if name != "O"}
    if not letters or _OUT in letters:
        return None
    if coded.types == [""] and not letters & {_B, _I}:
        return None  # S and O alone may as well mean subject and object
    if letters & {_E, _S}:
        return "bioes"
    is_text = len(coded.names) < len(coded.codes)
    return "iob1" if (_orders_iob1 if is_text else _lacks_b)(coded) else "bio"


def _orders_iob1(coded: Coded) -> bool:
    """Whether every B stands after a token of its own type, and some I does not."""
    some_i = False
    for piece in pieces(len(coded.codes)):
        part = coded.part(slice(max(piece.start - 1, 0), piece.stop))
        alone = np.ones(len(part.codes), bool)
        alone[0] = piece.start == 0
        alone[1:] = part.kind[1:] != part.kind[:-1]
        if (alone & (part.letter == _B)).any():
            return False
        some_i = some_i or bool((alone & (part.letter == _I)).any())
    return some_i


def _lacks_b(coded: Coded) -> bool:
    """Whether every type has an I, and some type has no B."""
    with_b, with_i = ({*coded.kind[coded.letter == letter].tolist()} for letter in (_B, _I))
    return with_b < with_i


def read(coded: Coded, starts: npt.ArrayLike) -> Reading:
    """The spans of all sentences at once. Sentence s has the tokens from starts[s] to starts[s + 1]."""
    letter, kind = coded.letter, coded.kind
    at = as_starts(starts, len(kind))
    firsts = np.zeros(len(kind), bool)
    firsts[at[at < len(kind)]] = True
    goes_on = ~firsts[1:] & (kind[1:] == kind[:-1]) & (kind[1:] >= 0)
    goes_on &= ~_is_either(letter[1:], _B, _S) & ~_is_either(letter[:-1], _E, _S)
    begins, ends = kind >= 0, kind >= 0
    begins[1:] &= ~goes_on
    ends[:-1] &= ~goes_on
    return Reading(coded.types, kind, begins, ends, firsts)


def _is_either(letter: Integers, one: int, other: int) -> Bools:
    either: Bools = (letter == one) | (letter == other)
    return either


def as_starts(starts: npt.ArrayLike, n_tokens: int) -> Ints:
    """The starts of sentences as an array, with the number of tokens at the end."""
    at = np.asarray(starts, np.int64)
    if at.ndim != 1 or not len(at) or at[0] != 0 or at[-1] != n_tokens or (np.diff(at) < 0).any():
        raise DataError(
            f"expected the starts of sentences and the number of tokens, from 0 up to {n_tokens}, found {at}."
        )
    return at


def spans(tags: Tags) -> list[Span]:
    """The spans of one sentence as (start, end, type), `end` being the first token after it.

    >>> spans(["B-PER", "I-PER", "O", "I-LOC", "I-PER"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'PER')]
    """
    reading = read(code(tags), [0, len(tags)])
    starts, ends = np.flatnonzero(reading.begins), np.flatnonzero(reading.ends) + 1
    types = [reading.types[k] for k in reading.kind[starts]]
    return list(zip(starts.tolist(), ends.tolist(), types, strict=True))


def tags_of(spans: Iterable[Span], n_tokens: int, to: str = "bio") -> list[str]:
    """The tags of one sentence with these spans, which must not overlap.

    >>> tags_of([(0, 2, "PER"), (3, 4, "LOC")], 4, "bioes")
    ['B-PER', 'E-PER', 'O', 'S-LOC']
    """
    tags = ["O"] * n_tokens
    for start, end, kind in spans:
        tags[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
    return convert(tags, [0, n_tokens], to)[0]


def convert(tags: Tags, starts: npt.ArrayLike, to: str = "bio") -> tuple[list[str], int]:
    """The tags of the same spans in another scheme, and the number of tags that had to be repaired because their own scheme
    does not allow them.

    >>> convert(["I-PER", "O", "B-LOC", "I-LOC", "O", "B-LOC"], [0, 2, 6], to="bioes")
    (['S-PER', 'O', 'B-LOC', 'E-LOC', 'O', 'S-LOC'], 1)
    """
    _check_scheme(to)
    coded = code(tags)
    as_starts(starts, len(coded.codes))
    scheme = scheme_of_coded(coded)
    if scheme is None:
        check_outside(coded)
        return ["O"] * len(coded.codes), 0
    names, codes, repaired = converted(coded, starts, scheme, to)
    written: list[str] = np.array(names, object)[codes].tolist()
    return written, repaired


def converted(coded: Coded, starts: npt.ArrayLike, scheme: str, to: str) -> tuple[list[str], Integers, int]:
    """The tags of the same spans in another scheme: all that there may be, and the number of each token's among them; and the
    number of tags that had to be repaired."""
    reading = read(coded, starts)
    repaired = int((_letters(reading, scheme) != coded.letter).sum())
    names = [_name(letter, kind) for kind in ("", *reading.types) for letter in range(5)]
    return names, 5 * (reading.kind + 1) + _letters(reading, to), repaired


def bio_of(labels: Sequence[str]) -> list[str]:
    """For each BIOES tag, the BIO tag that it becomes in a legal sequence.

    >>> bio_of(["O", "B-PER", "E-PER", "S-PER"])
    ['O', 'B-PER', 'I-PER', 'B-PER']
    """
    letters = {"S": "B", "E": "I"}
    return [letters.get(label[:1], label[:1]) + label[1:] for label in labels]


def _check_scheme(name: str) -> None:
    if name not in SCHEMES:
        raise UsageError(f"there is no scheme of tags {name!r}. Use one of: {', '.join(SCHEMES)}.")


def check_outside(coded: Coded) -> None:
    """Raise DataError where there are tags that do not mark spans."""
    wrong = [name for name in coded.names if name != "O"]
    if wrong:
        plain = next((name for name in wrong if _parts(name)[0] == _OUT), wrong[0])
        raise DataError(f"expected tags of spans, such as B-X, I-X and O, found {plain!r}.")


def _letters(reading: Reading, scheme: str) -> Integers:
    """The letter of each token in a scheme."""
    begins, ends = reading.begins, reading.ends
    if scheme == "bio":
        letter = np.where(begins, _B, _I)
    elif scheme == "bioes":
        letter = np.where(begins, np.where(ends, _S, _B), np.where(ends, _E, _I))
    else:
        begins_after_own_type = begins & ~reading.firsts
        begins_after_own_type[1:] &= reading.kind[1:] == reading.kind[:-1]
        letter = np.where(begins_after_own_type, _B, _I)
    return np.where(reading.kind >= 0, letter, _OUT)


def _name(letter: int, kind: str) -> str:
    """The tag with this letter and type."""
    if letter == _OUT:
        return "O"
    return f"{'OBIES'[letter]}-{kind}" if kind else "OBIES"[letter]


def legal(tags: Sequence[str], scheme: str | None = None) -> tuple[Bools, Bools, Bools] | None:
    """Which tag (row) may stand before which (column), which may come first, and which last; None for plain tags.

    If no scheme is given, it is found from the set of tags.

    >>> follows, first, last = legal(["O", "B-X", "I-X"])
    >>> follows.tolist(), first.tolist()
    ([[True, True, False], [True, True, True], [True, True, True]], [True, True, False])
    """
    scheme = scheme or scheme_of(dict.fromkeys(tags))
    if scheme is None:
        return None
    _check_scheme(scheme)
    coded = code(tags)
    letter, same = coded.letter, coded.kind[:, None] == coded.kind
    if scheme == "bioes":
        is_open, goes_on = _is_either(letter, _B, _I), _is_either(letter, _I, _E)
        return np.where(is_open[:, None], same & goes_on, ~goes_on), ~goes_on, ~is_open
    first = letter != (_I if scheme == "bio" else _B)
    return first | same, first, np.ones(len(tags), bool)


def same_place(tags: Sequence[str]) -> Bools:
    """A matrix, tags x tags, that says which tags mark a token in the same way but for whether its span ends there: in both a
    span of one type begins, in both it goes on, or the tags are equal.

    >>> same_place(["O", "B-X", "S-X", "E-X"]).astype(int).tolist()
    [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    """
    coded = code(tags)
    begins = _is_either(coded.letter, _B, _S)
    same: Bools = (coded.kind[:, None] == coded.kind) & (begins[:, None] == begins) & (coded.kind >= 0)
    return same | np.eye(len(tags), dtype=bool)
