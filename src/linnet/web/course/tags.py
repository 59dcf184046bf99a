"""A small tagger, the trellis of its scores over a sentence, and what changes when weights are changed by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linnet.core.types import Array, Json
from linnet.tasks.tag.model import TagModel
from linnet.training.train import train
from linnet.web.course.learners import NAMES, TAGGERS, Wanted, wanted
from linnet.web.problems import RefusedError
from linnet.web.questions import Asked, check_names, string, strings

MOST_SENTENCES = 20
MOST_WORDS = 12
"""The largest number of words of a sentence."""
LONGEST = 24
"""The largest number of characters of a word or of a tag."""
MOST_TAGS = 6
MOST_CHANGES = 50
HIGHEST = 100.0
"""The largest weight that may be set by hand."""
_FEATURES = "lower suffix:1-2"
_BEST = 3
"""The number of best sequences that are shown."""
_TAGGED = re.compile(rf"\S{{1,{LONGEST}}}/[^\s/]{{1,{LONGEST}}}")


class Change(NamedTuple):
    """A weight that was set by hand: the name of its feature, or of the tag before; its tag; and its value."""

    kind: str
    """The block: `token` for a feature of a word, `pair` for two tags that follow each other."""
    row: str
    tag: str
    value: float


def tags(asked: Asked) -> Json:
    """The trellis of a sentence under a tagger that was learned from a few others, and with weights that were changed."""
    check_names(asked, "sentences", "sentence", "changes", *NAMES)
    sentences, how = _tagged(asked), wanted(asked, TAGGERS)
    words, changes = _words(asked), _changes(asked)
    learned = _learned(sentences, how)
    changed = replace(learned, weights=_moved(learned, changes)) if changes else learned
    before = _best(learned, words)[0]
    return {
        "words": words,
        "tags": list(learned.labels),
        **_trellis(changed, words),
        "probable": how.taught.probable,
        "best": _best(changed, words),
        "before": before,
        "features": list(_features(changed, words)),
        "pairs": _pairs(changed),
    }


def _learned(sentences: Sequence[Sequence[tuple[str, str]]], how: Wanted) -> TagModel:
    return train(
        [[word for word, _ in sentence] for sentence in sentences],
        [[tag for _, tag in sentence] for sentence in sentences],
        task="tag",
        learner=how.taught.name,
        options=how.options,
        features=_FEATURES,
        epochs=how.epochs,
        shuffle=how.shuffle,
        threads=1,
    )


def _trellis(model: TagModel, words: list[str]) -> dict[str, Json]:
    """For each word and tag its own score, the score of the best way to it, the tag before it on that way, and its marginal."""
    (one,) = model.decisions([words])
    predictor, blocks = one.predictor, one.blocks
    theta = predictor.scores(blocks)
    gen = predictor.gen
    best, back = gen.viterbi(theta)
    return {
        "theta": theta[0].tolist(),
        "score": np.asarray(best).tolist(),
        "back": np.asarray(back).tolist(),
        "marginals": predictor.marginals(blocks)[0].tolist(),
    }


def _best(model: TagModel, words: list[str]) -> list[Json]:
    """The best sequences of tags with their scores, the best first."""
    ((*found,),) = model.predict_k_best([words], _BEST)
    return [{"tags": tags, "score": score} for tags, score in found]


def _features(model: TagModel, words: list[str]) -> Iterator[Json]:
    """The features of each word, with their weights for each tag; the bias, which every word has, comes first."""
    (one,) = model.decisions([words])
    W = np.asarray(model.weights[0])
    for numbers, _ in one.blocks[0].rows_of(0):
        rows = [("bias", W[0]), *((model.features.name(int(j)), W[1 + int(j)]) for j in numbers)]
        yield [{"name": name, "weights": row[: len(model.labels)].tolist()} for name, row in rows]


def _pairs(model: TagModel) -> Json:
    """The weight of each tag (column) after each other (row)."""
    L = len(model.labels)
    return np.asarray(model.weights[1])[0, : L * L].reshape(L, L).tolist()


def _moved(model: TagModel, changes: Sequence[Change]) -> tuple[Array, ...]:
    """The weights of a model with those changed that were set by hand. A change of a feature or a tag that the model
    does not have is ignored: the sentences may have been edited since the change was made."""
    L = len(model.labels)
    tokens, pairs = (np.array(W, copy=True) for W in model.weights[:2])
    names = {model.features.name(j): 1 + j for j in range(model.features.n_features)} | {"bias": 0}
    number = {tag: k for k, tag in enumerate(model.labels)}
    for change in changes:
        if change.tag in number and change.kind == "token" and change.row in names:
            tokens[names[change.row], number[change.tag]] = change.value
        if change.tag in number and change.kind == "pair" and change.row in number:
            pairs[0, number[change.row] * L + number[change.tag]] = change.value
    return tokens, pairs


def _tagged(asked: Asked) -> list[list[tuple[str, str]]]:
    """The sentences to learn from: words, each with a slash and its tag after it."""
    given = strings(asked, "sentences")
    if not 1 <= len(given) <= MOST_SENTENCES:
        raise RefusedError(422, f"expected from 1 to {MOST_SENTENCES} sentences to learn from, found {len(given)}.")
    found = []
    for i, sentence in enumerate(given, 1):
        parts = sentence.split()
        bad = next((part for part in parts if not _TAGGED.fullmatch(part)), None)
        if bad is not None:
            raise RefusedError(
                422, f"sentence {i}: expected words with their tags, such as dog/NOUN, found {bad!r:.60}."
            )
        if not 1 <= len(parts) <= MOST_WORDS:
            raise RefusedError(422, f"sentence {i}: expected from 1 to {MOST_WORDS} words, found {len(parts)}.")
        found.append([(word, tag) for word, _, tag in (part.rpartition("/") for part in parts)])
    n = len({tag for sentence in found for _, tag in sentence})
    if not 2 <= n <= MOST_TAGS:
        raise RefusedError(422, f"expected from 2 to {MOST_TAGS} different tags, found {n}.")
    return found


def _words(asked: Asked) -> list[str]:
    words = string(asked, "sentence").split()
    if not 1 <= len(words) <= MOST_WORDS or max(map(len, words)) > LONGEST:
        raise RefusedError(
            422, f"expected a sentence of 1 to {MOST_WORDS} words, each of at most {LONGEST} characters."
        )
    return words


def _changes(asked: Asked) -> list[Change]:
    given = asked.get("changes", [])
    if not isinstance(given, list) or len(given) > MOST_CHANGES or not all(map(_is_change, given)):
        raise RefusedError(
            422, f'expected at most {MOST_CHANGES} changes, each [token or pair, row, tag, weight], as "changes".'
        )
    return [Change(kind, row, tag, float(value)) for kind, row, tag, value in given]


def _is_change(one: Json) -> bool:
    return (
        isinstance(one, list)
        and len(one) == 4
        and one[0] in ("token", "pair")
        and all(isinstance(part, str) for part in one[1:3])
        and isinstance(one[3], int | float)
        and not isinstance(one[3], bool)
        and abs(one[3]) <= HIGHEST
    )
