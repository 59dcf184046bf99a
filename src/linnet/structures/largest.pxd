from libc.math cimport INFINITY
from libc.stdint cimport int32_t

ctypedef fused number:
    float
    double

cdef inline int largest(const number *score, int32_t n, int k, int32_t *y, double *scores) noexcept nogil:
    """The k largest of n scores and where they are, the first of equals first; returns how many there are. What scores -inf is none."""
    cdef int found
    cdef int32_t c, best, last = -1
    for found in range(min(k, n)):
        best = -1
        for c in range(n):
            if score[c] == -INFINITY or (found and (score[c] > score[last] or (score[c] == score[last] and c <= last))):
                continue
            if best < 0 or score[c] > score[best]:
                best = c
        if best < 0:
            return found
        y[found] = last = best
        scores[found] = score[best]
    return min(k, n)
