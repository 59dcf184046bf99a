/* The few operations on memory and rows of weights that Cython cannot say: unaligned loads, prefetch, huge pages, and
 * loops over outcomes compiled twice, for any x86-64 and for AVX2, chosen when the module is loaded.
 *
 * A row holds the weights of one feature, one number per outcome. Its stride is 1, 2, 4 or a multiple of 8, so that the
 * inner loops have a constant or a vector-sized length. */
#ifndef LINNET_ROWS_H
#define LINNET_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define LINNET_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define LINNET_CLONES
#endif

#if defined(__GNUC__) || defined(__clang__)
#define linnet_prefetch(p) __builtin_prefetch(p)
#define LINNET_INLINE static inline __attribute__((always_inline))
#else
#define linnet_prefetch(p) ((void)(p))
#define LINNET_INLINE static inline
#endif

/* How many rows ahead memory is prefetched; and up to how many floats it is faster to add than to test whether they matter. */
enum { LINNET_AHEAD = 32, LINNET_SHORT = 32 };

LINNET_INLINE uint64_t linnet_load64(const unsigned char *p) {
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

/* Zeroed memory on a boundary of 64 bytes. Tables of words and weights are visited at random, so a large piece lies on a
 * boundary of 2 MB and asks for huge pages; calloc gets it from the system, which has zeroed it. */
static void *linnet_zeros(size_t bytes) {
    const size_t huge = (size_t)2 << 20;
    size_t align = bytes >= huge ? huge : 64;
    char *whole = (char *)calloc(1, bytes + align + sizeof(void *));
    if (!whole) return NULL;
    char *p = (char *)(((uintptr_t)whole + sizeof(void *) + align - 1) / align * align);
    ((void **)p)[-1] = whole;
#ifdef MADV_HUGEPAGE
    if (bytes >= huge) madvise(p, bytes / huge * huge, MADV_HUGEPAGE);
#endif
    return p;
}

/* realloc. Memory that is large from the start asks for huge pages, which cost a five-hundredth of the page faults; memory that
 * grows does not, because such pages cannot be moved without a copy. */
static void *linnet_larger(void *p, size_t bytes) {
    const size_t huge = (size_t)2 << 20;
    char *q = (char *)realloc(p, bytes);
#ifdef MADV_HUGEPAGE
    if (q && !p && bytes >= 4 * huge) {
        uintptr_t start = ((uintptr_t)q + huge - 1) / huge * huge, end = ((uintptr_t)q + bytes) / huge * huge;
        madvise((void *)start, end - start, MADV_HUGEPAGE);
    }
#endif
    return q;
}

static void linnet_free(void *p) {
    if (p) free(((void **)p)[-1]);
}

typedef float linnet_8 __attribute__((vector_size(32)));

/* Calls wide(from, eights) with constants for each piece of 64 outcomes: what they sum up stays in registers. */
#define LINNET_BY_64(stride, wide)                                                                                     \
    for (int from = 0; from < stride; from += 64) switch ((stride - from) / 8) {                                       \
        case 1: wide(from, 1); break;                                                                                  \
        case 2: wide(from, 2); break;                                                                                  \
        case 3: wide(from, 3); break;                                                                                  \
        case 4: wide(from, 4); break;                                                                                  \
        case 5: wide(from, 5); break;                                                                                  \
        case 6: wide(from, 6); break;                                                                                  \
        case 7: wide(from, 7); break;                                                                                  \
        default: wide(from, 8);                                                                                        \
        }

/* Calls narrow(stride), or wide(from, eights) as above. */
#define LINNET_BY_STRIDE(stride, narrow, wide)                                                                         \
    switch (stride) {                                                                                                  \
    case 1: narrow(1); break;                                                                                          \
    case 2: narrow(2); break;                                                                                          \
    case 4: narrow(4); break;                                                                                          \
    default: LINNET_BY_64(stride, wide)                                                                                \
    }

LINNET_INLINE void linnet_add_narrow(float *theta, const float *W, int stride, const uint32_t *j, const float *x,
                                     int64_t n, int64_t known) {
    float sum[4];
    for (int k = 0; k < stride; k++) sum[k] = theta[k];
    for (int64_t i = 0; i < n; i++) {
        const float *row = W + (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < known) linnet_prefetch(W + (size_t)j[i + LINNET_AHEAD] * stride);
        for (int k = 0; k < stride; k++) sum[k] += x[i] * row[k];
    }
    for (int k = 0; k < stride; k++) theta[k] = sum[k];
}

LINNET_INLINE void linnet_add_wide(float *theta, const float *W, int stride, int eights, const uint32_t *j,
                                   const float *x, int64_t n, int64_t known) {
    linnet_8 sum[8], row;
    memcpy(sum, theta, eights * sizeof(linnet_8));
    for (int64_t i = 0; i < n; i++) {
        const float *at = W + (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < known) {
            const float *next = W + (size_t)j[i + LINNET_AHEAD] * stride;
            for (int k = 0; k < eights; k += 2) linnet_prefetch(next + 8 * k);
        }
        for (int k = 0; k < eights; k++) {
            memcpy(&row, at + 8 * k, sizeof row);
            sum[k] += x[i] * row;
        }
    }
    memcpy(theta, sum, eights * sizeof(linnet_8));
}

/* theta += sum_{i < n} x_i W[j_i]. `known` says how many j there are: those of the next places are prefetched, too. */
LINNET_CLONES static void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x,
                                          int64_t n, int64_t known) {
#define NARROW(stride) linnet_add_narrow(theta, W, stride, j, x, n, known)
#define WIDE(from, eights) linnet_add_wide(theta + from, W + from, stride, eights, j, x, n, known)
    LINNET_BY_STRIDE(stride, NARROW, WIDE)
#undef NARROW
#undef WIDE
}

