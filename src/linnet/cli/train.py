"""The command `linnet train`."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.cli.console import learning_progress, parse_settings, print_json, say, show, write_nowhere
from linnet.cli.model_page import write_page
from linnet.cli.outputs import checkpoint_of
from linnet.cli.stopping import keep
from linnet.errors import UsageError
from linnet.fitting.contract import Columns
from linnet.model import Model
from linnet.tasks import guess, named
from linnet.training import in_words
from linnet.training.checkpoint import was_interrupted
from linnet.training.data_to_model import parse_class_weight, room_for, training

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.fitting.traced import Step
    from linnet.learners import Progress

_MOST_PROBLEMS = 3
"""The largest number of problems of the data that are shown."""
_PARAMETERS = {"class-weight": "class_weight", "state": "keep_state", "support": "keep_support"}
"""The names of settings in Python, where these differ from the names after --set."""


def run(
    *,
    data: list[str],
    output: str,
    task: str | None,
    learner: str | None,
    features: str | None,
    epochs: int | None,
    dev: list[str] | None,
    seed: int,
    settings: list[str] | None,
    unlabelled: list[str] | None,
    lexicon: list[str] | None,
    parallel: list[str] | None,
    rerank: int | None,
    start: str | None,
    resume: bool,
    once: bool,
    threads: int | None,
    cluster: str | None,
    shards: int | None,
    tls: tuple[str, str, str] | None,
    trace: int | None,
    html: str | None,
    as_json: bool,
    verbose: bool,
    quiet: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    if trace is None and as_json:
        raise UsageError("--json is for the steps of learning. Add --trace N.")
    options, run_settings = _settings(settings or [])
    watch = None if trace is None else _Watch(trace, html, as_json)
    if parallel:
        _check_aligns(data, task, start, {"format": format, "encoding": encoding, "label_col": label_col})
        options["parallel"] = parallel
    began = time.perf_counter()
    if once:
        from linnet.cli.once import learned

        keep()
        model = learned(
            data,
            output,
            refused={
                "--epochs": None if epochs == 1 else epochs,
                "--seed": seed or None,
                "dev": dev,
                "rerank": rerank,
                "--unlabelled": unlabelled,
                "--lexicon": lexicon,
                "parallel": parallel,
                "resume": resume,
                "trace": trace,
                "--threads": threads,
            },
            settings=run_settings,
            quiet=quiet,
            task=task,
            learner=learner,
            features=features,
            options=options,
            start=start,
            text=text_col,
            label=label_col,
            format=format,
            encoding=encoding,
            delimiter=delimiter,
        )
        _written(model, output, html, began, verbose, quiet)
        return
    if "every" in run_settings:
        raise UsageError(
            "every=MINUTES is for a stream, whose model is written on the way. Add --once, or leave it out."
        )
    room = room_for(run_settings.pop("memory", None), checkpoint_of(output))
    if resume and not quiet and not os.path.exists(f"{output}.part"):
        say(f"there is no {output}.part to go on from, so training begins from the start")
    with ExitStack() as until_written:
        with learning_progress(quiet=quiet) as progress:
            model = until_written.enter_context(
                training(
                    data if len(data) > 1 else data[0],
                    task=task,
                    learner=learner,
                    features=features,
                    epochs=epochs,
                    dev=_held_out(dev),
                    seed=seed,
                    options=options,
                    rerank=rerank,
                    text=text_col,
                    label=label_col,
                    format=format,
                    encoding=encoding,
                    delimiter=delimiter,
                    progress=_keeping(progress),
                    checkpoint=checkpoint_of(output),
                    resume=resume,
                    start=start,
                    memory="all" if room is None else room,
                    watch=watch,
                    cluster=cluster,
                    shards=shards,
                    tls=tls,
                    threads=threads,
                    unlabelled=None if unlabelled is None else list(map(Path, unlabelled)),
                    lexicon=None if lexicon is None else _lexicon(lexicon),
                    **run_settings,
                )
            )
        if watch is not None:
            watch.done(output)
        _written(model, output, html if watch is None else None, began, verbose, quiet)
    if room is not None and room.on_disk and not quiet:
        say("large data were kept in files beside the model, and are removed now; --set memory=all keeps all in memory")


def _keeping(show_progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """What is called when a piece is learned: from then on, there is something to keep."""

    def learned_more(progress: Progress) -> None:
        keep()
        show_progress(progress)

    return learned_more


def _written(model: Model, output: str, html: str | None, began: float, verbose: bool, quiet: bool) -> None:
    """Write the model and, if it was asked for, its page; say what there is to say."""
    model.save(output, force=True)  # What it may replace was checked before training.
    if html is not None:
        write_page(html, output, model)
    if not quiet:
        _say(model, output, time.perf_counter() - began, verbose)


class _Watch:
    """Shows the first steps of learning, on the terminal or as JSON, or keeps them for a page."""

    def __init__(self, n: int, html: str | None, as_json: bool) -> None:
        self.n = n
        self.html = html
        self.as_json = as_json
        self.seen = 0
        self.kept: list[Step] = []

    def __call__(self, step: Step) -> bool:
        """Show a step; returns whether more are wanted. Where nobody reads them any more, the training goes on without."""
        self.seen += 1
        try:
            self._show(step)
        except BrokenPipeError:
            write_nowhere(sys.stdout)
            return self.html is not None and self.seen < self.n
        return self.seen < self.n

    def _show(self, step: Step) -> None:
        if self.html is not None:
            self.kept.append(step)
        if self.as_json:
            print_json(step.as_dict())
        elif self.html is None:
            show(step.drawn())
            show()

    def done(self, output: str) -> None:
        """Write the page, if there is to be one."""
        if self.html is None:
            return
        from linnet import io
        from linnet.fitting.trace_page import trace_page

        with io.atomic(self.html) as file:
            file.write(trace_page(f"Step by step: {os.path.basename(output)}", self.kept).encode())
        say(f"wrote {self.html}")


def _check_aligns(data: list[str], task: str | None, start: str | None, columns: Columns) -> None:
    """Raise UsageError where there is a parallel text, and what is learned is no word alignment."""
    if start is not None:
        raise UsageError("--parallel belongs to the first training of a model. Leave it out to go on from one.")
    kind = guess(data, columns) if task is None else named(task)
    if "parallel" not in kind.settings:
        raise UsageError(f"--parallel is for word alignment; this is task {kind.name!r}. Leave it out.")


def _settings(items: list[str]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Options of the learner, and those of the training that have no flag of their own."""
    options: dict[str, Json] = dict(parse_settings(items))
    run_settings: dict[str, Json] = {}
    for key, convert in (
        ("patience", int),
        ("tol", float),
        ("class-weight", parse_class_weight),
        ("calibrate", str),
        ("state", _keeps("state")),
        ("support", _keeps("support")),
        ("refit", _yes),
        ("estimate", _yes),
        ("shuffle", _yes),
        ("every", float),
        ("most", int),
        ("memory", str),
    ):
        if key in options:
            value = options.pop(key)
            try:
                run_settings[_PARAMETERS.get(key, key)] = convert(value)
            except ValueError as error:
                if isinstance(error, UsageError):
                    raise
                raise UsageError(f"expected a number for {key}, found {value!r}.") from None
    return options, run_settings


