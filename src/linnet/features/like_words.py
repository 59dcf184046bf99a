"""The tags of the words that a word is like. They tell something even of a word that no labelled sentence has.

A word is like the ten labelled words that lie nearest to it (word_places.py). The word itself is left out, so that the
value says as much of a word in the training data as of a new one. Each of the ten votes for its tags, in proportion to
how often it had each. Its vote counts by the fourth power of its cosine, times the square root of how often it was
labelled, or of five if that is less. The value has the tags with at least a fifth of the votes: `NOUN/VERB`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import texts
from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.types import F32
from linnet.features.word_places import WordPlaces
from linnet.features.word_values import WordValues

_NEAREST = 10
_POWER = 4
_OFTEN = 5
_LEAST_SHARE = 0.2

Floats = npt.NDArray[np.float64]


def tags_of_like_words(
    places: WordPlaces, words: pa.LargeStringArray, y: npt.NDArray[np.int32], tags: Sequence[str]
) -> WordValues:
    """The value of each word that has a place, given labelled words and the numbers of their tags."""
    counts = _counts(places, words, y, len(tags))
    labelled = np.flatnonzero(counts.sum(axis=1))
    votes = _votes(places, counts[labelled], labelled)
    kinds, which = np.unique(votes, axis=0, return_inverse=True)
    names = ["/".join(tag for tag, has in zip(tags, kind, strict=True) if has) for kind in kinds.tolist()]
    return WordValues.of(places.words, [names[k] for k in which.ravel().tolist()])


def _counts(places: WordPlaces, words: pa.LargeStringArray, y: npt.NDArray[np.int32], n_tags: int) -> Floats:
    """How often each word that has a place had each tag."""
    vocabulary = Vocabulary()
    vocabulary.codes(texts(places.words), grow=True)
    codes = vocabulary.codes(words)
    known = codes >= 0
    cells = codes[known].astype(np.int64) * n_tags + y[known]
    return np.bincount(cells, minlength=len(places.words) * n_tags).reshape(-1, n_tags).astype(np.float64)


def _votes(places: WordPlaces, counts: Floats, labelled: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """For each word a flag for each tag, set where the words that it is like have it often enough."""
    total = counts.sum(axis=1)
    weighed = counts / total[:, None] * np.sqrt(np.minimum(total, _OFTEN))[:, None]
    found = np.zeros((len(places.words), counts.shape[1]), np.bool_)
    own = np.full(len(places.words), -1)
    own[labelled] = np.arange(len(labelled))
    for piece, cosines in places.nearness(places.table[labelled]):
        found[piece] = _enough(cosines, own[piece], weighed)
    return found


def _enough(cosines: F32, own: npt.NDArray[np.int64], weighed: Floats) -> npt.NDArray[np.bool_]:
    """The flags of some words, given their cosines with all labelled words, the column of each word itself among these
    (-1 if it is not labelled), and the votes of the labelled words. The cosines are changed: that of a word with itself
    becomes 0."""
    rows = np.arange(len(cosines))
    itself = own >= 0
    cosines[rows[itself], own[itself]] = 0
    k = min(_NEAREST, cosines.shape[1])
    nearest = np.argpartition(-cosines, k - 1, axis=1)[:, :k] if k else np.zeros((len(rows), 0), np.int64)
    strength = np.maximum(np.take_along_axis(cosines, nearest, axis=1), 0).astype(np.float64) ** _POWER
    votes = np.einsum("ij,ijk->ik", strength, weighed[nearest])
    flags: npt.NDArray[np.bool_] = (votes >= _LEAST_SHARE * votes.sum(axis=1, keepdims=True)) & (votes > 0)
    return flags
