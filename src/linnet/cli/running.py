"""What every command does around its work: look at where it may write, and say in a sentence what could not be read."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from linnet.errors import LinnetError

if TYPE_CHECKING:
    from linnet.core.types import Setting


def run_command(command: str, arguments: dict[str, Setting]) -> None:
    """Import the module of a command, check where it may write, and run it. What cannot be read or written is a LinnetError."""
    from linnet.cli.outputs import check_outputs
    from linnet.cli.patterns import expanded
    from linnet.cli.stopping import begin
    from linnet.plugins import USED

    run = import_module(f"linnet.cli.{command}").run
    begin()

    # Only `predict` needs --force itself, as it does not look into a folder of answers before its work begins.
    force = arguments.get("force", False) if command == "predict" else arguments.pop("force", False)
    try:
        if "data" in arguments:
            arguments["data"] = expanded(arguments["data"])
        check_outputs(command, arguments, USED, force)
        run(**arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        from linnet.cli.console import write_nowhere

        write_nowhere(sys.stdout)
    except OSError as error:
        name = f" {error.filename!r}" if error.filename else ""
        raise LinnetError(f"cannot read or write{name}: {error.strerror or error}.") from error
