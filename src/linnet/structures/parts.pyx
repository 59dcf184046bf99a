# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The k best outputs by cutting up what is left (Murty 1968, of matchings; Lawler 1972).

An output is a row of decisions. All outputs but the best, y, fall into parts: those that first differ from y in
decision 1, those that first differ in decision 2, and so on. In such a part, the decisions before are those of y, and
the next is another. The best output of a part is found by the search for the best of all outputs, with the scores of
what is not in the part at -inf:

    y_1 = the best of GEN(x);   y_(a+1) = the best of all parts that are left when the part of y_a is cut up around y_a

No more parts are kept than there are outputs still to be found.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memmove

from linnet.core.form cimport Structure, Tables
from linnet.core.interrupt cimport over, stopping

cdef enum:
    LINE = 16                       # number of floats in a cache line


cdef class Parted(Structure):
    cdef int64_t decisions(self, const Tables *theta) noexcept nogil:
        """The number of decisions that make up an output."""
        return theta.places[0]

    cdef int32_t decision(self, const Tables *theta, const int32_t *y, int64_t i) noexcept nogil:
        """Decision i of y, as `decide` takes it."""
        return y[i]

    cdef int64_t cut_room(self, int64_t places) noexcept nogil:
        """The number of floats that `cut` needs after the work space: all tables of an example with this many places,
        twice."""
        return 0

    cdef bint whole(self, const Tables *theta, Part *part) noexcept nogil:
        """Find the best output of all, and return whether there is one."""
        self.argmax(theta, part.y)
        part.value = self.score(theta, part.y)
        return part.value > -INFINITY

    cdef int cut(self, const Tables *theta, Part *parts, int n, int most, Part *one) noexcept nogil:
        """Cut up all that is in `one` but its best output, and add the pieces to n parts, of which at most `most` are kept.
        Returns how many there are."""
        cdef int64_t i, a, N = self.decisions(theta)
        cdef Tables as_in_y = theta[0], other = theta[0]
        cdef Part *new = one + 1
        cdef float *room = theta.work + lines(self.workspace(theta.places[0]))
        if one.first >= N:
            return n
        room = copied(theta, &as_in_y, room)
        for i in range(N):
            if i >= one.first:
                next_part(new, one, i, self.decision(theta, one.y, i))
                copied(&as_in_y, &other, room)
                for a in range(new.n_out):
                    self.decide(&other, i, new.out[a], False)
                if self.whole(&other, new):
                    n = keep(parts, n, most, new)
            self.decide(&as_in_y, i, self.decision(theta, one.y, i), True)
        return n

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        return (lines(self.workspace(places)) + lines(self.cut_room(places))
                + (k + 2) * (<int64_t>(sizeof(Part) // sizeof(float)) + self.room(places) + k))

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        cdef int64_t places = theta.places[0], n = self.room(places)
        cdef int i, at, open = 1, found = 0
        cdef Part *parts = <Part *>(theta.work + lines(self.workspace(places)) + lines(self.cut_room(places)))
        cdef Part *one = parts + k                          # the part that is cut up; after it memory for a new one
        cdef int32_t *room = <int32_t *>(parts + k + 2)
        for i in range(k + 2):
            parts[i].y = room + i * (n + k)
            parts[i].out = parts[i].y + n
        parts[0].first = parts[0].n_out = 0
        if not self.whole(theta, parts):
            return 0
        while open and found < k and not stopping() and not (found and over()):
            open = take_best(parts, open, one)
            at = found
            while at and scores[at - 1] < one.value:        # needed where the search is not exact, or scores are equal
                at -= 1
            memmove(y + (at + 1) * n, y + at * n, (found - at) * n * sizeof(int32_t))
            memmove(scores + at + 1, scores + at, (found - at) * sizeof(double))
            memcpy(y + at * n, one.y, n * sizeof(int32_t))
            scores[at] = one.value
            found += 1
            if found < k:
                open = self.cut(theta, parts, open, k - found, one)
        return found


cdef inline int64_t lines(int64_t floats) noexcept nogil:
    """A number of floats rounded up to whole cache lines, so that doubles after them are aligned."""
    return (floats + LINE - 1) // LINE * LINE


cdef float *copied(const Tables *table, Tables *copy, float *room) noexcept nogil:
    """Copy all blocks into `room`, and return the memory after the copy."""
    cdef int g
    cdef int64_t size
    for g in range(table.n_blocks):
        size = table.places[g] * table.stride[g]
        copy.block[g] = room
        memcpy(room, table.block[g], size * sizeof(float))
        room += size
    return room


cdef void next_part(Part *new, const Part *one, int64_t i, int32_t value) noexcept nogil:
    """Make the part of `one` in which decision i is the first to differ from this value, that of its best output."""
    new.first = i
    new.n_out = one.n_out + 1 if i == one.first else 1
    memcpy(new.out, one.out, (new.n_out - 1) * sizeof(int32_t))
    new.out[new.n_out - 1] = value


cdef inline void swap(Part *a, Part *b) noexcept nogil:
    cdef Part c = a[0]
    a[0] = b[0]
    b[0] = c


cdef int take_best(Part *parts, int n, Part *one) noexcept nogil:
    """Move the best of n parts into `one`, and return how many are left."""
    cdef int i, best = 0
    for i in range(1, n):
        if parts[i].value > parts[best].value:
            best = i
    swap(parts + best, one)
    swap(parts + best, parts + n - 1)
    return n - 1


cdef int keep(Part *parts, int n, int most, Part *new) noexcept nogil:
    """Add a part to n others, or replace the worst where there are `most` already. Returns how many there are."""
    cdef int i, worst = 0
    if n < most:
        swap(parts + n, new)
        return n + 1
    for i in range(1, n):
        if parts[i].value < parts[worst].value:
            worst = i
    if new.value > parts[worst].value:
        swap(parts + worst, new)
    return n
