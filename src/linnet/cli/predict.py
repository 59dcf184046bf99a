"""The command `linnet predict`."""

from __future__ import annotations

from linnet.cli.console import say
from linnet.errors import UsageError
from linnet.tasks import load, named
from linnet.tasks.answer_files import open_answers
from linnet.tasks.commands import Asked, Data


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
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    commands = named(loaded.task).commands
    if proba and not loaded.probabilistic:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {commands.probable}, or leave out --proba."
        )
    asked = Asked(output, proba, top, at_least, costs)
    asked.check(loaded.task, commands.takes)
    with open_answers(loaded, commands.write, asked) as writer:
        how = Data(data, format, encoding=encoding, delimiter=delimiter, note=say).how
        for batch in loaded.batches(Data(data).source, text=text_col, **how):
            writer.write(batch, loaded.answers(batch, proba=proba, top=top, **asked.decide()))
