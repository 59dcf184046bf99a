# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which outcomes of which places an output uses: where mu(y) is not 0."""

from libc.stdint cimport int32_t, int64_t

from linnet.core.blocks cimport Block, first
from linnet.core.loops.gold_outputs cimport output_at
from linnet.core.form cimport MAX_BLOCKS, Structure
from linnet.core.machine cimport Machine

import numpy as np

cdef enum:
    PIECE = 1 << 16                 # number of examples after which the memory of mapped files is given back


cdef class _Uses(Machine):
    cdef int64_t n[MAX_BLOCKS]
    cdef int64_t *place[MAX_BLOCKS]
    cdef int64_t *outcome[MAX_BLOCKS]

    def __init__(self, Structure gen, tuple blocks):
        self.prepare(gen)
        self.take(blocks, tuple([(<Block>block).largest + 2 for block in blocks]))

    cdef void look(self, int64_t i, const int32_t *y, bint write) noexcept nogil:
        cdef int g, k
        cdef int64_t p
        for g in range(self.r.n_blocks):
            self.r.places[g] = first(&self.x[g], i + 1) - first(&self.x[g], i)
        self.clear(&self.r)
        self.gen.add(&self.r, y, 1)
        for g in range(self.r.n_blocks):
            for p in range(self.r.places[g]):
                for k in range(self.r.outcomes[g]):
                    if self.r.block[g][p * self.r.stride[g] + k] != 0:
                        if write:
                            self.place[g][self.n[g]] = first(&self.x[g], i) + p
                            self.outcome[g][self.n[g]] = k
                        self.n[g] += 1


def used(Structure gen, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at):
    """For each block two arrays, place and outcome, with an entry for each outcome that the output of an example uses."""
    cdef _Uses uses = _Uses(gen, blocks)
    cdef int64_t i, begin, n = y_at.shape[0] - 1
    cdef int64_t[::1] place, outcome
    cdef int g
    cdef bint write
    found = []
    for write in (False, True):
        for g in range(uses.r.n_blocks):
            if write:
                place, outcome = [blocks[g].kept(uses.n[g] + 1, np.int64) for _ in range(2)]
                found.append((np.asarray(place)[:uses.n[g]], np.asarray(outcome)[:uses.n[g]]))
                uses.place[g], uses.outcome[g] = &place[0], &outcome[0]
            uses.n[g] = 0
        for begin in range(0, n, PIECE):
            with nogil:
                for i in range(begin, min(begin + PIECE, n)):
                    uses.look(i, output_at(y, y_at[i]), write)
            blocks[0].give_back()
    return found
