"""What the commands do for labels of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linnet import io
from linnet.io.texts.labels import is_missing
from linnet.tasks.commands import Asked, Data, Write

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.explain import Strong
    from linnet.features import Table
    from linnet.report.errors import Errors
    from linnet.tasks.evaluated import Evaluated
    from linnet.tasks.explained import Explained
    from linnet.tasks.labels.measures import LabelsReport, Wrong
    from linnet.tasks.labels.model import LabelsModel
    from linnet.tasks.texts.model import TextModel
    from linnet.tasks.texts.why import Explanation

MOST_TEXTS = 5
"""The number of texts of a file that are explained."""
_FAINT = 0.05
"""The share of what the strongest word of an error adds below which a word gets no colour. A page has many errors, so
only the words that matter are coloured."""
probable = "logistic or naive-bayes, or with --set calibrate=sigmoid"
takes: tuple[str, ...] = ("costs",)
write: Write | None = None


def read_all(data: Data, **more: Any) -> io.Dataset:
    """Read files as one dataset."""
    return io.read(data.source, text_col=data.text_col, label_col=data.label_col, least_labels=1, **data.how, **more)


def evaluate(model: LabelsModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.evaluated import Evaluated
    from linnet.tasks.labels.terminal import labels_report

    report = model.evaluate(data.source, text=data.text_col, label=data.label_col, **data.how, **asked.decide())
    return Evaluated(report, labels_report(report), lambda: _shown_errors(model, report))


def _shown_errors(model: LabelsModel, report: LabelsReport) -> Errors:
    """The errors of a report, with the words that speak for the predicted label and against the right one."""
    from linnet.report.errors import Errors, ShownError, plain_text
    from linnet.tasks.texts.page import coloured

    def text(one: Wrong) -> str:
        if not model.is_linear:
            return plain_text(one.text)
        return coloured(model.explain(one.text, one.predicted, one.gold), _FAINT)

    return Errors(
        [ShownError(one.row, one.gold, one.predicted, one.score, one.confidence, text(one)) for one in report.errors]
    )


def wrong_texts(model: TextModel, data: Data, asked: Asked) -> Errors:
    """The errors of a model of texts with labels of any kind; none where other answers were asked for than the model gives by
    itself."""
    from linnet.report.errors import Errors
    from linnet.tasks.wrong_decisions import wrong_in_texts

    return Errors() if asked.decide() else wrong_in_texts(model, model.labelled(data.source, None, data.columns))


def explain(model: TextModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain the first texts of data, or a text; add the strongest features of the model."""
    return explained_texts([model.explain(row) for row in some_rows(model, data, text)], lambda: model.strongest(top))


def explained_texts(found: Sequence[Explanation], strongest: Callable[[], Mapping[str, Sequence[Strong]]]) -> Explained:
    """Explanations of texts in all forms in which they are shown."""
    from linnet.tasks.explained import Explained
    from linnet.tasks.texts.page import page
    from linnet.tasks.texts.terminal import explanation
    from linnet.tasks.texts.why import Explanation

    def page_of(all: Explained, title: str, top: int) -> str:
        return page(title, all.found, all.strongest, top)

    return Explained(found, strongest, page_of, explanation, plain=Explanation.as_dict)


def some_rows(model: TextModel, data: Data | None, text: str) -> list[Table]:
    """The first rows of data, or the text, as tables of one row; an empty list where neither is given."""
    if data is None:
        return [model.row(text)] if text else []
    for table in model.batches(data.source, text=data.text_col, **data.how):
        if len(table):
            return [table.slice(i, 1) for i in range(min(len(table), MOST_TEXTS))]
    return []


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name rows of the data, counted from 1."""
    from linnet.tasks.problems import facts_of, problem, problems_in

    dataset = read_all(data, labelled=data.label_col is not None)
    labels = dataset.label_list()
    problems: list[str] = []
    counts = Counter(label for label in labels if not is_missing(label))
    if not labels:
        problems.append("there is no label column, so there is nothing to learn from: name it with --label-col")
    without = [row for row, label in enumerate(labels, 1) if is_missing(label)]
    problems += problem(without, "row without a label", "rows without a label")
    problems += problems_in(lambda: [dataset.text], labels, counts, rows=dataset.row_numbers())
    return facts_of(dataset, counts, problems)