def _lexicon(items: list[str]) -> dict[str, str]:
    """The file of words of each label, as they are typed: LABEL=FILE."""
    found: dict[str, str] = {}
    for item in items:
        label, equals, path = item.partition("=")
        if not (label and equals and path):
            raise UsageError(f"expected --lexicon LABEL=FILE, found {item!r}.")
        if label in found:
            raise UsageError(f"--lexicon names two files for the label {label!r}. Write all of its words into one.")
        found[label] = path
    return found


def _keeps(what: str) -> Callable[[str], bool]:
    def keeps(text: str) -> bool:
        if text not in ("keep", "drop"):
            raise UsageError(f"expected {what}=keep or {what}=drop, found {text!r}.")
        return text == "keep"

    return keeps


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise UsageError(f"expected yes or no, found {text!r}.")
    return text == "yes"


def _held_out(dev: list[str] | None) -> float | list[str] | str | None:
    """The share to hold out, or the held-out files."""
    if not dev:
        return None
    if len(dev) > 1:
        return dev
    try:
        return float(dev[0])
    except ValueError:
        return dev[0]


def _say(model: Model, output: str, seconds: float, verbose: bool) -> None:
    """Say what was learned from, how right the model will be, and what to do next."""
    for note in model.report.get("notes", ()):
        say(note)
    if model.report.get("tried"):
        say("tried on held-out parts of the data:")
        for line in in_words.tried(model):
            say(f"  {line}")
    for line in in_words.data(model):
        say(line)
    _say_problems(model)
    for part in (in_words.mended, in_words.learned, in_words.judged):
        for line in part(model):
            say(line)
    if model.report.get("warning"):
        say(f"look: {model.report['warning']}")
    if verbose:
        for line in in_words.course(model):
            say(line)
    elif was_interrupted(model):
        say(model.report["stopped"])
    say(f"wrote {output} ({os.path.getsize(output) / 1e6:.1f} MB) in {seconds:.1f} s")
    if was_interrupted(model) and os.path.exists(f"{output}.part"):
        say(f"{output}.part keeps the state of the training: run the same command with --resume to go on from there")
    say(f"next: linnet predict {shlex.quote(output)} NEW_DATA")
    say(f"      linnet explain {shlex.quote(output)} TEXT")


def _say_problems(model: Model) -> None:
    """Say what is wrong with the data, the gravest first."""
    problems = model.report.get("problems", ())
    for problem in problems[:_MOST_PROBLEMS]:
        say(f"look: {problem}")
    if len(problems) > _MOST_PROBLEMS:
        say(f"look: {len(problems) - _MOST_PROBLEMS} more problems, which `linnet inspect` shows")
