# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether lines are such that Arrow's parser of JSON reads them as Python's does: one object on each line that is not blank.

Arrow's parser was made for objects one after the other, wherever lines end. A `null` between them has it read memory that is
not its own, and may end the process. It reads more than JSON, too: Inf and -NaN, and any depth. What is told apart here is only where
objects, strings and numbers begin and end; whether these are right is left to the parser.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp

cdef enum:
    MOST_DEPTH = 900                # Python's reader gives up at about 1,000
    MOST_PLAIN = 4000               # and at a number of 4,301 digits

cdef uint8_t MEANS[256]
"""Whether a byte outside of strings is looked at: the others are those of numbers, words and blanks."""
for _byte in range(256):
    MEANS[_byte] = _byte in b'"{}[],-I'


def n_objects(bytes data):
    """The number of lines that are not blank, where each holds one object and nothing else; -1 where one may not."""
    cdef const uint8_t *p = data
    cdef const uint8_t *end = p + len(data)
    cdef const uint8_t *stop
    cdef int64_t n = 0
    with nogil:
        while p < end:
            stop = <const uint8_t *>memchr(p, c'\n', end - p)
            if stop == NULL:
                stop = end
            p = without_blanks(p, stop)
            if p < stop:
                p = after_object(p, stop)
                if p == NULL or without_blanks(p, stop) < stop:
                    n = -1
                    break
                n += 1
            p = stop + 1
    return n


cdef inline const uint8_t *without_blanks(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p < end and (p[0] == c' ' or p[0] == c'\t' or p[0] == c'\r'):
        p += 1
    return p


cdef const uint8_t *after_object(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The place after the object that begins at p; NULL where none does, where it is not whole, or where Arrow and Python may
    differ about it."""
    cdef int64_t depth = 0
    cdef const uint8_t *plain
    cdef uint8_t c
    if p[0] != c'{':
        return NULL
    while True:
        plain = p
        while p < end and not MEANS[p[0]]:
            p += 1
        if p == end or p - plain > MOST_PLAIN:
            return NULL
        c = p[0]
        if c == c'"':
            p = after_string(p, end)
            if p == NULL:
                return NULL
            continue
        if c == c'{' or c == c'[':
            depth += 1
            if depth > MOST_DEPTH:
                return NULL
        elif c == c'}' or c == c']':
            depth -= 1
            if depth == 0:
                return p + 1
        elif c == c'I':
            if end - p < 8 or memcmp(p, b"Infinity", 8) != 0:
                return NULL
        elif c == c'-':
            if end - p > 1 and p[1] == c'N':
                return NULL
        p += 1


cdef inline const uint8_t *after_string(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The place after the string whose opening quotation mark is at p; NULL where it is not closed. A quotation mark closes it
    unless an odd number of backslashes stands before."""
    cdef const uint8_t *closing = p
    cdef const uint8_t *before
    while True:
        closing = <const uint8_t *>memchr(closing + 1, c'"', end - closing - 1)
        if closing == NULL:
            return NULL
        before = closing
        while before[-1] == c'\\':  # The opening mark is no backslash, so this ends there.
            before -= 1
        if (closing - before) % 2 == 0:
            return closing + 1
