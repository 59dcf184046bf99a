# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""JSON lines whose objects all look alike, read into columns several times as fast as a parser of any JSON does.

Each line has the same keys in the same order, and under each key a string or a whole number, always the same kind.
Where a line has anything else, the answer is None, and another reader has to read the lines: escapes of half a
surrogate pair, numbers of more than 18 digits, null, blanks other than spaces, or a line without an object.
"""

from libc.stdint cimport int64_t, uint8_t, uintptr_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

import pyarrow as pa

cdef extern from "json_strings.h" nogil:
    const uint8_t *linnet_json_string(const uint8_t *p, const uint8_t *end, uint8_t **to)

cdef enum:
    MOST_DIGITS = 18                # any number of so many digits fits into 64 bits
    SLACK = 16                      # bytes after a string that may be written, since it is copied 16 bytes at a time


cdef class Scratch:
    """Memory for the strings of one column, and for where each row ends or for its number."""
    cdef uint8_t *letters
    cdef int64_t n_letters
    cdef int64_t *numbers
    cdef int64_t n_numbers

    def __dealloc__(self):
        free(self.letters)
        free(self.numbers)

    cdef int reserve(self, int64_t n_letters, int64_t n_numbers) except -1:
        cdef void *p
        if n_letters > self.n_letters:
            p = realloc(self.letters, n_letters)
            if p == NULL:
                raise MemoryError("no memory for a block of lines")
            self.letters, self.n_letters = <uint8_t *>p, n_letters
        if n_numbers > self.n_numbers:
            p = realloc(self.numbers, n_numbers * sizeof(int64_t))
            if p == NULL:
                raise MemoryError("no memory for a block of lines")
            self.numbers, self.n_numbers = <int64_t *>p, n_numbers
        return 0


cdef struct Column:
    const uint8_t *key              # the key in its quotation marks
    int64_t key_length
    bint is_text
    uint8_t *begin
    uint8_t *to                     # where the next string is written
    int64_t *numbers                # 0 and then the end of each string, the offsets of Arrow; or the number of each row


cdef class AlikeObjects:
    """Reads blocks of lines that are objects with these keys, which are given as the file spells them, with their
    quotation marks. The value of each key is a string, or a whole number where `is_text` is False. `order` lists the
    numbers of the keys whose columns are wanted. Threads may share one such reader."""
    cdef list keys
    cdef list is_text
    cdef list order
    cdef list idle                  # memory that no thread uses now

    def __init__(self, keys, is_text, order):
        self.keys = list(keys)
        self.is_text = list(is_text)
        self.order = order
        self.idle = []

    def columns(self, bytes data, int64_t n_rows):
        """The columns of n_rows lines: large strings, or whole numbers of 64 bits. None where a line looks otherwise."""
        cdef int64_t n = len(self.keys), n_bytes = len(data), k
        cdef const uint8_t *p = data
        cdef bint good
        cdef list scratch
        try:
            scratch = self.idle.pop()
        except IndexError:
            scratch = [Scratch() for _ in self.keys]
        cdef Column *columns = <Column *>realloc(NULL, (n + 1) * sizeof(Column))
        if columns == NULL:
            raise MemoryError("no memory for a block of lines")
        try:
            for k in range(n):
                (<Scratch>scratch[k]).reserve(n_bytes + SLACK if self.is_text[k] else 0, n_rows + 1)
                columns[k].key = <const uint8_t *><bytes>self.keys[k]
                columns[k].key_length = len(self.keys[k])
                columns[k].is_text = self.is_text[k]
                columns[k].begin = columns[k].to = (<Scratch>scratch[k]).letters
                columns[k].numbers = (<Scratch>scratch[k]).numbers
            with nogil:
                good = n > 0 and read_rows(p, p + n_bytes, columns, n, n_rows)
            return [array_of(&columns[<int64_t>wanted], n_rows) for wanted in self.order] if good else None
        finally:
            free(columns)
            self.idle.append(scratch)


cdef object array_of(const Column *column, int64_t n_rows):
    numbers = copied(column.numbers, (n_rows + column.is_text) * sizeof(int64_t))
    if not column.is_text:
        return pa.Array.from_buffers(pa.int64(), n_rows, [None, numbers])
    return pa.Array.from_buffers(pa.large_string(), n_rows, [None, numbers, copied(column.begin, column.to - column.begin)])


cdef object copied(const void *p, int64_t n_bytes):
    """A buffer of Arrow with these bytes."""
    buffer = pa.allocate_buffer(n_bytes)
    if n_bytes:
        memcpy(<void *><uintptr_t>buffer.address, p, n_bytes)
    return buffer


cdef bint read_rows(const uint8_t *p, const uint8_t *end, Column *columns, int64_t n, int64_t n_rows) noexcept nogil:
    """Read n_rows lines; False where one of them looks otherwise, or there are more or fewer."""
    cdef int64_t row, k
    for k in range(n):
        if columns[k].is_text:
            columns[k].numbers[0] = 0
    for row in range(n_rows):
        for k in range(n):
            p = read_value(after(p, end, c'{' if k == 0 else c','), end, &columns[k], row)
        p = after(p, end, c'}')
        if p != NULL and p < end and p[0] == c'\r':
            p += 1
        if p == NULL or (p < end and p[0] != c'\n'):
            return False
        p += p < end
    return p == end


cdef inline const uint8_t *after(const uint8_t *p, const uint8_t *end, uint8_t wanted) noexcept nogil:
    """The place after the character `wanted` and the spaces around it; NULL where another character stands at p."""
    p = without_spaces(p, end)
    return without_spaces(p + 1, end) if p != NULL and p < end and p[0] == wanted else NULL


cdef inline const uint8_t *without_spaces(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p != NULL and p < end and p[0] == c' ':
        p += 1
    return p


cdef const uint8_t *read_value(const uint8_t *p, const uint8_t *end, Column *column, int64_t row) noexcept nogil:
    """Read the key of a column, which must stand at p, and its value. Return the place after the value; NULL where p
    has something else."""
    if p == NULL or end - p < column.key_length or memcmp(p, column.key, column.key_length) != 0:
        return NULL
    p = after(p + column.key_length, end, c':')
    if p == NULL or p == end:
        return NULL
    if not column.is_text:
        return read_number(p, end, &column.numbers[row])
    if p[0] != c'"':
        return NULL
    p = linnet_json_string(p + 1, end, &column.to)
    column.numbers[row + 1] = column.to - column.begin
    return p


cdef const uint8_t *read_number(const uint8_t *p, const uint8_t *end, int64_t *number) noexcept nogil:
    """Read a whole number without zeros before it."""
    cdef bint minus = p[0] == c'-'
    cdef const uint8_t *begin = p + minus
    cdef int64_t found = 0
    p = begin
    while p < end and c'0' <= p[0] <= c'9' and p - begin <= MOST_DIGITS:
        found = 10 * found + (p[0] - c'0')
        p += 1
    if p == begin or p - begin > MOST_DIGITS or (begin[0] == c'0' and (minus or p - begin > 1)):
        return NULL
    number[0] = -found if minus else found
    # What follows must be the end of the value: a point or an exponent would make it a number of another kind.
    return p if p < end and (p[0] == c',' or p[0] == c'}' or p[0] == c' ') else NULL
