# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one form that all models share.

    theta_g   = X_g W_g                  scores of block g: places x outcomes
    w.f(x, y) = sum_g <theta_g, mu_g(y)>
    W_g      -= tau X_g^T r_g            with r = d loss / d theta

A Structure turns tables of scores into an output. A Loss turns a structure, scores and the gold output into a value and r. A
Step turns (value, ||X^T r||^2, t) into tau. None of the three knows the other two; the loop in loops/online.pyx is all that
they share. X is in blocks.pyx, W in weights.pyx, theta and r of one example in machine.pyx.

A structure can also be asked yes-or-no questions, each with a direction a_q over the tables and a sign z_q that the gold output
gives it. A Phi says what a margin costs, and so there is another loss of an output,

    sum_q phi(z_q <theta, a_q>),    r = sum_q phi'(z_q <theta, a_q>) z_q a_q

The terms, in short; docs/design.md has them with examples:

    x, y         an input (a text, a sentence), and an output for it (a label, a row of tags)
    gold, y_hat  the right output of an example, and the output that the model finds best
    example      an x with its gold output, as places in some blocks
    GEN(x)       the set of outputs that x may have
    block        a part of the model with its own table of weights: tags have one for tokens and one for pairs of tags
    place        a spot of x at which a choice is scored, such as the text or one token: a row of X
    outcome      one of the choices at a place, such as a label or a tag: a column of W
    feature      a property of a place with a value, such as "has the word fine": a column of X and a row of W
    X, W         the features of all places (sparse), and the weights, features x outcomes
    theta        the scores of an example, X W: places x outcomes
    mu(y)        how often an output uses each outcome of each place: 0 or 1 nearly always, a table as theta is
    f(x, y)      the features of a whole output, X^T mu(y), so that w.f(x, y) = <theta, mu(y)>
    marginal     the probability that the output uses an outcome: E[mu(y)] under the model
    cost         how bad it is to say y_hat where y is right, such as the number of wrong tags
    margin       how much the right answer scores more than a wrong one
    loss         what learning makes small, computed from theta and the gold output
    r            d loss / d theta, a table as theta is: below 0 where a score should rise
    step, tau    how far the weights move along X^T r
    question     a yes-or-no question about an output ("is it label k?"), answered by the sign of a sum of scores
    phi          the loss of one question, as a function of its margin
    decision     a part of an output that can be fixed by itself, such as the tag of one token
    machine      the tables of one example at a time, in which it is scored
    scorer       what was learned, able to fill theta: a linear one has W
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from linnet.core.blocks cimport Sparse
from linnet.core.weights cimport BIAS, Rows, few

import numpy as np

cdef extern from "rows.h" nogil:
    void linnet_update_rows(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, float clock)
    void linnet_update_some(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, const int32_t *at, int n_at, float clock)
    int linnet_nonzero(const float *r, int n, int32_t *at, int most)


