"""Explaining one text: what each of its features, and so each of its words, adds to one label against another.

    w.f(x, y) - w.f(x, y') = (w_0,y - w_0,y') + sum_j x_j (w_j,y - w_j,y')

Nothing is estimated: the contributions sum to the difference of the scores. What vectors of words and topics add (`vectors`,
`topics`) is shown as what each word adds through them (features/vector_parts.py), which has the same sum.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.types import Json
from linnet.errors import DataError
from linnet.features import SparseRows, Table, TextFeatures
from linnet.learners.weights import Matrix
from linnet.limits import EXPLAINED_CHARACTERS
from linnet.report.shown import Shown

if TYPE_CHECKING:
    from linnet.features.vector_parts import Like, VectorPart

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contribution:
    """A feature of the text: its value, its weight for the label less that for the other label, and their product. `spans` are
    its places in the text, in characters. `like` are, for a word that adds something through its vector and that no labelled
    text had, the words of labelled texts that it is most like, with the weights that these have through their own vectors."""

    feature: str
    value: float
    weight: float
    contribution: float
    spans: tuple[tuple[int, int], ...]
    like: tuple[Like, ...] = ()

    def as_dict(self) -> dict[str, Json]:
        """The contribution for JSON, with what the word is like where it is like any."""
        like = {"like": [one._asdict() for one in self.like]} if self.like else {}
        return {name: value for name, value in vars(self).items() if name != "like"} | like


@dataclass(frozen=True)
class Word:
    """A word or punctuation mark of the text, with its share of every feature that covers it."""

    text: str
    start: int
    end: int
    contribution: float


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Shown):
    """Why a text has `label` and not `against`: bias + contributions = score, the difference of the scores of the two
    labels. If `against` is "", it is the score of `label` itself.

    The sums are computed at once, but the objects for features and words only when they are looked at, so that an
    explanation costs little more than a prediction.
    """

    drawn_by: ClassVar[str] = "linnet.tasks.texts.terminal:explanation"
    paged_by: ClassVar[str] = "linnet.tasks.texts.page:page"

    text: str
    label: str
    against: str
    score: float
    bias: float
    _terms: _Terms = field(repr=False)

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """What each feature of the text adds to the score, the largest first."""
        return self._named(self._terms.order)

    def largest(self, n: int) -> tuple[tuple[Contribution, ...], int, float]:
        """The n largest contributions, how many more there are, and their sum. Only those n are named, which takes time."""
        order = self._terms.order
        return self._named(order[:n]), max(0, len(order) - n), float(self._terms.parts[order[n:]].sum())

    def _named(self, order: Ints) -> tuple[Contribution, ...]:
        """The contributions of some features."""
        terms, places, like = self._terms, self._places, self._terms.like()
        features = terms.j[order]
        begin, end = (np.searchsorted(places.feature, features, side) for side in ("left", "right"))
        columns = (features, terms.x[order], terms.w[order], terms.parts[order], begin, end)
        found = []
        for f, v, w, c, a, b in zip(*(column.tolist() for column in columns), strict=True):
            spans = places.spans(a, b)
            found.append(Contribution(terms.name(f, spans, self.text), v, w, c, spans, tuple(like.get(f, ()))))
        return tuple(found)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words and punctuation marks of the text, in its order, each with what it adds to the score."""
        return tuple(
            Word(self.text[start:end], start, end, share)
            for start, end, share in zip(*self.words_in_brief, strict=True)
        )

    @property
    def words_in_brief(self) -> tuple[list[int], list[int], list[float]]:
        """The words as three lists, for who has no use for an object for each: where each starts and ends, and what it
        adds."""
        return self._shares[:3]

    @property
    def elsewhere(self) -> float:
        """The sum of contributions that belong to no word, such as those of features of the text as a whole."""
        return self._shares[3]

    def in_brief(self) -> str:
        return (
            f"{self.label}{f' against {self.against}' if self.against else ''}, score {self.score:+.3f}, {self.text!r}"
        )

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet explain --json`."""
        return {
            "text": self.text,
            "label": self.label,
            "against": self.against,
            "score": self.score,
            "bias": self.bias,
            "contributions": [item.as_dict() for item in self.contributions],
            "words": [vars(item) for item in self.words],
            "elsewhere": self.elsewhere,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanation) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((self.text, self.label, self.against, self.score))

    def __getstate__(self) -> dict[str, object]:
        """Everything that can be looked at, without the features of the model, which made it."""
        made = {name: getattr(self, name) for name in ("contributions", "words", "_shares")}
        return vars(self) | made | {"_terms": None, "_places": None}

    @cached_property
    def _places(self) -> _Places:
        """The places of all features in the text."""
        every = [self._terms.features.occurrences(self.text)]
        for words in self._terms.words:
            numbers, begins, ends = words.occurrences(self.text)
            every.append((words.first + numbers, begins, ends))
        feature, start, end = map(np.concatenate, zip(*every, strict=True))
        order = np.argsort(feature, kind="stable")
        order = order[end[order] > start[order]]
        return _Places(feature[order], start[order], end[order])

    @cached_property
    def _shares(self) -> tuple[list[int], list[int], list[float], float]:
        """Each contribution is spread evenly over its occurrences, and each of these over the words that it covers: where the
        words start and end, the share of each, and what belongs to none."""
        terms, places = self._terms, self._places
        begins, ends = _units(terms.features, self.text)
        by_feature = np.argsort(terms.j)
        found = np.searchsorted(terms.j, places.feature, sorter=by_feature)
        k = by_feature[np.minimum(found, len(by_feature) - 1)] if len(by_feature) else found
        first, last = np.searchsorted(ends, places.start, "right"), np.searchsorted(begins, places.end, "left")
        counts = (terms.j[k] == places.feature) & (last > first) if len(by_feature) else np.zeros(len(k), np.bool_)
        k, first, n = k[counts], first[counts], (last - first)[counts]
        times = np.bincount(k, minlength=len(terms.j))
        each = terms.parts[k] / times[k] / n
        covered = np.repeat(first - np.cumsum(n) + n, n) + np.arange(n.sum())
        shares = np.bincount(covered, np.repeat(each, n), minlength=len(begins))
        return begins.tolist(), ends.tolist(), shares.tolist(), float(terms.parts[times == 0].sum())


@dataclass(frozen=True)
class _Places:
    """The places of features in a text: of each place the feature and, in characters, its start and its end. They are in the
    order of the features, and those of one feature in the order of the text."""

    feature: Ints
    start: Ints
    end: Ints

    def spans(self, first: int, last: int) -> tuple[tuple[int, int], ...]:
        """The start and the end of some places that follow each other."""
        return tuple(zip(self.start[first:last].tolist(), self.end[first:last].tolist(), strict=True))


@dataclass(frozen=True)
class _WordsOfVectors:
    """The words that add something through their vectors. Their numbers follow those of all features: word w has the
    number first + w, and the number after that of the last word stands for what belongs to no word. v are the weights
    of the numbers of the vector."""

    part: VectorPart
    first: int
    v: Floats

    @property
    def n_words(self) -> int:
        return 0 if self.part.text is None else self.part.text.n_features

    def name(self, number: int) -> str:
        word = number - self.first
        if self.part.text is None or word == self.n_words:
            return self.part.rest
        return f"{self.part.called}={self.part.text.name(word)}"

    def occurrences(self, text: str) -> tuple[Ints, Ints, Ints]:
        nothing = np.zeros(0, np.int64)
        return (nothing, nothing, nothing) if self.part.text is None else self.part.text.occurrences(text)


@dataclass(frozen=True)
class _Terms:
    """The features of a text, j, with their values x and weights w: the terms of its score."""

    features: TextFeatures
    j: Ints
    x: Floats
    w: Floats
    words: tuple[_WordsOfVectors, ...] = ()

    @cached_property
    def parts(self) -> Floats:
        return self.x * self.w

    @property
    def order(self) -> Ints:
        """The terms by how much they add or take away, the largest first."""
        return np.argsort(-np.abs(self.parts), kind="stable")

    def like(self) -> dict[int, list[Like]]:
        """For words that no labelled text had and that add something through their vectors, the words that they are like."""
        found: dict[int, list[Like]] = {}
        for of_part in self.words:
            words = self.j - of_part.first
            words = words[(words >= 0) & (words < of_part.n_words)]
            found |= {of_part.first + word: like for word, like in of_part.part.like(words, of_part.v).items()}
        return found

    def name(self, feature: int, spans: Sequence[tuple[int, int]], text: str) -> str:
        """The name of a feature that stands at these places of a text. A hashed feature has no name of its own, but the text
        shows what it stands for."""
        for words in reversed(self.words):
            if feature >= words.first:
                return words.name(feature)
        spec = self.features.spec
        if spec.hash_bits and spans:
            start, end = spans[0]
            return text[start:end] if spec.case else text[start:end].lower()
        return self.features.name(feature)


def check_length(text: str) -> None:
    """Raise DataError where a text is too long to be explained: the places of all its features may take 1,000 times as much
    memory as the text."""
    if len(text) > EXPLAINED_CHARACTERS.most:
        raise DataError(
            f"the text has {len(text):,} characters, and at most {EXPLAINED_CHARACTERS.most:,} are explained. Explain a part "
            "of it."
        )


def explain_text(
    features: TextFeatures,
    weights: Matrix,
    labels: Sequence[str],
    text: str,
    rows: SparseRows,
    y: int | None = None,
    other: int | None = None,
    *,
    alone: bool = False,
) -> Explanation:
    """Explain the best label of a text with these features against the second best, or label y against `other`; with `alone`,
    or where there is no other label, explain its score itself."""
    j, x = rows.indices.astype(np.int64), rows.values.astype(np.float64)
    k = len(labels)
    W = weights[1 + j, :k].astype(np.float64)
    bias = weights[0, :k].astype(np.float64)
    order = np.argsort(-(times(x, W) + bias), kind="stable")
    y = int(order[0]) if y is None else y
    w, w_0 = W[:, y], bias[y]
    if not alone and k > 1:
        other = int(order[order != y][0]) if other is None else other
        with np.errstate(invalid="ignore"):
            w, w_0 = w - W[:, other], w_0 - bias[other]
    terms = _by_words(_Terms(features, j, x, w), text)
    score = float(terms.parts.sum() + w_0)
    return Explanation(text, labels[y], "" if other is None else labels[other], score, float(w_0), terms)


def _by_words(terms: _Terms, text: str) -> _Terms:
    """The terms with what words add through their vectors in the place of the numbers of vectors."""
    features = terms.features
    vectors = features.vectors()
    if not vectors:
        return terms
    numbers, values, weights = [], [], []
    first, words, stays = features.n_features, [], np.ones(len(terms.j), np.bool_)
    table = Table.from_texts([text])
    for at, part in vectors:
        is_part = (terms.j >= at) & (terms.j < at + len(part.names))
        stays &= ~is_part
        v = terms.w[is_part]
        found = part.explained(table, terms.x[is_part], v)
        of_part = _WordsOfVectors(part, first, v)
        words.append(of_part)
        numbers += [first + found.words, np.array([first + of_part.n_words])]
        values += [found.values, np.ones(1)]
        weights += [found.weights, np.array([found.rest])]
        first += of_part.n_words + 1
    j = np.concatenate([terms.j[stays], *numbers])
    x, w = np.concatenate([terms.x[stays], *values]), np.concatenate([terms.w[stays], *weights])
    return _Terms(features, j, x, w, tuple(words))


def _units(features: TextFeatures, text: str) -> tuple[Ints, Ints]:
    """Where the words and punctuation marks of a text start, and where they end. An accent or a vowel sign belongs to the
    letter before it."""
    starts, ends = features.places(text)
    touching = np.flatnonzero(starts[1:] == ends[:-1]) + 1
    joined = [i for i in touching.tolist() if unicodedata.category(text[starts[i]])[0] == "M"]
    return np.delete(starts, joined), np.delete(ends, np.array(joined, np.int64) - 1)
