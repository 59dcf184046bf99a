# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The voted perceptron (Freund and Schapire 1999, figure 1; Collins 2002 for structures).

    learning     w_k predicts example after example; for each that it gets right, c_k += 1; at a mistake,
                 w_(k+1) = w_k + f(x, y) - f(x, y_hat) with c_(k+1) = 1
    predicting   theta_b = sum_k c_k (mu_b(y_k) - 1/2),    y_k = argmax_y w_k.f(x, y)

The table of votes is a table of scores, and its argmax the output that differs least from those that are voted for: since mu is 0 or 1,

    sum_k c_k ||mu_b(y) - mu_b(y_k)||_1  =  const - 2 <theta_b, mu_b(y)>

So the output is the label that most of the w_k would give, the tags that most of them give each token, or the labels,
links and thresholds that more than half of them are for. Where all outputs use equally many outcomes, 1/2 changes
nothing, and over labels and tags the votes are left as they are counted. Only the block b that determines y is voted
on: where places share their weights, a vote would be counted once for each of them. Only some w_k are kept: the last
one and those that survived longest before it.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from linnet.core.form cimport Loss, Outcome, Step, Structure
from linnet.core.interrupt cimport check
from linnet.core.machine cimport Machine, usable
from linnet.core.loops.online cimport Online
from linnet.core.scorer cimport Scorer, point

import numpy as np

from linnet.core.schema import Numbers
from linnet.core.scorer import full

# The largest count of a vote; the sum of all of them is finite.
MOST = 1e30


cdef class Votes(Scorer):
    """A scorer whose arrays are the counts c, then W of each block for the first vector, for the second, and so on."""
    cdef const float *c
    cdef int n_votes
    cdef float half                     # half of all votes
    cdef int block                      # the block that is voted on
    cdef const float **v

    def __init__(self, weights):
        super().__init__(weights)
        self.name = "votes"

    def layout(self, Structure gen, n_features):
        if not self.weights:
            raise ValueError("there are no votes")
        n_votes = self.weights[0].size
        blocks = [one for k, n in zip(gen.outcomes, n_features, strict=True) for one in full(k, n)]
        if len(self.weights) != 1 + n_votes * len(blocks):
            raise ValueError(f"{n_votes} votes of {len(blocks)} blocks each, but {len(self.weights) - 1} blocks of weights")
        return [Numbers(np.float32, (n_votes,), 0, MOST), *n_votes * blocks]

    def __dealloc__(self):
        free(self.v)

    cpdef tuple rows(self, Structure gen):
        cdef const float[::1] c = self.weights[0]
        cdef int k, n_blocks = len(gen.outcomes)
        if c.shape[0] == 0 or len(self.weights) != 1 + c.shape[0] * n_blocks:
            raise ValueError(f"{c.shape[0]} votes of {n_blocks} blocks each, but {len(self.weights) - 1} blocks of weights")
        self.c = &c[0]
        self.n_votes = c.shape[0]
        self.half = 0 if gen.plain else sum(self.weights[0]) / 2
        self.block = gen.telling
        free(self.v)
        self.v = <const float **>malloc(self.n_votes * n_blocks * sizeof(float *))
        if self.v == NULL:
            raise MemoryError("no memory for the votes")
        for k in range(self.n_votes):
            found = point(self.v + k * n_blocks, self.weights[1 + k * n_blocks:][:n_blocks], gen)
        return found

    cdef void score(self, Machine at, int64_t i) noexcept nogil:
        """Compute theta of example i. The votes are counted in r, which is free while an example is scored."""
        cdef int g, k, n_blocks = at.theta.n_blocks
        cdef int64_t size
        for k in range(self.n_votes):
            for g in range(n_blocks):
                at.score(g, i, self.v[k * n_blocks + g], 1)
            if not usable(at):       # the predictor checks theta again, and raises the error
                return
            if k == 0:
                at.clear(&at.r)
            at.gen.argmax(&at.theta, at.y_hat)
            at.gen.add(&at.r, at.y_hat, self.c[k])
        for g in range(n_blocks):
            size = at.r.places[g] * at.r.stride[g]
            for i in range(size):
                if at.theta.block[g][i] > -INFINITY:            # what is out of GEN(x) keeps its -inf
                    at.theta.block[g][i] = at.r.block[g][i] - self.half if g == self.block else 0


cdef class Voted(Online):
    """A perceptron that remembers at most `most` of the weight vectors that it had before the current one."""
    cdef int most
    cdef double survived            # c of the current vector
    cdef double least               # a vector must have survived longer than this to be remembered
    cdef list c
    cdef list before                # the remembered vectors, each with an array for each block

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, int votes):
        super().__init__(gen, loss, step, n_features)
        self.most = votes
        self.c = []
        self.before = []

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef Outcome out
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, 1)
        self.check_scores()
        self.clear(&self.r)
        out = self.loss.evaluate(self.gen, &self.theta, y, self.y_hat, &self.r)
        check()
        self.count(out.active)
        self.t += 1
        self.last_loss = out.value
        self.last_tau = 0
        self.total += weight * out.value
        if out.active and weight > 0:
            self.updates += 1
            if self.survived > self.least:
                with gil:
                    self.remember()
            self.survived = 0
            self.last_tau = self.step.tau(out.value, 0, self.t, weight)
            self.update(i, self.last_tau)
        self.survived += weight
        return 0

    cdef int remember(self) except -1:
        """Remember the current vector; where there is no room left, it replaces the one that survived least."""
        cdef int worst = len(self.c)
        if worst < self.most:
            self.before.append([w.arrays["v"].copy() for w in self.weights])
            self.c.append(self.survived)
        else:
            worst = self.c.index(self.least)
            for kept, w in zip(self.before[worst], self.weights):
                kept[:] = w.arrays["v"]
            self.c[worst] = self.survived
        self.least = min(self.c) if len(self.c) == self.most else 0
        return 0

    def last(self):
        """The counts c, then all vectors."""
        return self._votes([w.arrays["v"].copy() for w in self.weights], copy=True)

    def settle(self, bint averaged):
        return self._votes([w.arrays["v"] for w in self.weights], copy=False)

    def _votes(self, at_work, *, bint copy):
        before = [v.copy() if copy else v for vector in self.before for v in vector]
        return [np.array([*self.c, self.survived], np.float32), *before, *at_work]

    def grow(self, n_features):
        super().grow(n_features)
        for vector in self.before:
            for g, w in enumerate(self.weights):
                more = np.zeros((w.n_rows - len(vector[g]), vector[g].shape[1]), np.float32)
                vector[g] = np.concatenate([vector[g], more])

    def state(self):
        arrays, numbers = super().state()
        arrays |= {f"vote{k}.{g}": v for k, vector in enumerate(self.before) for g, v in enumerate(vector)}
        return arrays, numbers | {"c": list(self.c), "survived": self.survived}

    def restore(self, arrays, numbers):
        own = {"c", "survived"}
        super().restore(arrays, {name: value for name, value in numbers.items() if name not in own})
        self.c = list(numbers["c"])
        self.survived = numbers["survived"]
        self.before = [
            [np.array(arrays[f"vote{k}.{g}"]) for g in range(self.theta.n_blocks)] for k in range(len(self.c))
        ]
        for vector in self.before:
            for v, w in zip(vector, self.weights):
                if v.shape != w.arrays["v"].shape or v.dtype != np.float32:
                    raise ValueError("a remembered vector does not fit these weights")
        self.least = min(self.c) if len(self.c) == self.most else 0
