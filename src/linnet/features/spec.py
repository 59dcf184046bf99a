"""Features as a person types them: `words:1-2 chars:3-5*0.4 presence tfidf min=2`.

>>> spec = FeatureSpec.parse("words:1-2 tfidf min=2")
>>> spec.words, spec.idf, spec.norm, spec.min_df
((1, 2), 'tfidf', 'l2', 2.0)
>>> str(spec)
'words:1-2 tfidf min=2'
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from linnet.core.types import Setting
from linnet.errors import UsageError, meant
from linnet.features.kinds import KINDS

GRAMMAR = {
    "words:1-2": "n-grams of words, here of one and two; of characters in Chinese, Thai and other scripts without blanks",
    "chars:3-5": "n-grams of characters within ` word `, or between blanks and marks in a script without blanks",
    "chars-across:3-5": "n-grams of characters across words",
    "start:1-3": "the first word of the text, the first two, the first three",
    "skip:1-3": "pairs of words with one to three others between, which are not said",
    "shapes:1-3": "n-grams of the shapes of words: Xx for a capitalised one, XdX for R2D2",
    "sentiment": "six features: positive and negative words, `no`, first and second person, `!`, log length",
    "sentiment:POS,NEG": "the same with word lists of your own, one word a line",
    "lexicon:FILE": "how many words of the text are in the file, one word a line; may be given several times",
    "...*0.4": "behind any of these: the weight of that block",
    "counts presence log": "the value of a feature: how often, whether, 1 + ln(how often)",
    "sequence": "in the order of the text, each as often as it is there: words:1 or chars-across:1 for subsequence kernels",
    "tfidf bm25": "times ln((1 + N) / (1 + df)) + 1, or BM25; either with rows of length 1",
    "l1 l2 raw": "the norm of a row, or none",
    "min=2 max=0.5 top=10000": "least and greatest document frequency (a number, or a share below 1), most features",
    "hash=20": "no vocabulary: 2^20 features by hashing, without names",
    "punct": "punctuation marks are words, and the ending after an apostrophe is a word of its own",
    "case": "keep upper case",
    "markup": "read HTML tags and entities as they stand; else a tag is a blank, and `&amp;` is &",
    "not": "NOT_ before each word from a negation to the next punctuation mark",
    "position": "@1 to @4 behind each word: the quarter of the text that it is in",
}

_BLOCKS = {"words": 8, "chars": 32, "chars-across": 32, "start": 8, "skip": 8, "shapes": 8}
_UNSAID = {"words": "1", "chars": "3-5", "chars-across": "3-5", "start": "1-3", "skip": "1-3", "shapes": "1-3"}
_WORDS = (
    "counts",
    "presence",
    "log",
    "sequence",
    "tfidf",
    "bm25",
    "l1",
    "l2",
    "raw",
    "punct",
    "case",
    "markup",
    "not",
    "position",
)
_NUMBERS = ("min", "max", "top", "hash")
_ALL = (*_BLOCKS, "sentiment", "lexicon", *_WORDS, *(f"{name}=" for name in _NUMBERS))

_MOST_HANDMADE = 32

Range = tuple[int, int]


@dataclass(frozen=True)
class FeatureSpec:
    words: Range = (0, 0)
    chars: Range = (0, 0)
    across: Range = (0, 0)
    start: Range = (0, 0)
    skip: Range = (0, 0)
    shapes: Range = (0, 0)
    weights: tuple[float, ...] = (1.0,) * len(_BLOCKS)
    value: str = "counts"
    idf: str = "none"
    norm: str = "none"
    min_df: float = 1
    max_df: float = 1.0
    top: int = 0
    hash_bits: int = 0
    punctuation: bool = False
    case: bool = False
    markup: bool = False
    negation: bool = False
    position: bool = False
    handmade: tuple[str, ...] = field(default=())
    columns: tuple[tuple[str, str, float], ...] = field(default=())
    """Kind, name of the column ("" for the text) and weight of each."""
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The range of n of each block, in the order of their weights."""
        return self.words, self.chars, self.across, self.start, self.skip, self.shapes

    @cached_property
    def counts_words(self) -> bool:
        return set(self.ranges) != {(0, 0)} or bool(self.handmade)

    @property
    def reads_text(self) -> bool:
        return self.counts_words or any(not name for _, name, _ in self.columns)

    @classmethod
    def parse(cls, text: str) -> FeatureSpec:
        """Read a specification. UsageError, with what was meant, for anything that is not in the grammar."""
        spec = cls(text=" ".join(text.split()))
        for item in spec.text.split():
            spec = _apply(spec, item)
        return _checked(spec)


