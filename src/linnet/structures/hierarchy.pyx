# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One label out of a tree of them (Dekel, Keshet and Singer 2004, "Large margin hierarchical classification").

    block 0:  1 x nodes, the root left out; labels are the leaves
    mu(y)     = the nodes on the path from the root to y, so labels share the weights of the nodes above both
    score(y)  = S[y],   S[v] = theta[v] + S[parent of v]
    p(v)      = sum of p(y) over the labels y below v: a node has the probability of all that is in it
    cost(y, y') = edges between y and y'
    margin      = sqrt(cost(y, y')), as in the paper; it is added to the score of the leaf, which no other label shares

A node comes after its parent. An output is the number of a label: the k-th leaf.
"""

from libc.math cimport INFINITY, exp, log, sqrt
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables
from linnet.structures.largest cimport largest

import numpy as np


cdef class Hierarchy(Structure):
    cdef int32_t[::1] parent        # the parent of each node; -1 where that is the root
    cdef int32_t[::1] leaf          # the node of each label

    def __init__(self, parents, n_labels=None):
        """`parents` has for each node the number of the node above it, -1 where that is the root. If `n_labels` is given,
        raise ValueError unless there are as many leaves: labels beyond them would be read from outside of the memory."""
        above = np.array(parents, np.int32)
        if not len(above) or np.any(above >= np.arange(len(above))) or np.any(above < -1):
            raise ValueError("expected at least one node, and each after its parent")
        self.name = "hierarchy"
        self.outcomes = (len(above),)
        self.has_marginals = True
        self.parent = above
        self.leaf = np.setdiff1d(np.arange(len(above)), above).astype(np.int32)
        if n_labels not in (None, len(self.leaf)):
            raise ValueError(f"a tree of {len(self.leaf)} leaves for {n_labels} labels")

    def __reduce__(self):
        """A hierarchy pickles as what it was made of."""
        return Hierarchy, (np.asarray(self.parent),)

    @property
    def parents(self):
        return np.array(self.parent)

    @property
    def leaves(self):
        """The node of each label."""
        return np.array(self.leaf)

    @property
    def paths(self):
        """A matrix, nodes x labels, with 1 where the node is on the path to the label."""
        M = np.zeros((len(self.parents), len(self.leaves)), np.float32)
        for k, v in enumerate(self.leaves.tolist()):
            while v >= 0:
                M[v, k] = 1
                v = self.parent[v]
        return M

    @property
    def costs(self):
        """The cost of each label (row) being taken for another (column): the number of edges between them."""
        M = self.paths
        depth = M.sum(axis=0)
        return depth[:, None] + depth - 2 * M.T @ M

    @property
    def plain(self):
        return False

    def given(self, int g):
        return None

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 2 * self.parent.shape[0] + 8

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1

    cdef double *sums(self, const Tables *theta) noexcept nogil:
        """Compute S of all nodes in the work space."""
        cdef double *S = <double *>theta.work
        cdef int64_t v
        for v in range(self.parent.shape[0]):
            S[v] = theta.block[0][v] + (S[self.parent[v]] if self.parent[v] >= 0 else 0)
        return S

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Write the best label, the first of equals."""
        cdef double *S = self.sums(theta)
        cdef int32_t k, best = 0
        for k in range(1, <int32_t>self.leaf.shape[0]):
            if S[self.leaf[k]] > S[self.leaf[best]]:
                best = k
        y_hat[0] = best

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        return self.workspace(places)

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        cdef double *S = self.sums(theta)
        cdef int64_t c
        for c in range(self.leaf.shape[0]):
            S[c] = S[self.leaf[c]]                          # leaf c is node c or a later one
        return largest(S, <int32_t>self.leaf.shape[0], k, y, scores)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef double total = 0
        cdef int32_t v = self.leaf[y[0]]
        while v >= 0:
            total += theta.block[0][v]
            v = self.parent[v]
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Compute softmax over the labels, summed from the leaves to the root."""
        cdef double *S = self.sums(theta)
        cdef double most = -INFINITY, z = 0
        cdef int64_t k, v
        for k in range(self.leaf.shape[0]):
            most = max(most, S[self.leaf[k]])
        if most == -INFINITY:
            return most
        for k in range(self.leaf.shape[0]):
            z += exp(S[self.leaf[k]] - most)
        for v in range(self.parent.shape[0]):
            mu.block[0][v] = 0
        for k in range(self.leaf.shape[0]):
            mu.block[0][self.leaf[k]] = <float>(exp(S[self.leaf[k]] - most) / z)
        for v in range(self.parent.shape[0] - 1, -1, -1):
            if self.parent[v] >= 0:
                mu.block[0][self.parent[v]] += mu.block[0][v]
        return most + log(z)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t v = self.leaf[y[0]]
        while v >= 0:
            table.block[0][v] += amount
            v = self.parent[v]

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """Add the cost. d[v], the number of edges between v and y, is 1 more than that of the parent of v, or 1 less on the
        path to y."""
        cdef double *d = <double *>theta.work
        cdef double depth = 0
        cdef int32_t u = self.leaf[y[0]]
        cdef int64_t v, k
        for v in range(self.parent.shape[0]):
            d[v] = 1
        while u >= 0:
            d[u] = -1
            depth += 1
            u = self.parent[u]
        for v in range(self.parent.shape[0]):
            d[v] += d[self.parent[v]] if self.parent[v] >= 0 else depth
        for k in range(self.leaf.shape[0]):
            theta.block[0][self.leaf[k]] += <float>(amount * sqrt(d[self.leaf[k]]))

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        cdef int64_t k
        for k in range(self.leaf.shape[0]):
            if (k == value) != holds:
                theta.block[0][self.leaf[k]] = -INFINITY
