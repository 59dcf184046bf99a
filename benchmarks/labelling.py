"""Labelling by a simulated annotator, who always gives the label of the data.

    python benchmarks/labelling.py labels --seeds 3      labels needed, beside random order
    python benchmarks/labelling.py seconds               from an answer to the next text, with 100,000 texts
    python benchmarks/labelling.py tags                  from an answer to the next sentence, with 10,000 sentences

`labels`: the pool is the training part of a set (a random part of it where it is larger than --most). The same learner
learns from 1,000 answers in random order, and after each answer in the order of `linnet label`; the test part tells how
right it is. Random order has the best case: none of its answers is held out. In the other order one in five is (--held-
out), and counts as an answer, too. The script says after how many answers the accuracy is that of random order with 1,000:
the first of three measurements in a row, 20 answers apart, that are at least as good. Features are made of the texts of
both parts, without their labels, for both orders.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import datasets
from linnet.core.types import Integers
from linnet.labelling.inputs import SentenceInputs, TextInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.labelling.queue import HELD_OUT

SETS = ("trec", "sentence_polarity", "20news")
ANSWERS = 1000
STEP = 20
IN_A_ROW = 3
KIND = KINDS["labels"]


class Test:
    """Texts behind those of the pool, which are never asked for and tell how right a learner is."""

    def __init__(self, name: str, seed: int, most: int) -> None:
        rng = np.random.default_rng(seed)
        train, test = parts(name, rng)
        picked = rng.permutation(len(train[0]))[:most]
        texts = [train[0][i] for i in picked]
        self.labels = [train[1][i] for i in picked]
        self.names = sorted(set(self.labels))
        self.n = len(texts)
        self.gold = np.array([self.names.index(label) for label in test[1]])
        self.whole = Pool.of(TextInputs.of([*texts, *test[0]]))
        self.pool = Pool.of(TextInputs.of(texts))
        self.learner = KIND.learner(self.whole, self.whole.order, None, {})

    def accuracy(self, rows: Sequence[int]) -> float:
        """How right a model of these answers is."""
        belief = self.learner.learn(self.names, {row: (self.labels[row],) for row in rows})
        if belief is None:
            return 0.0
        guess = belief.scores[self.n :].argmax(axis=1)
        return float(np.mean(np.array(belief.labels)[guess] == np.array(self.names)[self.gold]))


def parts(name: str, rng: np.random.Generator) -> tuple[tuple[list[str], list[str]], tuple[list[str], list[str]]]:
    """Texts and labels of the training part and of the test part; of a set without parts, a random tenth is the test part."""
    if not datasets.SOURCES[name].folds:
        train, test = datasets.read(name, "train"), datasets.read(name, "test")
        return (train.texts, train.labels), (test.texts, test.labels)
    both = datasets.read(name)
    order = rng.permutation(len(both.texts))
    cut = len(order) // 10
    held, rest = order[:cut], order[cut:]

    def some(rows: Integers) -> tuple[list[str], list[str]]:
        return [both.texts[i] for i in rows], [both.labels[i] for i in rows]

    return some(rest), some(held)


def needed(name: str, seed: int, most: int, held_out: float) -> tuple[int | None, float, float]:
    """The number of answers that reach what random order reaches with 1,000; that accuracy; and that of all answers."""
    test = Test(name, seed, most)
    target = test.accuracy(np.random.default_rng(seed).permutation(test.n)[:ANSWERS].tolist())
    found: list[tuple[int, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        labelling = Labelling(
            test.pool, KIND, Path(folder) / "journal", labels=test.names, held_out=held_out, learner=test.learner
        )
        for n in range(1, ANSWERS + 1):
            shown = labelling.next()
            if shown is None:
                break
            labelling.answer(shown.row, [test.labels[shown.row]])
            if n % STEP == 0:
                found.append((n, test.accuracy(list(labelling.learned()))))
                if len(found) >= IN_A_ROW and all(accuracy >= target for _, accuracy in found[-IN_A_ROW:]):
                    return found[-IN_A_ROW][0], target, found[-IN_A_ROW][1]
    return None, target, found[-1][1]


def labels(arguments: argparse.Namespace) -> None:
    for name in arguments.sets:
        each = [needed(name, seed, arguments.most, arguments.held_out) for seed in range(arguments.seeds)]
        counts = [ANSWERS + 1 if n is None else n for n, _, _ in each]
        print(
            f"{name}: random order with {ANSWERS:,} answers {100 * statistics.mean(t for _, t, _ in each):.1f}%; reached with "
            f"{', '.join('not' if n is None else str(n) for n, _, _ in each)} answers (median {statistics.median(counts):g}, "
            f"{arguments.seeds} seeds, held out {arguments.held_out:g})",
            flush=True,
        )


def seconds(arguments: argparse.Namespace) -> None:
    """The time from an answer to the next text, which includes the sync of the journal, learning and ranking all texts."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, 30_001)
    ids = rng.choice(30_000, (arguments.texts, 20), p=shares / shares.sum())
    texts = [" ".join(f"w{j}" for j in row) for row in ids]
    names = [str(k) for k in range(arguments.n_labels)]
    began = time.perf_counter()
    pool = Pool.of(TextInputs.of(texts))
    with tempfile.TemporaryDirectory() as folder:
        labelling = Labelling(pool, KIND, Path(folder) / "journal", labels=names, features=arguments.features)
        print(f"features of {arguments.texts:,} texts: {time.perf_counter() - began:.1f} s")
        wall, cpu = [], []
        shown = labelling.next()
        for _ in range(arguments.answers):
            began, worked = time.perf_counter(), time.process_time()
            labelling.answer(shown.row, [names[ids[shown.row][0] % len(names)]])
            shown = labelling.next()
            wall.append(time.perf_counter() - began)
            cpu.append(time.process_time() - worked)
    for what, found in (("wall", wall), ("CPU", cpu)):
        last = sorted(found[-100:])
        print(f"{what}, last 100 of {arguments.answers}: median {1000 * last[50]:.0f} ms, 95% {1000 * last[95]:.0f} ms")


