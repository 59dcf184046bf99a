/* Open-addressing tables of 64-bit keys, looked up a cache line at a time and without a branch that depends on what is
 * found.
 *
 * A line holds a few entries, which fill it from its first place on, and then the lines after it. So a key is looked
 * for in all places of its line at once, and in the next line only where the last place is taken. There are no
 * deletions.
 *
 * Keys come from strangers. Who knows in which line a key stands can choose keys that all stand in one, and each is then
 * looked for among all the others. So the line follows from two secret numbers, too, which every table draws for itself
 * (tables.pyx). Nothing that is kept or answered depends on them: ids are given in the order in which keys come. */
#ifndef LINNET_LOOKUP_H
#define LINNET_LOOKUP_H

#include "rows.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LINNET_NONE UINT32_C(0xFFFFFFFF)

LINNET_INLINE uint64_t linnet_mixed(uint64_t key) {
    key ^= key >> 32;
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ (key >> 29);
}

/* Two odd numbers that nobody else knows. */
typedef struct {
    uint64_t one, two;
} linnet_secret;

/* A number below 2^64 that follows from a key and a secret: both halves of a product. */
LINNET_INLINE uint64_t linnet_hidden(uint64_t key, linnet_secret secret) {
    unsigned __int128 product = (unsigned __int128)(key ^ secret.one) * secret.two;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A table of strings and of codes: four keys with their ids in a line. `id_plus_1` is 0 in an empty place. */
typedef struct {
    uint64_t key;
    uint32_t id_plus_1;
    uint32_t unused;
} linnet_slot;

typedef struct {
    linnet_slot *slots;
    uint64_t mask;       /* number of places, less 1 */
    uint64_t count;      /* number of entries */
    linnet_secret secret;
} linnet_table;

LINNET_INLINE uint64_t linnet_line_of(const linnet_table *table, uint64_t key) {
    return linnet_hidden(key, table->secret) & table->mask & ~(uint64_t)3;
}

/* The id of the first entry that has a key. */
LINNET_INLINE uint32_t linnet_find_slot(const linnet_table *table, uint64_t key) {
    uint64_t mask = table->mask, at = linnet_line_of(table, key);
    for (;;) {
        const linnet_slot *s = table->slots + at;
        uint32_t id = s[3].key == key ? s[3].id_plus_1 : 0;
        id = s[2].key == key ? s[2].id_plus_1 : id;
        id = s[1].key == key ? s[1].id_plus_1 : id;
        id = s[0].key == key ? s[0].id_plus_1 : id;
        if (__builtin_expect((id != 0) | !s[3].id_plus_1, 1)) return id - 1;
        at = (at + 4) & mask;
    }
}

/* A table of grams: eight in a line, each with a tag and its id. The pair of a shorter gram and a word, both below
 * 2^bits, is hashed one to one to a number of 2 * bits bits. The lowest `line_bits` of them choose the line of the
 * gram. The others are its tag, together with the number of lines (0 to 3, in the two lowest bits) that the entry
 * stands after its own line, because that was full. So a line and a tag of 32 bits say exactly which gram it is, and
 * the pair itself, of 64 bits, need not be stored. Where the tag would take more than 32 bits (`exact` is 0), it is
 * cut, and an entry whose tag fits is compared with the pair in `pairs`. */
typedef struct {
    uint32_t tag[8];
    uint32_t id_plus_1[8];
} linnet_line;

typedef struct {
    linnet_line *lines;
    uint64_t count;      /* number of grams */
    uint64_t mask;       /* number of lines, less 1 */
    int bits;            /* ids of parts of grams are below 2^bits */
    int line_bits;       /* number of bits that name a line */
    int exact;
    linnet_secret secret;
} linnet_grams;

/* `behind` is the number of lines that an entry stands after its own line. */
enum { LINNET_BEHIND_BITS = 2, LINNET_MOST_BEHIND = 3 };

LINNET_INLINE uint64_t linnet_gram_hash(const linnet_grams *table, uint32_t shorter, uint32_t word) {
    uint64_t all = ((uint64_t)1 << (2 * table->bits)) - 1, x = ((uint64_t)shorter << table->bits | word) & all;
    x = (x * table->secret.one) & all;
    x ^= x >> table->bits;
    x = (x * table->secret.two) & all;
    return x ^ (x >> table->bits);
}

LINNET_INLINE uint32_t linnet_gram_tag(const linnet_grams *table, uint64_t hash, int behind) {
    return (uint32_t)(hash >> table->line_bits) << LINNET_BEHIND_BITS | (uint32_t)behind;
}

/* A bit for each place whose tag is this one; empty places may be among them. */
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

/* The id of a gram, looked for from the line on that is `behind` lines after its own. pairs[id] is the gram itself: its
 * shorter gram and its word. */
static uint32_t linnet_find_gram_from(const linnet_grams *table, const uint64_t *pairs, uint32_t shorter, uint32_t word, uint64_t hash,
                                      int behind) {
    for (; behind <= LINNET_MOST_BEHIND; behind++) {
        const linnet_line *line = table->lines + ((hash + (uint64_t)behind) & table->mask);
        for (unsigned same = linnet_same_tags(line, linnet_gram_tag(table, hash, behind)); same; same &= same - 1) {
            uint32_t id = line->id_plus_1[__builtin_ctz(same)] - 1;
            if (id != LINNET_NONE && (table->exact || pairs[id] == ((uint64_t)shorter << 32 | word))) return id;
        }
        if (!line->id_plus_1[7]) break;
    }
    return LINNET_NONE;
}

/* The id of a gram, given the hash of its parts. The first line is looked at without a branch that depends on what is
 * there; where it is full and the gram is not in it, the lines after it follow. Ids are below 2^31: the highest bit
 * says that a part is LINNET_NONE. */
LINNET_INLINE uint32_t linnet_find_hashed(const linnet_grams *table, const uint64_t *pairs, uint32_t shorter, uint32_t word,
                                          uint64_t hash) {
    const linnet_line *line = table->lines + (hash & table->mask);
    unsigned same = linnet_same_tags(line, linnet_gram_tag(table, hash, 0));
    uint32_t id = line->id_plus_1[__builtin_ctz(same | 128)]; /* ctz of 0 is not defined; `id` is then set to 0 below */
    id = same ? id : 0;
    if (__builtin_expect((!id & (line->id_plus_1[7] != 0)) | !table->exact, 0))
        id = linnet_find_gram_from(table, pairs, shorter, word, hash, 0) + 1;
    return (shorter | word) >> 31 ? LINNET_NONE : id - 1;
}

LINNET_INLINE uint32_t linnet_find_gram(const linnet_grams *table, const uint64_t *pairs, uint32_t shorter, uint32_t word) {
    return linnet_find_hashed(table, pairs, shorter, word, linnet_gram_hash(table, shorter, word));
}

/* Put a new gram into the table, given the hash of its parts, and return 1; 0 where its line and the three after it are
 * full, so that the table must grow. */
LINNET_INLINE int linnet_put_hashed(linnet_grams *table, uint64_t hash, uint32_t id) {
    for (int behind = 0; behind <= LINNET_MOST_BEHIND; behind++) {
        linnet_line *line = table->lines + ((hash + (uint64_t)behind) & table->mask);
        for (int k = 0; k < 8; k++) {
            if (line->id_plus_1[k]) continue;
            line->tag[k] = linnet_gram_tag(table, hash, behind);
            line->id_plus_1[k] = id + 1;
            table->count++;
            return 1;
        }
    }
    return 0;
}

LINNET_INLINE int linnet_put_gram(linnet_grams *table, uint32_t shorter, uint32_t word, uint32_t id) {
    return linnet_put_hashed(table, linnet_gram_hash(table, shorter, word), id);
}

/* grams[i] becomes the id of the gram of grams[i] and words[i], for i < n; LINNET_NONE where the table has no such
 * gram, or where one of its two parts is LINNET_NONE. The line of each gram is prefetched LINNET_AHEAD grams ahead, and
 * its hash kept until then. */
static void linnet_find_grams(const linnet_grams *given, const uint64_t *pairs, uint32_t *grams, const uint32_t *words, int64_t n) {
    linnet_grams table = *given;
    uint64_t hash[LINNET_AHEAD];
    for (int64_t i = -LINNET_AHEAD; i < n; i++) {
        int64_t ahead = i + LINNET_AHEAD;
        uint64_t now = hash[ahead % LINNET_AHEAD];
        if (ahead < n) {
            hash[ahead % LINNET_AHEAD] = linnet_gram_hash(&table, grams[ahead], words[ahead]);
            linnet_prefetch(table.lines + (hash[ahead % LINNET_AHEAD] & table.mask));
        }
        if (i >= 0) grams[i] = linnet_find_hashed(&table, pairs, grams[i], words[i], now);
    }
}

/* As linnet_find_grams, but a gram that is new is added to the table, with the id *nodes, and to the end of `pairs`,
 * which has *nodes entries and room for `room`. It stops before the first gram for which the table or `pairs` has no
 * room, and returns how many grams were found or added. */
static int64_t linnet_grow_grams(linnet_grams *given, uint64_t *pairs, uint32_t *nodes, uint32_t room, uint32_t *grams,
                                 const uint32_t *words, int64_t n) {
    linnet_grams table = *given;
    uint64_t hash[LINNET_AHEAD];
    int64_t i = -LINNET_AHEAD;
    for (; i < n; i++) {
        int64_t ahead = i + LINNET_AHEAD;
        uint64_t now = hash[ahead % LINNET_AHEAD];
        if (ahead < n) {
            hash[ahead % LINNET_AHEAD] = linnet_gram_hash(&table, grams[ahead], words[ahead]);
            linnet_prefetch(table.lines + (hash[ahead % LINNET_AHEAD] & table.mask));
        }
        if (i < 0) continue;
        uint32_t id = linnet_find_hashed(&table, pairs, grams[i], words[i], now);
        if (id == LINNET_NONE && !((grams[i] | words[i]) >> 31)) {
            if (*nodes >= room || !linnet_put_hashed(&table, now, *nodes)) break;
            pairs[*nodes] = (uint64_t)grams[i] << 32 | words[i];
            id = (*nodes)++;
        }
        grams[i] = id;
    }
    given->count = table.count;
    return i;
}

#endif
