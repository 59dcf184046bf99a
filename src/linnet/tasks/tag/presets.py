"""Presets: names for features and settings that suit a kind of tags, as in `--features ner` or `--features "ner
lexicon:a.txt"`.

They were chosen on held-out parts of training data or on development sets: `pos` on English web text, `chunk` on English news,
`ner` on Spanish news. The fast presets learn in seconds and stay first order. `chunk-fast` leaves out conjunctions that are
seen only once, which costs nothing there; elsewhere it costs 0.05 to 0.35.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linnet.learners.preset import Options

# New sentences have the columns of a CoNLL file too, but not the lemmas and heads of a treebank.
_GIVEN = re.compile(r"col\d+|pos")
FEW_TAGS = 32
"""The largest number of tags for templates of pairs of tags with features, and of threes. The number of their weights grows
with the square and the cube of the number of tags."""


def is_given(column: str) -> bool:
    """Whether new sentences have a column, too, so that presets look at it."""
    return _GIVEN.fullmatch(column) is not None


@dataclass(frozen=True)
class TagPreset:
    """Features and options of the learner for a kind of tags."""

    summary: str
    features: str
    column: str = ""
    """The templates for each other column, such as parts of speech; {0} stands for its name."""
    few_tags: str = ""
    """The templates that are used only if there are few tags."""
    options: Options = field(default_factory=dict)
    unlabelled: str = ""
    """The templates that are used only if there are sentences without tags to learn from."""

    def spec(self, columns: Sequence[str], n_tags: int, *, unlabelled: bool = False) -> str:
        """The specification of the features for data with these columns and this number of tags, and perhaps with sentences
        without tags."""
        given = [self.column.format(name) for name in columns if is_given(name)]
        wanted = [self.few_tags] * (n_tags <= FEW_TAGS) + [self.unlabelled] * unlabelled
        return " ".join(filter(None, [self.features, *given, *wanted]))


_WORDS = " ".join(
    (
        "w[-2..2] w[-1]|w w|w[1] w[-1]|w[1] w[-1]|w|w[1] lower[-2..2] suffix:1-5 prefix:1-5 cap digit hyphen",
        "short-shape[-1..1] short-shape[-1]|short-shape short-shape|short-shape[1]",
        "suffix:2[-1] suffix:2[1] suffix:3[-1] suffix:3[1] suffix:3[-1]|suffix:3 suffix:3|suffix:3[1]",
        "amb[-2..2] amb[-2]|amb[-1] amb[-1]|amb amb|amb[1] amb[-1]|amb[1] amb[-1]|amb|amb[1]",
        "amb|w amb|suffix:2 amb|short-shape amb[-1]|w amb|w[1] amb[1]|w",
    )
)
_UNKNOWN = " ".join(
    (
        "amb|suffix:1 amb|suffix:3 amb|suffix:4 amb|prefix:2 amb|prefix:3 amb|cap amb|digit",
        "lower-amb[-1..1] lower-amb|amb lower-amb|suffix:2 lower-amb|short-shape",
        "suffix:2|lower[-1] suffix:2|lower[1] suffix:3|lower[-1] suffix:3|lower[1]",
        "short-shape|lower[-1] short-shape|lower[1]",
    )
)
_NAMES = "near near|amb near|short-shape near-left near-right lower[-4..-3] lower[3..4]"
_COLUMN = "{0}[-2..2] {0}[-2]|{0}[-1] {0}[-1]|{0} {0}|{0}[1] {0}[1]|{0}[2] {0}[-1]|{0}|{0}[1] w|{0} w[-1]|{0} w[1]|{0}"
_FAST = "w[-2..2] w[-1]|w w|w[1] lower suffix:1-4 prefix:1-3 short-shape[-1..1] cap digit hyphen amb[-1..1]"
_FAST_COLUMN = "{0}[-2..2] {0}[-1]|{0} {0}|{0}[1] {0}[-1]|{0}|{0}[1] w|{0}"
_RUNS = 4
"""The number of runs, each over the sentences in another order, whose weights are averaged."""
_CLUSTERS = "vector-cluster:32[-1..1] vector-cluster:128[-1..1] vector-cluster:512[-1..1]"
_MORE_CLUSTERS = " ".join(
    f"{c}[-2] {c}[2] {c}[-1]|{c} {c}|{c}[1] {c}|short-shape" for c in (f"vector-cluster:{n}" for n in (32, 128, 512))
)
_LIKE = "like-amb[-1..1] amb|like-amb"
_MORE_LIKE = " ".join(
    (
        "like-amb[-2] like-amb[2] like-amb[-1]|like-amb like-amb|like-amb[1] like-amb[-1]|like-amb[1]",
        "like-amb|suffix:2 like-amb|short-shape",
    )
)
_CASE = "usual-case usual-case|short-shape usual-case[1]|short-shape[1] usual-case[-1]|short-shape[-1]"
_UNLABELLED_CHUNKS = f"{_CLUSTERS} {_LIKE}"
_UNLABELLED_WORDS = f"{_CLUSTERS} {_MORE_CLUSTERS} {_LIKE} {_MORE_LIKE} {_CASE}"

PRESETS: Mapping[str, TagPreset] = {
    "pos": TagPreset(
        "parts of speech: much about unknown words; second order where there are few tags",
        f"{_WORDS} {_UNKNOWN}",
        _COLUMN,
        "y[-1]|amb y[-1]|lower[-1] y[-2]|y[-1]",
        {"cost": 2.0, "runs": _RUNS},
        _UNLABELLED_WORDS,
    ),
    "chunk": TagPreset(
        "chunks: words and given tags around the token",
        _WORDS,
        _COLUMN,
        options={"cost": 2.0, "dropout": 0.2, "runs": _RUNS},
        unlabelled=_UNLABELLED_CHUNKS,
    ),
    "ner": TagPreset(
        "entities: also how a name stands elsewhere in the text; second order where there are few tags",
        f"{_WORDS} {_NAMES}",
        _COLUMN,
        "y[-2]|y[-1]",
        {"cost": 0.0, "dropout": 0.2, "runs": _RUNS},
        _UNLABELLED_WORDS,
    ),
    "pos-fast": TagPreset(
        "parts of speech in seconds",
        _FAST,
        _FAST_COLUMN,
        options={"cost": 2.0},
        unlabelled=_UNLABELLED_WORDS,
    ),
    "chunk-fast": TagPreset(
        "chunks in seconds",
        f"{_FAST} min=2",
        _FAST_COLUMN,
        options={"cost": 2.0},
        unlabelled=_UNLABELLED_CHUNKS,
    ),
    "ner-fast": TagPreset(
        "entities in seconds",
        f"{_FAST} near near-left near-right",
        _FAST_COLUMN,
        options={"dropout": 0.2},
        unlabelled=_UNLABELLED_WORDS,
    ),
}
