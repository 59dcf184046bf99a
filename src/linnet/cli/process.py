"""The process of a command: it begins before the modules of the command line are imported, and ends before Python would."""

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress


def process() -> None:
    """Run the command of this process, and end the process as soon as all is written and said: what Python would free and take
    apart before it exits, the system frees at once."""
    # Ctrl-C ends the process at once, without a traceback, until the command has its own handlers (stopping.py). Where it is
    # ignored, as for a job in the background, it stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A command ends before a search for garbage would pay; while modules are imported, there is none to find.
    gc.disable()
    from linnet.cli.main import main

    code = 1  # where an error comes that nobody expects

    def end() -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # A stream that is closed from the start is None.
                stream.flush()
        os._exit(code)

    atexit.register(end)  # What is registered first is called last.
    try:
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise
