# cython: language_level=3
"""Ctrl-C inside a compiled search that takes seconds, such as that for the tree of 1,000 tokens.

Python runs the handler of a signal between two of its own instructions, and a search has none. So a command tells of each signal
that it hears, and of each that its handler was run for (cli/stopping.py). A search that sees that one is waiting ends at once, with
any valid output or with marginals of 0; whoever asked for it calls `check` before anything is made of them.

A thread may also say until when the search that it begins should look for further outputs (core/budget.py).
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static __declspec(thread) double linnet_end;
    static double linnet_now(void) { return GetTickCount64() / 1e3; }
    #else
    #include <time.h>
    static _Thread_local double linnet_end;
    static double linnet_now(void)
    {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec / 1e9;
    }
    #endif
    """
    double linnet_end
    double linnet_now() nogil

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


cdef void begin(double seconds) noexcept nogil:
    """Begin the time of this thread, which may be infinity."""
    global linnet_end
    linnet_end = 0 if seconds == INFINITY else linnet_now() + seconds


cdef bint over() noexcept nogil:
    """Whether the time of this thread is over."""
    return linnet_end != 0 and linnet_now() >= linnet_end
