"""From candidates to rows of features: of their texts, their numbers, and how they relate to x and to each other.

Beside the features of texts (spec.py), a specification may have

    numbers          each number of the file, as the scores of a system; number:NAME for one of them
    given            the features that the file gives by name; given:2 for those that are in at least two lists
    length           ln(1 + words), ln(1 + characters)
    ratio            ln((1 + words) / (1 + words of x)), and its absolute value
    repeat           the share of words that came before in the candidate, and of those that came just before
    unknown          the share of words that no other list had while learning
    marks            by how many punctuation marks it differs from x, and whether it ends in another mark
    overlap          the share of its n-grams that are in x, and of those of x in it: of 1 to 4 words, of 2, 4 and 6 letters
    consensus        the mean share of the other candidates that have such an n-gram of it (as in Tromble et al. 2008)

    All but `given` and the features of texts are numbers. Only differences within a list can decide, so each number has its
    mean over the list subtracted, and is in units of two standard deviations within lists; a missing number is 0.

>>> features = CandidateFeatures("words:1 length")
>>> features.text.spec.words, features.own
((1, 1), ('length',))
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.digits import whole_number
from linnet.core.schema import Either, ListOf, Real, Record, Schema, Text
from linnet.core.types import Array, Arrays, Json
from linnet.errors import DataError, UsageError, meant
from linnet.features.rows import SparseRows
from linnet.features.spec import FeatureSpec
from linnet.features.text import TextFeatures
from linnet.io.lists.lists import Lists

CANDIDATE_GRAMMAR = {
    "numbers number:NAME": "for rerank: the numbers that candidates have in the file, such as the scores of a system",
    "given given:2": "for rerank: features that candidates have by name in the file, here those in at least two lists",
    "length ratio": "for rerank: the length of a candidate, and in relation to that of the source",
    "repeat unknown marks": "for rerank: words that recur or are new; punctuation that differs from that of the source",
    "overlap consensus": "for rerank: the n-grams that a candidate shares with the source, and with the other candidates",
}

_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORDS = (1, 2, 3, 4)
_LETTERS = (2, 4, 6)
_NUMBER, _NUMBERS, _GIVEN = "number", "numbers", "given"

Floats = npt.NDArray[np.float64]
Words = list[str]


class One(NamedTuple):
    """The words of one list of candidates and of its x, and the number of characters of each candidate."""

    x: Words
    candidates: list[Words]
    characters: list[int]


class CandidateFeatures:
    """The features of a specification, which are numbered by `fit_transform`."""

    def __init__(self, spec: str, text_of: Callable[[FeatureSpec], TextFeatures] = TextFeatures) -> None:
        """text_of: makes the features of texts; by default new ones, which read the files that the specification names."""
        self.spec = " ".join(spec.split())
        items = self.spec.split()
        self.own = tuple(item for item in items if item in _OWN)
        self.wanted = tuple(item.partition(":")[2] for item in items if item.startswith(f"{_NUMBER}:"))
        self.all_numbers = _NUMBERS in items
        self.least = _least(next((item for item in items if item.partition(":")[0] == _GIVEN), None))
        mine = {*self.own, *(f"{_NUMBER}:{name}" for name in self.wanted), _NUMBERS}
        rest = [item for item in items if item not in mine and item.partition(":")[0] != _GIVEN]
        self.text = text_of(_parsed(rest, self.spec)) if rest else None
        if not (rest or mine - {_NUMBERS} or self.all_numbers or self.least):
            raise UsageError("expected features, found none. Name some, such as 'words:1-2 length numbers'.")
        self._names: list[str] = []
        """The names of the numbers: those of the file, then those that are computed."""
        self._unit: Floats = np.zeros(0)
        """The unit of each number: two standard deviations within lists."""
        self._known: dict[str, int] = {}
        """The number of lists that have each word."""
        self._given: dict[str, int] = {}
        """The number of each feature that the file gives by name."""

    @property
    def n_features(self) -> int:
        return self._n_text + len(self._names) + len(self._given)

    @property
    def _n_text(self) -> int:
        return 0 if self.text is None else self.text.n_features

    def name(self, feature: int) -> str:
        if feature < self._n_text:
            assert self.text is not None
            return self.text.name(feature)
        feature -= self._n_text
        return self._names[feature] if feature < len(self._names) else self._given_names[feature - len(self._names)]

    @cached_property
    def _given_names(self) -> list[str]:
        return list(self._given)

    def fit_transform(self, lists: Lists) -> SparseRows:
        """Number the features in these lists, and return a row for each candidate."""
        ones = self._ones(lists)
        # Each word of a list once, in the order in which they stand: that of a set is another one in each process.
        self._known = dict(
            Counter(word for one in ones for word in dict.fromkeys(word for words in one.candidates for word in words))
        )
        found = {name for candidate in lists.candidates for name in candidate.numbers}
        names = [*self.wanted, *sorted(found - set(self.wanted))] if self.all_numbers else [*self.wanted]
        for name in self.wanted:
            if name not in found:
                raise DataError(
                    f"expected candidates with the number {name!r}, found {', '.join(sorted(found)) or 'none'}."
                    f"{meant(name, found)}",
                    lists.source,
                )
        self._names = names + [column for item in self.own for column in _OWN[item].columns]
        self._given = self._seen(lists) if self.least else {}
        x = self._centred(lists, ones, 1)
        self._unit = 2 * np.sqrt(np.mean(x**2, axis=0)) if len(x) else np.ones(len(self._names))
        self._unit[self._unit == 0] = 1
        texts = [candidate.text for candidate in lists.candidates]
        return self._joined(None if self.text is None else self.text.fit_transform(texts), x, lists)

    def transform(self, lists: Lists) -> SparseRows:
        """A row of features for each candidate; features that are not known are left out."""
        texts = [candidate.text for candidate in lists.candidates]
        x = self._centred(lists, self._ones(lists), 0)
        return self._joined(None if self.text is None else self.text.transform(texts), x, lists)

    def _ones(self, lists: Lists) -> list[One]:
        """The words of each list; they are empty if no feature looks at words."""
        if not self.own:
            return [One([], [], [])] * len(lists)
        return [
            One(
                _words(one.x),
                [_words(candidate.text) for candidate in one.candidates],
                [len(candidate.text) for candidate in one.candidates],
            )
            for one in lists.lists
        ]

    def _seen(self, lists: Lists) -> dict[str, int]:
        """The given features that are in enough lists, numbered in the order in which they came up."""
        count: Counter[str] = Counter()
        for one in lists.lists:
            count.update(dict.fromkeys((name for c in one.candidates for name in c.features), 1))
        return {name: j for j, name in enumerate(name for name, n in count.items() if n >= self.least)}

    def _centred(self, lists: Lists, ones: Sequence[One], learning: int) -> Floats:
        """A row of numbers for each candidate, with their means over the list subtracted. `learning` is 1 for the lists
        that words were counted in, where a word counts as unknown if no other list has it, and 0 for all others."""
        known = {word for word, n in self._known.items() if n > learning}
        n_given = len(self._names) - sum(len(_OWN[item].columns) for item in self.own)
        numbers = self._names[:n_given]
        parts = []
        for one, of in zip(lists.lists, ones, strict=True):
            table = np.array([[c.numbers.get(name, math.nan) for name in numbers] for c in one.candidates], np.float64)
            columns = [_OWN[item].values(of, known) for item in self.own]
            x = np.concatenate([table.reshape(len(one.candidates), n_given), *map(np.asarray, columns)], axis=1)
            there = ~np.isnan(x)
            mean = np.where(there, x, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
            parts.append(np.where(there, x - mean, 0))
        return np.concatenate(parts) if parts else np.zeros((0, len(self._names)))

    def _joined(self, text: SparseRows | None, x: Floats, lists: Lists) -> SparseRows:
        rows = _dense(x / self._unit)
        if text is not None:
            rows = text.beside(rows, self._n_text)
        if not self._given:
            return rows
        candidates = lists.candidates
        known = [[(self._given[k], v) for k, v in c.features.items() if k in self._given] for c in candidates]
        given = SparseRows(
            np.cumsum([0, *map(len, known)], dtype=np.int64),
            np.array([j for row in known for j, _ in row], np.uint32),
            np.array([v for row in known for _, v in row], np.float32),
        )
        return rows.beside(given, self._n_text + len(self._names))

    def header(self) -> dict[str, Json]:
        return {
            "spec": self.spec,
            "names": self._names,
            "unit": self._unit.tolist(),
            "known": list(self._known) if "unknown" in self.own else [],
            "given": list(self._given),
            "text": None if self.text is None else self.text.header(),
        }

    def arrays(self) -> dict[str, Array]:
        return {} if self.text is None else self.text.arrays()

    header_schema: ClassVar[Schema] = Record(
        {
            "spec": Text(),
            "names": ListOf(Text()),
            "unit": ListOf(Real(least=1e-300)),
            "known": ListOf(Text(), distinct=True),
            "given": ListOf(Text(), distinct=True),
            "text": Either(TextFeatures.header_schema),
        }
    )
    """What `header()` may be, as a model file has it."""

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> CandidateFeatures:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        cls.header_schema.check(header, "features")
        self = cls(header["spec"], lambda _: TextFeatures.from_arrays(header["text"], arrays))
        if self.text is None and (arrays or header["text"] is not None):
            raise ValueError("the features of texts are not those of the specification")
        self._names, self._unit = list(header["names"]), np.array(header["unit"], np.float64)
        if len(self._names) != len(self._unit):
            raise ValueError(f"{len(self._unit)} units for {len(self._names)} numbers")
        self._known = dict.fromkeys(header["known"], 1)
        self._given = {name: j for j, name in enumerate(header["given"])}
        if len(self._names) < sum(len(_OWN[item].columns) for item in self.own):
            raise ValueError(f"{len(self._names)} numbers are fewer than the specification has")
        return self


def _parsed(items: Sequence[str], spec: str) -> FeatureSpec:
    """The features of texts in a specification. Raise UsageError with a hint where an item is neither of texts nor of
    candidates."""
    try:
        return FeatureSpec.parse(" ".join(items))
    except UsageError:
        known = (*_OWN, _NUMBERS, _GIVEN)
        near = next((hint for item in items if (hint := meant(item, known))), "")
        if near:
            raise UsageError(f"unknown feature in {spec!r}.{near} `linnet list features` shows them all.") from None
        raise


def _least(item: str | None) -> int:
    """The number of lists in which a given feature must be; 0 if given features are not used."""
    if item is None:
        return 0
    number = whole_number(item.partition(":")[2] or "1")
    if not number:
        raise UsageError(f"expected given or given:N with N at least 1, found {item!r:.60}.")
    return number


def _words(text: str) -> Words:
    return _TOKEN.findall(text.lower())


def _dense(x: Floats) -> SparseRows:
    n, k = x.shape
    return SparseRows(
        np.arange(0, n * k + 1, k, dtype=np.int64) if k else np.zeros(n + 1, np.int64),
        np.tile(np.arange(k, dtype=np.uint32), n),
        x.astype(np.float32).ravel(),
    )


def _all_ngrams(words: Words) -> list[Counter[Any]]:
    """The counts of all n-grams of words, and of letters with the words run together."""
    letters = "".join(words)
    of_words = [Counter(zip(*(words[i:] for i in range(n)), strict=False)) for n in _WORDS]
    return [*of_words, *(Counter(letters[i : i + n] for i in range(len(letters) - n + 1)) for n in _LETTERS)]


def _length(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    for words, characters in zip(one.candidates, one.characters, strict=True):
        yield math.log1p(len(words)), math.log1p(characters)


def _ratio(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    for words in one.candidates:
        ratio = math.log((1 + len(words)) / (1 + len(one.x)))
        yield ratio, abs(ratio)


def _repeat(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    for words in one.candidates:
        again = sum(a == b for a, b in pairwise(words))
        yield _share(len(words) - len(set(words)), len(words)), _share(again, len(words))


def _unknown(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    for words in one.candidates:
        yield (_share(sum(word not in known for word in words), len(words)),)


def _marks(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    of_x, last = _punctuation(one.x), one.x[-1:]
    for words in one.candidates:
        own = _punctuation(words)
        yield float(((own - of_x) + (of_x - own)).total()), float(_punctuation(words[-1:]) != _punctuation(last))


def _punctuation(words: Words) -> Counter[str]:
    return Counter(word for word in words if not (word[0].isalnum() or word[0] == "_"))


def _overlap(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    of_x = _all_ngrams(one.x)
    for words in one.candidates:
        row: list[float] = []
        for own, wanted in zip(_all_ngrams(words), of_x, strict=True):
            both = (own & wanted).total()
            row += (_share(both, own.total()), _share(both, wanted.total()))
        yield tuple(row)


def _consensus(one: One, known: set[str]) -> Iterator[tuple[float, ...]]:
    others = max(len(one.candidates) - 1, 1)
    own = [_all_ngrams(words) for words in one.candidates]
    having = [Counter(gram for counts in kind for gram in counts) for kind in zip(*own, strict=True)]
    for grams in own:
        yield tuple(
            _share(sum(often * (have[gram] - 1) for gram, often in counts.items()), others * counts.total())
            for counts, have in zip(grams, having, strict=True)
        )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


class _Own(NamedTuple):
    """A group of numbers that are computed from candidates: the names of the numbers, and the function that yields them."""

    columns: tuple[str, ...]
    compute: Callable[[One, set[str]], Iterator[tuple[float, ...]]]

    def values(self, one: One, known: set[str]) -> list[tuple[float, ...]]:
        return list(self.compute(one, known))


_GRAMS = (*(f"{n} words" for n in _WORDS), *(f"{n} letters" for n in _LETTERS))
_OWN: Mapping[str, _Own] = {
    "length": _Own(("words", "characters"), _length),
    "ratio": _Own(("ratio", "|ratio|"), _ratio),
    "repeat": _Own(("repeated", "doubled"), _repeat),
    "unknown": _Own(("unknown",), _unknown),
    "marks": _Own(("other marks", "other end"), _marks),
    "overlap": _Own(tuple(f"{what}: {n}" for n in _GRAMS for what in ("in source", "of source")), _overlap),
    "consensus": _Own(tuple(f"consensus: {n}" for n in _GRAMS), _consensus),
}
