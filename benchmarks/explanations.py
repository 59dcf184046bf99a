"""Do explanations say the truth? For every task, random outputs of real examples are compared, and words are removed.

    python benchmarks/explanations.py [names...] [--outputs 1000] [--examples 300]

A model learns from some examples of each task. Then examples and two of their outputs are drawn at random, 1,000 times: of
each output a random decision is demanded, and the rest follows. What the reasons add up to is compared with the difference
of the scores w.f(x, y), which is computed in another way: all products of values and weights, which are exact in float64, are
summed without rounding (`math.fsum`). The error is told in last bits: as a multiple of 2^-53 times the sum of all products,
without their signs. It is also compared with the scores that the compiled code finds, which are sums of float32.

For texts, "which words to remove" is checked: the words are removed, and the answer has to be the other one that was
promised. If all of them are needed, to put any one of them back has to bring the first answer back.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sessions import TASKS

BIT = 2.0**-53
LONGEST = 500
"""The number of words up to which words are removed from a text."""


@dataclass
class Found:
    """What came out for one task."""

    outputs: int = 0
    bits: float = 0.0
    """The largest error of a sum, in last bits."""
    compiled: float = 0.0
    """The largest difference from the scores of the compiled code, as a share of the sum of all products without their
    signs."""
    removals: list[int] = field(default_factory=list)
    """The number of words of each removal that was found."""
    none: int = 0
    """The number of texts for which no removal was found."""
    wrong: list[str] = field(default_factory=list)
    """What was not as promised."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(TASKS), metavar="task")
    parser.add_argument("--outputs", type=int, default=1000)
    parser.add_argument("--examples", type=int, default=300)
    asked = parser.parse_args()
    import linnet

    for name in asked.names:
        make, settings = TASKS[name]
        examples = [(x, y) for x, y in make(2 * asked.examples) if name in ("align", "rerank") or len(x)]
        learned, others = examples[: asked.examples], examples[asked.examples :] or examples
        model = linnet.train(*map(list, zip(*learned, strict=True)), task=name, **settings)
        found = checked(model, [x for x, _ in others], asked.outputs)
        print(f"{name:10}{said(found)}", flush=True)
        for wrong in found.wrong[:5]:
            print(f"    {wrong}")


def said(found: Found) -> str:
    sums = f"{found.outputs:6,} outputs, error of sums at most {found.bits:.2g} last bits, against float32 {found.compiled:.1e}"
    if not found.removals and not found.none:
        return f"{sums}; {len(found.wrong)} wrong"
    words = f"{len(found.removals):,} removals of {np.mean(found.removals or [0]):.1f} words, {found.none} texts without one"
    return f"{sums}; {words}; {len(found.wrong)} wrong"


