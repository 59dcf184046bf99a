"""Words that speak for labels: accuracy with no, 100 and 300 labels, with `--lexicon` and without.

The words are the opinion lexicon of Hu and Liu, without those that are in both of its lists. The labelled texts are drawn at
random from the training part, five times over; 5,000 other texts of that part are there without labels.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import datasets
from errors import MissingError
from measure import compete, job
from report import Table

SETS = ("sentence_polarity", "movie_reviews", "imdb")
SIZES = (0, 100, 300)
SEEDS = 5
POOL = 5000
TEST = 5000
TOOLS = ("counting words", "linnet", "linnet --lexicon", "linnet --unlabelled", "linnet --unlabelled --lexicon")
LISTS = {"neg": "opinion-lexicon-negative.txt", "pos": "opinion-lexicon-positive.txt"}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seeds give the same result."""
    there = [name for name in SETS if datasets.is_here(name)]
    if not there or not all(map(datasets.has_file, LISTS.values())):
        raise MissingError(f"none of {', '.join(SETS)}, or no opinion lexicon, is in the folder that LINNET_DATA names")
    tables = []
    for name in there[:1] if quick else there:
        sides = {
            tool: partial(job, "lexicon:accuracies", name=name, tool=tool, seeds=1 if quick else SEEDS)
            for tool in TOOLS
        }
        contest = compete(sides, 1)
        rows = [[who, *map(_cell, found["accuracy"])] for who, (found,) in contest.runs.items()]
        head = ["", *(f"{n:,} labels" for n in SIZES)]
        title = f"{name}: accuracy in %, mean of {SEEDS} draws ± standard error"
        tables.append(Table(title, head, rows, "", {"runs": contest.runs, "failed": contest.failed}))
    return tables


def _cell(found: tuple[float, float] | None) -> str:
    return "-" if found is None else f"{100 * found[0]:.1f} ± {100 * found[1]:.1f}"


def accuracies(name: str, tool: str, seeds: int) -> dict[str, Any]:
    """For each number of labels the mean accuracy over the draws and its standard error; None where a tool needs labels."""
    import numpy as np

    texts, labels, test_texts, test_labels = datasets.parts(name, TEST)
    lists = _lists()
    cells: list[tuple[float, float] | None] = []
    for n in SIZES:
        found = []
        for seed in range(seeds):
            order = np.random.default_rng(seed).permutation(len(texts))[: POOL + n]
            few = [texts[i] for i in order[:n]], [labels[i] for i in order[:n]]
            predict = _trained(tool, *few, [texts[i] for i in order[n:]], lists)
            if predict is None:
                break
            found.append(np.mean([a == b for a, b in zip(predict(test_texts), test_labels, strict=True)]))
        error = np.std(found, ddof=1) / len(found) ** 0.5 if len(found) > 1 else 0.0
        cells.append((float(np.mean(found)), float(error)) if found else None)
    return {"accuracy": cells}


def _lists() -> dict[str, list[str]]:
    """The words that speak for each label."""
    from linnet.features.spec import read_words

    words = {label: read_words(str(datasets.file_path(name))) for label, name in LISTS.items()}
    both = set(words["neg"]) & set(words["pos"])
    return {label: [word for word in some if word not in both] for label, some in words.items()}


def _trained(tool: str, texts: list[str], labels: list[str], others: list[str], lists: dict[str, list[str]]) -> Any:
    """A function that gives the labels of texts; None for a tool that needs labels where there are none, or takes none."""
    if tool == "counting words":
        return None if texts else _counted(others, lists)
    import linnet

    has_words, has_others = tool.endswith("--lexicon"), "--unlabelled" in tool
    if not texts:
        return linnet.train({"text": others}, lexicon=lists).predict if has_words and has_others else None
    unlabelled = {"text": others} if has_others else None
    return linnet.train(
        texts, labels, unlabelled=unlabelled, lexicon=lists if has_words else None, estimate=False
    ).predict


def _counted(others: list[str], lists: dict[str, list[str]]) -> Any:
    """The label whose words a text has the most of, in relation to their mean number in all texts."""
    import re

    import numpy as np

    sets = {label: set(words) for label, words in lists.items()}

    def counts(texts: list[str]) -> Any:
        found = (set(re.findall(r"\w+", text.lower())) for text in texts)
        return np.array([[len(words & some) for some in sets.values()] for words in found])

    mean = counts(others).mean(axis=0)
    return lambda texts: [list(sets)[k] for k in (counts(texts) / mean).argmax(axis=1)]


if __name__ == "__main__":
    from run import main

    main(["lexicon"])
