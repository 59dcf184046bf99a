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

from linnet.core.small_files import small_text
from linnet.core.types import Setting
from linnet.errors import UsageError, meant
from linnet.features.kinds import KINDS

GRAMMAR = {
    "words:1-2": "n-grams of words, here of one and two; of characters in Chinese, Thai and other scripts without blanks",
    "chars:3-5": "n-grams of characters within a word, which has a blank added before it and after it, or between blanks and "
    "marks in a script without blanks",
    "chars-across:3-5": "n-grams of characters, also across the blanks between words",
    "start:1-3": "the first word of the text, the first two, the first three",
    "skip:1-3": "pairs of words with one to three words skipped between them; the skipped words are left out of the feature",
    "shapes:1-3": "n-grams of the shapes of words, where X, x or d stands for a run of its kind: Xx for Paris, XdXd for R2D2",
    "sentiment": "six features: positive and negative words, `no`, first and second person, `!`, and the logarithm of how many "
    "words and marks there are",
    "sentiment:POS,NEG": "the same with word lists of your own, one word a line",
    "lexicon:FILE": "how many words of the text are in the file, one on a line, also what is longer, such as second-rate; may "
    "be given several times",
    "...*0.4": "after any of these: the weight of its features",
    "counts presence log": "the value of a feature: how often, whether, 1 + ln(how often)",
    "sequence": "tokens in their order instead of counts, for subsequence kernels: words:1 or chars-across:1, and nothing else",
    "tfidf bm25": "times (ln((1 + N) / (1 + df)) + 1), or BM25; both imply l2 unless l1 or raw is given",
    "l1 l2 raw": "the norm of a row, or none",
    "min=2 max=0.5 top=10000": "least and greatest document frequency (a number, or a share below 1), most features",
    "labelled=2": "beside texts without labels: learn from a labelled text only what so many of these have; what others of "
    "its n-grams say is learned from the texts without labels",
    "most=100000": "so many features at most, the most frequent; little more than four times as many are in memory while they "
    "are counted, so that some that come and go may be missed, which training says",
    "hash=20": "no vocabulary: 2^20 features by hashing, without names",
    "punct": "punctuation marks are words, and the ending after an apostrophe is a word of its own",
    "case": "keep upper case",
    "markup": "read HTML tags and entities as they stand; else a tag is a blank, and `&amp;` is &",
    "not": "NOT_ before each word from a negation to the next punctuation mark",
    "unknown": "one feature more: how many words of the text are no features, as no text had them while learning, or min= has "
    "left them out",
    "position": "@1 to @4 after each word: the quarter of the text that it is in",
}

_BLOCKS = {"words": 8, "chars": 32, "chars-across": 32, "start": 8, "skip": 8, "shapes": 8}
"""The largest n of each block. Their order is that of `FeatureSpec.ranges` and `FeatureSpec.weights`."""
KINDS_OF_STRINGS = tuple(_BLOCKS)
"""The blocks of features. The index of each is the kind of its strings in a vocabulary; hand-made features have the
next kind."""
_DEFAULT_RANGE = {"words": "1", "chars": "3-5", "chars-across": "3-5", "start": "1-3", "skip": "1-3", "shapes": "1-3"}
_CHOICES = {"value": ("counts", "presence", "log", "sequence"), "idf": ("tfidf", "bm25"), "norm": ("l1", "l2", "raw")}
"""The keywords of which one can be given, by the field of FeatureSpec that it becomes."""
_FLAGS = {
    "punct": "punctuation",
    "case": "case",
    "markup": "markup",
    "not": "negation",
    "position": "position",
    "unknown": "unknown",
}
"""The keywords that set a field of FeatureSpec to True, with that field."""
_NUMBERS = ("min", "max", "top", "most", "labelled", "hash")
_CHOSEN = ("min", "max", "top", "most", "labelled")
"""The keywords by which features are chosen among those of all texts."""
_VECTORS = ("vectors", "topics")
"""The kinds whose features are learned from texts as a whole."""
_WHOLE = ("top", "most", "labelled")
"""The keywords of which each is a number of features or of texts, and never a share."""
_STREAMED = {"bm25": "log l2", "tfidf": "l2"}
"""What takes the place of document frequencies in a stream."""
_KEYWORDS = (*(keyword for choices in _CHOICES.values() for keyword in choices), *_FLAGS)
_ALL = (*_BLOCKS, "sentiment", "lexicon", *_KEYWORDS, *(f"{name}=" for name in _NUMBERS))

_MOST_HANDMADE = 32
"""The compiled `Lexicons` (core/extract/lexicons.pyx) keep the features that count a word as the bits of a 32-bit integer."""