def tags(arguments: argparse.Namespace) -> None:
    """The time from an answer to the next sentence: the sync of the journal, a lesson, ranking a part of the pool, the guess
    for the next sentence, and how right the model is on all held-out answers, as the page asks for them."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, 30_001)
    ids = rng.choice(30_000, (arguments.sentences, 20), p=shares / shares.sum())
    # Every eleventh word is a name, and every thirteenth a town; names may have several words.
    kinds = np.where(ids % 11 == 3, 1, np.where(ids % 13 == 5, 2, 0))
    words = [[f"{'wNT'[kind]}{word}" for word, kind in zip(*row, strict=True)] for row in zip(ids, kinds, strict=True)]
    names = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
    pool = Pool.of(SentenceInputs.of(words))
    with tempfile.TemporaryDirectory() as folder:
        labelling = Labelling(pool, KINDS["tag"], Path(folder) / "journal", labels=names)
        wall, cpu = [], []
        shown = labelling.next()
        for _ in range(arguments.answers):
            began, worked = time.perf_counter(), time.process_time()
            labelling.answer(shown.row, _spans(kinds[shown.row].tolist()))
            shown = labelling.next()
            accuracy = labelling.accuracy()
            wall.append(time.perf_counter() - began)
            cpu.append(time.process_time() - worked)
        looked = int(np.isfinite(labelling.belief().margin).sum())
    for what, found in (("wall", wall), ("CPU", cpu)):
        last = sorted(found[-100:])
        print(f"{what}, last 100 of {arguments.answers}: median {1000 * last[50]:.0f} ms, 95% {1000 * last[95]:.0f} ms")
    print(
        f"ranked: {looked:,} of {len(labelling.queue.rest):,}; held-out {accuracy.measure} {100 * accuracy.share:.1f}%"
    )


def _spans(kinds: Sequence[int]) -> list[str]:
    """The tags of a sentence, given the type of each word."""
    found = []
    for before, kind in zip([0, *kinds], kinds, strict=False):
        found.append(f"{'I' if kind == before else 'B'}-{('', 'PER', 'LOC')[kind]}" if kind else "O")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("labels")
    first.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    first.add_argument("--seeds", type=int, default=20)
    first.add_argument("--most", type=int, default=10_000, help="the number of texts of the pool, at most")
    first.add_argument("--held-out", type=float, default=HELD_OUT)
    first.set_defaults(run=labels)
    second = commands.add_parser("seconds")
    second.add_argument("--texts", type=int, default=100_000)
    second.add_argument("--n-labels", type=int, default=2)
    second.add_argument("--answers", type=int, default=500)
    second.add_argument("--features")
    second.set_defaults(run=seconds)
    third = commands.add_parser("tags")
    third.add_argument("--sentences", type=int, default=10_000)
    third.add_argument("--answers", type=int, default=300)
    third.set_defaults(run=tags)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
