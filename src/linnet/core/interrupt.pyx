# cython: language_level=3
"""Ctrl-C inside a compiled search that takes seconds, such as that for the tree of 1,000 tokens.

Python runs the handler of a signal between two of its own instructions, and a search has none. So a command tells of each signal
that it hears, and of each that its handler was run for (cli/stopping.py). A search that sees that one is waiting ends at once, with
any valid output or with marginals of 0; whoever asked for it calls `check` before anything is made of them.
"""

from cpython.exc cimport PyErr_CheckSignals

cdef long n_heard = 0
cdef long n_handled = 0


def heard():
    """A signal has come."""
    global n_heard
    n_heard += 1


def handled():
    """The handler of a signal runs."""
    global n_handled
    n_handled += 1


cdef bint stopping() noexcept nogil:
    """Whether a signal has come whose handler was not run yet."""
    return n_heard > n_handled


cdef int check() except -1 nogil:
    """Raise what the handler of the signal raises, if one is waiting."""
    if stopping():
        with gil:
            PyErr_CheckSignals()
            raise KeyboardInterrupt     # On a thread, where Python runs no handlers.
    return 0
