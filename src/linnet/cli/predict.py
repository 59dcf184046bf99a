"""The command `linnet predict`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from linnet.cli.console import say
from linnet.core import arrow
from linnet.errors import UsageError
from linnet.tasks import load, named
from linnet.tasks.answer_files import open_answers
from linnet.tasks.commands import Asked, Data

_DIGITS = 4
"""The number of digits of a confidence that nobody asked for."""


def run(
    *,
    model: str,
    data: list[str],
    output: str | None,
    proba: bool,
    top: int | None,
    at_least: float | None,
    costs: str | None,
    only: bool,
    quiet: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    commands = named(loaded.task).commands
    if proba and not loaded.has_probabilities:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {commands.probable}, or leave out --proba."
        )
    # Answers that are always a table have a confidence beside them, where the model can say how sure it is.
    is_table = commands.write is None and not only
    sure = proba or (is_table and loaded.has_probabilities)
    asked = Asked(output, proba, top, at_least, costs, only)
    asked.check(loaded.task, commands.takes)
    n = 0
    with open_answers(loaded, commands.write, asked) as writer:
        how = Data(data, format, encoding=encoding, delimiter=delimiter, note=None if quiet else say).how
        for batch in loaded.batches(Data(data).source, text=text_col, **how):
            answers = loaded.answers(batch, proba=sure, top=top, **asked.decide())
            writer.write(batch, answers if proba else _rounded(answers))
            n += answers.num_rows
    if is_table and not loaded.has_probabilities and top is None and not quiet:
        say(f"{model} has no probabilities, so there is no confidence. Train with --learner {commands.probable}")
    if output is not None and not quiet:
        say(f"wrote {n:,} {'row' if n == 1 else 'rows'} to {output}")


def _rounded(answers: pa.Table) -> pa.Table:
    """The answers with confidences that are short enough to read."""
    for at, name in enumerate(answers.column_names):
        if name.startswith("confidence") and pa.types.is_floating(answers[name].type):
            short = np.array(answers[name].to_pylist(), np.float64).round(_DIGITS)
            answers = answers.set_column(at, name, arrow.numbers(short))
    return answers
