"""Ctrl-C and SIGTERM: a command is interrupted, and its exit code says so even where it keeps what it has done until then."""

from __future__ import annotations

import signal
from types import FrameType


class Stopping:
    """Handlers of the signals that ask a command to end. Each raises KeyboardInterrupt: then `linnet train` keeps its model,
    and all other work ends at once. A signal that is ignored, as for a job in the background, stays ignored."""

    def __init__(self) -> None:
        self.code = 0
        """The exit code, 128 and the number of the signal; 0 where there was none."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def end(self) -> None:
        """Leave the signals to the system: nothing is left to be kept, and one that comes now is to end the process at once."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.code = 128 + number
        raise KeyboardInterrupt
