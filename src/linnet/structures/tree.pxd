from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

cdef class Tree(Structure):
    cdef readonly int n_relations
    cdef readonly bint projective
    cdef readonly bint one_root
    cdef void arcs(self, const Tables *theta, double *S, bint summed) noexcept nogil
    cdef void best_relations(self, const Tables *theta, int32_t *y_hat) noexcept nogil
    cdef void relation_marginals(self, const Tables *theta, const double *S, const double *P, Tables *mu) noexcept nogil
    cdef int64_t last_split(self, int64_t i, int64_t j) noexcept nogil
    cdef void eisner(self, const double *S, int64_t n, int32_t *heads) noexcept nogil
    cdef double spans(self, const double *S, int64_t n, double *P) noexcept nogil
    cdef const float *relations(self, const Tables *theta, int64_t arc) noexcept nogil

cdef double NONE

cdef int64_t tokens(int64_t places) noexcept nogil
cdef void push(int32_t *todo, int64_t *top, int kind, int64_t i, int64_t j) noexcept nogil
