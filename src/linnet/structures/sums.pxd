from libc.math cimport INFINITY, exp, log1p

cdef inline double log_add(double a, double b) noexcept nogil:
    """The logarithm of a sum, log(exp a + exp b)."""
    cdef double most = max(a, b)
    return most if most == -INFINITY else most + log1p(exp(min(a, b) - most))
