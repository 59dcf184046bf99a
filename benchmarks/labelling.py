"""Labelling by a simulated annotator, who always gives the label of the data.

    python benchmarks/labelling.py labels --seeds 8      labels needed, beside random order and an SVM
    python benchmarks/labelling.py seconds               from an answer to the next text, with 100,000 texts
    python benchmarks/labelling.py tags                  from an answer to the next sentence, with 10,000 sentences

`labels`: the pool is the training part of a set (a random part of it where it is larger than --most); of the test part, at
most --most-test texts tell how right a learner is. It is measured every 20 answers, in the order of `linnet label`, after how
many answers the accuracy is that of

- the same learner with 1,000 answers in random order,
- the same learner over n-grams alone, with 1,000 answers in random order,
- a support vector machine over tf-idf with 1,000 answers in random order (labelling_svm.py), which asks itself, too.

What random order reaches is the mean of five draws. It counts when three measurements in a row are at least as good. No
answer is held out, unless --held-out says so: those that are count as answers, and are not learned from. Features are made of
the texts of both parts, without their labels, on all sides. Vectors are there from the first answer on, which takes a few
seconds at the page.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import datasets
from labelling_svm import Machine
from linnet.core.types import Integers
from linnet.labelling.inputs import SentenceInputs, TextInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.learner import Belief
from linnet.labelling.pool import Pool
from linnet.labelling.refitted import Scored

SETS = ("trec", "sentence_polarity", "20news")
ANSWERS = 1000
DRAWS = 5
STEP = 20
IN_A_ROW = 3
KIND = KINDS["labels"]


class Test:
    """A pool, and texts behind those of the pool, which are never asked for and tell how right a learner is."""

    def __init__(self, name: str, seed: int, most: int, most_test: int) -> None:
        rng = np.random.default_rng(seed)
        train, test = parts(name, rng)
        picked = rng.permutation(len(train[0]))[:most]
        tested = rng.permutation(len(test[0]))[:most_test]
        self.texts = [train[0][i] for i in picked]
        self.labels = [train[1][i] for i in picked]
        self.names = sorted(set(self.labels))
        self.n = len(self.texts)
        self.gold = np.array([test[1][i] for i in tested])
        self.test_texts = [test[0][i] for i in tested]
        self.whole = Pool.of(TextInputs.of([*self.texts, *self.test_texts]))
        self.pool = Pool.of(TextInputs.of(self.texts))
        self.learner = KIND.learner(self.whole, self.whole.order, None, {})
        self.draws = [rng.permutation(self.n)[:ANSWERS] for _ in range(DRAWS)]

    def at_random(self) -> float:
        """How right the learner is after 1,000 texts in random order, the mean of several draws."""
        answers = ({row: (self.labels[row],) for row in rows.tolist()} for rows in self.draws)
        return statistics.mean(self.right(self.learner.learn(self.names, some)) for some in answers)

    def right(self, belief: Belief | None) -> float:
        """The share of the test texts that a belief is right about."""
        if not isinstance(belief, Scored):
            return 0.0
        guess = belief.scores[self.n :].argmax(axis=1)
        return float(np.mean(np.array(belief.labels)[guess] == self.gold))

    def curve(self, held_out: float) -> Iterator[tuple[int, float]]:
        """Yield every 20 answers how many there are, in the order of `linnet label`, and how right the learner is."""
        with tempfile.TemporaryDirectory() as folder:
            labelling = Labelling(
                self.pool, KIND, Path(folder) / "journal", labels=self.names, held_out=held_out, learner=self.learner
            )
            for n in range(1, ANSWERS + 1):
                shown = labelling.next()
                if shown is None:
                    return
                labelling.answer(shown.row, [self.labels[shown.row]])
                if n % STEP == 0:
                    yield n, self.right(labelling.belief())


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


def needed(curve: Iterable[tuple[int, float]], targets: Mapping[str, float]) -> dict[str, float]:
    """The number of answers that reach each accuracy; infinite where ANSWERS do not. The curve is followed until all are
    reached."""
    found: dict[str, float] = {}
    last: list[tuple[int, float]] = []
    for n, accuracy in curve:
        last = [*last[1 - IN_A_ROW :], (n, accuracy)]
        for name, target in targets.items():
            if name not in found and len(last) == IN_A_ROW and all(right >= target for _, right in last):
                found[name] = last[0][0]
        if len(found) == len(targets):
            break
    return {name: found.get(name, math.inf) for name in targets}


def one(name: str, seed: int, arguments: argparse.Namespace) -> dict[str, float]:
    """What is measured on a set with one seed: accuracies in percent, and numbers of answers."""
    test = Test(name, seed, arguments.most, arguments.most_test)
    targets = {"n-grams alone": test.at_random()}
    test.learner.wait()
    targets = {"same learner": test.at_random(), **targets}
    peers: dict[str, float] = {}
    if arguments.svm:
        y = np.array([test.names.index(label) for label in test.labels])
        gold = np.array([test.names.index(label) for label in test.gold])
        svm = Machine(test.texts, test.test_texts, y, gold)
        targets["SVM"] = statistics.mean(map(svm.accuracy, test.draws))
        for peer, curve in svm.curves(test.draws[0], ANSWERS).items():
            every = ((n, right) for n, right in curve if n % STEP == 0)
            peers[f"answers, {peer}"] = needed(every, {"SVM": targets["SVM"]})["SVM"]
    found = needed(test.curve(arguments.held_out), targets)
    return {
        **{f"random order with {ANSWERS:,}, {side}, %": 100 * target for side, target in targets.items()},
        **{f"answers for that of {side}": n for side, n in found.items()},
        **peers,
    }


def labels(arguments: argparse.Namespace) -> None:
    for name in arguments.sets:
        began = time.process_time()
        each = []
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            each.append(one(name, seed, arguments))
            print(
                f"{name}, seed {seed}: {', '.join(f'{what} {value:.4g}' for what, value in each[-1].items())}",
                flush=True,
            )
        print(
            f"{name}, {arguments.seeds} seeds, held out {arguments.held_out:g}, {time.process_time() - began:.0f} CPU s:"
        )
        for what in each[0]:
            values = [found[what] for found in each]
            said = f"mean {statistics.mean(values):.1f}" if "%" in what else f"median {statistics.median(values):g}"
            print(f"    {what}: {said} (from {min(values):.4g} to {max(values):.4g})", flush=True)


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
        print(f"n-grams of {arguments.texts:,} texts: {time.perf_counter() - began:.1f} s")
        began, worked = time.perf_counter(), time.process_time()
        labelling.learner.wait()
        print(f"then vectors: {time.perf_counter() - began:.1f} s, {time.process_time() - worked:.1f} CPU s")
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
    first.add_argument("--first-seed", type=int, default=0)
    first.add_argument("--most", type=int, default=10_000, help="the number of texts of the pool, at most")
    first.add_argument("--most-test", type=int, default=2_000, help="the number of texts of the test part, at most")
    first.add_argument("--held-out", type=float, default=0.0)
    first.add_argument("--no-svm", dest="svm", action="store_false", help="leave out the SVM")
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
