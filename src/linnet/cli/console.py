"""What commands print: results go to stdout, progress and messages to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from linnet.errors import UsageError
from linnet.report.printable import printable

if TYPE_CHECKING:
    from linnet.comparison import Step
    from linnet.core.types import Json
    from linnet.learners import Progress


def show(*what: object) -> None:
    """Print a result for people on stdout, in colour if that is a terminal."""
    from rich.console import Console

    from linnet.report.harmless import Harmless

    class Shown(Console):
        def on_broken_pipe(self) -> None:
            """Let the command end as it does for all output that nobody reads; rich would exit with an error."""
            raise BrokenPipeError

    console = Shown(highlight=False)
    console.push_render_hook(Harmless())
    with console.capture() as rendered:
        console.print(*what)
    sys.stdout.write(rendered.get())


def say(message: str) -> None:
    """Print a message on stderr. On a terminal, long messages are broken between words; in a file, a message is a line. Where
    the reader of a pipe has closed it, the command goes on, and further messages are dropped."""
    message = printable(message)
    if sys.stderr.isatty():
        message = wrapped(message, shutil.get_terminal_size().columns)
    try:
        sys.stderr.write(f"{message}\n")
    except BrokenPipeError:
        write_nowhere(sys.stderr)


def write_nowhere(stream: TextIO) -> None:
    """Let what is written from now on vanish: the reader has closed the pipe, as `head` does in `linnet predict ... | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def wrapped(message: str, width: int) -> str:
    """A message in lines of at most `width` characters; the second and further ones begin with two blanks. A word that is
    longer, such as a path, stays whole.

    >>> print(wrapped("labels that differ only in case: 'pos', 'POS'", 30))
    labels that differ only in
      case: 'pos', 'POS'
    """
    return textwrap.fill(message, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def print_json(value: Json) -> None:
    """Print one JSON object on stdout; nan and infinity, which JSON does not have, become null."""
    print_line(json.dumps(_finite(value), ensure_ascii=False))


def print_line(line: str) -> None:
    """Print a line on stdout as it is, but without control characters if that is a terminal."""
    sys.stdout.write((printable(line) if sys.stdout.isatty() else line) + "\n")


def _finite(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


@contextmanager
def _bar(what: str, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """Show a progress bar with a note if stderr is a terminal, and nothing if it is a file or all is to be quiet."""
    if quiet or not sys.stderr.isatty():
        yield lambda share, note: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    with Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        bar = bars.add_task(what, total=1.0, note="")
        yield lambda share, note: bars.update(bar, completed=share, note=printable(note))


@contextmanager
def learning_progress(*, quiet: bool = False) -> Iterator[Callable[[Progress], None]]:
    """Show the progress of learning: which model of how many, the epoch, the time left, the loss."""
    with _bar("learning", quiet=quiet) as show_bar:

        def update(progress: Progress) -> None:
            note = f"{progress.step}: " if progress.step else ""
            note += f"epoch {progress.epoch} of {progress.epochs}{_left(progress)}"
            if progress.last is not None:
                note += f", loss {progress.last.loss:.4f}"
                if progress.last.mistakes is not None:
                    note += f", {progress.last.mistakes:,} mistakes"
                if progress.last.moved == progress.last.moved:  # It is nan where it was not measured.
                    note += f", moved {100 * progress.last.moved:.2g}%"
                if progress.last.gap is not None:
                    note += f", gap {progress.last.gap:.2g}"
                if progress.last.dev is not None:
                    note += f", held out {100 * progress.last.dev:.2f}%"
            show_bar(progress.share, note)

        yield update


def _left(progress: Progress) -> str:
    """The time left in words, and which part of the work it is for, if not for all."""
    if progress.left != progress.left:  # It is nan while it is not known.
        return ""
    of = f" for all {progress.steps}" if progress.steps > 1 else " in this step" if progress.step else ""
    return f", {progress.left:.0f} s left{of}"


@contextmanager
def comparing_progress() -> Iterator[Callable[[Step], None]]:
    """Show the progress of a comparison: the time left, and what was done last."""
    with _bar("comparing") as show_bar:
        yield lambda step: show_bar(step.share, f"{step.left:.0f} s left, {step.what}")


@contextmanager
def predicting_progress(files: int, *, quiet: bool = False) -> Iterator[Callable[[int, str], None]]:
    """Show the progress of predicting many files: how many are done, the time left, and which was done last."""
    began = time.monotonic()
    with _bar("predicting", quiet=quiet) as show_bar:
        before: int | None = None

        def update(done: int, path: str) -> None:
            nonlocal before
            before = done - 1 if before is None else before  # The files that were there already.
            each = (time.monotonic() - began) / (done - before)
            show_bar(done / files, f"{done:,} of {files:,} files, {each * (files - done):.0f} s left, {path}")

        yield update


@contextmanager
def drawing_progress() -> Iterator[Callable[[float, str], None]]:
    """Show the progress of a picture for which models are learned: the share that is done, and what was learned from last."""
    with _bar("learning") as show_bar:
        yield show_bar


def parse_settings(items: list[str]) -> dict[str, str]:
    """The values of --set KEY=VALUE, keyed by KEY."""
    settings: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals:
            raise UsageError(f"expected --set KEY=VALUE, found {item!r}.")
        settings[key] = value
    return settings
