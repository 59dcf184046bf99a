"""Labels of texts on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linnet import io
from linnet.explain import Strong
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import facts_of, problem, rare_labels, repeated_texts
from linnet.tasks.texts.why import Explanation

MOST_TEXTS = 5
_CELLS = 1 << 22
probable = "logistic or naive-bayes, or with --set calibrate=sigmoid"
takes: tuple[str, ...] = ("costs",)


def predict(model: Any, data: Data, answers: Answers) -> None:
    """A row for each text: its label, or its best labels with their scores."""
    batches = io.read_batches(data.source, format=data.format, text_col=data.text_col, labelled=False)
    with io.Writer.open(answers.output) as writer:
        for some in pieces(model, batches):
            writer.write(_columns(model, some, answers))


def pieces(model: Any, batches: Iterable[io.Dataset]) -> Iterator[Any]:
    """Some rows at a time, so few that a table of all their labels is no burden."""
    size = max(1, _CELLS // len(model.labels))
    for batch in batches:
        table = model.table(batch)
        for start in range(0, max(len(table), 1), size):
            yield table.slice(start, size)


def _columns(model: Any, text: Any, answers: Answers) -> dict[str, Any]:
    if answers.top is not None:
        return best_columns(model, text, answers.top)
    columns: dict[str, Any] = {"label": model.predict(text, **answers.asked())}
    if answers.proba:
        columns["probability"] = model.predict_proba(text).max(axis=1)
    return columns


def best_columns(model: Any, text: Any, top: int) -> dict[str, Any]:
    """The best labels of each text and their scores, or their probabilities if the model has any."""
    table = model.predict_proba(text) if model.probabilistic else model.scores(text)
    name = "probability" if model.probabilistic else "score"
    names = np.array(model.labels, object)
    best = np.argsort(-table, axis=1, kind="stable")
    columns: dict[str, Any] = {}
    for k in range(min(top, len(names))):
        columns[f"label_{k + 1}"] = names[best[:, k]].tolist()
        columns[f"{name}_{k + 1}"] = table[np.arange(len(table)), best[:, k]]
    return columns


def read_all(data: Data, **more: Any) -> io.Dataset:
    return io.read(
        data.source, format=data.format, text_col=data.text_col, label_col=data.label_col, least_labels=1, **more
    )


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.labels.terminal import labels_report

    dataset = read_all(data)
    report = model.evaluate(dataset, dataset.label_list(), **answers.asked())
    return report, labels_report(report)


@dataclass(frozen=True)
class Explained:
    results: list[Explanation]
    strongest: dict[str, list[Strong]]

    def page(self, title: str, top: int) -> str:
        from linnet.tasks.texts.page import page

        return page(title, self.results, self.strongest, top)

    def as_dict(self) -> dict[str, Any]:
        named = {label: [item._asdict() for item in items] for label, items in self.strongest.items()}
        return {"explanations": [asdict(result) for result in self.results], "strongest": named}

    def shown(self, top: int) -> list[Any]:
        from linnet.report.terminal import strongest
        from linnet.tasks.texts.terminal import explanation

        texts = [explanation(result, top) for result in self.results]
        return texts or [strongest(self.strongest)]


def explain(model: Any, data: Data | None, text: str, top: int) -> Explained:
    return Explained([model.explain(row) for row in some_rows(model, data, text)], model.strongest(top))


def some_rows(model: Any, data: Data | None, text: str) -> list[Any]:
    """The first rows of data that there are, or the text, or nothing, as tables of one row."""
    if data is None:
        return [model.row(text)] if text else []
    for batch in io.read_batches(data.source, format=data.format, text_col=data.text_col, labelled=False):
        table = model.table(batch)
        if len(table):
            return [table.slice(i, 1) for i in range(min(len(table), MOST_TEXTS))]
    return []


def facts(data: Data) -> dict[str, Any]:
    """What a person should know before training; places are rows of the data, from 1."""
    dataset = read_all(data, labelled=data.label_col is not None)
    texts, labels = dataset.text.to_pylist(), dataset.label_list()
    problems: list[str] = []
    counts = Counter(labels)
    if not labels:
        problems.append("there is no label column, so there is nothing to learn from: --label-col NAME")
    elif len(counts) == 1:
        problems.append(f"every row has the label {labels[0]!r}; learning needs at least two")
    problems += problem([row for row, label in enumerate(labels, 1) if not label], "rows without a label")
    problems += repeated_texts(texts, labels)
    problems += rare_labels(counts)
    if counts and max(counts.values()) > 10 * min(counts.values()):
        problems.append(
            "the largest label has more than 10 times the examples of the smallest: --set class-weight=balanced"
        )
    return facts_of(dataset, counts, problems)
