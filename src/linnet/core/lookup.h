/* Open-addressing tables of 64-bit keys, looked up a cache line at a time and without a branch that depends on what is found.
 *
 * A line holds a few entries, which fill it from its first place on, and then the lines behind it. So a key is looked for in all places
 * of its line at once, and in the next line only where the last place is taken. There are no deletions. */
#ifndef LINNET_LOOKUP_H
#define LINNET_LOOKUP_H

#include "rows.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINNET_NONE = 0xFFFFFFFF, LINNET_BATCH = 128 };

LINNET_INLINE uint64_t linnet_mixed(uint64_t key) {
    key ^= key >> 32;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ (key >> 29);
}

/* A table of strings and of codes: four keys with their ids in a line. `id_plus_1` is 0 in an empty place. */
typedef struct {
    uint64_t key;
    uint32_t id_plus_1;
    uint32_t unused;
} linnet_slot;

LINNET_INLINE uint64_t linnet_line_of(uint64_t key, uint64_t mask) { return linnet_mixed(key) & mask & ~(uint64_t)3; }

/* The id of a key that stands for one thing only. */
LINNET_INLINE uint32_t linnet_find_slot(const linnet_slot *slots, uint64_t mask, uint64_t key) {
    uint64_t at = linnet_line_of(key, mask);
    for (;;) {
        const linnet_slot *s = slots + at;
        uint32_t id = (s[0].key == key ? s[0].id_plus_1 : 0) | (s[1].key == key ? s[1].id_plus_1 : 0) |
                      (s[2].key == key ? s[2].id_plus_1 : 0) | (s[3].key == key ? s[3].id_plus_1 : 0);
        if (__builtin_expect(id | !s[3].id_plus_1, 1)) return id - 1;
        at = (at + 4) & mask;
    }
}

/* A table of grams: eight in a line, each with 32 bits of its hash and its id. The key itself is keys[id], which is looked at when the
 * bits of the hash agree. */
typedef struct {
    uint32_t tag[8];
    uint32_t id_plus_1[8];
} linnet_line;

/* A bit for each place whose tag is this one. */
LINNET_INLINE unsigned linnet_same_tags(const linnet_line *line, uint32_t tag) {
#ifdef __SSE2__
    const __m128i *tags = (const __m128i *)line->tag;
    __m128i wanted = _mm_set1_epi32((int)tag);
    __m128i low = _mm_cmpeq_epi32(_mm_load_si128(tags), wanted), high = _mm_cmpeq_epi32(_mm_load_si128(tags + 1), wanted);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128()));
#else
    unsigned same = 0;
    for (int k = 0; k < 8; k++) same |= (unsigned)(line->tag[k] == tag) << k;
    return same;
#endif
}

LINNET_INLINE uint32_t linnet_find_gram(const linnet_line *lines, uint64_t mask, const uint64_t *keys, uint64_t key) {
    uint64_t hash = linnet_mixed(key), at = hash & mask;
    for (;;) {
        const linnet_line *line = lines + at;
        for (unsigned same = linnet_same_tags(line, (uint32_t)(hash >> 32)); same; same &= same - 1) {
            uint32_t id = line->id_plus_1[__builtin_ctz(same)] - 1;
            if (id != LINNET_NONE && keys[id] == key) return id;
        }
        if (!line->id_plus_1[7]) return LINNET_NONE;
        at = (at + 1) & mask;
    }
}

LINNET_INLINE void linnet_put_gram(linnet_line *lines, uint64_t mask, uint64_t key, uint32_t id) {
    uint64_t hash = linnet_mixed(key), at = hash & mask;
    int k = 0;
    while (lines[at].id_plus_1[k]) {
        if (++k == 8) {
            k = 0;
            at = (at + 1) & mask;
        }
    }
    lines[at].tag[k] = (uint32_t)(hash >> 32);
    lines[at].id_plus_1[k] = id + 1;
}

/* grams[i] becomes the id of the gram of grams[i] and words[i], for i < n; LINNET_NONE where there is none, or one of both is. First
 * all lines of a batch are asked for, then the keys of what they hold, so that memory is waited for once a batch and not once a gram. */
static void linnet_find_grams(const linnet_line *lines, uint64_t mask, const uint64_t *keys, uint32_t *grams, const uint32_t *words,
                              int64_t n) {
    uint64_t hash[LINNET_BATCH], key[LINNET_BATCH];
    uint32_t found[LINNET_BATCH];
    for (int64_t from = 0; from < n; from += LINNET_BATCH) {
        int some = n - from < LINNET_BATCH ? (int)(n - from) : LINNET_BATCH;
        for (int i = 0; i < some; i++) {
            key[i] = (uint64_t)grams[from + i] << 32 | words[from + i];
            hash[i] = linnet_mixed(key[i]);
            linnet_prefetch(lines + (hash[i] & mask));
        }
        for (int i = 0; i < some; i++) {
            const linnet_line *line = lines + (hash[i] & mask);
            unsigned same = linnet_same_tags(line, (uint32_t)(hash[i] >> 32));
            uint32_t id = line->id_plus_1[__builtin_ctz(same | 128)];
            found[i] = same ? id : 0;
            linnet_prefetch(keys + (int64_t)(found[i] ? found[i] - 1 : 0));
        }
        for (int i = 0; i < some; i++) {
            uint32_t id = found[i] - 1;
            const linnet_line *line = lines + (hash[i] & mask);
            int right = found[i] && keys[id] == key[i];
            if (__builtin_expect((found[i] && !right) || (!found[i] && line->id_plus_1[7]), 0)) {
                id = linnet_find_gram(lines, mask, keys, key[i]);
                right = 1;
            }
            grams[from + i] = right ? id : LINNET_NONE;
        }
    }
}

#endif
