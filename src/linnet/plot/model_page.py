"""The page of a model: what it was learned from, how right it will be, how learning went, and what speaks for each label.

`linnet train --html` and `linnet inspect MODEL --html` write it.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from linnet.errors import UsageError
from linnet.model.base import Model
from linnet.plot.learning import learning
from linnet.report import sections, svg
from linnet.report.page import document, strongest_features
from linnet.report.pictures import panels
from linnet.training import in_words

_MOST_LABELS = 20
"""The largest number of labels whose strongest features are shown."""


def model_page(title: str, model: Model, top: int = 15) -> str:
    """The whole page.

    top: the number of features to show for each label.
    """
    style, course = _course(model)
    parts = (
        sections.sentences(
            "What it is", (*in_words.data(model), *in_words.mended(model), *in_words.learned(model), *_options(model))
        ),
        sections.sentences("How right it is", in_words.judged(model)),
        sections.sentences("Look at the data", (*model.report.get("notes", ()), *model.report.get("problems", ()))),
        sections.sentences("What was tried on held-out parts of the data", in_words.tried(model)),
        sections.sentences("How learning went", (*_warnings(model), *in_words.course(model))),
        course,
        sections.label_counts(dict(zip(model.labels, model.report.get("counts") or (), strict=False))),
        strongest_features(dict(list(model.strongest(top).items())[:_MOST_LABELS])) if model.is_linear else "",
    )
    return document(title, "\n".join(part for part in parts if part), svg.STYLE + sections.STYLE + style)


def _options(model: Model) -> Iterator[str]:
    if model.options:
        yield "options: " + ", ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in model.options.items()
        )


def _warnings(model: Model) -> Iterator[str]:
    if model.report.get("warning"):
        yield f"look: {model.report['warning']}"


def _course(model: Model) -> tuple[str, str]:
    """The style and the panels of the picture that shows how learning went; both "" where there is no course to draw."""
    try:
        picture = learning(model)
    except UsageError:
        return "", ""
    notes = "".join(f"<p class=dim>{escape(note)}</p>" for note in picture.notes)
    style, shown = panels(picture)
    return style, f"{shown}{notes}"