Range = tuple[int, int]


@dataclass(frozen=True)
class FeatureSpec:
    """A specification of features, as `parse` reads it. A block whose range of n is (0, 0) is left out."""

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
    """One of none, l1 and l2. While a specification is read, none means that no norm is given, and raw that none is wanted."""
    min_df: float = 1
    max_df: float = 1.0
    top: int = 0
    most: int = 0
    labelled: int = 1
    hash_bits: int = 0
    punctuation: bool = False
    case: bool = False
    markup: bool = False
    negation: bool = False
    position: bool = False
    unknown: bool = False
    handmade: tuple[str, ...] = field(default=())
    """The sentiment and lexicon features as they were typed, such as lexicon:FILE*2; `lexicons` reads their files."""
    columns: tuple[tuple[str, str, float], ...] = field(default=())
    """The features of KINDS: for each, its kind, the column of the table that it looks at ("" for the text), its weight."""
    text: str = ""
    """The specification as it was typed, with single blanks."""

    def __str__(self) -> str:
        return self.text

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The range of n of each block, in the order of their weights."""
        return self.words, self.chars, self.across, self.start, self.skip, self.shapes

    @cached_property
    def counts_words(self) -> bool:
        """Whether any feature counts words or characters of the text: n-grams of either, sentiment or lexicons."""
        return set(self.ranges) != {(0, 0)} or bool(self.handmade)

    @property
    def reads_text(self) -> bool:
        """Whether any feature looks at the text, and not only at other columns."""
        return self.counts_words or any(not name or KINDS[kind].of_text for kind, name, _ in self.columns)

    @property
    def reads(self) -> dict[str, Setting]:
        """What readers have to know: whether there must be texts, and which columns of lists of numbers are needed."""
        lists = tuple(name.partition(",")[0] for kind, name, _ in self.columns if KINDS[kind].numbers)
        return {"needs_text": self.reads_text, "number_lists": lists}

    @property
    def streamed(self) -> str:
        """The specification without what must see all texts: document frequencies, and the choice of features by them. The
        counts of words that bm25 would weigh are damped by a logarithm instead.

        >>> FeatureSpec.parse("words:1-2 punct bm25 min=2").streamed
        'words:1-2 punct log l2'
        """
        items = [_STREAMED.get(item, item) for item in self.without_vectors.split()]
        return " ".join(item for item in items if item.partition("=")[0] not in _CHOSEN)

    @property
    def without_vectors(self) -> str:
        """The specification without what is learned from many texts: vectors and topics.

        >>> FeatureSpec.parse("words:1-2 vectors:200*0.7 topics:100*0.7 min=2").without_vectors
        'words:1-2 min=2'
        """
        return " ".join(item for item in self.text.split() if item.partition(":")[0] not in _VECTORS)

    @classmethod
    def parse(cls, text: str) -> FeatureSpec:
        """Read a specification. UsageError, with what was meant, for anything that is not in the grammar."""
        spec = cls(text=" ".join(text.split()))
        for item in spec.text.split():
            spec = _apply(spec, item)
        return _checked(spec)


def _apply(spec: FeatureSpec, item: str) -> FeatureSpec:
    block = item.partition(":")[0].partition("*")[0]
    if block in _BLOCKS:
        return _apply_block(spec, block, item)
    if block in ("sentiment", "lexicon"):
        return _apply_handmade(spec, block, item)
    if block in KINDS:
        return _apply_kind(spec, block, item)
    key, equals, number = item.partition("=")
    if equals and key in _NUMBERS:
        return _apply_number(spec, key, number)
    for name, choices in _CHOICES.items():
        if item in choices:
            return _with(spec, name, item)
    if item in _FLAGS:
        return _with(spec, _FLAGS[item], True)
    # Items are short, so that two wrong letters are half of one.
    hint = meant(item, [*_ALL, *KINDS], alike=0.5)
    raise UsageError(f"unknown feature {item!r} in {spec.text!r}.{hint} `linnet list features` shows them all.")


def _with(spec: FeatureSpec, name: str, value: Setting) -> FeatureSpec:
    """Replace the field of this name, where the name is not known to the type checker."""
    return replace(spec, **{name: value})


def _apply_handmade(spec: FeatureSpec, kind: str, item: str) -> FeatureSpec:
    files = _split_weight(item)[0].partition(":")[2]
    if kind == "lexicon" and not files:
        raise UsageError("feature 'lexicon' needs a file of words: lexicon:FILE.")
    return replace(spec, handmade=(*spec.handmade, item))


def _apply_block(spec: FeatureSpec, block: str, item: str) -> FeatureSpec:
    body, weight = _split_weight(item)
    span = body.partition(":")[2] or _DEFAULT_RANGE[block]
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
        needs = (
            f"a number: {KINDS[kind].typed}"
            if KINDS[kind].of_text
            else f"the name of a column: {kind}:NAME, with _ for a blank"
        )
        raise UsageError(f"feature {kind!r} needs {needs}.")
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
        raise UsageError(f"expected a positive weight after the * of {item!r}.")
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
    if not 0 < value < math.inf or (value > 1 and not value.is_integer()) or (key in _WHOLE and not value.is_integer()):
        raise UsageError(f"'{key}={number}': expected a positive whole number{'' if key in _WHOLE else ' or a share'}.")
    if key in _WHOLE:
        return _with(spec, key, int(value))
    # A bare 1 means one document for min, and all of them for max.
    if key == "min":
        return replace(spec, min_df=value)
    return replace(spec, max_df=value)


def _checked(spec: FeatureSpec) -> FeatureSpec:
    """Refuse what cannot be had together, and settle the norm."""
    for choices in _CHOICES.values():
        given = [item for item in dict.fromkeys(spec.text.split()) if item in choices]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other, found in {spec.text!r}. Keep one of them.")
    if not (spec.counts_words or spec.columns):
        names = [*_BLOCKS, "lexicon", "sentiment", *KINDS]
        raise UsageError(f"no features in {spec.text!r}: it needs {', '.join(names[:-1])} or {names[-1]}.")
    if spec.hash_bits and (spec.min_df != 1 or spec.max_df != 1 or spec.top or spec.most):
        raise UsageError("hash= keeps no vocabulary, so min=, max=, top= and most= cannot choose from it.")
    if spec.labelled > 1 and (spec.hash_bits or spec.value == "sequence"):
        raise UsageError("labelled= chooses among n-grams that stand by themselves. Leave out hash= or sequence.")
    if spec.top and spec.most:
        raise UsageError("top= and most= both say how many features there are. Keep one of them.")
    if spec.hash_bits and (spec.handmade or set(spec.weights) != {1.0}):
        raise UsageError("hash= mixes all features, so blocks cannot have weights, a lexicon or sentiment beside it.")
    if spec.hash_bits and {spec.start, spec.skip, spec.shapes} != {(0, 0)}:
        raise UsageError("start, skip and shapes need a vocabulary. Leave out hash=.")
    if spec.unknown and (spec.words[0] != 1 or spec.hash_bits):
        raise UsageError("unknown counts words that are no features by themselves, so it needs words:1, and no hash=.")
    if spec.norm == "raw":
        spec = replace(spec, norm="none")
    elif spec.norm == "none" and spec.idf != "none":
        spec = replace(spec, norm="l2")
    if spec.value == "sequence":
        spans = [span for span in (spec.words, spec.chars, spec.across) if span != (0, 0)]
        alone = len(spans) == 1 and spans[0][0] == spans[0][1] and {spec.start, spec.skip, spec.shapes} == {(0, 0)}
        if (
            not alone
            or spec.handmade
            or spec.unknown
            or (spec.idf, spec.norm) != ("none", "none")
            or set(spec.weights) != {1.0}
        ):
            raise UsageError(
                f"sequence keeps the order of one kind of feature, and no other value; found {spec.text!r}. Use "
                "'words:1 sequence' or 'chars-across:1 sequence'."
            )
    return spec


def lexicons(spec: FeatureSpec) -> tuple[list[tuple[str, str, tuple[str, ...]]], float]:
    """Read the word lists of the sentiment and lexicon features. Return the name, the mode (count, presence, log-length or
    unknown) and the words of each feature, as `Lexicons` of core/extract takes them, and the weight that they share."""
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
    if spec.unknown:
        found.append(("unknown", "unknown", ()))
    if len(set(weights)) > 1:
        raise UsageError("lexicon and sentiment features share one weight; give all of them the same.")
    if len(found) > _MOST_HANDMADE:
        raise UsageError(f"at most {_MOST_HANDMADE} lexicon and sentiment features, found {len(found)}.")
    return found, weights[0] if weights else 1.0


def _sentiment(files: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The six features of Jurafsky and Martin ("Speech and Language Processing", on logistic regression), which Choi's slide
    "Features: Sentiment Classification" takes over. The last is the logarithm of the number of words and marks, with a word
    such as second-rate or it's counted once: the review of the book has 66, though early editions and the lecture say 64.
    """
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
    """The words of a file, or what is longer than a word, one on a line, lower-cased. Blank lines and lines that start with ;
    or # are comments."""
    words = [line.strip().lower() for line in small_text(path).splitlines()]
    return tuple(dict.fromkeys(word for word in words if word and word[0] not in ";#"))