/* theta += x v: first over all outcomes, then only over the outcomes k. */
LINNET_CLONES static void linnet_add(float *theta, const float *v, float x, int n) {
    for (int e = 0; e < n; e++) theta[e] += x * v[e];
}

static void linnet_add_at(float *theta, const uint32_t *k, const float *v, float x, int n) {
    for (int e = 0; e < n; e++) theta[k[e]] += x * v[e];
}

LINNET_INLINE void linnet_update_narrow(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                                        const float *d, float clock) {
    for (int64_t i = 0; i < n; i++) {
        float *row = W + (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < n) {
            linnet_prefetch(W + (size_t)j[i + LINNET_AHEAD] * stride);
            if (U) linnet_prefetch(U + (size_t)j[i + LINNET_AHEAD] * stride);
        }
        for (int k = 0; k < stride; k++) row[k] += x[i] * d[k];
        if (U) {
            float *past = U + (size_t)j[i] * stride;
            for (int k = 0; k < stride; k++) past[k] += clock * (x[i] * d[k]);
        }
    }
}

LINNET_INLINE void linnet_update_wide(float *W, float *U, int stride, int eights, const uint32_t *j, const float *x,
                                      int64_t n, const float *d, float clock) {
    linnet_8 delta[8], row;
    memcpy(delta, d, eights * sizeof(linnet_8));
    for (int64_t i = 0; i < n; i++) {
        float *at = W + (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < n) {
            const float *next = W + (size_t)j[i + LINNET_AHEAD] * stride;
            for (int k = 0; k < eights; k += 2) linnet_prefetch(next + 8 * k);
            if (U) {
                const float *past = U + (size_t)j[i + LINNET_AHEAD] * stride;
                for (int k = 0; k < eights; k += 2) linnet_prefetch(past + 8 * k);
            }
        }
        for (int k = 0; k < eights; k++) {
            memcpy(&row, at + 8 * k, sizeof row);
            row += x[i] * delta[k];
            memcpy(at + 8 * k, &row, sizeof row);
        }
        if (U) {
            float *past = U + (size_t)j[i] * stride;
            for (int k = 0; k < 8 * eights; k++) past[k] += clock * (x[i] * d[k]);
        }
    }
}

/* W[j_i] += x_i d, and for the average U[j_i] += clock x_i d, over all outcomes */
LINNET_CLONES static void linnet_update_rows(float *W, float *U, int stride, const uint32_t *j, const float *x,
                                             int64_t n, const float *d, float clock) {
#define NARROW(stride) linnet_update_narrow(W, U, stride, j, x, n, d, clock)
#define WIDE(from, eights) linnet_update_wide(W + from, U ? U + from : U, stride, eights, j, x, n, d + from, clock)
    LINNET_BY_STRIDE(stride, NARROW, WIDE)
#undef NARROW
#undef WIDE
}

/* Writes where r is not zero, the first `most` of n positions, and returns how many there are, or most + 1 if there are more. */
static int linnet_nonzero(const float *r, int n, int32_t *at, int most) {
    int found = 0;
    for (int from = 0; from < n; from += 8) {
        int to = from + 8 < n ? from + 8 : n;
        uint64_t some[4] = {0};
        memcpy(some, r + from, (to - from) * sizeof(float));
        if (!(some[0] | some[1] | some[2] | some[3])) continue;
        for (int k = from; k < to; k++)
            if (r[k] != 0) {
                if (found == most) return most + 1;
                at[found++] = k;
            }
    }
    return found;
}

