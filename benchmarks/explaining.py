"""How long explanations and the best outputs take, by the task and the length of a sentence.

    python benchmarks/explaining.py [--seconds 60] [tasks...]

Models of sentences learn from random ones that are made up. Then sentences of 20 tokens to 4,000 (some 20,000 characters) are
explained in full, and within the 2 seconds that the server takes; and the 10 and the 1,000 best outputs are looked for. Each
task ends with the first length at which one of these takes longer than `--seconds`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from limits import TAGS, WORDS

SIZES = (20, 40, 80, 120, 250, 500, 1000, 2000, 4000)


def words(n: int, seed: int) -> list[str]:
    return random.Random(seed).choices(WORDS, k=n)


def _tagged(n: int, seed: int) -> Any:
    return [(w, TAGS[w], TAGS[w]) for w in words(n, seed)]


def _chain(n: int, seed: int) -> tuple[Any, Any]:
    return _tagged(n, seed), [(m, "dep") for m in range(n)]


def _tree(n: int, seed: int) -> tuple[Any, Any]:
    inner = " ".join(f"({TAGS[w]} {w})" for w in words(n, seed))
    return words(n, seed), f"(S {inner})"


Example = Callable[[int, int], tuple[Any, Any]]
CASES: dict[str, tuple[str, Example, dict[str, Any]]] = {
    "tag": ("tag", lambda n, seed: (words(n, seed), [TAGS[w] for w in words(n, seed)]), {}),
    "compress": ("compress", lambda n, seed: (words(n, seed), [int(len(w) > 3) for w in words(n, seed)]), {}),
    "parse, order 1": ("parse", _chain, {"order": 1, "tags": "given"}),
    "parse, order 1, arcs that cross": ("parse", _chain, {"order": 1, "tags": "given", "projective": "no"}),
    "parse, order 2": ("parse", _chain, {"tags": "given"}),
    "brackets": ("brackets", _tree, {}),
    "align": ("align", lambda n, seed: ((words(n, seed), words(n, seed)), [(i, i) for i in range(n)]), {}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(CASES), metavar="task")
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    import linnet

    print(f"{'':34}{'tokens':>8}{'explain':>10}{'in 2 s':>10}{'10 best':>10}{'1,000 best':>12}")
    for name in asked.names:
        task, example, options = CASES[name]
        learned = [example(2 + seed % 12, seed) for seed in range(60)]
        model = linnet.train(*map(list, zip(*learned, strict=True)), task=task, epochs=2, options=options)
        for n in SIZES:
            if max(_row(name, model, example(n, 0)[0], n)) > asked.seconds:
                break


def _row(name: str, model: Any, x: Any, n: int) -> list[float]:
    from linnet.core.budget import within
    from linnet.errors import LinnetError

    def explain() -> None:
        model.explain(*x) if model.task == "align" else model.explain(x)

    def in_time() -> None:
        with within(2):
            explain()

    print(f"{name:34}{n:8,}", end="", flush=True)
    taken = []
    for work in (explain, in_time, lambda: model.answers([x], top=10), lambda: model.answers([x], top=1000)):
        began = time.process_time()
        try:
            work()
            shown = f"{time.process_time() - began:.2f}"
        except LinnetError:
            shown = "refused"
        taken.append(time.process_time() - began)
        print(f"{shown:>11}", end="", flush=True)
    print()
    return taken


if __name__ == "__main__":
    main()
