# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether all numbers of an array lie within bounds, in one pass over it: the weights of a model are hundreds of MB."""

from cython cimport floating
from libc.stdint cimport int64_t


def all_within(const floating[::1] x, floating least, floating most):
    """Whether all numbers are from `least` to `most`. nan is not."""
    cdef int64_t i
    cdef int outside = 0
    with nogil:
        for i in range(x.shape[0]):
            outside |= not ((x[i] >= least) & (x[i] <= most))
    return not outside
