/* Strings of JSON, copied 16 bytes at a time up to a quotation mark, a backslash or what no string may hold. */
#ifndef LINNET_JSON_STRINGS_H
#define LINNET_JSON_STRINGS_H

#include "rows.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Whether a string may hold this byte as it is. */
LINNET_INLINE int linnet_is_plain(uint8_t c) { return c >= 0x20 && c != '"' && c != '\\'; }

/* Copy plain bytes, and move both pointers past them. The output must have room for 16 bytes more than are left to
 * read: 16 bytes are written at a time, and those after the first that is not plain do not count. */
LINNET_INLINE void linnet_copy_plain(const uint8_t **from, const uint8_t *end, uint8_t **to) {
    const uint8_t *p = *from;
    uint8_t *q = *to;
#ifdef __SSE2__
    while (end - p >= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)p), low = _mm_set1_epi8(0x1F);
        __m128i mark = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_or_si128(mark, _mm_cmpeq_epi8(_mm_min_epu8(x, low), x)));
        _mm_storeu_si128((__m128i *)q, x);
        int n = found ? __builtin_ctz(found) : 16;
        p += n;
        q += n;
        if (found) break;
    }
#endif
    while (p < end && linnet_is_plain(*p)) *q++ = *p++;
    *from = p;
    *to = q;
}

LINNET_INLINE int linnet_hex(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Write the character of the escape that begins at p, move the output past it, and return how many bytes the escape
 * takes; 0 where this is no escape, or one half of a surrogate pair. */
static int linnet_escape(const uint8_t *p, const uint8_t *end, uint8_t **to) {
    static const char named[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = end - p >= 2 && p[1] ? strchr(named, p[1]) : NULL;
    uint8_t *q = *to;
    if (at) {
        *q = (uint8_t)meant[at - named];
        *to = q + 1;
        return 2;
    }
    if (end - p < 6 || p[1] != 'u') return 0;
    int code = 0;
    for (int k = 2; k < 6; k++) {
        int digit = linnet_hex(p[k]);
        if (digit < 0) return 0;
        code = code << 4 | digit;
    }
    if (code >= 0xD800 && code < 0xE000) return 0;
    if (code < 0x80) {
        *q++ = (uint8_t)code;
    } else if (code < 0x800) {
        *q++ = (uint8_t)(0xC0 | code >> 6);
        *q++ = (uint8_t)(0x80 | (code & 0x3F));
    } else {
        *q++ = (uint8_t)(0xE0 | code >> 12);
        *q++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        *q++ = (uint8_t)(0x80 | (code & 0x3F));
    }
    *to = q;
    return 6;
}

/* Copy the string whose opening quotation mark is just before p, and move the output past what was written. Returns the
 * place after the closing quotation mark; NULL where this is no string, or has an escape that is not read here. */
static const uint8_t *linnet_json_string(const uint8_t *p, const uint8_t *end, uint8_t **to) {
    for (;;) {
        linnet_copy_plain(&p, end, to);
        if (p == end) return NULL;
        if (*p == '"') return p + 1;
        int n = *p == '\\' ? linnet_escape(p, end, to) : 0;
        if (!n) return NULL;
        p += n;
    }
}

#endif