/* W[j_i] += x_i d where d is not zero at few outcomes `at` only: a mistake touches two of many. */
static void linnet_update_some(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                               const float *d, const int32_t *at, int n_at, float clock) {
    for (int64_t i = 0; i < n; i++) {
        size_t row = (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < n) {
            size_t next = (size_t)j[i + LINNET_AHEAD] * stride;
            for (int a = 0; a < n_at; a++) {
                linnet_prefetch(W + next + at[a]);
                if (U) linnet_prefetch(U + next + at[a]);
            }
        }
        for (int a = 0; a < n_at; a++) {
            float step = x[i] * d[at[a]];
            W[row + at[a]] += step;
            if (U) U[row + at[a]] += clock * step;
        }
    }
}

LINNET_INLINE void linnet_adagrad_of(float *W, float *G, float *U, int stride, int width, const uint32_t *j,
                                     const float *x, int64_t n, const float *r, float eta, float scale, float clock) {
    for (int64_t i = 0; i < n; i++) {
        float *row = W + (size_t)j[i] * stride, *sum = G + (size_t)j[i] * stride;
        if (i + LINNET_AHEAD < n) {
            size_t next = (size_t)j[i + LINNET_AHEAD] * stride;
            linnet_prefetch(W + next);
            linnet_prefetch(G + next);
            if (U) linnet_prefetch(U + next);
        }
        for (int k = 0; k < width; k++) {
            float g = x[i] * r[k];
            sum[k] += g * g;
            float step = -eta * g / (__builtin_sqrtf(sum[k]) + 1e-8f) * scale;
            row[k] += step;
            if (U) U[(size_t)j[i] * stride + k] += clock * step;
        }
    }
}

/* G[j] += g^2, W[j] -= scale eta g / sqrt(G[j]) with g = x r: AdaGrad, one rate per weight. Eight outcomes at a time, leaving
 * out those where r is zero: most probabilities are nearly right. */
LINNET_CLONES static void linnet_adagrad_rows(float *W, float *G, float *U, int stride, const uint32_t *j,
                                              const float *x, int64_t n, const float *r, float eta, float scale,
                                              float clock) {
    switch (stride) {
    case 1: linnet_adagrad_of(W, G, U, 1, 1, j, x, n, r, eta, scale, clock); break;
    case 2: linnet_adagrad_of(W, G, U, 2, 2, j, x, n, r, eta, scale, clock); break;
    case 4: linnet_adagrad_of(W, G, U, 4, 4, j, x, n, r, eta, scale, clock); break;
    default:
        for (int k = 0; k < stride; k += 8) {
            float size = 0;
            for (int c = k; c < k + 8; c++) size += r[c] * r[c];
            if (size > 0) linnet_adagrad_of(W + k, G + k, U ? U + k : U, stride, 8, j, x, n, r + k, eta, scale, clock);
        }
    }
}

typedef int32_t linnet_8i __attribute__((vector_size(32)));
#define LINNET_PICK(which, yes, no) (((which) & (linnet_8i)(yes)) | (~(which) & (linnet_8i)(no)))

LINNET_INLINE void linnet_best_of(float *best, const float *before, const float *trans, int n, int pitch, int eights) {
    float most[64];
    for (int c = 0; c < 8 * eights; c++) most[c] = -__builtin_inff();
    for (int a = 0; a < n; a++) {
        const float *row = trans + (size_t)a * pitch, score = before[a];
        if (score == -__builtin_inff()) continue;
        for (int c = 0; c < 8 * eights; c++) {
            float s = score + row[c];
            most[c] = s > most[c] ? s : most[c];
        }
    }
    memcpy(best, most, eights * sizeof(linnet_8));
}

/* One step of Viterbi, for n tags: best[c] = max over a of before[a] + trans[a][c]. The best a is found again on the way
 * back, for the tags that are taken. Rows of trans are `pitch` floats apart; `stride` tags, a multiple of 8, are computed, and those
 * beyond n mean nothing. */
LINNET_CLONES static void linnet_best_step(float *best, const float *before, const float *trans, int n, int stride,
                                           int pitch) {
#define WIDE(from, eights) linnet_best_of(best + from, before, trans + from, n, pitch, eights)
    LINNET_BY_64(stride, WIDE)
#undef WIDE
}

