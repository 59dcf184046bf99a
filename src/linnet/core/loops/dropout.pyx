# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Feature dropout: while learning, each feature of each place is left out with probability p (Srivastava et al. 2014).

    x~_j = x_j with probability 1 - p, else 0;    E[w.x~] = (1 - p) w.x

so the weights of features are multiplied by 1 - p when learning is over. The bias is never left out. What is left out at step t
follows from (seed, t) alone.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from linnet.core.blocks cimport Sparse, first
from linnet.core.form cimport MAX_BLOCKS



cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """The output function of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef class Dropout:
    def __init__(self, double p=0, uint64_t seed=0):
        self.p = p
        self.seed = seed

    def __dealloc__(self):
        cdef int g
        for g in range(MAX_BLOCKS):
            free(self.kept[g].indptr)
            free(self.kept[g].indices)
            free(self.kept[g].values)

    cdef Sparse thin(self, int g, const Sparse *x, int64_t i, int64_t t) except * nogil:
        """The features of example i that are kept at step t, laid out as if it were the only example."""
        cdef Kept *kept = &self.kept[g]
        cdef int64_t p, j, n = 0, begin = first(x, i), end = first(x, i + 1)
        cdef uint64_t state = mixed(mixed(self.seed) + <uint64_t>t * MAX_BLOCKS + <uint64_t>g)
        # A random number of 32 bits is below p 2^32 with probability p.
        cdef uint64_t least = <uint64_t>(self.p * 4294967296.0)
        cdef Sparse out = x[0]
        self.reserve(kept, end - begin, x.indptr[end] - x.indptr[begin])
        kept.indptr[0] = 0
        for p in range(begin, end):
            for j in range(x.indptr[p], x.indptr[p + 1]):
                state += <uint64_t>0x9E3779B97F4A7C15
                kept.indices[n] = x.indices[j]
                kept.values[n] = x.values[j]
                n += (mixed(state) >> 32) >= least
            kept.indptr[p + 1 - begin] = n
        kept.places[0] = 0
        kept.places[1] = end - begin
        out.indptr = kept.indptr
        out.indices = kept.indices
        out.values = kept.values
        out.places = kept.places
        out.out = x.out + begin if x.out != NULL else NULL
        out.maker = NULL
        return out

    cdef int reserve(self, Kept *kept, int64_t places, int64_t features) except -1 nogil:
        if kept.indptr == NULL or places > kept.most_places:
            kept.most_places = 2 * places
            kept.indptr = <int64_t *>larger(kept.indptr, (kept.most_places + 1) * sizeof(int64_t))
        if kept.indices == NULL or features + 1 > kept.most_features:
            kept.most_features = 2 * features + 1
            kept.indices = <uint32_t *>larger(kept.indices, kept.most_features * sizeof(uint32_t))
            kept.values = <float *>larger(kept.values, kept.most_features * sizeof(float))
        return 0


cdef void *larger(void *p, size_t size) except NULL nogil:
    p = realloc(p, size)
    if p == NULL:
        with gil:
            raise MemoryError("no memory for the features of one example")
    return p
