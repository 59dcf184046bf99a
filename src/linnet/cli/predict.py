"""linnet predict"""

from __future__ import annotations

from linnet.errors import UsageError
from linnet.tasks import load
from linnet.tasks.commands import Answers, Data, face


def run(
    *,
    model: str,
    data: list[str],
    output: str | None,
    proba: bool,
    top: int | None,
    at_least: float | None,
    costs: str | None,
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
    answers = Answers(output, proba, top, at_least, costs)
    answers.check(loaded.task, shown.takes)
    shown.predict(loaded, Data(data, format, text_col), answers)
