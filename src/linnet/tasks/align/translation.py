"""Translation models: how likely two words translate each other, learned from pairs of sentences without links.

dice      2 c(e, f) / (c(e) + c(f)), c counting the pairs of sentences that have the words (Dice 1945)
model1    IBM Model 1 (Brown et al. 1993), 5 iterations of EM (core/extract/translation.pyx)
model2    IBM Model 2, tied by relative position, 5 more iterations
hmm       the HMM of Vogel et al. (1996), 2 iterations of Model 1 and 10 more; both directions are learned together: what
          is counted is the product of their posteriors, so that they agree (Liang, Taskar and Klein 2006); at first t is
          higher for words that look alike

Words with the same first letters may count as one word, which helps where a corpus is small.

The score of a link is sqrt(p(e -> f) p(f -> e)), where p are the posteriors given the whole pair of sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from linnet.core.extract.different import different
from linnet.core.extract.likeness import Words, ratios
from linnet.core.extract.translation import Direction
from linnet.core.schema import DictOf, Numbers, Real, Record, Row, Schema, Whole, check_arrays
from linnet.core.types import Array, Arrays, Json

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

MODELS = ("model1", "model2", "hmm")
# The numbers of iterations: of Models 1 and 2, of Model 1 before the HMM, and of the HMM. Few come before the HMM, as Model 1
# soon forgets that words look alike. They were chosen on a training part of the Hansards.
_ITERATIONS, _BEFORE_HMM, _HMM = 5, 2, 10
_ALIKE = 100.0
"""How much more likely words that look alike are at first."""
_LEAST_ALIKE = 0.6
"""The similarity, from 0 to 1, from which on words look alike."""
_SHORT = 4
"""Words with fewer letters look alike only if they are equal."""
# Pairs of words that are less likely than this are not kept.
_LEAST = 1e-4
_TINY = float(np.finfo(np.float64).tiny)

Both = tuple[Direction, Direction]


class Sentences(Protocol):
    """Sentences with their tokens in the column "w"; sentence i has the tokens starts[i]:starts[i + 1]."""

    @property
    def columns(self) -> dict[str, Json]: ...

    @property
    def starts(self) -> Ints: ...

    @property
    def n_tokens(self) -> int: ...

    def __len__(self) -> int: ...


class Pairs(Protocol):
    """Sentences with their translations. The link between source token i and target token j, of n and m, has place i m + j."""

    @property
    def source(self) -> Sentences: ...

    @property
    def target(self) -> Sentences: ...

    @property
    def places(self) -> Ints:
        """The numbers at which the places of each pair start."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language, the most frequent first, with the number of sentences that each is in."""

    words: tuple[str, ...]
    counts: Ints
    letters: int
    """The number of first letters that words are cut to; 0 for whole words."""

    @cached_property
    def number(self) -> dict[str, int]:
        return {word: k for k, word in enumerate(self.words)}

    def numbers(self, sentences: Sentences) -> npt.NDArray[np.int32]:
        """The number of the word of each token; -1 for words that are not known."""
        found, codes = _distinct(sentences, self.letters)
        known = np.array([self.number.get(word, -1) for word in found], np.int32)
        return known[codes] if len(codes) else np.zeros(0, np.int32)

    @classmethod
    def from_sentences(cls, sentences: Sentences, letters: int) -> Vocabulary:
        """Count the words of sentences, cut to this number of first letters."""
        found, codes = _distinct(sentences, letters)
        number = {word: k for k, word in enumerate(dict.fromkeys(found))}
        ids = np.array([number[word] for word in found], np.int64)[codes] if len(codes) else codes
        sentence = np.repeat(np.arange(len(sentences)), np.diff(sentences.starts))
        seen = np.unique(sentence * max(len(number), 1) + ids) % max(len(number), 1)
        counts = np.bincount(seen, minlength=len(number))
        order = np.argsort(-counts, kind="stable")
        words = list(number)
        return cls(tuple(words[k] for k in order), counts[order], letters)


