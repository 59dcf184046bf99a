"""What learning from shards costs in accuracy: imdb, 20news and the chunks of CoNLL-2000, by the number of shards.

    python benchmarks/mixing.py [names...] [--learners NAME[,KEY=VALUE...] ...] [--shards N ...] [--epochs N ...]

Each learner learns the training part on one machine and from 1, 4, 16 and 64 shards, which is what a cluster does, whatever the
number of its workers. Figures are the accuracy, or F1 of chunks, on the test part in percent, with the difference to one
machine in points and the epochs that were made. With several numbers of epochs there is a line for each, which is the curve.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from datasets import file_path
from errors import MissingError

SHARDS = (1, 4, 16, 64)


class Set(NamedTuple):
    """A data set: its two files, what `linnet.train` is told of them, and the usual learners."""

    train: str
    test: str
    how: dict[str, Any]
    learners: tuple[str, ...]


LABELS = ("nb-svm", "naive-bayes", "averaged-perceptron", "averaged-mira", "arow", "logistic", "logistic,by=lbfgs")
SETS = {
    "imdb": Set("imdb-train.jsonl", "imdb-test.jsonl", {"task": "labels", "text": "text", "label": "label"}, LABELS),
    "20news": Set("20news-train.jsonl", "20news-test.jsonl", {"task": "labels"}, LABELS),
    "conll2000": Set(
        "conll2000-train.txt",
        "conll2000-test.txt",
        {"task": "tag"},
        ("naive-bayes", "averaged-perceptron", "averaged-mira", "crf", "crf,cost=2,dropout=0.2,runs=4"),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(SETS), help=f"the data sets: {', '.join(SETS)}")
    parser.add_argument("--learners", nargs="*", help="the learners, with options after commas")
    parser.add_argument("--shards", nargs="*", type=int, default=SHARDS)
    parser.add_argument(
        "--epochs",
        nargs="*",
        type=int,
        default=[None],
        help="the numbers of epochs over shards, for all learners but those that find it themselves",
    )
    asked = parser.parse_args()
    for name in asked.names:
        try:
            measure(name, SETS[name], asked.learners or SETS[name].learners, asked.shards, asked.epochs)
        except MissingError as error:
            print(f"{name} is left out: {error}")


def measure(
    name: str, data: Set, learners: list[str] | tuple[str, ...], shards: list[int], epochs: list[int | None]
) -> None:
    """Print a line for each learner and number of epochs. One machine makes its usual number of them."""
    for learner in learners:
        alone, usual = score(data, learner, None, None)
        for asked in epochs:
            line = f"{name:10} {learner:24} one machine {alone:6.2f} ({usual})"
            for n in shards:
                found, made = score(data, learner, n, asked)
                line += f"   {n}: {found:6.2f} {found - alone:+.2f} ({made})"
            print(line, flush=True)


def score(data: Set, learner: str, shards: int | None, epochs: int | None) -> tuple[float, int]:
    """The score of a learner on the test part in percent, and the number of epochs that it made."""
    import linnet

    name, *settings = learner.split(",")
    options = dict(setting.split("=") for setting in settings)
    model = linnet.train(
        file_path(data.train),
        learner=name,
        options=options,
        shards=shards,
        epochs=None if "by" in options else epochs,
        estimate=False,
        **data.how,
    )
    found = model.evaluate(file_path(data.test))
    return 100 * (found.f1 if model.task == "tag" else found.accuracy), len(model.report["epochs"])


if __name__ == "__main__":
    main()
