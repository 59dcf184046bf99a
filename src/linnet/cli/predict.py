"""linnet predict"""

from __future__ import annotations

from linnet.cli.faces import Answers, Data, face
from linnet.errors import UsageError
from linnet.tasks import load


def run(
    *,
    model: str,
    data: list[str],
    output: str | None,
    proba: bool,
    top: int | None,
    format: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    shown = face(loaded.task)
    if proba and not loaded.probabilistic:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {shown.probable}, or leave out --proba."
        )
    shown.predict(loaded, Data(data, format, text_col), Answers(output, proba, top))
