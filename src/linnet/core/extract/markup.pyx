# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""HTML in text: a tag or a comment becomes a blank, an entity the character that it stands for.

A tag is a `<`, perhaps a slash, the name of an element, and up to the next `>` only blanks, a slash or attributes with
a `=`. So `<3`, `a < b`, `<unk>` and `<me@example.org>` are kept as they are. An entity has a name that HTML knows, or a
number, and ends with a semicolon, so that `R&D` and `AT&T` are kept, too.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcpy

from functools import lru_cache

from linnet.core.extract.vocabulary cimport NONE, WORD, Vocabulary, string_key

cdef enum:
    MOST_OF_A_TAG = 4096    # bytes that are looked at for the end of a tag or comment
    MOST_OF_A_NAME = 32     # bytes of the longest name of an entity

# Some names of elements are not here, because corpora have them in the place of what was taken out of a text, as in
# <link>: address, audio, data, image, link, object, time, video.
_ELEMENTS = """
    a abbr acronym area article aside b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center
    cite code col colgroup dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li main map mark marquee menu
    meta meter nav nobr noframes noscript ol optgroup option output p param picture pre progress q rp rt ruby s samp script
    section select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
    title tr track tt u ul var wbr
"""

cdef Vocabulary elements = Vocabulary()
for _name in _ELEMENTS.split():
    elements.add(_name.encode())


cdef bint may_have_markup(const uint8_t *p, int64_t n) noexcept nogil:
    return memchr(p, c'<', n) != NULL or memchr(p, c'&', n) != NULL


cdef int64_t without_markup(const uint8_t *p, int64_t n, uint8_t *out, uint32_t *origin) except -1 nogil:
    """Copy a text without its markup, and return the length of the copy, which is at most n.

    `out` must have room for n bytes. Unless `origin` is NULL, it gets the place in the text of each byte of the copy,
    and last the end of the text, so that it must have room for n + 1 numbers; the bytes of an entity all have the place
    of its `&`.
    """
    cdef int64_t i = 0, length = 0, taken, k
    cdef int64_t tag = next_byte(p, 0, n, c'<'), entity = next_byte(p, 0, n, c'&')
    cdef int written
    while i < n:
        k = min(tag, entity)
        memcpy(out + length, p + i, k - i)
        if origin != NULL:
            number(origin + length, i, k - i)
        length += k - i
        i = k
        if i == n:
            break
        written = 1
        if i == tag:
            taken = tag_length(p + i, n - i)
            out[length] = c' ' if taken else c'<'
        else:
            taken = entity_length(p + i, n - i)
            if taken:
                written = decode_entity(p + i, taken, out + length)
            if not taken or not written:
                taken = 0
                written = 1
                out[length] = c'&'
        if origin != NULL:
            for k in range(written):
                origin[length + k] = <uint32_t>i
        length += written
        i += max(taken, 1)
        if tag < i:
            tag = next_byte(p, i, n, c'<')
        if entity < i:
            entity = next_byte(p, i, n, c'&')
    if origin != NULL:
        origin[length] = <uint32_t>n
    return length


cdef inline int64_t next_byte(const uint8_t *p, int64_t i, int64_t n, uint8_t wanted) noexcept nogil:
    """Where a byte stands next, from i on; n where it does not."""
    cdef const void *found = memchr(p + i, wanted, n - i)
    return n if found == NULL else <const uint8_t *>found - p


cdef inline void number(uint32_t *origin, int64_t first, int64_t n) noexcept nogil:
    cdef int64_t k
    for k in range(n):
        origin[k] = <uint32_t>(first + k)


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    return c == 32 or 9 <= c <= 13


cdef inline bint is_ascii_letter(uint8_t c) noexcept nogil:
    return c'a' <= (c | 32) <= c'z'


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c'0' <= c <= c'9'


cdef int64_t tag_length(const uint8_t *p, int64_t n) noexcept nogil:
    """The number of bytes of the tag or comment that starts at p; 0 where none does."""
    cdef uint8_t name[MOST_OF_A_NAME + 8]
    cdef int64_t i = 1, rest
    cdef uint32_t length = 0
    n = min(n, <int64_t>MOST_OF_A_TAG)
    if n >= 7 and p[1] == c'!' and p[2] == c'-' and p[3] == c'-':
        return comment_length(p, n)
    if n > 1 and p[1] == c'/':
        i = 2
    if i == n or not is_ascii_letter(p[i]):
        return 0
    while i < n and length < MOST_OF_A_NAME and (is_ascii_letter(p[i]) or is_digit(p[i])):
        name[length] = p[i] | 32
        length += 1
        i += 1
    if elements.find_string(string_key(name, length, WORD), name, length) == NONE:
        return 0
    rest = rest_of_tag(p + i, n - i)
    return i + rest if rest else 0


cdef int64_t comment_length(const uint8_t *p, int64_t n) noexcept nogil:
    cdef int64_t i = next_byte(p, 4, n, c'>')
    while i < n:
        if p[i - 1] == c'-' and p[i - 2] == c'-':
            return i + 1
        i = next_byte(p, i + 1, n, c'>')
    return 0


cdef int64_t rest_of_tag(const uint8_t *p, int64_t n) noexcept nogil:
    """The number of bytes after the name of an element, up to and with the `>`; 0 where this cannot be the rest of a
    tag: where there is anything but blanks and slashes, and no `=`."""
    cdef int64_t i = 0
    cdef bint bare = True, assigned = False
    if n == 0 or not (is_blank(p[0]) or p[0] == c'/' or p[0] == c'>'):
        return 0
    while i < n and p[i] != c'<':
        if p[i] == c'>':
            return i + 1 if bare or assigned else 0
        if p[i] == c'=':
            assigned = True
            while i + 1 < n and is_blank(p[i + 1]):
                i += 1
            if i + 1 < n and (p[i + 1] == c'"' or p[i + 1] == c"'"):
                i = next_byte(p, i + 2, n, p[i + 1])
        elif not is_blank(p[i]) and p[i] != c'/':
            bare = False
        i += 1
    return 0


cdef int64_t entity_length(const uint8_t *p, int64_t n) noexcept nogil:
    """The number of bytes of what may be an entity, from `&` to `;`; 0 where it cannot be one."""
    cdef int64_t i = 1
    if n > 2 and p[1] == c'#':
        i = 2
    n = min(n, i + MOST_OF_A_NAME)
    while i < n and (is_ascii_letter(p[i]) or is_digit(p[i])):
        i += 1
    return i + 1 if 2 < i < n and p[i] == c';' else 0


cdef int decode_entity(const uint8_t *p, int64_t n, uint8_t *out) except -1 with gil:
    """Write the character that an entity stands for, and return the number of its bytes; 0 where HTML does not know it."""
    cdef bytes found = entity_text((<const char *>p)[:n])
    memcpy(out, <const char *>found, len(found))
    return <int>len(found)


@lru_cache(4096)
def entity_text(bytes entity):
    """What an entity such as `&amp;` or `&#39;` stands for, in UTF-8; nothing where it is unknown, or shorter than what it
    stands for."""
    import html
    import re
    from html.entities import html5

    name = entity[1:].decode()
    if re.fullmatch("#([0-9]+|[xX][0-9a-fA-F]+);", name):
        text = html.unescape(f"&{name}").encode()
    else:
        text = html5.get(name, "").encode()
    return text if len(text) <= len(entity) else b""
