"""The features of texts that are used by default, and the plans that `auto` tries.

Short texts have few words, so parts of words, the beginning of the text, and pairs of words that are not side by side tell
much. On held-out parts of questions (6 and 50 labels) and of single sentences of reviews these bring 1.3, 2.3 and 1.7 points,
and all learners but naive Bayes gain; whole reviews would lose 1.
"""

from __future__ import annotations

import pyarrow as pa

DEFAULT_FEATURES = "words:1-2 punct bm25 min=2"
SHORT_FEATURES = "words:1-2 chars:3-5 start:1-3*0.5 skip:1-3*0.5 shapes:1-3*0.5 punct presence tfidf min=2"
_SHORT = 200
"""The mean number of bytes per text below which texts are short."""

_CANDIDATES = (
    (DEFAULT_FEATURES, 1, 0.5),
    (DEFAULT_FEATURES, 0.3, 0.5),
    ("words:1 punct log tfidf min=2", 1, 0.5),
    ("words:1-3 punct bm25 min=2", 1, 0.5),
    ("words:1-3 punct presence l2 min=2", 3, 0.5),
    ("words:1-3 punct presence l2 min=2", 3, 1),
    ("words:1-2 chars:3-5 punct bm25 min=2", 1, 0.5),
    ("words:1-2 chars:3-5 punct bm25 min=2", 0.3, 0.5),
    ("words:1-2 chars:2-5*0.5 punct presence tfidf min=2", 1, 0.5),
)
"""Features, C and power of nb-svm that `auto` tries. The same features stand together, and what takes long comes last."""
_OF_SHORT_TEXTS = (
    (SHORT_FEATURES, 1, 0.5),
    (SHORT_FEATURES, 0.3, 0.5),
    (SHORT_FEATURES, 2, 0.5),
    (SHORT_FEATURES, 2, 0),
)


def default_features(text: pa.ChunkedArray | pa.Array) -> str:
    """The features to use by default for these texts."""
    return SHORT_FEATURES if _is_short(text) else DEFAULT_FEATURES


def candidates(text: pa.ChunkedArray | pa.Array) -> tuple[tuple[str, float, float], ...]:
    """The features, C and power of nb-svm to try on these texts."""
    return (*_CANDIDATES, *_OF_SHORT_TEXTS) if _is_short(text) else _CANDIDATES


def _is_short(text: pa.ChunkedArray | pa.Array) -> bool:
    return bool(text.nbytes < _SHORT * len(text))
