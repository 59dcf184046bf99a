"""Token features as a person types them: `w[-1..1] w[-1]|w[0] suffix:1-4 shape pos[0] y[-1]|w[0]`.

>>> [str(template) for template in parse_templates("w[-1..1] w[0]|pos[-1] suffix:1-2", ("w", "pos"))]
['w[-1]', 'w', 'w[1]', 'w|pos[-1]', 'suffix:1', 'suffix:2', 'y[-1]']

Every feature is one of a token together with its tag. With `y[-1]`, the tag of the token before, it is one of a pair of
tags, and with `y[-2]|y[-1]` of three tags. The feature of pairs alone is always there. Pairs may be joined with
attributes of tokens, as in `y[-1]|lower`; three tags may not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from linnet.errors import UsageError, meant
from linnet.features.learned_attributes import LEARNED
from linnet.features.word_attributes import WORD_ATTRIBUTES

_USUAL = 64
"""The number in examples of attributes that have a number after their name."""
TOKEN_GRAMMAR = {
    "w": "the word; any other column of the data goes by its name: pos, lemma, ...",
    "suffix:1-4 prefix:1-3": "the last and the first letters of the word in lower case",
    **{f"{one.name}:{_USUAL}" if one.most else one.name: one.summary for one in LEARNED.values()},
    "near": "of a capitalised word that comes again within 800 tokens: lower, cap (inside a sentence), both or start",
    "near-left near-right": "the words beside it there, alone only: each of them is a feature",
    "lexicon:FILE": "whether the word in lower case is in the file, one word a line",
    "cluster:FILE": "the cluster of the word: lines of word and cluster, separated by a tab",
    "...[-1]": "after any of these: of the token before; [1] of the one after, [-2..2] of each of five",
    "...|...": "two or more of these together",
    "y[-1]": "the tag before, always there; with others, as in y[-1]|lower, the pair of tags at such a token",
    "y[-2]|y[-1]": "the two tags before: a chain of second order",
    "min=2": "of two or more together, only those that are seen so often: a smaller model, and nearly as good",
    "most=100000": "so many features at most: those that the most tokens have, and of those that as many have, the first",
}

_TAG = "y"
LEAST = "min="
MOST = "most="
LISTS = ("near-left", "near-right")
"""The attributes that may have several values at a token."""
_PLAIN = ("w", "near", *LISTS)
_RANGED = ("suffix", "prefix")
_FILES = ("lexicon", "cluster")
_WHOLE = re.compile(r"0*[1-9][0-9]{0,8}")
_ATOM = re.compile(r"([^\[\]|:]+)(?::([^\[\]|]+))?(?:\[([^\[\]|]*)\])?")
_MOST = 1000
"""The largest number of templates."""
_MOST_PARTS = 8
"""The largest number of attributes that a template joins."""
_FARTHEST = 20
"""The largest offset of a token that a template looks at, before or after."""
_LONGEST = 20
"""The largest number of letters of a suffix or prefix."""


@dataclass(frozen=True)
class Part:
    """One attribute of the token `offset` places away."""

    attribute: str
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.attribute}[{self.offset}]" if self.offset else self.attribute


@dataclass(frozen=True)
class Template:
    """A template: the attributes of tokens that it joins, and the offsets of the tags that it joins with the tag of the
    token. (-1,) makes a pair of tags, (-2, -1) a triple."""

    parts: tuple[Part, ...]
    tags: tuple[int, ...] = ()

    @property
    def is_list(self) -> bool:
        return self.parts[0].attribute in LISTS if self.parts else False

    def __str__(self) -> str:
        return "|".join([*(f"{_TAG}[{offset}]" for offset in self.tags), *map(str, self.parts)])


PAIRS = Template((), (-1,))
TRIPLES = Template((), (-2, -1))


def parse_least(text: str) -> int:
    """The least number of times that a conjunction must be seen: the last `min=N` of a specification, or 1.

    >>> parse_least("w w|w[1] min=2"), parse_least("w")
    (2, 1)
    """
    return _number(text, LEAST, 1)


def _number(text: str, key: str, usual: int) -> int:
    """The number after the last occurrence of a key in a specification, or the usual number."""
    numbers = [item.removeprefix(key) for item in text.split() if item.startswith(key)]
    wrong = [number for number in numbers if not _WHOLE.fullmatch(number)]
    if wrong:
        raise UsageError(f"expected {key}N with N of 1 or more, found {key + wrong[0]!r:.60}.")
    return int(numbers[-1]) if numbers else usual


def parse_most(text: str) -> int:
    """The largest number of features: the last `most=N` of a specification, or 0 for any number.

    >>> parse_most("w w|w[1] most=5000"), parse_most("w")
    (5000, 0)
    """
    return _number(text, MOST, 0)


def parse_templates(text: str, columns: Sequence[str]) -> list[Template]:
    """The templates of a specification, each once. UsageError, with a suggestion, for what is not in the grammar."""
    found: dict[Template, None] = {}
    for item in text.split():
        if item.startswith((LEAST, MOST)):
            continue
        choices = [_parts(atom, item, columns) for atom in item.split("|")]
        if math.prod(map(len, choices)) > _MOST:
            raise UsageError(f"{item!r:.60}: more than {_MOST} templates. Join fewer, or shorten their ranges.")
        found |= dict.fromkeys(_template(parts, item) for parts in product(*choices))
    if not any(not template.tags for template in found):
        raise UsageError("the features name no template of tokens. For a start: w[-1..1] suffix:1-3 shape.")
    if len(found) > _MOST:
        raise UsageError(f"{len(found)} templates; at most {_MOST}.")
    return list(found | {PAIRS: None})


def _template(parts: tuple[Part, ...], item: str) -> Template:
    tags = tuple(sorted(part.offset for part in parts if part.attribute == _TAG))
    seen = tuple(part for part in parts if part.attribute != _TAG)
    if len(seen) > _MOST_PARTS:
        raise UsageError(f"{item!r:.60}: {len(seen)} parts; at most {_MOST_PARTS} can be joined. Leave some out.")
    if any(part.attribute in LISTS for part in seen) and (len(parts) > 1 or seen[0].offset):
        raise UsageError(f"{item!r}: {' and '.join(LISTS)} stand alone. Leave out what is joined with them, and [..].")
    if tags not in ((), PAIRS.tags) and (tags, seen) != (TRIPLES.tags, ()):
        raise UsageError(
            f"{item!r}: tags are y[-1], alone or with what is seen as in y[-1]|w, or y[-2]|y[-1] with nothing else."
        )
    return Template(seen, tags)


def _parts(atom: str, item: str, columns: Sequence[str]) -> list[Part]:
    match = _ATOM.fullmatch(atom)
    if match is None:
        raise UsageError(f"cannot read {atom!r} in the feature {item!r}. Expected NAME, NAME[-1] or NAME:1-3[0].")
    name, argument, where = match.groups()
    attributes = _attributes(name, argument, item, columns)
    return [Part(attribute, offset) for attribute in attributes for offset in _offsets(where, item)]


def _attributes(name: str, argument: str | None, item: str, columns: Sequence[str]) -> list[str]:
    if name in _RANGED:
        least, most = _range(argument or "", "-", item, f"{name}:N or {name}:N-M")
        if not 1 <= least <= most <= _LONGEST:
            raise UsageError(f"{item!r}: expected 1 <= N <= M <= {_LONGEST}.")
        return [f"{name}:{n}" for n in range(least, most + 1)]
    if name in _FILES:
        if not argument:
            raise UsageError(f"feature {name!r} needs a file: {name}:FILE.")
        return [f"{name}:{argument}"]
    if name in LEARNED and LEARNED[name].most:
        number, _ = _range(argument or "", "-", item, f"{name}:N")
        if argument != str(number) or not 2 <= number <= LEARNED[name].most:
            raise UsageError(f"{item!r}: expected {name}:N with N from 2 to {LEARNED[name].most}.")
        return [f"{name}:{number}"]
    if name in _PLAIN or name in LEARNED or name in WORD_ATTRIBUTES or name == _TAG or name in columns:
        if argument is not None:
            raise UsageError(f"feature {name!r} in {item!r} takes no number. Leave out ':{argument}'.")
        return [name]
    hint = meant(name, [_TAG, *_PLAIN, *LEARNED, *WORD_ATTRIBUTES, *_RANGED, *_FILES, *columns], 0.5)
    raise UsageError(f"unknown feature {name!r}; the columns of the data are {', '.join(columns)}.{hint}")


def _offsets(where: str | None, item: str) -> range:
    if where is None:
        return range(1)
    least, most = _range(where, "..", item, "[K] or [K..M]")
    if not -_FARTHEST <= least <= most <= _FARTHEST:
        raise UsageError(f"{item!r}: expected [K..M] with -{_FARTHEST} <= K <= M <= {_FARTHEST}.")
    return range(least, most + 1)


def _range(text: str, between: str, item: str, expected: str) -> tuple[int, int]:
    low, dots, high = text.partition(between)
    try:
        return int(low), int(high if dots else low)
    except ValueError:
        raise UsageError(f"expected {expected}, found {item!r}.") from None