def _apply(spec: FeatureSpec, item: str) -> FeatureSpec:
    name, _, rest = item.partition(":")
    block = name.partition("*")[0]
    if block in _BLOCKS:
        return _apply_block(spec, block, item)
    if block in ("sentiment", "lexicon"):
        if block == "lexicon" and not rest:
            raise UsageError("feature 'lexicon' needs a file of words: lexicon:FILE.")
        return replace(spec, handmade=(*spec.handmade, item))
    if block in KINDS:
        return _apply_kind(spec, block, item)
    key, equals, number = item.partition("=")
    if equals and key in _NUMBERS:
        return _apply_number(spec, key, number)
    if item in ("counts", "presence", "log", "sequence"):
        return replace(spec, value=item)
    if item in ("tfidf", "bm25"):
        return replace(spec, idf=item, norm="l2" if spec.norm == "none" else spec.norm)
    if item in ("l1", "l2", "raw"):
        return replace(spec, norm=item)
    if item in ("punct", "case", "markup", "not", "position"):
        return _with(spec, {"punct": "punctuation", "not": "negation"}.get(item, item), True)
    hint = meant(item, [*_ALL, *KINDS], 0.5)
    raise UsageError(f"unknown feature {item!r} in {spec.text!r}.{hint} `linnet list features` shows them all.")


def _with(spec: FeatureSpec, name: str, value: Setting) -> FeatureSpec:
    return replace(spec, **{name: value})


def _apply_block(spec: FeatureSpec, block: str, item: str) -> FeatureSpec:
    body, weight = _split_weight(item)
    span = body.partition(":")[2] or _UNSAID[block]
    low, dash, high = span.partition("-")
    try:
        least, most = int(low), int(high if dash else low)
    except ValueError:
        raise UsageError(f"expected {block}:N or {block}:N-M, found {item!r}.") from None
    limit = _BLOCKS[block]
    if not 1 <= least <= most <= limit:
        raise UsageError(f"{item!r}: expected 1 <= N <= M <= {limit}.")
    name = "across" if block == "chars-across" else block
    if getattr(spec, name) != (0, 0):
        raise UsageError(f"{block!r} is given twice in {spec.text!r}; join the ranges, as in {block}:1-3.")
    at = list(_BLOCKS).index(block)
    weights = (*spec.weights[:at], weight, *spec.weights[at + 1 :])
    return _with(_with(spec, name, (least, most)), "weights", weights)


def _apply_kind(spec: FeatureSpec, kind: str, item: str) -> FeatureSpec:
    body, weight = _split_weight(item)
    name = body.partition(":")[2]
    if not name and KINDS[kind].column:
        raise UsageError(f"feature {kind!r} needs the name of a column: {kind}:NAME, with _ for a blank.")
    if (kind, name) in [column[:2] for column in spec.columns]:
        raise UsageError(f"{body!r} is given twice in {spec.text!r}.")
    return replace(spec, columns=(*spec.columns, (kind, name, weight)))


def _split_weight(item: str) -> tuple[str, float]:
    body, star, weight = item.partition("*")
    try:
        number = float(weight) if star else 1.0
    except ValueError:
        number = -1.0
    if not 0 < number < math.inf:
        raise UsageError(f"expected a positive weight behind the * of {item!r}.")
    return body, number


def _apply_number(spec: FeatureSpec, key: str, number: str) -> FeatureSpec:
    try:
        value = float(number)
    except ValueError:
        raise UsageError(f"expected a number in '{key}={number}'.") from None
    if key == "hash":
        if not (value.is_integer() and 4 <= value <= 31):
            raise UsageError(f"hash={number}: expected a whole number of bits from 4 to 31.")
        return replace(spec, hash_bits=int(value))
    if not 0 < value < math.inf or (value > 1 and not value.is_integer()) or (key == "top" and not value.is_integer()):
        raise UsageError(f"'{key}={number}': expected a positive whole number{'' if key == 'top' else ' or a share'}.")
    if key == "top":
        return replace(spec, top=int(value))
    # A bare 1 means one document for min, and all of them for max.
    if key == "min":
        return replace(spec, min_df=value)
    return replace(spec, max_df=value)


