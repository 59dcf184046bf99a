from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef void *larger(void *p, uint64_t *size, uint64_t wanted, size_t item) except NULL nogil

cdef class SparseRows:
    cdef int64_t *indptr
    cdef uint64_t indptr_size
    cdef uint32_t *indices
    cdef uint64_t indices_size
    cdef float *values
    cdef uint64_t values_size
    cdef uint64_t n
    cdef uint64_t nnz
    cdef int reserve(self, uint64_t more) except -1 nogil
    cdef int reserve_rows(self, uint64_t more) except -1 nogil
    cdef void end_row(self) noexcept nogil
    cdef void end_rows(self, uint64_t n) noexcept nogil
