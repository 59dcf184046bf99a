# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""MIRA with the k best outputs (McDonald, Crammer and Pereira 2005, "Online large-margin training of dependency parsers").

    y_1 .. y_k = the k best of w.f(x, y) + cost(y_i, y),    g_a = f(x, y_a) - f(x, y_i)
    w <- the nearest w' with  w'.g_a + cost(y_i, y_a) <= xi  for all a,  each xi costing C

    w' = w - sum_a tau_a g_a,    tau maximises  sum_a tau_a loss_a - 1/2 ||sum_a tau_a g_a||^2,    tau_a >= 0, sum_a tau_a <= C

What is left of C is the tau of y_i itself, whose loss and g are 0. So all tau sum to C, and in each turn the two
outputs that gain most by it exchange as much tau as is best, until nothing is gained (Hildreth's method where C is
infinite; Platt 1999 for pairs). With k = 1 it is PA-I.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc

from linnet.core.blocks cimport Block
from linnet.core.form cimport Loss, Step, Structure
from linnet.core.interrupt cimport check
from linnet.core.loops.online cimport Online

from linnet.errors import UsageError

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)

cdef double ENOUGH = 1e-6           # least gain of an exchange; below that the program counts as solved
cdef enum:
    EXCHANGES = 200                 # most exchanges for each output


cdef class KBest(Online):
    cdef int k
    cdef double C
    cdef float *work                # memory for the structure
    cdef int32_t *outputs
    cdef double *scores
    cdef double *A                  # (k + 1) x (k + 1) inner products of g_a and g_b, those of y_i first
    cdef double *tau
    cdef double *slope              # loss_a - g_a.(sum_b tau_b g_b) of each output

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, int k, double C, **how):
        super().__init__(gen, loss, step, n_features, **how)
        if gen.workspace_k(1, k) < 0:
            needs = (f"the k best outputs, which structure {gen.name!r} does" if gen.has_scores
                     else f"outputs that have scores, which those of structure {gen.name!r} do")
            raise UsageError(f"k={k} needs {needs} not have. Use k=1.")
        self.k = k
        self.C = C
        self.scores = <double *>calloc(k, sizeof(double))
        self.A = <double *>calloc((k + 1) * (k + 1), sizeof(double))
        self.tau = <double *>calloc(k + 1, sizeof(double))
        self.slope = <double *>calloc(k + 1, sizeof(double))
        if self.scores == NULL or self.A == NULL or self.tau == NULL or self.slope == NULL:
            raise MemoryError(f"no memory for the {k} best outputs")

    def __dealloc__(self):
        linnet_free(self.work)
        free(self.outputs)
        free(self.scores)
        free(self.A)
        free(self.tau)
        free(self.slope)

    def run(self, tuple blocks, y, y_at, order, weight=None):
        cdef int64_t places = (<Block>blocks[0]).most_places
        linnet_free(self.work)
        free(self.outputs)
        self.work = <float *>linnet_zeros(
            (self.gen.workspace_k(places, self.k) + 8) * sizeof(float))
        self.outputs = <int32_t *>malloc((self.k * self.gen.room(places) + 8) * sizeof(int32_t))
        if self.work == NULL or self.outputs == NULL:
            raise MemoryError(f"no memory for the {self.k} best outputs")
        super().run(blocks, y, y_at, order, weight)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, self.a)
        self.check_scores()
        self.gen.add_cost(&self.theta, y, 1)
        self.gen.argmax(&self.theta, self.y_hat)
        check()
        self.clear(&self.r)
        self.t += 1
        self.last_loss = self.gen.score(&self.theta, self.y_hat) - self.gen.score(&self.theta, y)
        self.last_tau = 0
        self.total += weight * self.last_loss
        if not self.gen.same(&self.theta, y, self.y_hat):
            self.updates += 1
            self.margins(i, y, weight)
        self.S += self.a
        return 0

    cdef int margins(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        """Take the step that gives y_i its margins over the k best outputs."""
        cdef int a, found
        cdef double gold = self.gen.score(&self.theta, y)
        cdef float *usual = self.theta.work
        self.theta.work = self.work
        found = self.gen.best_k(&self.theta, self.k, self.outputs, self.scores)
        self.theta.work = usual
        check()
        self.products(i, y, found)
        for a in range(1, found + 1):
            self.slope[a] = self.scores[a - 1] - gold
        self.exchange(found, max(weight, 1.0) * self.C)
        self.clear(&self.r)
        for a in range(1, found + 1):
            self.add(a, y, self.tau[a])
            self.last_tau += min(weight, 1.0) * self.tau[a]
        return self.update(i, min(weight, 1.0))

    cdef void add(self, int a, const int32_t *y, double amount) noexcept nogil:
        """Add output a against the gold one: r += amount (mu(y_a) - mu(y_i))."""
        self.gen.add(&self.r, self.outputs + (a - 1) * self.gen.room(self.theta.places[0]), <float>amount)
        self.gen.add(&self.r, y, -<float>amount)

    cdef int products(self, int64_t i, const int32_t *y, int n) except -1 nogil:
        """Compute all g_a.g_b = (||g_a + g_b||^2 - ||g_a||^2 - ||g_b||^2) / 2."""
        cdef int a, b, m = self.k + 1
        for a in range(1, n + 1):
            self.clear(&self.r)
            self.add(a, y, 1)
            self.A[a * m + a] = self.norm2(i)
            for b in range(1, a):
                self.add(b, y, 1)
                self.A[a * m + b] = (self.norm2(i) - self.A[a * m + a] - self.A[b * m + b]) / 2
                self.A[b * m + a] = self.A[a * m + b]
                self.add(b, y, -1)
        return 0

    cdef void exchange(self, int n, double C) noexcept nogil:
        """Solve for tau of y_i and of its n rivals, by exchanges between pairs. All tau sum to C."""
        cdef int a, b, c, turn, m = self.k + 1
        cdef double most, least, curve, d
        self.tau[0] = C
        self.slope[0] = 0
        for a in range(1, n + 1):
            self.tau[a] = 0
        for turn in range(EXCHANGES * n):
            a = b = 0
            most, least = -INFINITY, INFINITY
            for c in range(n + 1):
                if self.slope[c] > most:
                    most, a = self.slope[c], c
                if self.tau[c] > 0 and self.slope[c] < least:
                    least, b = self.slope[c], c
            if most - least <= ENOUGH:
                return
            curve = self.A[a * m + a] + self.A[b * m + b] - 2 * self.A[a * m + b]
            if curve <= 0 and self.tau[b] == INFINITY:
                return
            d = min(self.tau[b], (most - least) / curve) if curve > 0 else self.tau[b]
            self.tau[a] += d
            self.tau[b] -= d
            for c in range(n + 1):
                self.slope[c] -= d * (self.A[c * m + a] - self.A[c * m + b])
