"""What is checked of a large model file while the model answers already.

When a file is loaded, its header, the sizes and places of all arrays, and small arrays are checked before anything
else. Numbers of a large array that are used as indices are checked at each use. All else about large arrays is checked
here: whether their checksums are right and their numbers are finite. That means reading the whole file, which may take
longer than the first answers, so a thread does it from the moment that the model is loaded. If something is wrong,
every later question to the model raises ModelError, and so does `Model.verify`, which waits for the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

from linnet.core.schema import Check
from linnet.errors import ModelError


class Checking:
    """A thread that does the checks of one model file, and what it has found."""

    def __init__(self, name: str, checks: Sequence[Check]) -> None:
        self._name = name
        self._damage: str | None = None
        self._thread = Thread(target=self._run, args=(list(checks),), name="linnet: checking a model file", daemon=True)
        self._thread.start()

    def _run(self, checks: list[Check]) -> None:
        for check in checks:
            try:
                check()
            except ModelError as error:
                self._damage = f"{self._name}: {error}"
                return
            except ValueError as error:
                self._damage = f"{self._name}: the model file is damaged ({error}). Copy or train it again."
                return

    def look(self) -> None:
        """Raise ModelError if damage has been found so far."""
        if self._damage is not None:
            raise ModelError(self._damage)

    def wait(self) -> None:
        """Wait until all is checked, and raise ModelError if there is damage."""
        self._thread.join()
        self.look()
