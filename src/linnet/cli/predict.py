"""The command `linnet predict`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from linnet.cli.console import predicting_progress, say
from linnet.cli.outputs import is_folder
from linnet.core import arrow
from linnet.core.threads import ahead, limited
from linnet.core.types import Data as Batch
from linnet.core.types import Json
from linnet.errors import DataError, LinnetError, UsageError
from linnet.io.formats import Note
from linnet.model.base import Model
from linnet.model.file import identity
from linnet.tasks import TASKS, load
from linnet.tasks.answer_files import open_answers
from linnet.tasks.commands import Asked, Commands, Data

if TYPE_CHECKING:
    from linnet.cli.into_folder import Calls

_DIGITS = 4
"""The number of digits of a confidence, unless --proba asks for all digits."""


class Work(NamedTuple):
    """What is to be done for all files, in a form that other processes understand."""

    model: str
    asked: Asked
    how: dict[str, Json]
    """How the files are to be read, and the column of the texts."""
    threads: int | None = None
    """The largest number of threads of each process; None for as many as cores."""


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
    spreadsheet_safe: bool,
    workers: int | None,
    cluster: str | None,
    tls: tuple[str, str, str] | None,
    quiet: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    threads: int | None = None,
    force: bool = False,
) -> None:
    loaded = load(model)
    commands = TASKS.commands(loaded.task)
    if proba and not loaded.has_probabilities:
        raise UsageError(
            f"{model} was trained with {loaded.learner!r}, whose scores are not probabilities. "
            f"Train with --learner {commands.probable}, or leave out --proba."
        )
    asked = Asked(output, proba, top, at_least, costs, only, tuple(keep or ()), spreadsheet_safe)
    asked.check(loaded.task, commands)
    how: dict[str, Json] = {"format": format, "encoding": encoding, "delimiter": delimiter, "text": text_col}
    work = Work(model, asked, how, 1 if threads is None and (workers or 1) > 1 else threads)
    if tls is not None and cluster is None:
        raise UsageError("--tls is for a cluster. Add --cluster with its address, or leave it out.")
    if workers is not None and cluster is not None:
        raise UsageError("--workers is for processes of this machine, and --cluster for others. Leave out one of them.")
    if is_folder(output):
        with _calls(workers or 1, cluster, tls) as calls:
            _into_folder(work, data, output, calls, commands, force, quiet)
    else:
        for name, value in (("--workers", workers), ("--cluster", cluster)):
            if value is not None:
                raise UsageError(
                    f"{name} is for a folder of answers, as in -o answers/. Name a folder, or leave it out."
                )
        n = _predict(loaded, work, data, None if quiet else say)
        if output is not None and not quiet:
            say(f"wrote {n:,} {'row' if n == 1 else 'rows'} to {output}")
    if commands.write is None and not only and not loaded.has_probabilities and top is None and not quiet:
        say(f"{model} has no probabilities, so there is no confidence. Train with --learner {commands.probable}")


@contextmanager
def _calls(workers: int, cluster: str | None, tls: tuple[str, str, str] | None) -> Iterator[Calls]:
    """What predicts files: processes of this machine, or the workers of a cluster, which is open meanwhile."""
    from linnet.cli.into_folder import in_processes, on_cluster

    if cluster is None:
        yield partial(in_processes, workers)
        return
    from linnet.cluster.on_dask import opened

    with opened(cluster, tls) as dask:
        yield partial(on_cluster, dask.as_ready)


def _predict(loaded: Model, work: Work, data: list[str], note: Note | None) -> int:
    """Write the answers of a model to the examples of files, and give the number of rows. The file of a large model is
    still being checked meanwhile; where it turns out to be damaged, ModelError is raised, and no file of answers is
    left."""
    asked, n = work.asked, 0
    write = TASKS.commands(loaded.task).write
    # Answers that are always a table have a confidence beside them, where the model can say how sure it is.
    sure = asked.proba or (write is None and not asked.only and loaded.has_probabilities)

    def answered(batch: Batch) -> tuple[Batch, pa.Table]:
        answers = loaded.answers(batch, proba=sure, top=asked.top, **asked.decide())
        return batch, answers if asked.proba else _rounded(answers)

    with open_answers(loaded, write, asked) as writer, limited(work.threads):
        for batch, answers in ahead(answered, loaded.batches(Data(data).source, **work.how, note=note)):
            writer.write(batch, answers)
            n += answers.num_rows
        loaded.verify()
    return n


def _into_folder(
    work: Work, data: list[str], folder: str, calls: Calls, commands: Commands, force: bool, quiet: bool
) -> None:
    """Predict each file into the folder, and say how many rows and files that were."""
    from linnet.cli.into_folder import claim, is_done, outputs_of, predict_all

    outputs = outputs_of(data, folder, commands.write is not None)
    claim(folder, work, outputs, force)
    there = sum(is_done(path, output) for path, output in outputs.items())
    n, wrong = 0, []
    with predicting_progress(len(outputs), quiet=quiet) as update:
        for done, (path, found) in enumerate(predict_all(work, outputs, calls, predict_file), there + 1):
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
        return _predict(
            _loaded(work.model, identity(work.model)),
            work._replace(asked=work.asked._replace(output=output)),
            [path],
            None,
        )
    except DataError as error:
        return str(error)


@cache
def _loaded(path: str, what: Json) -> Model:
    """The model of a file. `what` is the identity of the file, so that a worker of a cluster, which may live on when
    the file is replaced, does not find the old model in the cache."""
    return load(path)


def _rounded(answers: pa.Table) -> pa.Table:
    """The answers with confidences that are short enough to read."""
    for at, name in enumerate(answers.column_names):
        if name.startswith("confidence") and pa.types.is_floating(answers[name].type):
            found = [np.from_dlpack(chunk).astype(np.float64) for chunk in answers[name].chunks]
            short = np.concatenate([*found, np.zeros(0)]).round(_DIGITS)
            answers = answers.set_column(at, name, arrow.numbers(short))
    return answers
