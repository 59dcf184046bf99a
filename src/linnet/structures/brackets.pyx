# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Constituent trees: all binary trees over the words 0..n-1, each of their spans with one of L labels.

    span (i, j), i <= j            the words i..j; n (n + 1) / 2 places, by j and then by i
    split (i, k, j), i <= k < j    span (i, j) is made of (i, k) and (k + 1, j); places by j, then i, then k
    block 0:  spans x L       the label; 0 is for what the tree does not show: steps of the binarisation, words with only a tag
    block 1:  splits x 1
    y[place]  = 0 for a span that is not in the tree, label + 1 for one that is
    cost      = spans of the tree that the gold one has not, or has with another label

The best tree and the sum over all of them are one recurrence (Cocke, Younger, Kasami; Baker 1979), with max or with the
logarithm of a sum of exponentials:

    inside[i, j] = (+) over labels of label[i, j]  +  (+) over i <= k < j of inside[i, k] + inside[k + 1, j] + split[i, k, j]

Marginals are the derivative of log Z, by going back through the recurrence; the k best are those of each span (Huang and Chiang
2005): the a-th of one part with the b-th of another is among the k best only if a b <= k.
"""

from libc.math cimport INFINITY, exp, log, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Structure, Tables

import numpy as np

cdef enum:
    NONE = 0        # the label of a span that is no constituent

cdef double LEAST = 1e-7    # a marginal below this counts as 0


cdef struct Item:
    double score
    int32_t label
    int32_t split
    int32_t left        # the ranks that the two parts have among their k best
    int32_t right


cdef class Brackets(Structure):
    cdef readonly int n_labels
    cdef readonly int hidden    # what `force` takes for a span that is no constituent

    def __init__(self, int n_labels):
        if n_labels < 1:
            raise ValueError(f"expected at least one label, found {n_labels}")
        self.name = "brackets"
        self.n_labels = n_labels
        self.hidden = -3 - n_labels
        self.outcomes = (n_labels, 1)
        self.has_marginals = True

    @staticmethod
    def spans(int64_t n):
        """i and j of each span of n words, in the order of their places."""
        j, i = np.tril_indices(n)
        return np.stack([i, j]).astype(np.int32)

    @staticmethod
    def splits(int64_t n):
        """i, k and j of each split of a span of n words, in the order of their places."""
        cdef int64_t i, j, k, at = 0
        out = np.empty((3, pyramid(n - 1)), np.int32)
        cdef int32_t[:, ::1] found = out
        for j in range(n):
            for i in range(j):
                for k in range(i, j):
                    found[0, at], found[1, at], found[2, at] = <int32_t>i, <int32_t>k, <int32_t>j
                    at += 1
        return out

    @property
    def plain(self):
        return False

    @property
    def one_outcome(self):
        return False

    def given(self, int g):
        return None

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """F1 of the constituents."""
        gold, found = (y < 0) | (y > 1 + NONE), y_hat > 1 + NONE
        total = np.count_nonzero(gold) + np.count_nonzero(found)
        return float(2 * np.count_nonzero(gold & (y == y_hat)) / total) if total else 1.0

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds five tables of doubles over spans, two over splits and labels for the way back, and the spans
        # to take apart.
        cdef int64_t n = words(places)
        return 10 * n * n + 4 * n + 64

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t n = words(theta.places[0]), i, j, k, label, at, top = 0
        cdef double *inside = <double *>theta.work
        cdef double *ends = inside + n * n              # the same sums indexed by [j, i], so that k runs along a row
        cdef int32_t *split = <int32_t *>(ends + n * n)
        cdef int32_t *labels = split + n * n
        cdef int32_t *todo = labels + n * n
        cdef double best, value
        cdef const float *row
        cdef const float *splits
        memset(y_hat, 0, theta.places[0] * sizeof(int32_t))
        for j in range(n):
            for i in range(j, -1, -1):
                row = theta.block[0] + span_place(i, j) * theta.stride[0]
                label = 0
                for k in range(1, self.n_labels):
                    if row[k] > row[label]:
                        label = k
                best, at = 0 if i == j else -INFINITY, i
                if j > i:
                    splits = theta.block[1] + split_place(i, i, j) - i
                for k in range(i, j):
                    value = inside[i * n + k] + ends[j * n + k + 1] + splits[k]
                    if value > best:
                        best, at = value, k
                inside[i * n + j] = ends[j * n + i] = best + row[label]
                split[i * n + j], labels[i * n + j] = <int32_t>at, <int32_t>label
        if n:
            push(todo, &top, 0, n - 1)
        while top:
            top -= 1
            i, j = todo[2 * top], todo[2 * top + 1]
            y_hat[span_place(i, j)] = labels[i * n + j] + 1
            if i < j:
                k = split[i * n + j]
                push(todo, &top, i, k)
                push(todo, &top, k + 1, j)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """The score of a tree. Spans that end with the same word lie inside one another, each the right part of the next."""
        cdef int64_t n = words(theta.places[0]), i, j, k, at
        cdef double total = 0
        for j in range(n):
            k = j
            for i in range(j, -1, -1):
                at = span_place(i, j)
                if y[at]:
                    total += theta.block[0][at * theta.stride[0] + y[at] - 1]
                    if i < j:
                        total += theta.block[1][split_place(i, k, j)]
                    k = i - 1
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t n = words(table.places[0]), i, j, k, at
        for j in range(n):
            k = j
            for i in range(j, -1, -1):
                at = span_place(i, j)
                if y[at]:
                    table.block[0][at * table.stride[0] + y[at] - 1] += amount
                    if i < j:
                        table.block[1][split_place(i, k, j)] += amount
                    k = i - 1

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t at
        cdef int label
        cdef float *row
        for at in range(theta.places[0]):
            row = theta.block[0] + at * theta.stride[0]
            for label in range(self.n_labels):
                row[label] += amount
            if y[at]:
                row[y[at] - 1] -= amount

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Force spans: y[place] = 0 keeps the span out of the tree, k + 1 demands it with label k; -2 - value forbids that
        value; `hidden` forbids all labels but NONE, so that the tree may have the span, but does not show it."""
        cdef int64_t n = words(theta.places[0]), i, j, at = 0
        cdef int label
        cdef float *row
        for j in range(n):
            for i in range(j + 1):
                row = theta.block[0] + at * theta.stride[0]
                for label in range(self.n_labels):
                    if (label != NONE) if y[at] == self.hidden else (label + 1 != y[at]) if y[at] >= 0 else (label + 1 == -2 - y[at]):
                        row[label] = -INFINITY
                if y[at] > 0 or y[at] == -2:
                    self.keep(theta, i, j, n)
                at += 1

    cdef void keep(self, Tables *theta, int64_t i, int64_t j, int64_t n) noexcept nogil:
        """Force a span into every tree, by forbidding all spans that cross it."""
        cdef int64_t a, b
        cdef int label
        cdef float *row
        for a in range(n):
            for b in range(a, n):
                if a < i <= b < j or i < a <= j < b:
                    row = theta.block[0] + span_place(a, b) * theta.stride[0]
                    for label in range(self.n_labels):
                        row[label] = -INFINITY

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t n = words(theta.places[0]), i, j, k
        cdef int label
        cdef double *inside = <double *>theta.work
        cdef double *ends = inside + n * n              # inside sums indexed by [j, i]
        cdef double *labels = ends + n * n              # (+) over the labels of each span [i, j]
        cdef double *d = labels + n * n                 # the probability of each span [i, j]
        cdef double *d_ends = d + n * n
        cdef double most, total, p
        cdef const float *row
        cdef const float *splits
        cdef float *out
        if n == 0:
            return 0
        for j in range(n):
            for i in range(j, -1, -1):
                row = theta.block[0] + span_place(i, j) * theta.stride[0]
                most, total = -INFINITY, 0
                for label in range(self.n_labels):
                    most = max(most, row[label])
                if most > -INFINITY:
                    for label in range(self.n_labels):
                        total += exp(row[label] - most)
                    most += log(total)
                labels[i * n + j] = most
                most, total = 0 if i == j else -INFINITY, 1 if i == j else 0
                if j > i:
                    splits = theta.block[1] + split_place(i, i, j) - i
                for k in range(i, j):
                    most = max(most, inside[i * n + k] + ends[j * n + k + 1] + splits[k])
                if most > -INFINITY:
                    for k in range(i, j):
                        total += exp(inside[i * n + k] + ends[j * n + k + 1] + splits[k] - most)
                    most += log(total)
                inside[i * n + j] = ends[j * n + i] = labels[i * n + j] + most
                d[i * n + j] = d_ends[j * n + i] = 0
        d[n - 1] = 1
        for j in range(n - 1, -1, -1):
            for i in range(j + 1):
                p = d[i * n + j] + d_ends[j * n + i]
                row = theta.block[0] + span_place(i, j) * theta.stride[0]
                out = mu.block[0] + span_place(i, j) * mu.stride[0]
                for label in range(self.n_labels):
                    out[label] = <float>(p * exp(row[label] - labels[i * n + j])) if p >= LEAST else 0
                if i == j:
                    continue
                splits = theta.block[1] + split_place(i, i, j) - i
                out = mu.block[1] + split_place(i, i, j) - i
                most = inside[i * n + j] - labels[i * n + j]
                for k in range(i, j):
                    total = p * exp(inside[i * n + k] + ends[j * n + k + 1] + splits[k] - most) if p >= LEAST else 0
                    out[k] = <float>total
                    d[i * n + k] += total
                    d_ends[j * n + k + 1] += total
        return inside[n - 1]

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        # The work space holds k items for each span and for the labels and splits of one, how many there are of each, and
        # spans to take apart.
        return (places + 2) * k * (sizeof(Item) // sizeof(float)) + places + 3 * words(places) + 64

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        cdef int64_t places = theta.places[0], n = words(places), i, j, s, at, left, right, top
        cdef int a, b, n_labels, n_splits, found
        cdef Item *items = <Item *>theta.work
        cdef Item *labels = items + places * k
        cdef Item *splits = labels + k
        cdef int32_t *count = <int32_t *>(splits + k)
        cdef int32_t *todo = count + places
        cdef Item item
        cdef const float *row
        if n == 0:
            scores[0] = 0
            return 1
        item.label = item.split = item.left = item.right = 0
        for j in range(n):
            for i in range(j, -1, -1):
                at = span_place(i, j)
                row = theta.block[0] + at * theta.stride[0]
                n_labels = n_splits = found = 0
                for a in range(self.n_labels):
                    item.score, item.label = row[a], a
                    insert(labels, &n_labels, k, &item)
                if i == j:
                    item.score, item.split = 0, <int32_t>i
                    insert(splits, &n_splits, k, &item)
                for s in range(i, j):
                    left, right = span_place(i, s), span_place(s + 1, j)
                    for a in range(count[left]):
                        for b in range(min(count[right], k // (a + 1))):
                            item.score = (items[left * k + a].score + items[right * k + b].score
                                          + theta.block[1][split_place(i, s, j)])
                            item.split, item.left, item.right = <int32_t>s, a, b
                            insert(splits, &n_splits, k, &item)
                for a in range(n_splits):
                    for b in range(min(n_labels, k // (a + 1))):
                        item = splits[a]
                        item.score += labels[b].score
                        item.label = labels[b].label
                        insert(items + at * k, &found, k, &item)
                count[at] = found
        for a in range(found):
            scores[a] = items[span_place(0, n - 1) * k + a].score
            memset(y + a * places, 0, places * sizeof(int32_t))
            top = 1
            todo[0], todo[1], todo[2] = 0, <int32_t>(n - 1), a
            while top:
                top -= 1
                i, j = todo[3 * top], todo[3 * top + 1]
                at = span_place(i, j)
                item = items[at * k + todo[3 * top + 2]]
                y[a * places + at] = item.label + 1
                if i < j:
                    s = item.split
                    todo[3 * top], todo[3 * top + 1], todo[3 * top + 2] = <int32_t>i, <int32_t>s, item.left
                    todo[3 * top + 3], todo[3 * top + 4], todo[3 * top + 5] = <int32_t>(s + 1), <int32_t>j, item.right
                    top += 2
        return found


cdef void insert(Item *items, int *n, int k, const Item *item) noexcept nogil:
    """Insert an item among the k best, which are in descending order; it goes after those that are as good."""
    cdef int at
    if item.score == -INFINITY or (n[0] == k and item.score <= items[k - 1].score):
        return
    at = n[0] if n[0] < k else k - 1
    while at > 0 and items[at - 1].score < item.score:
        items[at] = items[at - 1]
        at -= 1
    items[at] = item[0]
    n[0] = min(n[0] + 1, k)


cdef inline void push(int32_t *todo, int64_t *top, int64_t i, int64_t j) noexcept nogil:
    todo[2 * top[0]], todo[2 * top[0] + 1] = <int32_t>i, <int32_t>j
    top[0] += 1


cdef inline int64_t words(int64_t places) noexcept nogil:
    """The number n of words, given n (n + 1) / 2 places."""
    cdef int64_t n = <int64_t>sqrt(2.0 * places)
    return n if n * (n + 1) <= 2 * places else n - 1


cdef inline int64_t pyramid(int64_t m) noexcept nogil:
    return m * (m + 1) * (m + 2) // 6 if m > 0 else 0


cdef inline int64_t span_place(int64_t i, int64_t j) noexcept nogil:
    return j * (j + 1) // 2 + i


cdef inline int64_t split_place(int64_t i, int64_t k, int64_t j) noexcept nogil:
    return pyramid(j - 1) + i * j - i * (i - 1) // 2 + k - i