def checked(model: Any, examples: list[Any], n: int, seed: int = 0) -> Found:
    """Compare n pairs of outputs of examples; remove words from texts."""
    from linnet.errors import UsageError
    from linnet.tasks.texts.model import TextModel

    draw, found = random.Random(seed), Found()
    if model.task == "parse":
        examples = [[word for word, *_ in x] for x in examples]  # It tags words by itself.
    tries = 0
    while found.outputs < n and tries < 20 * n:
        tries += 1
        x = draw.choice(examples)
        (decided,) = model.decisions([x])
        for _ in range(min(10, n - found.outputs)):  # To make features takes longer than to compare outputs.
            this, that = any_decision(decided, draw), any_decision(decided, draw)
            try:
                reasons = decided.reasons(this, that)
            except UsageError:
                continue  # No output is like that.
            compare(model, decided, x, this, that, reasons, found)
    if isinstance(model, TextModel):
        short = [text for text in examples if len(model.explain(text).words) <= LONGEST]
        for text in draw.sample(short, min(len(short), n // 10)):
            remove(model, text, found)
    return found


def any_decision(decided: Any, draw: random.Random) -> dict[int, int]:
    """A random value of a random decision; sometimes none, for the best output itself."""
    every = decided.decisions()
    if not every or draw.random() < 0.1:
        return {}
    number = draw.randrange(len(every))
    return {number: draw.randrange(len(every[number].choices))}


def compare(model: Any, decided: Any, x: Any, this: Any, that: Any, reasons: list[Any], found: Found) -> None:
    """Compare the sum of reasons with the difference of the scores of two outputs."""
    products, compiled = (of_text if not hasattr(decided, "best") or isinstance(decided.best, int) else of_structure)(
        model, decided, x, this, that
    )
    total = math.fsum(part for *_, part in reasons)
    size = math.fsum(map(abs, products))
    error = abs(total - math.fsum(products))
    found.outputs += 1
    if size:
        found.bits = max(found.bits, error / size / BIT)
        found.compiled = max(found.compiled, abs(total - compiled) / size)
    elif total:
        found.wrong.append(f"two equal outputs differ by {total}")


def of_structure(model: Any, decided: Any, x: Any, this: Any, that: Any) -> tuple[list[float], float]:
    """All products x_j w_j that the difference of two scores is made of, by mu(y) of the structure itself; and the difference
    of the scores of the compiled code."""
    from linnet.explain.differences import weights_of

    blocks = decided.whole if hasattr(decided, "whole") else decided.blocks
    sides = [decided.predictor.one(blocks, 0, decided.best(wanted)) for wanted in (this, that)]
    products: list[float] = []
    for block, W, mine, other in zip(blocks, weights_of(decided.predictor), sides[0][-1], sides[1][-1], strict=True):
        indptr, indices, values = block.arrays()[:3]
        difference = np.asarray(mine, np.float64) - np.asarray(other, np.float64)
        for place, outcome in zip(*np.nonzero(difference), strict=True):
            times = difference[place, outcome]
            products.append(times * float(W[0, outcome]))
            for k in range(indptr[place], indptr[place + 1]):
                products.append(times * float(values[k]) * float(W[1 + int(indices[k]), outcome]))
    return products, float(sides[0][4]) - float(sides[1][4])


def of_text(model: Any, decided: Any, x: Any, this: Any, that: Any) -> tuple[list[float], float]:
    """The same for labels of a text, whose weights are in one table, and for candidates."""
    if hasattr(decided, "texts"):
        return of_candidates(model, decided, x, this, that)
    rows = model.features.transform(model.row(x))
    scores, values = model.scores([x])[0].astype(np.float64), model.label_values
    mine, other = (decided.output(wanted) for wanted in (this, that))
    sides = [side if isinstance(side, list) else [side] for side in (mine, other)]
    times = np.array([(value in sides[0]) - (value in sides[1]) for value in values], np.float64)
    products: list[float] = []
    for k in np.flatnonzero(times).tolist():
        products.append(times[k] * float(model.V[0, k]))
        for j, value in zip(rows.indices.tolist(), rows.values.tolist(), strict=True):
            products.append(times[k] * float(value) * float(model.V[1 + j, k]))
    return products, float(times @ scores)


def of_candidates(model: Any, decided: Any, x: Any, this: Any, that: Any) -> tuple[list[float], float]:
    """The same for the best candidate of a list."""
    scored, scores = decided.scored(), model.scores([x])[0].tolist()
    (indptr, indices, values), W = scored.rows[0], scored.weights[0]
    products: list[float] = []
    chosen = [wanted.get(0, decided.best) for wanted in (this, that)]
    for sign, c in zip((1, -1), chosen, strict=True) if chosen[0] != chosen[1] else ():
        products += [
            sign * float(values[k]) * float(W[1 + int(indices[k]), 0]) for k in range(indptr[c], indptr[c + 1])
        ]
    return products, scores[chosen[0]] - scores[chosen[1]]


def remove(model: Any, text: str, found: Found) -> None:
    """Find the smallest set of words whose removal changes the answer, and remove it."""
    from linnet.explain.removal import without
    from linnet.web.looking import removal

    told = removal(model, text)
    if told["removal"] is None:
        found.none += 1
        return
    spans = [(word["start"], word["end"]) for word in told["removal"]["words"]]
    found.removals.append(len(spans))
    (before,), (after,) = model.predict([text]), model.predict([without(text, spans)])
    if before != told["answer"] or after == before or after != told["removal"]["answer"]:
        found.wrong.append(f"{told['answer']} became {after} and not {told['removal']['answer']}: {text[:60]!r}")
    for one in spans if len(spans) > 1 else ():
        if model.predict([without(text, [span for span in spans if span != one])])[0] != before:
            found.wrong.append(f"{text[slice(*one)]!r} is not needed among {len(spans)} words: {text[:60]!r}")


if __name__ == "__main__":
    main()