cdef class Structure:
    """A structure knows GEN(x): which outputs an example may have, and which of them scores best.

    `outcomes` has the number of outcomes per place of each block. An output y is `length` integers. A structure is `single`
    where an output is one integer: the outcome of the only place. `telling` is the number of the block whose outcomes, each used
    or not, determine the whole output.
    """

    def given(self, int g):
        """For generative models: the choices that the outcomes of block g stand for; None where each outcome is used or not
        by itself.

        The answer has two parts: for each outcome the number of the context in which it is chosen; and None, or the block
        that scores the same choices with less context, and which of its outcomes correspond to these.
        """
        return (np.zeros(self.outcomes[g], np.int64), None) if g == 0 else None

    def most_uses(self, int g):
        """The largest number of times that an output can use one outcome of one place of block g."""
        return 1

    @property
    def plain(self):
        """Whether integer i of an output is the outcome of place i of block 0."""
        return True

    @property
    def one_outcome(self):
        """Whether every output uses exactly one outcome at each place of block 0, or is a single integer."""
        return True

    @property
    def no_marginals(self):
        """The reason why the structure has no marginals, where there is one beyond missing code. Messages put it after
        "which the structure does not have"."""
        return ""

    @property
    def separate(self):
        """Whether each outcome of the one place is decided by itself, so that the loss of an output is the sum of the
        losses of its questions."""
        return False

    @property
    def independent(self):
        """Whether each outcome of the one place has a probability of its own, whatever the others are."""
        return self.separate

    @property
    def has_decisions(self):
        """Whether an output is a row of decisions that can be clamped one by one (`force`), or else one single decision."""
        return True

    @property
    def has_forced(self):
        """Whether parts of an output can be demanded or forbidden (`force`): a number for each integer of an output says what."""
        return True

    @property
    def has_scores(self):
        """Whether outputs have scores, and the best output is the one with the highest. Where not, all learning is by
        questions."""
        return True

    @property
    def terms(self):
        """The number of outcomes that a question is about."""
        return 1

    @property
    def has_k_best(self):
        return self.workspace_k(1, 1) >= 0

    def check(self):
        """Raise the error that was kept while a loop ran. Structures of one's own, whose code is Python, can have one, and those
        that need memory while it runs."""

    def forget(self, bint gold=False):
        """Forget outputs that were kept while a loop ran; with `gold` those to learn from, too. Only structures of one's own keep
        any."""

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """The share of decisions that are right, such as labels or tags."""
        return float(np.mean(y == y_hat))

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        """The number of floats that `theta.work` needs for an example with this many places in block 0."""
        return 0

    cdef int64_t room(self, int64_t places) noexcept nogil:
        """The most integers that an output can have, for an example with this many places in block 0."""
        return places

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """The number of integers of the output y. Where all outputs of an example have as many, y is not read and may be
        NULL."""
        return theta.places[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        pass

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        """The number of floats that best_k needs in `theta.work`; -1 where the structure has no best_k."""
        return -1

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        """Write the k best outputs, each `room` integers after the one before it, and their scores, the best first.
        Returns how many there are, k at most."""
        return 0

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """The score of an output, <theta, mu(y)>."""
        return 0

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Write mu = E[mu(y)] under p(y) proportional to exp <theta, mu(y)>, and return log Z."""
        return 0

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        """Add the outcomes that y uses: table += amount mu(y)."""
        pass

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """Add the cost of every output against y, spread over the outcomes: theta += amount cost(y, .)."""
        pass

    cdef void favour_rivals(self, Tables *theta, const int32_t *y, const Tables *mu, float amount) noexcept nogil:
        """Raise the score of every output that is not as right as y against that of y, given mu(y): by `amount` for each
        outcome of the telling block that one of the two uses and the other does not."""
        cdef int64_t k, p
        cdef int g = self.telling
        cdef float *score
        cdef const float *used
        for p in range(theta.places[g]):
            score, used = theta.block[g] + p * theta.stride[g], mu.block[g] + p * mu.stride[g]
            for k in range(theta.outcomes[g]):
                score[k] += amount if used[k] == 0 else -amount

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        """Sum phi over the margins of all questions, and write r, its derivative. Here there is a question for each
        outcome: is it used?

        theta is overwritten. r must be 0 at the start.
        """
        cdef Answers out
        cdef int g, n
        cdef int64_t p
        cdef float *score
        cdef float *mu
        out.value = 0
        out.asked = out.active = 0
        self.add(r, y, 1)       # mu(y), which gives each question its sign, until the derivative is written over it
        for g in range(theta.n_blocks):
            n = theta.outcomes[g]
            for p in range(theta.places[g]):
                score, mu = theta.block[g] + p * theta.stride[g], r.block[g] + p * r.stride[g]
                with_sign(score, mu, n)
                phi.slopes(score, n, &out)
                with_sign(score, mu, n)
                memcpy(mu, score, n * sizeof(float))
        return out

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        """Leave only the outputs whose decision i has this value (`holds`), or only those where it has another. Only the
        first DECIDED tables are changed. Here decision i is the outcome of place i of block 0."""
        cdef int k
        for k in range(theta.outcomes[0]):
            if (k == value) != holds:
                theta.block[0][i * theta.stride[0] + k] = -INFINITY

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Leave only the outputs that agree with y: y[i] >= 0 demands y[i] at i, -1 allows any, and less than -1 forbids -2
        - y[i]."""
        cdef int64_t i
        for i in range(self.length(theta, y)):
            if y[i] != -1:
                self.decide(theta, i, y[i] if y[i] >= 0 else -2 - y[i], y[i] >= 0)

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        cdef int64_t i, n = self.length(theta, y)
        if n != self.length(theta, y_hat):
            return False
        for i in range(n):
            if y[i] != y_hat[i]:
                return False
        return True


cdef class Phi:
    """A phi says what the margin of a yes-or-no question costs: a convex function that falls as the margin grows."""

    def check(self):
        """Raise the error that was kept while a loop ran. Only a phi of one's own, whose code is Python, can have one."""

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        """Add phi of n margins to the sum, and write the slope of phi over each margin."""
        pass

    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil:
        """For losses with a dual: write the best alpha' over each margin. With alpha = |m| as it was before, alpha' is the
        solution of

            min over alpha' of q/2 (alpha' - alpha)^2 + margin (alpha' - alpha) + conjugate(-alpha'),    the conjugate that of C phi.
        """
        pass


cdef class Loss:
    """A loss is a surrogate for the cost, which learning makes small. `evaluate` may overwrite theta."""

    @property
    def pointwise(self):
        """Whether this is a loss of each decision of an output by itself."""
        return False

    def check(self):
        """Raise the error that was kept while a loop ran. Only losses of one's own, whose code is Python, can have one."""
        if self.phi is not None:
            self.phi.check()

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = 0
        out.active = False
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        """For losses that have a dual, over a `single` or a `separate` structure: the step r = m - m' from m to the best m',

            min over m' of q/2 ||m' - m||^2 + theta.(m' - m) + conjugate(-m'),    q = ||x||^2, the conjugate that of C loss,

        and the part of the duality gap that was left at m. r must be 0 at the start.
        """
        cdef Ascent out
        out.value = out.left = 0
        return out


cdef class Step:
    """A step says how far the weights move. The default update moves every coordinate at the same rate."""

    def check(self):
        """Raise the error that was kept while a loop ran. Only steps of one's own, whose code is Python, can have one."""

    cdef double shrink(self, int64_t t) noexcept nogil:
        """The factor that all weights are multiplied by before step t."""
        return 1

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        """How far the weights move. value: the loss of the example; norm2: the squared length of the step's direction, ||X^T r||^2;
        t: the number of this example, the first one being 1; weight: what the example weighs, 1 where none has a weight of its own."""
        return weight

    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil:
        """Update the weights by one place: W -= tau x r^T."""
        cdef int k, n_at
        cdef float scale = <float>(-tau / a)        # w = a v changes by -tau x r^T, so v by -tau / a x r^T
        cdef int64_t start = x.indptr[place], n = x.indptr[place + 1] - start
        cdef float *rows = w.v + w.stride
        cdef float *past = w.U + w.stride if w.U != NULL else NULL
        n_at = linnet_nonzero(r, w.stride, w.at, few(w.stride))
        if n_at == 0:
            return
        if n_at <= few(w.stride) and w.stride > 8:
            for k in range(n_at):
                w.d[w.at[k]] = scale * r[w.at[k]]
            linnet_update_some(w.v, w.U, w.stride, BIAS, &x.one, 1, w.d, w.at, n_at, clock)
            linnet_update_some(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, w.at, n_at, clock)
        else:
            for k in range(w.stride):
                w.d[k] = scale * r[k]
            linnet_update_rows(w.v, w.U, w.stride, BIAS, &x.one, 1, w.d, clock)
            linnet_update_rows(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, clock)

    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil:
        """For a joint step: what g = x r^T in the rows j adds to the weighted norm g^T Sigma g."""
        return 0

    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil:
        """For a joint step: change the rows j by g = x r^T, which is all that X^T r has in these rows."""
        pass
