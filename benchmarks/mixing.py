"""What learning from shards costs in accuracy: imdb, 20news and the chunks of CoNLL-2000, by the number of shards.

    python benchmarks/mixing.py [names...] [--learners NAME[,KEY=VALUE...] ...] [--shards N ...] [--epochs N ...] [--held-out]

Each learner learns the training part on one machine and from 1, 4, 16 and 64 shards, which is what a cluster does, whatever the
number of its workers. Figures are the accuracy, or F1 of chunks, on the test part in percent, with the difference to one
machine in points and the epochs that were made. With several numbers of epochs there is a line for each, which is the curve.

With --held-out a fifth of the training part takes the place of the test part, and one run gives the whole curve. Then figures
are the accuracy of labels, or of tags.
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
    parser.add_argument("--held-out", action="store_true", help="measure on a fifth of the training part")
    asked = parser.parse_args()
    for name in asked.names:
        try:
            if asked.held_out:
                curves(name, SETS[name], asked.learners or SETS[name].learners, asked.shards, asked.epochs)
                continue
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


def curves(
    name: str, data: Set, learners: list[str] | tuple[str, ...], shards: list[int], epochs: list[int | None]
) -> None:
    """Print a line for each learner and number of shards, and for one machine."""
    import linnet

    wanted = [e for e in epochs if e is not None] or [1, 5, 10, 20, 30, 40]
    for learner in learners:
        for n in (None, *shards):
            kind, *settings = learner.split(",")
            model = linnet.train(
                file_path(data.train),
                learner=kind,
                options=dict(setting.split("=") for setting in settings),
                shards=n,
                epochs=max(wanted),
                tol=0,
                dev=0.2,
                patience=max(wanted),
                refit=False,
                estimate=False,
                **data.how,
            )
            found = [100 * epoch["dev"] for epoch in model.report["epochs"]]
            where = "one machine" if n is None else f"{n} shards"
            print(
                f"{name:10} {learner:24} {where:12}"
                + "".join(f"   {e}: {found[e - 1]:.2f}" for e in wanted if e <= len(found)),
                flush=True,
            )


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
