/* The classes of the bytes of a text, 16 at a time, as a bit for each byte: where words run, and where there is anything but blanks. */
#ifndef LINNET_CHARACTERS_H
#define LINNET_CHARACTERS_H

#include "rows.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The number of bits from any i on that `linnet_bits` has: it loads 64 bits, and shifts up to 7 of them out. */
enum { LINNET_BITS = 57 };

/* The bits of the bytes from i on, that of byte i the lowest. */
LINNET_INLINE uint64_t linnet_bits(const uint8_t *bits, int64_t i) { return linnet_load64(bits + (i >> 3)) >> (i & 7); }

#ifdef __SSE2__
/* All ones where a byte is from a to z: then x - a, without a sign, is at most z - a. */
LINNET_INLINE __m128i linnet_within(__m128i x, char a, char z) {
    __m128i from = _mm_sub_epi8(x, _mm_set1_epi8(a));
    return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(z - a))), from);
}
#endif

/* Classify 16 bytes, a bit for each: `word` has those of words, which are letters, digits and _ of ASCII, and `dark`
 * all but the blanks of ASCII, so also each byte above 127. `lowered` gets the bytes, with A-Z in lower case if
 * `lower`. */
LINNET_INLINE void linnet_classify16(const uint8_t *p, uint8_t *lowered, uint16_t *word, uint16_t *dark, int lower) {
#ifdef __SSE2__
    __m128i x = _mm_loadu_si128((const __m128i *)p), upper = linnet_within(x, 'A', 'Z'), bit = _mm_set1_epi8(0x20);
    __m128i letter = linnet_within(_mm_or_si128(x, bit), 'a', 'z');
    __m128i other = _mm_or_si128(linnet_within(x, '0', '9'), _mm_cmpeq_epi8(x, _mm_set1_epi8('_')));
    __m128i blank = _mm_or_si128(linnet_within(x, 9, 13), linnet_within(x, 28, 32));
    __m128i low = lower ? _mm_or_si128(x, _mm_and_si128(upper, bit)) : x;
    _mm_storeu_si128((__m128i *)lowered, low);
    *word = (uint16_t)_mm_movemask_epi8(_mm_or_si128(letter, other));
    *dark = (uint16_t)~_mm_movemask_epi8(blank);
#else
    *word = *dark = 0;
    for (int k = 0; k < 16; k++) {
        uint8_t c = p[k];
        int upper = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        int blank = (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
        lowered[k] = lower && upper ? c | 0x20 : c;
        *word |= (uint16_t)((upper || small || digit || c == '_') << k);
        *dark |= (uint16_t)(!blank << k);
    }
#endif
}

/* Classify n bytes, as linnet_classify16 does. Each of the three outputs must have room for 16 bytes more than it needs
 * for the text; in `word` and `dark` the bits after the text become 0. */
static void linnet_classify(const uint8_t *p, int64_t n, uint8_t *lowered, uint8_t *word, uint8_t *dark, int lower) {
    uint8_t last[16] = {0};
    uint16_t words, darks;
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        linnet_classify16(p + i, lowered + i, &words, &darks, lower);
        memcpy(word + i / 8, &words, 2);
        memcpy(dark + i / 8, &darks, 2);
    }
    memcpy(last, p + i, (size_t)(n - i));
    linnet_classify16(last, lowered + i, &words, &darks, lower);
    darks &= (uint16_t)((1u << (n - i)) - 1);
    memcpy(word + i / 8, &words, 2);
    memcpy(dark + i / 8, &darks, 2);
    memset(word + i / 8 + 2, 0, 14);
    memset(dark + i / 8 + 2, 0, 14);
}

#endif
