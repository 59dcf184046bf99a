"""Fuzzing of what people type: features, templates, class weights, costs and options; and of values of Python.

    python fuzz/specs.py [--seconds 60] [--inputs N] [--kind features] [--workers 2]
    python fuzz/specs.py --again features 1234        one input once more, in this process, with its traceback

Whatever is typed, it is understood, or refused with a sentence (LinnetError).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
import numpy as np  # noqa: E402
from mutation import mutated  # noqa: E402

PIECES = [
    b"words:1-2", b"chars:2-4", b"skip:1", b"bm25", b"tfidf", b"not", b"sentiment", b"hash=10", b"min=2", b"most=100",
    b"number:n", b"column:town", b"lexicon:/dev/null", b"*0.5", b"*nan", b"*-1", b":", b"-", b"..", b"|", b"[", b"]",
    b"[-1..1]", b"w", b"y[-1]", b"suffix:1-4", b"near-left", b"cluster:/", b"amb", b"=", b",", b"1e999", b"9" * 40,
    b"balanced", b"pos=5", b"neg=", b"\\", b"vectors:4", b"topics:4", b"sequence", b"length", b"shape", b" ", b"  ",
    "é".encode(), b"\xed\xa0\x80", b"inf", b"0", b"-1",
]  # fmt: skip
SEEDS: dict[str, bytes] = {
    "features": b"words:1-2 chars:2-4*0.5 skip:1 sentiment bm25 not min=2",
    "table features": b"words:1 number:n column:town hash=10 most=100",
    "templates": b"w[-1..1] w[-1]|w suffix:1-4 shape y[-1]|lower min=2 most=1000",
    "tagger": b"w suffix:1-2 shape",
    "class weight": b"pos=5,neg=0.5",
    "option": b"C=0.5",
    "costs": b"pos,neg,3",
}
VALUES: list[Any] = [
    None, True, 0, -1, 2**31, 2**63, 10**400, 1.5, math.nan, math.inf, 1e308, "", "a", "a b", "\ud800", "\0", b"a", [],
    np.float32(2), np.array(3), np.zeros((2, 2)), np.array([None, "a"], object), {"a"}, range(3),
    ["a"], [None], (), ("a", "b"), {}, {"text": "a"}, object(), "x" * 5000, [["a", "b"]], [[]], "é" * 3,
]  # fmt: skip
SENTENCES = [b"good film", b"a bad day", b"the dog barks", b"Rome", b"", "déjà 大 vu 😀".encode(), b"x" * 300]
TEXTS, LABELS = ["good film", "bad film", "a good day", "poor day"] * 3, ["pos", "neg"] * 6
KINDS = [*SEEDS, "text", "explained", "texts", "sentence", "tokens", "labels", "tags", "column", "doors", "lessons"]


@cache
def models() -> dict[str, Any]:
    import linnet

    tokens = [["the", "dog"], ["it", "barks"]] * 3
    return {
        "labels": linnet.train((TEXTS, LABELS), task="labels", features="words:1", epochs=2),
        "tag": linnet.train((tokens, [["DT", "NN"], ["PR", "VB"]] * 3), task="tag", epochs=2),
        "column": linnet.train(
            {"text": TEXTS, "label": LABELS, "n": [1.0, 2.0] * 6, "town": ["a", "b"] * 6},
            features="words:1 number:n column:town",
        ),
    }


def typed(kind: str, text: str, file: Path) -> object:
    """Use what was typed."""
    import linnet
    from linnet.features.spec import FeatureSpec
    from linnet.features.token_spec import parse_least, parse_most, parse_templates
    from linnet.learners import LEARNERS
    from linnet.tasks.texts.costs import read_costs
    from linnet.training import parse_class_weight

    if kind in ("features", "table features"):
        return FeatureSpec.parse(text)
    if kind == "templates":
        return parse_templates(text, ("w", "pos")), parse_least(text), parse_most(text)
    if kind == "tagger":
        return linnet.train(([["a", "b"]] * 2, [["A", "B"]] * 2), task="tag", features=text, epochs=1)
    if kind == "class weight":
        return linnet.train(
            (TEXTS, LABELS),
            task="labels",
            features="words:1",
            learner="perceptron",
            epochs=1,
            class_weight=parse_class_weight(text),
        )
    if kind == "option":
        key, _, value = text.partition("=")
        return [preset.checked({key: value}) for preset in LEARNERS.values() if key in preset.options]
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    return read_costs(file)


def given(kind: str, random: Random) -> object:
    """Ask or teach with values that Python may have."""
    import linnet

    value, other = value_of_python(random), value_of_python(random)
    tokens = [["the", "dog"], ["it", "barks"]] * 3
    calls: dict[str, Callable[[], object]] = {
        "text": lambda: models()["labels"].predict([value, other]),
        "explained": lambda: models()["labels"].explain(value),
        "texts": lambda: models()["labels"].predict(random.choice([value, [value, *TEXTS], (other, value)])),
        "sentence": lambda: models()["tag"].predict([random.choice([value, [value, "a"]]), ["it", other]]),
        "tokens": lambda: models()["tag"].predict([["a", value, other]]),
        "labels": lambda: linnet.train((TEXTS, [value, other] * 6), task="labels", features="words:1", epochs=1),
        "tags": lambda: linnet.train((tokens, [["a", value], ["b", other]] * 3), task="tag", epochs=1),
        "column": lambda: models()["column"].predict([{"text": "a", "n": value, "town": other}]),
        "doors": lambda: random.choice(
            [linnet.train, linnet.compare, linnet.Pool, models()["labels"].evaluate, models()["tag"].evaluate]
        )(random.choice([value, [value] * 4, {"text": value, "label": other}, [[(value, other)]] * 4])),
        "lessons": lambda: models()[random.choice(["labels", "tag"])].session().learn(value, other),
    }
    return calls[kind]()


GOOD: dict[str, list[bytes]] = {
    "features": [
        b"words:1-2",
        b"chars:2-4*0.5",
        b"skip:1",
        b"sentiment",
        b"bm25",
        b"not",
        b"min=2",
        b"hash=10",
        b"length",
    ],
    "table features": [b"words:1", b"number:n", b"column:town", b"hash=10", b"most=100", b"tfidf", b"number:n*0.5"],
    "templates": [b"w[-1..1]", b"w[-1]|w", b"suffix:1-4", b"shape", b"y[-1]|lower", b"min=2", b"most=1000", b"y[-1]|w"],
    "tagger": [b"w", b"suffix:1-2", b"shape", b"w[-1]|w", b"y[-1]", b"y[-1]|w", b"amb", b"near", b"min=2"],
    "class weight": [b"pos=5", b"neg=0.5", b"balanced", b"pos=1e-3,neg=2"],
    "option": [
        b"C=0.5",
        b"eta=0.1",
        b"lam=1e-3",
        b"k=3",
        b"average=no",
        b"votes=10",
        b"h=2",
        b"degree=2",
        b"kernel=rbf",
    ],
    "costs": [b"pos,neg,3\n", b"neg,pos,1.5\n"],
}
"""Parts that may stand beside each other, separated by spaces."""


def written(kind: str, random: Random) -> str:
    """What a person may type: parts that are good, in any order, in half of all cases with changes."""
    parts = random.sample(GOOD[kind], k=random.randrange(1, len(GOOD[kind])))
    text = random.choice([SEEDS[kind], (b"" if kind == "costs" else b" ").join(parts), parts[0]])
    if random.random() < 0.7:
        text = mutated(text, random, list(SEEDS.values()), PIECES)
    return text.decode("utf-8", "replace") + "\ud800" * (random.random() < 0.02)


def value_of_python(random: Random) -> Any:
    """A value that someone may bring for a text, a token, a label or a number."""
    kind = random.random()
    if kind < 0.3:
        return mutated(random.choice(SENTENCES), random).decode("utf-8", "replace")
    if kind < 0.55:
        return random.choice(SENTENCES).decode()
    if kind < 0.65:
        return random.choice([random.randrange(-5, 100), random.gauss(0, 1), random.choice([1e30, -(2.0**100)])])
    if kind < 0.9:
        return random.choice(VALUES)
    return random.choice([list, tuple])([value_of_python(random) for _ in range(random.randrange(4))])


def prepare(folder: Path, kinds: list[str]) -> None:
    """Nothing is needed: the seeds are in this file."""


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: `refused`, or `answered`."""
    from linnet.errors import LinnetError

    random = Random(f"{kind} {number}")
    try:
        if kind in SEEDS:
            typed(kind, written(kind, random), file)
        else:
            given(kind, random)
    except LinnetError:
        return "refused"
    return "answered"


TARGET = driving.Target(__file__, KINDS, prepare, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
