# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Scorers fill the tables of scores of an example; what is then done with the scores is up to the structure.

    linear     theta_g = X_g W_g                                    here
    votes      theta_0 = sum_k c_k mu_0(argmax_y w_k.f(x, y))       loops/votes.pyx
    kernel     theta = sum_s alpha_s k(x, x_s)                      loops/kernel.pyx; windows and neighbours: loops/densities.pyx
    network    theta_g = V_g^T h(E_g^T x)                           loops/network.pyx

A scorer is arrays and no more: `weights`, which are what the model file holds. It has room for one example at a time.
"""

from libc.stdint cimport int64_t

from linnet.core.form cimport Structure
from linnet.core.machine cimport Machine
from linnet.core.strips cimport Strips

import numpy as np

from linnet.core.schema import Numbers, check_arrays
from linnet.core.strips import by_block
from linnet.core.weights import stride_of


cdef class Scorer:
    def __init__(self, weights):
        self.weights = tuple(weights)

    def layout(self, Structure gen, n_features):
        """What the arrays must be, by their numbers, for a structure whose blocks have so many features. ValueError where they
        are not even as many as needed."""
        raise NotImplementedError

    def check(self, Structure gen, n_features):
        """Raise ValueError unless the arrays, which may come from anyone, are those of a model over this structure with so
        many features: all that `score` relies on."""
        check_arrays({str(k): array for k, array in enumerate(self.weights)},
                     {str(k): numbers for k, numbers in enumerate(self.layout(gen, n_features))})

    cpdef tuple rows(self, Structure gen):
        """The number of rows of each block, one for the bias and one for each feature. ValueError where the weights do not
        fit the structure."""
        raise NotImplementedError

    cdef void score(self, Machine at, int64_t i) noexcept nogil:
        """Fill theta of example i, from the features that the machine has taken."""
        pass


cdef class Linear(Scorer):
    """A linear scorer, with W of each block: a row for the bias and for each feature, a column for each outcome. Where most
    of W is zero it is kept as the three arrays of a matrix in compressed rows (strips.pyx): indptr, outcomes, values."""

    def __init__(self, weights):
        super().__init__(weights)
        self.name = "linear"

    def layout(self, Structure gen, n_features):
        blocks = by_block(self.weights)
        check_blocks(blocks, gen)
        found = []
        for block, outcomes, n in zip(blocks, gen.outcomes, n_features, strict=True):
            found += full(outcomes, n) if len(block) == 1 else compressed(block, outcomes, n)
        return found

    cpdef tuple rows(self, Structure gen):
        cdef int g
        cdef Strips held
        blocks = by_block(self.weights)
        check_blocks(blocks, gen)
        self.held = []
        n_rows = []
        for g, block in enumerate(blocks):
            if len(block) == 1:
                self.v[g] = rows_of(block[0], g, gen)
                self.strips[g] = NULL
                n_rows.append(len(block[0]))
            else:
                held = Strips(*block, gen.outcomes[g])
                self.held.append(held)
                self.v[g] = held.bias
                self.strips[g] = held.strips
                n_rows.append(held.n_rows)
        return tuple(n_rows)

    cdef void score(self, Machine at, int64_t i) noexcept nogil:
        cdef int g
        for g in range(at.theta.n_blocks):
            at.strips[g] = self.strips[g]
            at.score(g, i, self.v[g], 1)


cdef tuple point(const float **v, weights, Structure gen):
    """Point v to W of each block, and return the number of rows of each."""
    cdef int g
    check_blocks(weights, gen)
    for g in range(len(weights)):
        v[g] = rows_of(weights[g], g, gen)
    return tuple([len(w) for w in weights])


cdef const float *rows_of(const float[:, ::1] W, int g, Structure gen) except NULL:
    if W.shape[1] != stride_of(gen.outcomes[g]):
        raise ValueError(f"the weights of block {g} have rows of {W.shape[1]}, not {stride_of(gen.outcomes[g])}")
    return &W[0, 0]


def full(outcomes, n):
    """The layout of W of a block with n features: a row for the bias and for each feature."""
    return [Numbers(np.float32, (n + 1, stride_of(outcomes)), added=True)]


def compressed(block, outcomes, n):
    """The layout of W of a block with n features in compressed rows, of which the first, the bias, has all outcomes."""
    if len(block) != 3:
        raise ValueError("a matrix in compressed rows has three arrays")
    size = block[1].size
    return [
        Numbers(np.uint64, (n + 2,), 0, size, ascending=True),
        Numbers(np.uint32, (size,), 0, outcomes - 1),
        Numbers(np.float32, (size,), added=True),
    ]


def check_blocks(blocks, Structure gen):
    """Raise ValueError where there are not as many blocks of weights as the structure has."""
    if len(blocks) != len(gen.outcomes):
        raise ValueError(f"{gen.name} has {len(gen.outcomes)} blocks of weights, not {len(blocks)}")
