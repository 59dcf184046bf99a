"""The command line. The module that does the work of a command is imported when it runs, so --help is quick."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated

import typer

from linnet import __version__
from linnet.cli.built_when_asked import BuiltWhenAsked, command
from linnet.cli.making_models import compact, label, make, train
from linnet.cli.showing import compare, demo, list_, plot
from linnet.cli.stopping import Stopping
from linnet.cli.using_models import evaluate, explain, inspect, predict, reproduce, serve
from linnet.errors import LinnetError, UsageError
from linnet.report.printable import printable

app = typer.Typer(
    name="linnet",
    cls=BuiltWhenAsked,
    help="Train linear models of language on your data, predict with them, and see why they decide as they do.",
    epilog="Example: linnet train reviews.csv -o reviews.linnet && linnet predict reviews.linnet new.csv",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _function in (
    train, make, predict, evaluate, compare, explain, inspect, plot, compact, serve, label, reproduce, demo, list_,
):  # fmt: skip
    command(_function)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"linnet {__version__}")
        raise typer.Exit


_KEEPING = ("compare", "serve", "label")
"""The commands that keep or show what they have done when they are interrupted, or end in their own way. `train` has something
to keep from the time when it learns, and says so itself."""


@app.callback()
def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    own: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="FILE",
            help="A .py or .pyx file of your own that adds tasks, learners, features or formats.",
        ),
    ] = None,
) -> None:
    if isinstance(context.obj, Stopping):
        context.obj.keeps = context.invoked_subcommand in _KEEPING
    if own:
        from linnet.plugins import use

        for path in own:
            use(path)


def main(arguments: list[str] | None = None) -> None:
    """Run a command, and exit with 0 if all went well, 1 for an error in the data or the model, 2 for one in the command
    line, 130 after Ctrl-C and 143 after a request to end (SIGTERM), even if what was done until then is kept."""
    # linnet does not need the threads of BLAS, which would spin for 0.1 s at the start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    stopping = Stopping()
    try:
        try:
            code = _ended(arguments, stopping)
        finally:
            stopping.end()
    except KeyboardInterrupt:  # A signal came when the command had ended, or while it said why.
        stopping.end()
        code = stopping.code
    gc.freeze()  # Otherwise Python would look for garbage once more before it exits.
    sys.exit(code)


def _ended(arguments: list[str] | None, stopping: Stopping) -> int | str | None:
    """Run a command, say what went wrong, and return its exit code."""
    try:
        app(args=arguments, obj=stopping)
    except LinnetError as error:
        for note in getattr(error, "__notes__", ()):
            typer.echo(printable(note), err=True)
        typer.secho(f"linnet: {printable(str(error))}", err=True, fg="red")
        return 2 if isinstance(error, UsageError) else 1
    except MemoryError as error:
        typer.secho(f"linnet: out of memory: {error}", err=True, fg="red")
        return 1
    except SystemExit as end:
        return stopping.code or end.code
    except RuntimeError:
        if not stopping.code:
            raise
    return stopping.code  # A signal that comes while Python makes a class becomes a RuntimeError.
