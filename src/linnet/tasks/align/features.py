"""From pairs of sentences to the blocks of an alignment: features of each possible link, and of target tokens without a link.

Parts of a template, with `|` between them:

    dice model1 model2 hmm    how likely the words translate each other (translation.py), in steps; hmm:4 by their first
    4 letters ~hmm                      how likely that is, in a few coarse steps top.hmm                   whether no
    other link is likelier for the source token, for the target token, for both ...[1,1]                  after any of
    these: for the next source and the next target token; [0,-1] and so on alike                     how alike the words
    look kind                      whether they are words, numbers or punctuation dist                      how far
    apart they are, i / n - j / m, in steps s.NAME t.NAME             the source or target token: lower (the word),
    common (if among the 100 most frequent), count s.hmm t.hmm               the fertility of the token: how many tokens
    of the other sentence the model links it to none|t.NAME               marks a template for target tokens without a
    link

>>> features = AlignmentFeatures("hmm:4 ~hmm:4[1,1]|dist s.common|t.common none|t.common")
>>> [str(template) for template in features.templates["links"]], features.models
(['hmm:4', '~hmm:4[1,1]|dist', 's.common|t.common'], {4: {'hmm'}, 0: set()})
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.extract.different import different
from linnet.core.extract.likeness import Words, ratios
from linnet.core.extract.templates import Templates
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.schema import ListOf, Numbers, Record, Text, check_arrays
from linnet.core.types import I64, Array, Arrays, Json
from linnet.errors import UsageError, meant
from linnet.tasks.align.translation import MODELS, Grid, Pairs, Translations

LINK_GRAMMAR = {
    "dice model1 model2 hmm": "how likely words translate each other, by text without links; hmm:4 by the first 4 letters",
    "~hmm top.hmm": "in coarse steps; whether no other link is likelier for the source token, for the target token, for both",
    "...[1,1]": "after any of these: for the next source and the next target token",
    "alike kind dist": "whether the words look alike; whether they are words, numbers, punctuation; how far apart they are",
    "s.NAME t.NAME": "lower, common (if among the 100 most frequent) or count, of the source or of the target token",
    "s.hmm t.hmm": "the fertility of the token: how many links a model expects it to have",
    "none|t.NAME": "features of target tokens without a link",
}

_MODELS = ("dice", *MODELS)
_OF_LINKS = ("alike", "kind", "dist")
_OF_TOKENS = ("lower", "common", "count")
_SIDES = ("s.", "t.")
_ATOM = re.compile(r"(~|top\.|[st]\.)?([a-z0-9]+)(?::([0-9]{1,9}))?(?:\[(-?[0-9]{1,9}),(-?[0-9]{1,9})\])?")
_NONE = "none"
_COMMON = 100
"""The number of most frequent words that have a feature of their own."""
_FARTHEST = 5
"""The largest offset in [K,M], in tokens."""
# Below are the values between which probabilities, distances, counts and fertilities are told apart.
_STEPS = np.array([0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
_COARSE = np.array([0.01, 0.1, 0.3, 0.6, 0.9])
_DISTANCES = np.array([0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5])
_COUNTS = np.array([2, 8, 32, 128, 512])
_FERTILITIES = np.array([0.1, 0.3, 0.6, 0.9, 1.1, 1.4, 2.0])
_ALIKE = ("0/6", "1/6", "2/6", "3/6", "4/6", "5/6", "4 letters", "5 letters", "equal")
_KINDS = ("digits", "punctuation", "letters")
_TOPS = ("neither", "source", "target", "both")

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LinkPart:
    """One part of a template. `side` is s or t for one of the two tokens, ~ or top. before the name of a model, or empty."""

    side: str
    name: str
    letters: int = 0
    offset: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        letters = f":{self.letters}" if self.letters else ""
        offset = f"[{self.offset[0]},{self.offset[1]}]" if self.offset != (0, 0) else ""
        return f"{self.side}{self.name}{letters}{offset}"


@dataclass(frozen=True)
class LinkTemplate:
    """A template of features of links, or, with `none`, of target tokens without a link."""

    parts: tuple[LinkPart, ...]
    none: bool = False

    def __str__(self) -> str:
        return "|".join([*([_NONE] if self.none else []), *map(str, self.parts)])


class AlignmentFeatures:
    """The features of a specification, which are numbered as they come up in pairs of sentences."""

    def __init__(self, spec: str) -> None:
        self.spec = " ".join(spec.split())
        found = list(dict.fromkeys(_template(item) for item in self.spec.split()))
        self.templates = {
            "links": [template for template in found if not template.none],
            "none": [template for template in found if template.none],
        }
        if not self.templates["links"]:
            raise UsageError("expected features of links, found none. For a start, use: hmm:4 alike dist.")
        self._parts = {
            name: list(dict.fromkeys(part for template in some for part in template.parts))
            for name, some in self.templates.items()
        }
        self._cores = {name: Templates(self._numbered(name)) for name in self.templates}
        self.translations: dict[int, Translations] = {}
        """The translation models, keyed as `models` lists them. They must be set before blocks are made."""

    def _numbered(self, block: str) -> list[tuple[tuple[int, int], ...]]:
        number = {part: k for k, part in enumerate(self._parts[block])}
        return [tuple((number[part], 0) for part in template.parts) for template in self.templates[block]]

    @property
    def models(self) -> dict[int, set[str]]:
        """The names of the translation models that are needed, keyed by the number of first letters that words are cut
        to; 0 is for whole words."""
        found: dict[int, set[str]] = {}
        for part in (*self._parts["links"], *self._parts["none"]):
            if part.name in _MODELS:
                found.setdefault(part.letters, set()).add(part.name)
            elif part.name in _OF_TOKENS:
                found.setdefault(0, set())
        return found

    @property
    def n_features(self) -> int:
        return int(self._cores["links"].n_features)

    @property
    def n_none_features(self) -> int:
        return int(self._cores["none"].n_features)

    def blocks(self, pairs: Pairs, *, grow: bool = False) -> tuple[Block, Block]:
        """The blocks of feature values of these pairs. New features are added if `grow`, and left out otherwise."""
        grid = _PartCodes(Grid(pairs), self.translations)
        return (
            self._block("links", grid.link, pairs.places, grow),
            self._block("none", grid.token, pairs.target.starts, grow),
        )

    def _block(self, block: str, codes_of: Callable[[LinkPart], Codes], places: I64, grow: bool) -> Block:
        parts, n = self._parts[block], int(places[-1])
        codes = np.empty((len(parts), n), np.int32)
        for k, part in enumerate(parts):
            codes[k] = codes_of(part)
        indptr, indices, values = self._cores[block].rows(codes, np.array([0, n]), grow)
        return Block(indptr, indices, values, places)

    def name(self, feature: int) -> str:
        return self._name("links", feature)

    def none_name(self, feature: int) -> str:
        return self._name("none", feature)

    def _name(self, block: str, feature: int) -> str:
        template, codes = self._cores[block].codes(feature)
        one = self.templates[block][template]
        return f"{one}=" + "|".join(self._value(part, code) for part, code in zip(one.parts, codes, strict=True))

    def _value(self, part: LinkPart, code: int) -> str:
        if part.name in ("lower", "common"):
            words = (self.translations[0].source if part.side == "s." else self.translations[0].target).words
            return words[code - 1] if code else "other"
        if code == 0:
            return "outside"
        if part.name == "count":
            return _step(_COUNTS, code - 1)
        if part.name in _MODELS and part.side in _SIDES:
            return _step(_FERTILITIES, code - 1)
        if part.name in _MODELS:
            return _TOPS[code - 1] if part.side == "top." else _step(_COARSE if part.side == "~" else _STEPS, code - 1)
        if part.name == "kind":
            return " ".join(_KINDS[k] for k in divmod(code - 1, len(_KINDS)))
        return _ALIKE[code - 1] if part.name == "alike" else _step(_DISTANCES, code - 1)

    def header(self) -> dict[str, Json]:
        return {"spec": self.spec, "translations": [known.header() for known in self.translations.values()]}

    def arrays(self) -> dict[str, Array]:
        parts = {f"core.{name}": core.arrays() for name, core in self._cores.items()}
        parts |= {f"translations.{letters}": known.arrays() for letters, known in self.translations.items()}
        return flattened(parts)

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> AlignmentFeatures:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        Record({"spec": Text(), "translations": ListOf(Translations.header_schema)}).check(header, "features")
        self = cls(header["spec"])
        for one in header["translations"]:
            known = Translations.from_arrays(one, arrays_of(f"translations.{one['letters']}", arrays))
            self.translations[known.letters] = known
        for letters, names in self.models.items():
            if letters not in self.translations or not names - {"dice"} <= set(self.translations[letters].models):
                raise ValueError("a translation model is missing")
        for block in self._cores:
            core = arrays_of(f"core.{block}", arrays)
            check_arrays(core, {"nodes": Numbers(np.uint64), "features": Numbers(np.uint64)})
            n_codes = list(map(self._n_codes, self._parts[block]))
            self._cores[block] = Templates.from_arrays(self._numbered(block), core["nodes"], core["features"], n_codes)
        return self

    def _n_codes(self, part: LinkPart) -> int:
        """The number of codes of a part: `_value` has a name for each."""
        if part.name in ("lower", "common"):
            return 1 + len((self.translations[0].source if part.side == "s." else self.translations[0].target).words)
        if part.name in _MODELS and part.side == "top.":
            return 1 + len(_TOPS)
        if part.name in ("kind", "alike"):
            return 1 + (len(_ALIKE) if part.name == "alike" else len(_KINDS) ** 2)
        if part.name in _MODELS:
            return 2 + len(_FERTILITIES if part.side in _SIDES else _COARSE if part.side == "~" else _STEPS)
        return 2 + len(_COUNTS if part.name == "count" else _DISTANCES)


class _PartCodes:
    """The code of each part of a template, at each possible link (`link`) or for each token (`token`) of pairs of sentences; 0
    outside of the sentences. What several parts need is computed once."""

    def __init__(self, grid: Grid, translations: Mapping[int, Translations]) -> None:
        self.grid = grid
        self.translations = translations
        self.scores: dict[tuple[str, int], npt.NDArray[np.float32]] = {}

    def link(self, part: LinkPart) -> Codes:
        """The code of a part at each possible link."""
        if part.side in _SIDES:
            tokens = self.grid.tokens[part.side == "t."]
            return self.token(part)[tokens]
        codes = self._codes_without_offset(part) + 1
        if part.offset == (0, 0):
            return codes
        (i, j), (n, m) = self.grid.local, self.grid.sizes
        a, b = part.offset
        inside = (i + a >= 0) & (i + a < n) & (j + b >= 0) & (j + b < m)
        at = np.where(inside, np.arange(len(codes)) + a * m + b, 0)
        return np.where(inside, codes[at], 0).astype(np.int32)

    def token(self, part: LinkPart) -> Codes:
        """The code of a part for each source or each target token; -1 gives the token no feature with this part."""
        if part.name in _MODELS:
            return (np.digitize(self._fertility(part), _FERTILITIES) + 1).astype(np.int32)
        pairs, known = self.grid.pairs, self.translations[0]
        words, side = (known.source, pairs.source) if part.side == "s." else (known.target, pairs.target)
        number = words.numbers(side)
        if part.name == "lower":
            return np.where(number >= 0, number + 1, -1).astype(np.int32)
        if part.name == "common":
            return np.where((number >= 0) & (number < _COMMON), number + 1, 0).astype(np.int32)
        counts = np.where(number >= 0, words.counts[number], 0)
        return (np.digitize(counts, _COUNTS) + 1).astype(np.int32)

    def _fertility(self, part: LinkPart) -> npt.NDArray[np.float32]:
        """The fertility of each token: the sum of the scores of its possible links."""
        score, target = self._score(part.name, part.letters), part.side == "t."
        side = self.grid.pairs.target if target else self.grid.pairs.source
        total = np.zeros(side.n_tokens, np.float32)
        np.add.at(total, self.grid.tokens[target], score)
        return total

    def _codes_without_offset(self, part: LinkPart) -> Codes:
        """The code, from 0, of a part of both tokens at each possible link."""
        if part.name in _MODELS:
            score = self._score(part.name, part.letters)
            found = (
                self._likeliest(score) if part.side == "top." else np.digitize(score, _COARSE if part.side else _STEPS)
            )
            return found.astype(np.int32)
        return {"alike": self._alike, "kind": self._kind, "dist": self._dist}[part.name]().astype(np.int32)

    def _score(self, name: str, letters: int) -> npt.NDArray[np.float32]:
        if (name, letters) not in self.scores:
            self.scores[name, letters] = self.translations[letters].score(name, self.grid)
        return self.scores[name, letters]

    def _likeliest(self, score: npt.NDArray[np.float32]) -> Ints:
        """For which of its tokens each possible link is the likeliest, as a number among _TOPS."""
        best = []
        for tokens, side in zip(self.grid.tokens, (self.grid.pairs.source, self.grid.pairs.target), strict=True):
            most = np.zeros(side.n_tokens, np.float32)
            np.maximum.at(most, tokens, score)
            best.append(score >= most[tokens])
        return best[0] + 2 * best[1]

    def _words(self) -> tuple[list[list[str]], list[Ints], Ints, Ints]:
        """The distinct words of both sides in lower case, the numbers of both words of each possible link, the distinct
        pairs of words, and the number of the pair of each possible link."""
        words, numbers = [], []
        for tokens, side in zip(self.grid.tokens, (self.grid.pairs.source, self.grid.pairs.target), strict=True):
            found, places = different(side.columns["w"])
            words.append([word.lower() for word in found.to_pylist()])
            numbers.append(places.astype(np.int64)[tokens])
        both, of_place = np.unique(numbers[0] * max(len(words[1]), 1) + numbers[1], return_inverse=True)
        return words, numbers, both, of_place

    def _alike(self) -> Ints:
        (source, target), _, both, of_place = self._words()
        s, t = (part.astype(np.int32) for part in np.divmod(both, max(len(target), 1)))
        r = ratios(Words(source), Words(target), s, t)
        codes = [
            _likeness(source[a], target[b], ratio)
            for a, b, ratio in zip(s.tolist(), t.tolist(), r.tolist(), strict=True)
        ]
        return np.array(codes, np.int64)[of_place]

    def _kind(self) -> Ints:
        words, numbers, _, _ = self._words()
        kinds = [np.array([_kind(word) for word in some], np.int64) for some in words]
        return len(_KINDS) * kinds[0][numbers[0]] + kinds[1][numbers[1]]

    def _dist(self) -> Ints:
        (i, j), (n, m) = self.grid.local, self.grid.sizes
        return np.digitize(np.abs((i + 0.5) / n - (j + 0.5) / m), _DISTANCES)


def _likeness(a: str, b: str, ratio: float) -> int:
    """How alike two words look, as a number among _ALIKE; `ratio` is that of core/extract/likeness.pyx."""
    if a == b:
        return len(_ALIKE) - 1
    if min(len(a), len(b)) < 4:
        return 0
    if a[:4] == b[:4]:
        return len(_ALIKE) - 2 if a[:5] == b[:5] else len(_ALIKE) - 3
    return min(int(6 * ratio), 5)


def _kind(word: str) -> int:
    """The kind of a word, as a number among _KINDS."""
    if any(letter.isdigit() for letter in word):
        return 0
    return 2 if any(letter.isalpha() for letter in word) else 1


def _step(edges: Array, code: int) -> str:
    """The range of values that a code stands for, in words."""
    return f"<{edges[0]:g}" if code == 0 else f"{edges[code - 1]:g}+"


def _template(item: str) -> LinkTemplate:
    atoms = item.split("|")
    none = atoms[0] == _NONE
    parts = tuple(_part(atom, item) for atom in (atoms[1:] if none else atoms))
    if none and (not parts or any(part.side != "t." for part in parts)):
        raise UsageError(f"{item!r}: a template with none can use the target token only, such as none|t.common.")
    return LinkTemplate(parts, none)


def _part(atom: str, item: str) -> LinkPart:
    match = _ATOM.fullmatch(atom)
    if match is None:
        raise UsageError(f"cannot read {atom!r} in the feature {item!r}. Expected NAME, NAME:4, ~NAME[1,1] or s.NAME.")
    side, name, letters, a, b = match.groups()
    known = (*_OF_TOKENS, *_MODELS) if side in _SIDES else _MODELS if side else (*_MODELS, *_OF_LINKS)
    if name not in known:
        raise UsageError(f"unknown feature {atom!r}.{meant(name, known)} There are: {', '.join(known)}.")
    if letters is not None and (name not in _MODELS or not 1 <= int(letters) <= 20):
        raise UsageError(
            f"{atom!r}: a number of letters, from 1 to 20, can follow {', '.join(_MODELS)} only. Leave it out."
        )
    offset = (int(a or 0), int(b or 0))
    if a is not None and (side in _SIDES or max(map(abs, offset)) > _FARTHEST):
        raise UsageError(f"{atom!r}: expected [K,M] from -{_FARTHEST} to {_FARTHEST}, after a feature of both tokens.")
    return LinkPart(side or "", name, int(letters or 0), offset)
