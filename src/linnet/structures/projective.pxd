from libc.stdint cimport int32_t, int64_t

cdef double NONE                # the score of an arc that is in no tree

# Spans holds what is known of a sentence of n tokens, and the tables in which its spans are put together.
cdef struct Spans:
    int64_t n
    bint one_root
    const double *S             # [h, m]: scores of arcs
    const float *siblings       # scores of triples h, s, m; NULL in trees of first order
    const float *grand          # scores of triples g, h, m; NULL where there are only siblings
    int64_t rows                # number of rows: one for each node; with grandparents one for each arc, and the root
    double *C                   # [row, e]: the best or the sum of what the head h of the row has on the side of e, up to e
    double *I                   # [row, c]: the arc from h to its c-th possible child, and all between the two
    double *B                   # [i, j]: what lies between two nodes with the same head, or between a node and its head
    double *dC                  # the derivative of log Z by each entry of C; those of I and B likewise
    double *dI
    double *dB
    double *b                   # memory for one summand of each child
    double *v
    double *db
    int32_t *first              # [h]: its first row
    int32_t *head               # [row]: the grandparent g
    int32_t *child              # [row]: the head h
    int32_t *row                # [h, m]: the row of m if h is its head
    int32_t *kids               # [h, c]: possible children of h: those on its right, then those on its left, the nearest first
    int32_t *right              # [h]: the number of possible children on its right
    int32_t *all                # [h]: the number of possible children on both sides
    int32_t *seen               # [h, side]: the number of children within the current width
    int32_t *todo               # stack of spans to take apart

cdef int64_t room(int64_t n, bint grand) noexcept nogil
cdef double best(Spans *p, double least, double *work, int32_t *heads) noexcept nogil
cdef double sums(Spans *p, double *work, double *P, float *Q, float *E) noexcept nogil


cdef inline int64_t triangle(int64_t k) noexcept nogil:
    return k * (k + 1) // 2 if k > 0 else 0


cdef inline int64_t pyramid(int64_t k) noexcept nogil:
    return k * (k + 1) * (k + 2) // 6 if k > 0 else 0


cdef inline int64_t before(int64_t h, int64_t n) noexcept nogil:
    """The number of triples of siblings with heads before h."""
    return pyramid(h - 2) + pyramid(n) - pyramid(n - h)


cdef inline int64_t place(int64_t h, int64_t s, int64_t m, int64_t n) noexcept nogil:
    """The place of the siblings (h, s, m)."""
    if m < h:
        return before(h, n) + triangle(h - m - 1) + h - s
    return before(h, n) + triangle(h - 1) + triangle(m - h - 1) + s - h


cdef inline int64_t grand_place(int64_t g, int64_t h, int64_t m, int64_t n) noexcept nogil:
    return ((m - 1) * (n + 1) + h) * (n + 1) + g