def _distinct(sentences: Sentences, letters: int) -> tuple[list[str], Ints]:
    """The words cut to their first letters, in which some may repeat, and the number of each token among them."""
    found, places = different(sentences.columns["w"])
    return [word.lower()[: letters or None] for word in found.to_pylist()], places.astype(np.int64)


@dataclass(frozen=True)
class Grid:
    """The places of pairs of sentences, each of which is a source token with a target token."""

    pairs: Pairs

    @cached_property
    def sizes(self) -> tuple[Ints, Ints]:
        """The lengths n and m of the sentences of each place."""
        n, m = np.diff(self.pairs.source.starts), np.diff(self.pairs.target.starts)
        return np.repeat(n, n * m), np.repeat(m, n * m)

    @cached_property
    def local(self) -> tuple[Ints, Ints]:
        """The numbers i and j of the tokens of each place, from 0 in their sentences."""
        places = self.pairs.places
        at = np.arange(places[-1]) - np.repeat(places[:-1], np.diff(places))
        i, j = np.divmod(at, np.maximum(self.sizes[1], 1))
        return i, j

    @cached_property
    def tokens(self) -> tuple[Ints, Ints]:
        """The numbers of the source and the target token of each place, among all tokens."""
        sizes = np.diff(self.pairs.places)
        i, j = self.local
        return i + np.repeat(self.pairs.source.starts[:-1], sizes), j + np.repeat(self.pairs.target.starts[:-1], sizes)