LINNET_INLINE linnet_8 linnet_sum_of(float *out, const float *before, const float *E, const float *by, int n, int pitch,
                                     int eights) {
    linnet_8 sum[8], row, total = {0};
    for (int k = 0; k < eights; k++) sum[k] = (linnet_8){0};
    for (int a = 0; a < n; a++) {
        if (before[a] == 0) continue;
        for (int k = 0; k < eights; k++) {
            memcpy(&row, E + (size_t)a * pitch + 8 * k, sizeof row);
            sum[k] += before[a] * row;
        }
    }
    for (int k = 0; k < eights; k++) {
        memcpy(&row, by + 8 * k, sizeof row);
        sum[k] *= row;
        total += sum[k];
    }
    memcpy(out, sum, eights * sizeof(linnet_8));
    return total;
}

LINNET_INLINE float linnet_total(linnet_8 x) {
    return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

/* A forward step, with sums of products: out[c] = by[c] sum over a of before[a] E[a][c]; returns the sum of out. `by` is 0 beyond
 * the tags. */
LINNET_CLONES static float linnet_sum_step(float *out, const float *before, const float *E, const float *by, int n,
                                           int stride, int pitch) {
    linnet_8 total = {0};
#define WIDE(from, eights) total += linnet_sum_of(out + from, before, E + from, by + from, n, pitch, eights)
    LINNET_BY_64(stride, WIDE)
#undef WIDE
    return linnet_total(total);
}

/* A backward step: out[a] = sum over c of E[a][c] g[c]. g is 0 beyond the tags and sums to `most`, and E is at most 1: where
 * before[a] most is below `negligible`, so is the probability of a, and out[a] is 0. */
LINNET_CLONES static void linnet_back_step(float *out, const float *before, const float *E, const float *g, float most,
                                           int n, int stride, int pitch, float negligible) {
    if (stride <= LINNET_SHORT) negligible = 0;
    for (int a = 0; a < n; a++) {
        const float *row = E + (size_t)a * pitch;
        linnet_8 sum = {0}, e, v;
        out[a] = 0;
        if (before[a] == 0 || before[a] * most < negligible) continue;
        for (int c = 0; c < stride; c += 8) {
            memcpy(&e, row + c, sizeof e);
            memcpy(&v, g + c, sizeof v);
            sum += e * v;
        }
        out[a] = linnet_total(sum);
    }
}

LINNET_INLINE int linnet_pairs_of(float *out, const float *E, const float *before, const float *g, const float *most,
                                  const int32_t *at, int n_at, int64_t apart, int64_t apart_most, float negligible,
                                  int eights) {
    linnet_8 sum[8], row;
    int some = 0;
    for (int k = 0; k < eights; k++) sum[k] = (linnet_8){0};
    for (int i = 0; i < n_at; i++) {
        float x = before[at[i] * apart];
        if (x * most[at[i] * apart_most] < negligible) continue;
        some = 1;
        for (int k = 0; k < eights; k++) {
            memcpy(&row, g + at[i] * apart + 8 * k, sizeof row);
            sum[k] += x * row;
        }
    }
    if (!some) return 0;
    for (int k = 0; k < eights; k++) {
        memcpy(&row, E + 8 * k, sizeof row);
        row *= sum[k];
        memcpy(out + 8 * k, &row, sizeof row);
    }
    return 1;
}

/* The expected pairs of tags at T tokens: out[a][c] = E[a][c] sum over t of before[t][a] g[t][c]. In `before` and `g`,
 * the row of one token is `apart` floats from that of the next. `most` has the sum of g of each token, `apart_most`
 * floats from that of the next: 0 says that the token has no pairs, and what is below `negligible` is left out, as in
 * linnet_back_step. `out` must be 0 at the start. Its rows are `pitch` floats apart, but `stride` are written: those
 * beyond the tags are 0, and the next row is written over them. The last rows, which would end beyond the table, are
 * computed in `spare` and then copied. `at` must have room for T integers. */
LINNET_CLONES static void linnet_pairs(float *out, const float *E, const float *before, const float *g, const float *most,
                                       int n, int stride, int pitch, int pitch_E, int64_t T, int64_t apart,
                                       int64_t apart_most, float negligible, float *spare, int32_t *at) {
    int n_at = 0;
    if (stride <= LINNET_SHORT) negligible = 0;
    for (int64_t t = 0; t < T; t++)
        if (most[t * apart_most] > 0) at[n_at++] = (int32_t)t;
    for (int a = 0; n_at && a < n; a++) {
        float *to = a * pitch + stride <= n * pitch ? out + (size_t)a * pitch : spare;
        const float *row = E + (size_t)a * pitch_E;
        int some = 0;
#define WIDE(from, eights)                                                                                             \
    some = linnet_pairs_of(to + from, row + from, before + a, g + from, most, at, n_at, apart, apart_most, negligible, eights)
        LINNET_BY_64(stride, WIDE)
#undef WIDE
        if (some && to == spare) memcpy(out + (size_t)a * pitch, spare, n * sizeof(float));
    }
}

/* out[i] = x[i] y[i], for n a multiple of 8; returns their sum. */
LINNET_CLONES static float linnet_times(float *out, const float *x, const float *y, int n) {
    linnet_8 a, b, total = {0};
    for (int i = 0; i < n; i += 8) {
        memcpy(&a, x + i, sizeof a);
        memcpy(&b, y + i, sizeof b);
        a *= b;
        total += a;
        memcpy(out + i, &a, sizeof a);
    }
    return linnet_total(total);
}

/* The largest of n numbers, minus infinity if there is none. */
LINNET_CLONES static float linnet_most(const float *x, int n) {
    linnet_8 most = (linnet_8){0} - __builtin_inff(), row;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&row, x + i, sizeof row);
        most = (linnet_8)LINNET_PICK(row > most, row, most);
    }
    for (; i < n; i++) most[0] = x[i] > most[0] ? x[i] : most[0];
    for (int k = 1; k < 8; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* The largest magnitude among n numbers, infinity left out; 0 if there is none. */
LINNET_CLONES static float linnet_magnitude(const float *x, int64_t n) {
    const linnet_8 infinity = (linnet_8){0} + __builtin_inff();
    linnet_8 most = {0}, row;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&row, x + i, sizeof row);
        row = (linnet_8)LINNET_PICK(row < 0, -row, row);
        most = (linnet_8)LINNET_PICK((row > most) & (row < infinity), row, most);
    }
    for (; i < n; i++) {
        float size = x[i] < 0 ? -x[i] : x[i];
        if (size > most[0] && size < infinity[0]) most[0] = size;
    }
    for (int k = 1; k < 8; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

/* The largest magnitude among n numbers, minus infinity left out and counted: nan where one of them is nan, and 0 if there is none. Without
 * their sign, the bits of floats are in this order. */
LINNET_CLONES static float linnet_largest(const float *x, int64_t n, int64_t *left_out) {
    const int32_t sign = INT32_MIN, infinity = 0x7f800000;
    int32_t largest = 0, out = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        out += bits == (sign | infinity);
        bits = bits == (sign | infinity) ? 0 : bits & ~sign;
        largest = bits > largest ? bits : largest;
    }
    float found;
    *left_out = out;
    memcpy(&found, &largest, sizeof found);
    return found;
}

