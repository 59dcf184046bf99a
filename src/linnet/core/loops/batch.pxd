from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport MAX_BLOCKS, Loss
from linnet.core.machine cimport Machine

cdef class Sums(Machine):
    cdef readonly Loss loss
    cdef readonly list weights          # one float32 array for each block
    cdef public double total
    cdef const float *v[MAX_BLOCKS]
    cdef list sums_into(self, double **sums, arrays)
    cdef void add(self, int64_t i, const int32_t *y, double weight) noexcept nogil
    cdef void add_place(self, int g, int64_t place, const float *r, double weight) noexcept nogil
