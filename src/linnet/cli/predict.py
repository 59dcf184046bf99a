"""The command `linnet predict`."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pyarrow as pa

from linnet.cli.console import predicting_progress, say
from linnet.cli.into_folder import Work, claim, outputs_of, predict_all
from linnet.cli.outputs import is_folder
from linnet.core import arrow
from linnet.core.cores import cores
from linnet.errors import DataError, LinnetError, UsageError
from linnet.io.formats import Note
from linnet.model.base import Model
from linnet.tasks import load, named
from linnet.tasks.answer_files import open_answers
from linnet.tasks.answering import answered
from linnet.tasks.commands import Asked, Commands, Data

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
    keep: list[str] | None,
    workers: int | None,
    quiet: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    threads: int | None = None,
    force: bool = False,
) -> None:
    loaded = load(model)
    commands = named(loaded.task).commands
    if proba and not loaded.has_probabilities:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {commands.probable}, or leave out --proba."
        )
    asked = Asked(output, proba, top, at_least, costs, only, tuple(keep or ()))
    asked.check(loaded.task, commands)
    work = Work(model, asked, {"format": format, "encoding": encoding, "delimiter": delimiter, "text": text_col})
    if is_folder(output):
        _into_folder(
            replace(work, threads=_threads(threads, workers or 1)), data, output, workers or 1, commands, force, quiet
        )
    else:
        if workers is not None:
            raise UsageError("--workers is for a folder of answers, as in -o answers/. Name a folder, or leave it out.")
        n = _predict(loaded, replace(work, threads=_threads(threads, 1)), data, None if quiet else say)
        if output is not None and not quiet:
            say(f"wrote {n:,} {'row' if n == 1 else 'rows'} to {output}")
    if commands.write is None and not only and not loaded.has_probabilities and top is None and not quiet:
        say(f"{model} has no probabilities, so there is no confidence. Train with --learner {commands.probable}")


def _predict(loaded: Model, work: Work, data: list[str], note: Note | None) -> int:
    """Write the answers of a model to the examples of files, and give the number of rows."""
    asked, n = work.asked, 0
    write = named(loaded.task).commands.write
    # Answers that are always a table have a confidence beside them, where the model can say how sure it is.
    sure = asked.proba or (write is None and not asked.only and loaded.has_probabilities)
    with open_answers(loaded, write, asked) as writer:
        batches = loaded.batches(Data(data).source, **work.how, note=note)
        answer = partial(loaded.answers, proba=sure, top=asked.top, **asked.decide())
        for batch, answers in answered(batches, answer, work.threads):
            writer.write(batch, answers if asked.proba else _rounded(answers))
            n += answers.num_rows
    return n


def _threads(asked: int | None, workers: int) -> int:
    """The number of threads of each process: as many as were asked for, or all cores for all of them together."""
    return asked or max(1, cores() // workers)


def _into_folder(
    work: Work, data: list[str], folder: str, workers: int, commands: Commands, force: bool, quiet: bool
) -> None:
    """Predict each file into the folder, and say how many rows and files that were."""
    outputs = outputs_of(data, folder, commands.write is not None)
    claim(folder, work, outputs, force)
    there = sum(map(os.path.exists, outputs.values()))
    n, wrong = 0, []
    with predicting_progress(len(outputs), quiet=quiet) as update:
        for done, (path, found) in enumerate(predict_all(work, outputs, workers, predict_file), there + 1):
            update(done, path)
            if isinstance(found, str):
                wrong.append(found)
            else:
                n += found
    if not quiet:
        before = f"; {there:,} were there already" if there else ""
        say(f"wrote {n:,} rows to {len(outputs) - there - len(wrong):,} files in {folder}{before}")
    if wrong:
        others = f" (and {len(wrong) - 1:,} more files)" if len(wrong) > 1 else ""
        raise LinnetError(f"{min(wrong)}{others} The other files are done.")


def predict_file(work: Work, path: str, output: str) -> int | str:
    """Write the answers to the examples of one file to another, and give the number of rows, or what is wrong with the file.
    Every process reads the model once."""
    try:
        return _predict(_loaded(work.model), replace(work, asked=replace(work.asked, output=output)), [path], None)
    except DataError as error:
        return str(error)


@cache
def _loaded(path: str) -> Model:
    return load(path)


def _rounded(answers: pa.Table) -> pa.Table:
    """The answers with confidences that are short enough to read."""
    for at, name in enumerate(answers.column_names):
        if name.startswith("confidence") and pa.types.is_floating(answers[name].type):
            found = [np.from_dlpack(chunk).astype(np.float64) for chunk in answers[name].chunks]
            short = np.concatenate([*found, np.zeros(0)]).round(_DIGITS)
            answers = answers.set_column(at, name, arrow.numbers(short))
    return answers