/* out[c][b] = x[b][c] for n x n numbers in rows of `stride`, four rows of x at a time: single numbers would be half as fast, or a
 * quarter where the linker puts so short a loop badly. */
LINNET_CLONES static void linnet_turn(float *restrict out, const float *restrict x, int n, int stride) {
    int b = 0;
    for (; b + 4 <= n; b += 4)
        for (int c = 0; c < n; c++)
            for (int k = 0; k < 4; k++) out[(size_t)c * stride + b + k] = x[(size_t)(b + k) * stride + c];
    for (; b < n; b++)
        for (int c = 0; c < n; c++) out[(size_t)c * stride + b] = x[(size_t)b * stride + c];
}

/* out[i] = exp(x[i] - most): 2^k times a polynomial (relative error 2e-7). Below -87, 0. `n` is a multiple of 8. Adding 3 2^22
 * rounds to an integer, and leaves it in the low bits. */
LINNET_CLONES static void linnet_exp(float *out, const float *x, float most, int n) {
    const float big = 12582912.0f;
    for (int i = 0; i < n; i++) {
        float y = x[i] - most;
        float z = y > -87.0f ? y : -87.0f;
        union {
            uint32_t bits;
            float value;
        } k = {.value = z * 1.44269504f + big}, two;
        float whole = k.value - big;
        float r = z - whole * 0.693359375f + whole * 2.12194440e-4f;
        float p = 1.9875691500e-4f;
        p = p * r + 1.3981999507e-3f;
        p = p * r + 8.3334519073e-3f;
        p = p * r + 4.1665795894e-2f;
        p = p * r + 1.6666665459e-1f;
        p = p * r + 5.0000001201e-1f;
        p = p * r * r + r + 1.0f;
        two.bits = (k.bits + 127) << 23;
        out[i] = y > -87.0f ? p * two.value : 0.0f;
    }
}

#endif
