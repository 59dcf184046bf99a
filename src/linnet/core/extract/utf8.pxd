"""UTF-8, one code point at a time."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr

cdef extern from "Python.h" nogil:
    int Py_UNICODE_ISALNUM(uint32_t ch)
    int Py_UNICODE_ISDECIMAL(uint32_t ch)
    int Py_UNICODE_ISSPACE(uint32_t ch)
    int Py_UNICODE_ISUPPER(uint32_t ch)
    uint32_t Py_UNICODE_TOLOWER(uint32_t ch)


cdef inline bint is_letter(uint32_t ch) noexcept nogil:
    r"""Whether \w of Python's `re` matches a code point."""
    return Py_UNICODE_ISALNUM(ch) or ch == 95


cdef inline bint is_ascii_letter(uint8_t c) noexcept nogil:
    """What `is_letter` is for a byte below 128."""
    return <uint8_t>((c | 32) - 97) < 26 or <uint8_t>(c - 48) < 10 or c == 95


cdef inline int decode(const uint8_t *p, int64_t left, uint32_t *ch) noexcept nogil:
    """Decode one code point, U+FFFD for a malformed byte, and return the number of bytes that it takes."""
    cdef uint8_t c = p[0]
    if c < 0x80:
        ch[0] = c
        return 1
    if c >= 0xC2 and c < 0xE0 and left >= 2 and (p[1] & 0xC0) == 0x80:
        ch[0] = (<uint32_t>(c & 0x1F) << 6) | (p[1] & 0x3F)
        return 2
    if c >= 0xE0 and c < 0xF0 and left >= 3 and (p[1] & 0xC0) == 0x80 and (p[2] & 0xC0) == 0x80:
        ch[0] = (<uint32_t>(c & 0x0F) << 12) | (<uint32_t>(p[1] & 0x3F) << 6) | (p[2] & 0x3F)
        if ch[0] >= 0x800 and not 0xD800 <= ch[0] < 0xE000:
            return 3
    if (c >= 0xF0 and c < 0xF5 and left >= 4 and (p[1] & 0xC0) == 0x80 and (p[2] & 0xC0) == 0x80
            and (p[3] & 0xC0) == 0x80):
        ch[0] = ((<uint32_t>(c & 0x07) << 18) | (<uint32_t>(p[1] & 0x3F) << 12) | (<uint32_t>(p[2] & 0x3F) << 6)
                 | (p[3] & 0x3F))
        if 0x10000 <= ch[0] < 0x110000:
            return 4
    ch[0] = 0xFFFD
    return 1


cdef inline int encode(uint32_t ch, uint8_t *p) noexcept nogil:
    """Write one code point, which takes up to 4 bytes, and return the number of its bytes."""
    if ch < 0x80:
        p[0] = ch
        return 1
    if ch < 0x800:
        p[0] = 0xC0 | (ch >> 6)
        p[1] = 0x80 | (ch & 0x3F)
        return 2
    if ch < 0x10000:
        p[0] = 0xE0 | (ch >> 12)
        p[1] = 0x80 | (ch >> 6 & 0x3F)
        p[2] = 0x80 | (ch & 0x3F)
        return 3
    p[0] = 0xF0 | (ch >> 18)
    p[1] = 0x80 | (ch >> 12 & 0x3F)
    p[2] = 0x80 | (ch >> 6 & 0x3F)
    p[3] = 0x80 | (ch & 0x3F)
    return 4


cdef inline uint32_t after(const uint8_t *text, uint32_t at, uint32_t length) noexcept nogil:
    """Where the next code point starts."""
    at += 1
    while at < length and (text[at] & 0xC0) == 0x80:
        at += 1
    return at


cdef inline bint has_special_case(const uint8_t *p, int64_t n) noexcept nogil:
    """Whether the text has a capital sigma or a dotted capital I, the lower case of which is not one character for one."""
    cdef const uint8_t *q
    cdef int k
    cdef uint8_t *lead = [0xCE, 0xC4]
    cdef uint8_t *tail = [0xA3, 0xB0]
    for k in range(2):
        q = p
        while n - (q - p) >= 2:
            q = <const uint8_t *>memchr(q, lead[k], n - 1 - (q - p))
            if q == NULL:
                break
            if q[1] == tail[k]:
                return True
            q += 1
    return False
