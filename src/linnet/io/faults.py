"""Where a fault is, and which of several a person hears of: the one on the first line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from linnet.errors import DataError


@dataclass(frozen=True)
class Where:
    name: str
    line: int

    def fault(self, message: str) -> DataError:
        return DataError(message, self.name, self.line)


def raise_first(faults: Iterable[DataError | None]) -> None:
    """Raise the fault on the earliest line, if there is any: many lines are checked at once, question by question."""
    found = [fault for fault in faults if fault is not None]
    if found:
        raise min(found, key=lambda fault: fault.line or 0)