def _checked(spec: FeatureSpec) -> FeatureSpec:
    if not (spec.counts_words or spec.columns):
        names = [*_BLOCKS, "lexicon", "sentiment", *KINDS]
        raise UsageError(f"no features in {spec.text!r}: it needs {', '.join(names[:-1])} or {names[-1]}.")
    if spec.hash_bits and (spec.min_df != 1 or spec.max_df != 1 or spec.top):
        raise UsageError("hash= keeps no vocabulary, so min=, max= and top= cannot choose from it.")
    if spec.hash_bits and (spec.handmade or set(spec.weights) != {1.0}):
        raise UsageError("hash= mixes all features, so blocks cannot have weights, a lexicon or sentiment beside it.")
    if spec.hash_bits and {spec.start, spec.skip, spec.shapes} != {(0, 0)}:
        raise UsageError("start, skip and shapes need a vocabulary. Leave out hash=.")
    spec = replace(spec, norm="none") if spec.norm == "raw" else spec
    if spec.value == "sequence":
        spans = [span for span in spec.ranges[:3] if span != (0, 0)]
        alone = len(spans) == 1 and spans[0][0] == spans[0][1] and set(spec.ranges[3:]) == {(0, 0)}
        if not alone or spec.handmade or (spec.idf, spec.norm) != ("none", "none") or set(spec.weights) != {1.0}:
            raise UsageError(
                f"sequence keeps the order of one kind of feature, and no other value; found {spec.text!r}. Use "
                "'words:1 sequence' or 'chars-across:1 sequence'."
            )
    return spec


def lexicons(spec: FeatureSpec) -> tuple[list[tuple[str, str, tuple[str, ...]]], float]:
    """(name, mode, words) of each hand-made feature, and the weight of all of them. Word lists are read from their files
    here."""
    found: list[tuple[str, str, tuple[str, ...]]] = []
    weights: list[float] = []
    for item in spec.handmade:
        body, weight = _split_weight(item)
        kind, _, files = body.partition(":")
        if kind == "lexicon":
            rows = [(f"lexicon={Path(files).stem}", "count", read_words(files))]
        else:
            rows = _sentiment(files)
        found += rows
        weights.append(weight)
    if len(set(weights)) > 1:
        raise UsageError("lexicon and sentiment features share one weight; give all of them the same.")
    if len(found) > _MOST_HANDMADE:
        raise UsageError(f"at most {_MOST_HANDMADE} lexicon and sentiment features, found {len(found)}.")
    return found, weights[0] if weights else 1.0


def _sentiment(files: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The six features of Jurafsky and Martin (Choi, "Features: sentiment classification")."""
    from linnet.features import sentiment

    positive, negative = sentiment.POSITIVE, sentiment.NEGATIVE
    if files:
        names = files.split(",")
        if len(names) != 2:
            raise UsageError(f"expected sentiment:POSITIVE,NEGATIVE (two files of words), found 'sentiment:{files}'.")
        positive, negative = read_words(names[0]), read_words(names[1])
    return [
        ("sentiment=positive", "count", positive),
        ("sentiment=negative", "count", negative),
        ("sentiment=no", "presence", ("no",)),
        ("sentiment=pronouns", "count", sentiment.PRONOUNS),
        ("sentiment=!", "presence", ("!",)),
        ("sentiment=log-length", "log-length", ()),
    ]


def read_words(path: str) -> tuple[str, ...]:
    """The words of a file, one on a line, lower-cased. Blank lines and lines that start with ; or # are comments."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise UsageError(f"the word list {path!r} does not exist.") from None
    except IsADirectoryError:
        raise UsageError(f"the word list {path!r} is a folder. Name a file with one word a line.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"the word list {path!r} is not UTF-8 (byte {error.start}).") from None
    words = (line.strip().lower() for line in lines)
    return tuple(dict.fromkeys(word for word in words if word and word[0] not in ";#"))
