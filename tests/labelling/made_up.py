"""Sentences whose right answers follow from simple rules, for a script that takes the place of the annotator."""

from __future__ import annotations

import numpy as np

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix")
TOWNS = ("Basel", "Graz", "Lund", "Nantes")
OTHERS = "the old dog saw a small cat near its house and then ran home fast today".split()


def sentences(n: int, seed: int = 0) -> list[list[str]]:
    """Sentences of some words, with names of one or two words and towns in them."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        words = [str(word) for word in rng.choice(OTHERS, rng.integers(3, 9))]
        at = int(rng.integers(0, len(words)))
        words[at:at] = [str(name) for name in rng.choice(NAMES, rng.integers(1, 3), replace=False)]
        if i % 2:
            words += ["in", str(rng.choice(TOWNS))]
        found.append(words)
    return found


def spans(words: list[str]) -> list[str]:
    """The names as PER and the towns as LOC, in the scheme BIO."""
    tags, before = [], "O"
    for word in words:
        kind = "PER" if word in NAMES else "LOC" if word in TOWNS else ""
        tags.append("O" if not kind else f"I-{kind}" if before[2:] == kind else f"B-{kind}")
        before = tags[-1]
    return tags


def parts_of_speech(words: list[str]) -> list[str]:
    known = {"saw": "VERB", "ran": "VERB", "the": "DET", "a": "DET", "its": "DET"}
    return ["PROPN" if word[0].isupper() else known.get(word, "X") for word in words]


def tree(words: list[str]) -> list[list[int | str]]:
    """Each token hangs on the one before it; the relation is the part of speech."""
    return [[m, "root" if m == 0 else tag] for m, tag in enumerate(parts_of_speech(words))]


def translated(words: list[str]) -> tuple[list[str], list[str]]:
    """A sentence and its translation, which is the same in capitals, backwards."""
    return words, [word.upper() for word in words[::-1]]


def links(words: list[str]) -> list[list[int]]:
    return [[i, len(words) - 1 - i] for i in range(len(words))]


def keeps(words: list[str]) -> list[str]:
    return ["drop" if word in ("old", "small", "then", "fast") else "keep" for word in words]


def constituents(words: list[str]) -> list[list[int | str]]:
    """The sentence as S, each run of names as NP, and a town with the word before it as PP, outer ones before those inside."""
    found: list[list[int | str]] = [[0, len(words) - 1, "S"]]
    for first, tag in enumerate(spans(words)):
        if tag == "B-PER":
            last = first + (spans(words)[first + 1 : first + 2] == ["I-PER"])
            found.append([first, last, "NP"])
        elif tag == "B-LOC":
            found.append([first - 1, first, "PP"])
    return found
