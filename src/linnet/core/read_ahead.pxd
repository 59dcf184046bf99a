from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from linnet.core.blocks cimport Block, Maker, Sparse

cdef extern from "pthread.h" nogil:
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass

cdef enum:
    LARGEST_CHUNK = 64

# The rows of the examples of a chunk. Those of its example k begin at places[k] of indptr, where each example counts from 0, and at
# features[k] of indices and values.
cdef struct Slot:
    int64_t *indptr
    uint64_t indptr_size
    uint32_t *indices
    uint64_t indices_size
    float *values
    uint64_t values_size
    uint8_t *out
    uint64_t out_size
    int64_t places[LARGEST_CHUNK]
    int64_t features[LARGEST_CHUNK]
    bint flagged[LARGEST_CHUNK]     # whether the example has flags of places that are out of GEN(x)
    int64_t made                    # one more than the number of the chunk that is here, 0 at first
    bint busy                       # whether a thread is writing here

cdef class ReadAhead(Maker):
    cdef Maker own
    cdef list others
    cdef Sparse x
    cdef int64_t size
    cdef Slot *slots
    cdef int64_t n_slots
    cdef const int64_t[::1] order           # None where examples are asked for one after the other, from `start` on
    cdef int64_t start
    cdef int64_t n
    cdef const uint8_t[::1] skipped
    cdef int64_t at
    cdef int64_t taken
    cdef int64_t needed
    cdef int64_t got
    cdef bint running
    cdef bint ended
    cdef bint failed
    cdef object error
    cdef list threads
    cdef pthread_mutex_t lock
    cdef pthread_cond_t changed
    cdef int64_t example(self, int64_t k) noexcept nogil
    cdef int make(self, Maker maker) except -1
    cdef int64_t next_chunk(self) noexcept nogil
    cdef int fill(self, Slot *slot, Maker maker, Sparse *x, int64_t chunk) except -1 nogil
    cdef int wait_for(self, int64_t chunk) except -1 nogil
