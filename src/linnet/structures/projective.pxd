from libc.stdint cimport int32_t, int64_t

cdef double NONE                # the score of an arc that is in no tree

# What is known of a sentence of n tokens, and the tables that its spans are put together in.
cdef struct Spans:
    int64_t n
    bint one_root
    const double *S             # [h, m]: of arcs
    const float *siblings       # of triples h, s, m; NULL: of first order
    const float *grand          # of triples g, h, m; NULL: siblings alone
    int64_t rows                # one for each node, or for each arc and the root
    double *C                   # [row, e]: the head h of the row, and all that it has on the side of e, up to e
    double *I                   # [row, c]: the arc from h to its child c of those that it may have, and all between the two
    double *B                   # [i, j]: what is between two nodes that have the same head, or one of which is that of the other
    double *dC                  # what each adds to log Z
    double *dI
    double *dB
    double *b                   # room for one summand of each child
    double *v
    double *db
    int32_t *first              # [h]: its first row
    int32_t *head               # [row]: g
    int32_t *child              # [row]: h
    int32_t *row                # [h, m]: that of m if h is its head
    int32_t *kids               # [h, c]: children that h may have: those on its right, then those on its left; the nearest first
    int32_t *right              # [h]: how many are on its right
    int32_t *all                # [h]: and in all
    int32_t *seen               # [h, side]: how many are not beyond the width that is worked at
    int32_t *todo               # spans to take apart

cdef int64_t room(int64_t n, bint grand) noexcept nogil
cdef double best(Spans *p, double least, double *work, int32_t *heads) noexcept nogil
cdef double sums(Spans *p, double *work, double *P, float *Q, float *E) noexcept nogil


cdef inline int64_t triangle(int64_t k) noexcept nogil:
    return k * (k + 1) // 2 if k > 0 else 0


cdef inline int64_t pyramid(int64_t k) noexcept nogil:
    return k * (k + 1) * (k + 2) // 6 if k > 0 else 0


cdef inline int64_t before(int64_t h, int64_t n) noexcept nogil:
    """How many triples of siblings there are of heads before h."""
    return pyramid(h - 2) + pyramid(n) - pyramid(n - h)


cdef inline int64_t place(int64_t h, int64_t s, int64_t m, int64_t n) noexcept nogil:
    """That of siblings."""
    if m < h:
        return before(h, n) + triangle(h - m - 1) + h - s
    return before(h, n) + triangle(h - 1) + triangle(m - h - 1) + s - h


cdef inline int64_t grand_place(int64_t g, int64_t h, int64_t m, int64_t n) noexcept nogil:
    return ((m - 1) * (n + 1) + h) * (n + 1) + g
