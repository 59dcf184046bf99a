from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport Tables
from linnet.core.strips cimport FULL, Strip
from linnet.core.weights cimport Rows, Weights

cdef class Ragged(Weights):
    cdef int64_t n_strips           # rows that there is room for
    cdef Strip *strips
    cdef int per_entry      # 4-byte numbers of an entry: k, v and, where the learner has them, U and G
    cdef void **slabs       # large pieces of memory out of which strips are cut
    cdef uint64_t slabs_size
    cdef int64_t n_slabs
    cdef size_t used        # bytes of the last slab that are used
    cdef size_t slab_bytes
    cdef void *spare[FULL]      # for each size class, a linked list of strips that were given back
    cdef uint32_t *all          # 0, 1, 2 ...: the outcomes of strips that hold all
    # The window holds the rows of one example, with the outcomes where r is not zero.
    cdef Rows w
    cdef Sparse x
    cdef Tables r
    cdef float *mark            # for each outcome, whether it is in the window
    cdef int32_t *column        # for each outcome, its column in the window, or -1
    cdef int32_t *outcomes      # the outcome of each column
    cdef int n_columns
    cdef uint32_t *touched      # the feature of each row but the bias
    cdef uint64_t touched_size
    cdef int64_t n_touched
    cdef int32_t *where         # for each cell, the entry that it was copied from, or -1
    cdef float *cells[3]        # v, U and G of the window
    cdef uint64_t cells_size[4]
    cdef int64_t *indptr
    cdef uint64_t indptr_size
    cdef uint32_t *indices
    cdef float *values
    cdef uint64_t features_size[2]
    cdef float *r_cells
    cdef uint64_t r_size
    cdef int open(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil
    cdef int close(self) except -1 nogil
    cdef void choose(self, const Tables *r, int g) noexcept nogil
    cdef int take_features(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil
    cdef int gather(self) except -1 nogil
    cdef void copy_entry(self, const Strip *row, uint32_t e, int64_t cell) noexcept nogil
    cdef void give_back(self, Strip *row) noexcept nogil
    cdef void point_bias(self, float **bias) noexcept nogil
    cdef int append(self, Strip *row, uint32_t k, int64_t cell) except -1 nogil
    cdef int enlarge(self, Strip *row) except -1 nogil
    cdef int fill(self, Strip *row) except -1 nogil
    cdef void *piece(self, uint32_t size, size_t n_bytes) except NULL nogil
    cdef void forget(self) noexcept nogil
