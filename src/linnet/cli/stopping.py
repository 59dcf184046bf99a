"""Ctrl-C and SIGTERM: a command is interrupted, and its exit code says so even where it keeps what it has done until then.

Python runs the handler of a signal between two of its own instructions, and a compiled loop over one long sentence has none. So
a thread hears of each signal, too. Where the process goes on to compute for half a second all the same, the thread ends it, as
`kill -9` would: files are whole or not there, whenever that happens. A command that has something to keep goes on until its
compiled loop ends, unless a second signal comes. Searches that may take longer than that, such as those for trees, end early
(core/interrupt.pyx).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 0.5
"""The seconds of processor time that a command may use after a signal before the thread ends it."""
_AGAIN = (
    "linnet: the command ends when the step that it is at is done. Ctrl-C once more ends it now, and keeps nothing.\n"
)
_AT_WORK: list[Stopping] = []
"""The handlers of this process, if it is a command."""
_SHOW_CURSOR = "\x1b[?25h"
"""What makes a terminal show its cursor again, which a progress bar has hidden."""


class Stopping:
    """Handlers of the signals that ask a command to end. Each raises KeyboardInterrupt: then `linnet train` keeps its model,
    and all other work ends at once. A signal that is ignored, as for a job in the background, stays ignored."""

    def __init__(self) -> None:
        self.code = 0
        """The exit code, 128 and the number of the signal; 0 where there was none."""
        self.begun = False
        """Whether the work of the command has begun. Before that a signal ends the process at once: there is nothing to
        clean up, and an error that comes in the middle of an import may be lost, or become another one."""
        self.keeps = False
        """Whether the command has something to keep. Then only a second signal ends it while it computes."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)
        _AT_WORK.append(self)
        self._heard, self._told = os.pipe()
        os.set_blocking(self._told, False)
        signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self) -> None:
        """Leave the signals to the system: nothing is left to be kept, and one that comes now is to end the process at once."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        if self in _AT_WORK:  # A signal may have cut the first call of this short.
            _AT_WORK.remove(self)
            _deaf()
            os.close(self._told)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.code = 128 + number
        _tell_searches("handled")
        if not self.begun:
            os._exit(self.code)
        raise KeyboardInterrupt

    def _watch(self) -> None:
        """Hear of signals until `end`, and see to it that the process ends."""
        times = 0
        while number := os.read(self._heard, 1):
            if number[0] not in _SIGNALS:
                continue
            times += 1
            _tell_searches("heard")
            begun = time.process_time()
            while time.process_time() - begun < _GRACE:
                time.sleep(0.02)
            # True counts as 1: the first signal ends a command, or the second one if the command keeps what it has
            # done.
            if times > self.keeps:
                if sys.stderr.isatty():
                    os.write(2, _SHOW_CURSOR.encode())
                os._exit(128 + number[0])
            if not self.code:  # Python has not run the handler yet: a compiled loop is at work.
                os.write(2, _AGAIN.encode())
        os.close(self._heard)


def begin() -> None:
    """Tell the handlers of this process that the work of the command begins."""
    for stopping in _AT_WORK:
        stopping.begun = True


def keep() -> None:
    """Tell the handlers of this process that from now on the command has something to keep."""
    for stopping in _AT_WORK:
        stopping.keeps = True


def _tell_searches(what: str) -> None:
    """Tell compiled searches of a signal, if any have been loaded: they end then, so that the handler can run."""
    if (interrupt := sys.modules.get("linnet.core.interrupt")) is not None:
        getattr(interrupt, what)()


def _deaf() -> None:
    """Let the thread hear of no more signals."""
    signal.set_wakeup_fd(-1)


os.register_at_fork(after_in_child=_deaf)  # Otherwise a signal to a child would be heard here.