@dataclass
class Translations:
    """Pairs of words that were seen in the same pair of sentences, with the parameters of each translation model."""

    source: Vocabulary
    target: Vocabulary
    keys: Ints
    """For each pair of words, in order: number of the source word x size of the target vocabulary + number of the target
    word."""
    together: Ints
    """The number of pairs of sentences that have each pair of words."""
    models: dict[str, Both]

    @property
    def letters(self) -> int:
        return self.source.letters

    def cells(self, grid: Grid) -> npt.NDArray[np.int32]:
        """The number of the pair of words of each place among `keys`; -1 for a pair that is not known."""
        i, j = grid.tokens
        if not len(self.keys):
            return np.full(len(i), -1, np.int32)
        s, t = self.source.numbers(grid.pairs.source)[i], self.target.numbers(grid.pairs.target)[j]
        key = s.astype(np.int64) * len(self.target.words) + t
        at = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        found = (s >= 0) & (t >= 0) & (self.keys[at] == key)
        return np.where(found, at, -1).astype(np.int32)

    def score(self, name: str, grid: Grid) -> Floats:
        """The score of each place by a translation model, from 0 to 1."""
        cell = self.cells(grid)
        if name == "dice":
            return np.append(self.dice, np.float32(0))[cell]
        forward, back = (p for p, _ in self.posteriors(name, grid, cell))
        score: Floats = np.sqrt(forward * back)
        return score

    def posteriors(
        self, name: str, grid: Grid, cell: npt.NDArray[np.int32] | None = None
    ) -> list[tuple[Floats, Floats]]:
        """For both directions, the posterior of each place, and of each token having no link."""
        cell = self.cells(grid) if cell is None else cell
        source, target = grid.pairs.source, grid.pairs.target
        words = self.target.numbers(target), self.source.numbers(source)
        both = zip(self.models[name], words, strict=True)
        return [model.expect(cell, source.starts, target.starts, of) for model, of in both]

    @cached_property
    def dice(self) -> Floats:
        """The Dice coefficient of each pair of words."""
        s, t = np.divmod(self.keys, len(self.target.words))
        dice: Floats = (2 * self.together / (self.source.counts[s] + self.target.counts[t])).astype(np.float32)
        return dice

    def header(self) -> dict[str, Json]:
        return {
            "letters": self.letters,
            "p0": {name: [one.p0 for one in both] for name, both in self.models.items()},
        }

    def arrays(self) -> dict[str, Array]:
        found: dict[str, Array] = {
            "keys": self.keys.view(np.uint64),
            "together": self.together.astype(np.uint32),
        }
        for side, words in (("source", self.source), ("target", self.target)):
            found[f"{side}.words"] = np.frombuffer("".join(words.words).encode(), np.uint8)
            found[f"{side}.lengths"] = np.array([*map(len, words.words)], np.uint32)
            found[f"{side}.counts"] = words.counts.astype(np.uint32)
        for name, both in self.models.items():
            for k, one in enumerate(both):
                parts = {"t": one.t, "none": one.t_none, "c": one.c}
                found |= {f"{name}.{k}.{part}": np.asarray(array, np.float32) for part, array in parts.items()}
        return found

    header_schema: ClassVar[Schema] = Record({"letters": Whole(0, 20), "p0": DictOf(Row((Real(0, 1), Real(0, 1))))})
    """What `header()` may be, as a model file has it."""

    @staticmethod
    def _layout(header: Mapping[str, Json], arrays: Arrays) -> dict[str, Numbers]:
        """What `arrays()` may be."""
        size = {name: arrays[name].size for name in ("source.lengths", "target.lengths", "keys")}
        n, m, n_pairs = size.values()
        layout = {
            "keys": Numbers(np.uint64, (n_pairs,), 0, n * m - 1, ascending=True),
            "together": Numbers(np.uint32, (n_pairs,)),
        }
        for side, k in (("source", n), ("target", m)):
            layout[f"{side}.words"] = Numbers(np.uint8)
            layout |= {
                f"{side}.{part}": Numbers(np.uint32, (k,), least) for part, least in (("lengths", 0), ("counts", 1))
            }
        for name in header["p0"]:
            jumps = Direction(name, False, np.zeros(0), np.zeros(0)).c.shape
            for k, words in enumerate((m, n)):
                layout[f"{name}.{k}.t"] = Numbers(np.float32, (n_pairs,), 0, 1e30)
                layout[f"{name}.{k}.none"] = Numbers(np.float32, (words,), 0, 1e30)
                layout[f"{name}.{k}.c"] = Numbers(np.float32, jumps, 0, 1e30)
        return layout

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> Translations:
        """Restore translations from `header()` and `arrays()`. ValueError or KeyError where they do not fit each other."""
        cls.header_schema.check(header, "translations")
        check_arrays(arrays, cls._layout(header, arrays))

        def words(side: str) -> Vocabulary:
            text = arrays[f"{side}.words"].tobytes().decode()
            cuts = pairwise([0, *accumulate(arrays[f"{side}.lengths"].tolist())])
            words = tuple(text[a:b] for a, b in cuts)
            return Vocabulary(words, arrays[f"{side}.counts"].astype(np.int64), header["letters"])

        def direction(name: str, k: int) -> Direction:
            t, none, c = (arrays[f"{name}.{k}.{part}"].astype(np.float64) for part in ("t", "none", "c"))
            return Direction(name, bool(k), t, none, c, header["p0"][name][k])

        models = {name: (direction(name, 0), direction(name, 1)) for name in header["p0"]}
        return cls(
            words("source"), words("target"), arrays["keys"].view(np.int64), arrays["together"].astype(np.int64), models
        )


