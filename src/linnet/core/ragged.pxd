from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport Tables
from linnet.core.strips cimport FULL, Strip
from linnet.core.weights cimport Rows, Weights

cdef class Ragged(Weights):
    cdef int64_t n_strips           # rows that there is room for
    cdef Strip *strips
    cdef int per_entry      # numbers of 4 bytes: k, v and, if there are any, U and G
    cdef void **slabs       # memory of which strips are cut
    cdef uint64_t slabs_size
    cdef int64_t n_slabs
    cdef size_t used        # of the last one
    cdef size_t slab_bytes
    cdef void *spare[FULL]      # of each size the strips that were given back, each of which names the next
    cdef uint32_t *all          # 0, 1, 2 ...: the outcomes of strips that have all
    # The window: the rows of one example, with the outcomes where r is not zero.
    cdef Rows w
    cdef Sparse x
    cdef Tables r
    cdef float *mark            # of each outcome: whether it is in the window
    cdef int32_t *column        # and at which column, or -1
    cdef int32_t *outcomes      # of each column
    cdef int n_columns
    cdef uint32_t *touched      # of each row but the bias, its feature
    cdef uint64_t touched_size
    cdef int64_t n_touched
    cdef int32_t *where         # of each cell: the entry that it comes from, or -1
    cdef float *cells[3]        # v, U, G
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
