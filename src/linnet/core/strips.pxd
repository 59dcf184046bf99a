from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef enum:
    FULL = 63           # the size class of a strip that holds all outcomes, in order

# A Strip is a row of weights that holds few of the outcomes: k and v of each; U and G are `room` and 2 `room` floats after
# v.
cdef struct Strip:
    uint32_t *k
    float *v
    uint32_t n
    uint32_t room
    uint32_t size           # the size class of `room`, or FULL
    uint32_t at             # 1 + the number of the row among those in the window, while it is open; else 0

cdef class Strips:
    cdef readonly int64_t n_rows
    cdef tuple owners
    cdef float *bias
    cdef Strip *strips

cdef int check(const uint64_t[::1] indptr, const uint32_t[::1] outcomes, int64_t n_values, int n_outcomes) except -1
