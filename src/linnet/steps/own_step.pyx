# cython: language_level=3
"""A step written in Python (steps/interface.py) as one of the form: asked with the GIL, from loops that run without.

An error of its code is kept, the loop goes on without learning, and `check` raises it. After Ctrl-C the code is asked
once more, so that what is learned until then is right.
"""

from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class Own(Step):
    """A step whose `tau`, and `shrink` where it has one, are Python."""
    is_asked = True                 # whether loops ask the Python code
    cdef object error
    cdef object interrupt
    cdef bint shrinks

    def __cinit__(self, *args, **how):
        kind = type(self)
        self.name = str(getattr(kind, "called", "") or kind.__name__)
        self.needs_norm = True
        self.shrinks = getattr(kind, "shrink", None) is not None

    def check(self):
        """Raise what went wrong in the Python code, if something did."""
        error, self.error = self.error or self.interrupt, None
        self.interrupt = None
        if error is not None:
            raise error

    cdef double shrink(self, int64_t t) noexcept nogil:
        if not self.shrinks:
            return 1
        with gil:
            return self.tried((<object>self).shrink, 1.0, t)

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        with gil:
            return self.tried((<object>self).weighted, 0.0, value, norm2, t, weight)

    def tried(self, question, double otherwise, *about):
        """Ask the Python code, and return its answer, or another when something has gone wrong."""
        for again in range(2):
            if self.error is not None:
                return otherwise
            try:
                return float(question(*about))
            except KeyboardInterrupt as error:
                self.interrupt = error
            except BaseException as error:
                self.error = error
        self.error = self.error or self.interrupt
        return otherwise
