"""The features of texts that are used where the user names none, and the settings that `--learner auto` tries.

Features are written in the words that `linnet list features` explains (features/spec.py): `chars:3-5*0.4` are n-grams of 3 to 5
characters with a weight of 0.4, `min=2` leaves out what only one text has.

Short texts have few words, so n-grams of characters (`chars`), the first words (`start`), pairs of words with others
between them (`skip`) and the shapes of words (`shapes`) help. Compared with DEFAULT_FEATURES, accuracy on held-out
texts rises by 1.3 points for questions with 6 labels, by 2.3 for questions with 50 labels and by 1.7 for single
sentences of reviews; every learner but naive Bayes gains. On whole reviews it would fall by 1 point, so long texts do
without them.

In scripts without blanks (Chinese, Japanese, Thai, Khmer ...) each character counts as a word, and `chars` go over whole
phrases, so short texts have n-grams of 1 to 5 characters. Long texts have n-grams of up to 4 instead of pairs: for Chinese it
makes no difference, but for Thai, whose words are longer, accuracy on held-out texts rises by 2 points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from linnet.core.extract.text import mean_counts
from linnet.fitting.contract import Plan

if TYPE_CHECKING:
    from linnet.tasks.texts.gold import Texts

DEFAULT_FEATURES = "words:1-2 punct bm25 min=2"
SHORT_FEATURES = "words:1-2 chars:3-5 start:1-3*0.5 skip:1-3*0.5 shapes:1-3*0.5 punct presence tfidf min=2"
UNSPACED_FEATURES = "words:1-4 punct bm25 min=2"
_SHORT = 200
"""Texts are short when they have fewer characters than this on average."""
_UNSPACED = 0.05
"""Long texts have UNSPACED_FEATURES when at least this share of their letters belongs to scripts without blanks; a name or a
quotation here and there is less."""
_SAMPLE = 1000
"""The number of texts that are looked at for both."""

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
"""What `auto` tries with nb-svm: features, C, and the power of the log-count ratio of naive Bayes (0 is a plain support vector
machine). Entries with the same features must stand together, as these are then made once for all of them; what takes long
comes last, as the time is limited."""
_SHORT_CANDIDATES = (
    (SHORT_FEATURES, 1, 0.5),
    (SHORT_FEATURES, 0.3, 0.5),
    (SHORT_FEATURES, 2, 0.5),
    (SHORT_FEATURES, 2, 0),
)
"""What `auto` tries, too, where texts are short."""
_SETTINGS = tuple((C, power) for power in (0.5, 0, 1) for C in (1, 0.3, 3))
"""The C and power that `auto` tries, where the user has named the features."""
_UNSPACED_CANDIDATES = (
    (UNSPACED_FEATURES, 1, 0.5),
    (UNSPACED_FEATURES, 0.3, 0.5),
)
"""What `auto` tries, too, where texts are long and in a script without blanks."""


UNLABELLED_FEATURES = "vectors:200*0.7 topics:100*0.7"
"""The features that are added where there are texts without labels."""
_OFTEN = "labelled=2"
"""What is added, too, where texts are long and few of them are labelled: what a single one of these has says little. Short
texts have little else, and lose by it (benchmarks/few_defaults.py)."""
_FEW = 500
"""The number of labelled texts from which on it is not added, as it brings nothing with 1,000."""


def features_for(gold: Texts) -> str:
    """The features to use by default for gold examples."""
    some = gold.sample() if len(gold) or gold.unlabelled is None else gold.unlabelled.text
    return with_vectors(default_features(some), gold)


def with_vectors(usual: str, gold: Texts) -> str:
    """The usual features, and those that are added where there are texts without labels."""
    if gold.unlabelled is None:
        return usual
    often = f" {_OFTEN}" if usual != SHORT_FEATURES and len(gold) < _FEW else ""
    return f"{usual}{often} {UNLABELLED_FEATURES}"


def default_features(text: pa.ChunkedArray | pa.Array) -> str:
    """The features to use by default for these texts."""
    characters, letters, unspaced = mean_counts(text, _SAMPLE)
    if characters < _SHORT:
        return SHORT_FEATURES
    return UNSPACED_FEATURES if unspaced >= _UNSPACED * letters else DEFAULT_FEATURES


_MORE_CANDIDATES = {SHORT_FEATURES: _SHORT_CANDIDATES, UNSPACED_FEATURES: _UNSPACED_CANDIDATES, DEFAULT_FEATURES: ()}
"""What `auto` tries beside the candidates for all texts, keyed by the features that are used by default."""


def plans(
    spec: str | None,
    usual: str,
    text: pa.ChunkedArray | pa.Array,
    candidates: Sequence[tuple[str, float, float]] = _CANDIDATES,
    calibrate: str | None = None,
) -> list[Plan]:
    """The plans with nb-svm that `auto` tries on these texts: those with the usual features first, then the other candidates,
    and those for short texts or for scripts without blanks where these suit; or, with a specification, its features alone."""
    if spec is not None:
        settings = [(spec, C, power) for C, power in _SETTINGS]
    else:
        settings = [*candidates, *_MORE_CANDIDATES[default_features(text)]]
        if usual not in (features for features, _, _ in settings):
            settings += [(usual, C, power) for C, power in _SETTINGS[:3]]
        settings.sort(key=lambda setting: setting[0] != usual)
    return [Plan(features, "nb-svm", {"C": C, "power": power}, calibrate) for features, C, power in settings]
