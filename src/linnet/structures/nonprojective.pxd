from libc.stdint cimport int32_t, int64_t

cdef int64_t room(int64_t n) noexcept nogil
cdef double edmonds(const double *S, int64_t n, bint one_root, double *work, int32_t *heads) noexcept nogil
cdef double elimination(const double *S, int64_t n, bint one_root, double *work, double *P) noexcept nogil
cdef double climb(const double *S, const float *siblings, const float *grand, int64_t n, bint one_root, double *work,
                  int32_t *heads) noexcept nogil
