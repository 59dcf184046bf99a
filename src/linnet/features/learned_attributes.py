"""Attributes of words that are learned from sentences, with tags or without, and kept in the model.

Each has a value for every word that it knows (word_values.py). `amb` and `lower-amb` are special in one way. Their
values are the tags that a word has had, so in the training data the value of a token must not be counted from the token
itself: it is counted in other parts of the data (`Ambiguity.jackknifed`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.types import I64
from linnet.features.ambiguity import Ambiguity, times_seen
from linnet.features.like_words import tags_of_like_words
from linnet.features.usual_case import usual_case
from linnet.features.word_attributes import Words, lower
from linnet.features.word_clusters import clusters
from linnet.features.word_places import WordPlaces, places_of
from linnet.features.word_values import WordValues
from linnet.registry import Registry

Tokens: TypeAlias = tuple[Words, I64]
"""The words of sentences, and where each sentence starts."""


@dataclass(frozen=True)
class Corpus:
    """What attributes are learned from: sentences with the numbers y of their tags, and sentences without any."""

    labelled: Tokens
    y: npt.NDArray[np.int32]
    tags: Sequence[str]
    others: Tokens | None = None

    @cached_property
    def all(self) -> Tokens:
        """All sentences, those with tags first."""
        words, starts = self.labelled
        if self.others is None:
            return words, starts - starts[0]
        more, at = self.others
        starts = np.concatenate([starts - starts[0], starts[-1] - starts[0] + at[1:] - at[0]])
        return pa.concat_arrays([words, more]), starts

    @cached_property
    def lower(self) -> Words:
        """The words of all sentences in lower case."""
        return lower(self.all[0])

    @cached_property
    def places(self) -> WordPlaces:
        """The places of all words in lower case (word_places.py)."""
        return places_of(self.lower, self.all[1])


def _as_it_is(words: Words) -> Words:
    return words


def _equally(value: str) -> int:
    return 0


@dataclass(frozen=True)
class LearnedAttribute:
    """An attribute that is learned. `learn` gets the number after the name, as in vector-cluster:64, or 0 if the
    attribute has none. `form` makes of words the form that the attribute knows them by, such as lower case."""

    name: str
    summary: str
    learn: Callable[[Corpus, int], WordValues]
    form: Callable[[Words], Words] = lower
    of_tags: bool = True
    """Whether it is learned from tags."""
    most: int = 0
    """The largest number that may follow the name; 0 where the attribute has no number."""
    before: Callable[[], WordValues] = WordValues
    """A function that makes the values before anything is learned."""
    trust: Callable[[str], int] = _equally
    """How far a value is trusted. When models are merged that have different values for a word, the most trusted one is
    kept."""


LEARNED: Registry[LearnedAttribute] = Registry(
    "attribute that is learned",
    LearnedAttribute(
        "amb",
        "the tags that the word had while learning, each at least 5% of the time, and whether it was rare",
        lambda corpus, _: Ambiguity.learn(corpus.labelled[0], corpus.y, corpus.tags),
        _as_it_is,
        before=Ambiguity,
        trust=times_seen,
    ),
    LearnedAttribute(
        "lower-amb",
        "the same of the word in lower case",
        lambda corpus, _: Ambiguity.learn(lower(corpus.labelled[0]), corpus.y, corpus.tags),
        before=Ambiguity,
        trust=times_seen,
    ),
    LearnedAttribute(
        "like-amb",
        "the tags of the words that stand between the same words as it does",
        lambda corpus, _: tags_of_like_words(corpus.places, lower(corpus.labelled[0]), corpus.y, corpus.tags),
    ),
    LearnedAttribute(
        "vector-cluster",
        "which of N clusters it is in, of words that stand between the same words: vector-cluster:64=said,told,asked",
        lambda corpus, n: clusters(corpus.places, n),
        of_tags=False,
        most=4096,
    ),
    LearnedAttribute(
        "usual-case",
        "how the word is usually written inside a sentence: lower, cap or both",
        lambda corpus, _: usual_case(corpus.all[0], corpus.lower, corpus.all[1]),
        of_tags=False,
    ),
)


def is_learned(attribute: str) -> bool:
    """Whether an attribute of a template, such as vector-cluster:64, is learned."""
    return attribute.partition(":")[0] in LEARNED


def learned_kind(attribute: str) -> LearnedAttribute:
    """The entry of an attribute of a template."""
    return LEARNED[attribute.partition(":")[0]]


def learn(attribute: str, corpus: Corpus) -> WordValues:
    """The values of an attribute of a template, such as vector-cluster:64, learned from a corpus."""
    return learned_kind(attribute).learn(corpus, int(attribute.partition(":")[2] or 0))
