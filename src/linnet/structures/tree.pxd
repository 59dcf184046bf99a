from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.parts cimport Part, Parted
from linnet.structures.projective cimport Spans

cdef class Tree(Parted):
    cdef readonly int n_relations
    cdef readonly bint projective
    cdef readonly bint one_root
    cdef int64_t unit           # what the k best outputs must differ in: 1 where heads and relations count, R where heads alone do
    cdef void arcs(self, const Tables *theta, double *S, bint summed) noexcept nogil
    cdef const float *relations(self, const Tables *theta, int64_t arc) noexcept nogil
    cdef int32_t related(self, const Tables *theta, int64_t m, int64_t h, const int32_t *out, int64_t n_out) noexcept nogil
    cdef void relation_marginals(self, const Tables *theta, const double *S, const double *P, Tables *mu) noexcept nogil
    cdef void scores(self, const Tables *theta, const double *S, Spans *p) noexcept nogil
    cdef int64_t span_room(self, int64_t n) noexcept nogil
    cdef double heads(self, const Tables *theta, const double *S, double least, int32_t *heads) noexcept nogil
    cdef double sums(self, Spans *p, double *P, Tables *mu) noexcept nogil
    cdef double without(self, const Tables *theta, const double *all, const Part *part, int64_t h) noexcept nogil
    cdef bint best_of(self, const Tables *theta, const double *S, const int32_t *fixed, Part *part) noexcept nogil

cdef int64_t tokens(int64_t places) noexcept nogil
