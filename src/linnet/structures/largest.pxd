from libc.math cimport INFINITY
from libc.stdint cimport int32_t

ctypedef fused number:
    float
    double

cdef inline int largest(const number *score, int32_t n, int k, int32_t *y, double *scores) noexcept nogil:
    """Find the k largest of n scores and where they are, the first of equals first, and return how many there are. A score
    of -inf does not count."""
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
