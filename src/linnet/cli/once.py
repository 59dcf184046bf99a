"""`linnet train --once`: learning from a stream, which may never end, with a model file that is kept up to date."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from linnet.cli.console import say
from linnet.errors import DataError, LinnetError, UsageError
from linnet.training.stream import Stream, stream

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.model import Model

_USUAL_EVERY = 10.0
"""The minutes after which the model is written, where the user does not say."""
_FLAGS = {"rerank": "--rerank", "dev": "--dev", "resume": "--resume", "trace": "--trace", "parallel": "--parallel"}
"""The flags that ask for what one pass over a stream cannot give."""
_TYPED = {"class_weight": "class-weight", "keep_support": "support"}
"""The names of settings as they are typed, where these differ from the names in Python."""


def learned(
    data: list[str],
    output: str,
    *,
    refused: Mapping[str, Json],
    settings: dict[str, Json],
    quiet: bool,
    **how: Json,
) -> Model:
    """Learn from a stream until it ends, or until the user ends it; write the model every few minutes on the way. Return the
    model as it is then. Where the data have an error, write it and raise the error.

    refused: the values of flags that --once does not go with. Raise UsageError where one is given. settings: those of
    training that have no flag.
    """
    every = float(settings.pop("every", _USUAL_EVERY))
    keep_state = bool(settings.pop("keep_state", False))
    _check({**refused, **{f"--set {_TYPED.get(name, name)}": value for name, value in settings.items()}})
    if not every > 0:
        raise UsageError(f"expected every=MINUTES to be above 0, found {every:g}.")
    gc.enable()  # The command may run for weeks.
    found = stream(data if len(data) > 1 else data[0], keep_state=keep_state, **how)
    try:
        with _Snapshots(found, output, 60 * every, quiet):
            try:
                _follow(found, quiet)
            except KeyboardInterrupt:
                found.stop()
    except DataError:
        if found.seen.examples:  # What has gone by in a pipe cannot be learned from again.
            found.stop("an error in the data")
            found.save(output, force=True)
            if not quiet:
                say(f"{found.seen}; wrote {output}")
        raise
    return found.model()


def _follow(found: Stream, quiet: bool) -> None:
    """Learn, and say how it goes whenever the number of examples has doubled."""
    shown = 0
    for seen in found:
        if not quiet and seen.examples >= 2 * shown:
            shown = seen.examples
            say(str(seen))


class _Snapshots:
    """A thread that writes the model every so many seconds if there were new examples, even while none come."""

    def __init__(self, found: Stream, output: str, seconds: float, quiet: bool) -> None:
        self._found, self._output, self._seconds, self._quiet = found, output, seconds, quiet
        self._ended = threading.Event()
        self._failed: LinnetError | None = None
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        """End the thread. Raise what made it fail."""
        self._ended.set()
        self._thread.join()
        if self._failed is not None:
            raise self._failed

    def _write(self) -> None:
        written = 0
        while not self._ended.wait(self._seconds):
            seen = self._found.seen
            if seen.examples == written:
                continue
            try:
                self._found.save(self._output, force=True)  # What it may replace was checked before.
            except LinnetError as error:
                self._failed = error
                os.kill(os.getpid(), signal.SIGINT)  # The stream may be waiting for examples.
                return
            written = seen.examples
            if not self._quiet:
                say(f"{seen}; wrote {self._output}")


def _check(refused: Mapping[str, Json]) -> None:
    """Raise UsageError where the user asks for what needs all examples at once, or several passes."""
    for name, value in refused.items():
        if value is not None and value is not False and value != []:
            raise UsageError(
                f"{_FLAGS.get(name, name)} needs all examples at once, or several passes over them, and --once is one pass "
                "over examples that are not kept. Leave out one of the two."
            )
