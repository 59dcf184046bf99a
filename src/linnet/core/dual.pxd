from libc.stdint cimport int64_t

from linnet.core.form cimport MAX_BLOCKS
from linnet.core.online cimport Online

cdef class Dual(Online):
    cdef double C
    cdef double lam
    cdef list m                     # places x outcomes, one array for each block
    cdef float *m_rows[MAX_BLOCKS]
    cdef public double gap          # primal - dual, of the examples of this pass
    cdef public double length2      # sum_i theta_i.m_i, which is ||w||^2
    cdef public double steps2       # sum of the squares of the lengths of all steps
    cdef public int64_t support     # examples of this pass that w is made of
    cdef bint still                 # only measure
