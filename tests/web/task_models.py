"""Small models of every task, made from examples with simple rules."""

from __future__ import annotations

import numpy as np

import linnet

_WORDS = "the old dog saw a small cat near its house and they ran home fast today".split()
_NOUNS = {"dog", "cat", "house", "home"}
_VERBS = {"saw", "ran"}
_DETERMINERS = {"the", "a", "its"}


def _tag(word: str) -> str:
    for tag, words in (("NOUN", _NOUNS), ("VERB", _VERBS), ("DET", _DETERMINERS)):
        if word in words:
            return tag
    return "OTHER"


def _sentences(n: int, seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [[str(word) for word in rng.choice(_WORDS, rng.integers(3, 8))] for _ in range(n)]


def _label(words: list[str]) -> str:
    return "animals" if {"dog", "cat"} & set(words) else "houses" if {"house", "home"} & set(words) else "others"


def _tree(words: list[str]) -> list[tuple[int, str]]:
    return [(0, "root") if m == 0 else (m, _tag(word).lower()) for m, word in enumerate(words)]


def _brackets(words: list[str]) -> str:
    first, *others = (f"({_tag(word)} {word})" for word in words)
    return f"(S (NP {first}) (VP {' '.join(others)}))"


def examples(task: str, n: int = 60, seed: int = 0) -> tuple[list, list]:
    """Examples of a task and their outputs."""
    sentences = _sentences(n, seed)
    texts = [" ".join(words) for words in sentences]
    if task == "labels":
        return texts, [_label(words) for words in sentences]
    if task in ("labelset", "ranking"):
        return texts, [sorted({_tag(word).lower() for word in words}) for words in sentences]
    if task == "hierarchy":
        return texts, [f"{_label(words)}/{'past' if _VERBS & set(words) else 'now'}" for words in sentences]
    if task == "ordinal":
        return texts, [str(min(2, sum(word in _NOUNS for word in words))) for words in sentences]
    if task == "tag":
        return sentences, [[_tag(word) for word in words] for words in sentences]
    if task == "compress":
        return sentences, [
            [int(_tag(word) in ("NOUN", "VERB")) or int(i == 0) for i, word in enumerate(words)] for words in sentences
        ]
    if task == "parse":
        return [[(word, _tag(word), _tag(word)) for word in words] for words in sentences], [
            _tree(words) for words in sentences
        ]
    if task == "brackets":
        return sentences, [_brackets(words) for words in sentences]
    if task == "align":
        return [(words, [word.upper() for word in words[::-1]]) for words in sentences], [
            [(i, len(words) - 1 - i) for i in range(len(words))] for words in sentences
        ]
    if task == "rerank":
        return [[text, " ".join(words[::-1])] for text, words in zip(texts, sentences, strict=True)], [
            [0.0, 1.0] for _ in texts
        ]
    raise ValueError(task)


TASKS = (
    "labels",
    "labelset",
    "ranking",
    "hierarchy",
    "ordinal",
    "tag",
    "compress",
    "parse",
    "brackets",
    "align",
    "rerank",
)


def trained(task: str):
    """A small model of a task."""
    return linnet.train(*examples(task), task=task)


def typed(task: str) -> str:
    """What a person may type for a task."""
    pairs = {"align": "the dog ran ||| RAN DOG THE", "rerank": "the old dog saw a cat\ncat a saw dog old the"}
    return pairs.get(task, "the old dog saw a small cat")