def learn_translations(pairs: Pairs, letters: int, names: Sequence[str]) -> Translations:
    """Learn these translation models from pairs of sentences."""
    i, j = Grid(pairs).tokens
    source, target = (Vocabulary.from_sentences(side, letters) for side in (pairs.source, pairs.target))
    words = target.numbers(pairs.target), source.numbers(pairs.source)
    keys, cell = np.unique(words[1][i].astype(np.int64) * len(target.words) + words[0][j], return_inverse=True)
    pair = np.repeat(np.arange(len(pairs)), np.diff(pairs.places))
    together = np.bincount(np.unique(pair * max(len(keys), 1) + cell) % max(len(keys), 1), minlength=len(keys))
    found = Translations(source, target, keys, together, {})
    em = _EM(pairs, cell.astype(np.int32), words, np.divmod(keys, max(len(target.words), 1)))
    if {"model1", "model2"} & set(names):
        found.models["model1"] = em.run("model1", em.begin(np.ones(len(keys)), found), _ITERATIONS)
    if "model2" in names:
        found.models["model2"] = em.run("model2", found.models["model1"], _ITERATIONS)
    if "hmm" in names:
        first = em.run("model1", em.begin(_alike(found, em.of), found), _BEFORE_HMM, agree=True)
        found.models["hmm"] = em.run("hmm", first, _HMM, agree=True)
    return found if "dice" in names else _without_unlikely(found)


def _without_unlikely(found: Translations) -> Translations:
    """The translations without pairs of words that all models find unlikely."""
    likely = np.zeros(len(found.keys), bool)
    for both in found.models.values():
        likely |= (both[0].t > _LEAST) | (both[1].t > _LEAST)
    for both in found.models.values():
        for one in both:
            one.t = one.t[likely]
    return replace(found, keys=found.keys[likely], together=found.together[likely])


@dataclass(frozen=True)
class _EM:
    """Expectation maximisation over both directions of translation."""

    pairs: Pairs
    cell: npt.NDArray[np.int32]
    words: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
    """The words of the target tokens, which the source explains, and those of the source tokens, which the target explains."""
    of: tuple[Ints, Ints]
    """The source word and the target word of each pair of words."""

    def begin(self, t: npt.NDArray[np.float64], found: Translations) -> Both:
        sizes = len(found.target.words), len(found.source.words)
        none = [np.full(size, 1 / max(size, 1)) for size in sizes]
        forward, back = (
            Direction("model1", bool(k), t / np.bincount(self.of[k], t)[self.of[k]], none[k]) for k in (0, 1)
        )
        return forward, back

    def run(self, model: str, start: Both, iterations: int, agree: bool = False) -> Both:
        forward, back = (Direction(model, one.back, one.t, one.t_none) for one in start)
        for _ in range(iterations):
            self._step((forward, back), agree)
        return forward, back

    def _step(self, both: Both, agree: bool) -> None:
        """One iteration: compute expectations, and from them the next t, c and p0."""
        cuts = self.pairs.source.starts, self.pairs.target.starts
        expected = [one.expect(self.cell, *cuts, words) for one, words in zip(both, self.words, strict=True)]
        agreed = expected[0][0] * expected[1][0]
        for one, (p, none), words, of in zip(both, expected, self.words, self.of, strict=True):
            counts = np.bincount(self.cell, agreed if agree else p, minlength=len(one.t))
            one.t = counts / np.maximum(np.bincount(of, counts), _TINY)[of]
            counts = np.bincount(words, none, minlength=len(one.t_none))
            one.t_none = counts / max(counts.sum(), _TINY)
            if one.model != "model1":
                # The bounds keep p0, the probability of no link, from 0 and 1, and 1e-4 keeps jumps possible that were
                # not seen.
                one.p0 = float(np.clip(none.mean(), 0.02, 0.5))
                one.c = one.counts / max(one.counts.sum(), _TINY) + 1e-4


def _alike(found: Translations, of: tuple[Ints, Ints]) -> npt.NDArray[np.float64]:
    """How much more likely each pair of words is at first, if the words look alike."""
    s, t = (part.astype(np.int32) for part in of)
    r = ratios(Words(found.source.words), Words(found.target.words), s, t).astype(np.float64)
    short = [np.array([len(word) < _SHORT for word in side.words], bool) for side in (found.source, found.target)]
    looks = (r == 1) | ((r >= _LEAST_ALIKE) & ~short[0][s] & ~short[1][t])
    return 1 + _ALIKE * np.where(looks, r, 0)
