# cython: language_level=3
"""A loss written in Python (losses/interface.py) as one of the form: asked with the GIL, from loops that run without.

Its code sees the scores of one example as `Scores`, in which all blocks are one vector: theta, mu(y) and r have a number for each
outcome of each place. An error of that code is kept, the loop goes on without learning, and `check` raises it. After Ctrl-C
the code is asked once more, so that what is learned until then is right.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from linnet.core.form cimport Answers, Loss, Outcome, Phi, Structure, Tables
from linnet.core.scratch cimport Scratch

import numpy as np

from linnet.errors import UsageError


# How much more an output that is not right scores for each outcome in which it differs from y, so that it wins a tie.
cdef float GRAIN = 2.0**-16


cdef class Output:
    """An output of one example. Only `Scores` makes outputs, so that structures are never asked about one that is none."""
    cdef readonly tuple numbers

    def __eq__(self, other):
        return isinstance(other, Output) and self.numbers == (<Output>other).numbers

    def __hash__(self):
        return hash(self.numbers)

    def __repr__(self):
        return f"Output{self.numbers}"


cdef Output output_of(const int32_t *y, int64_t n):
    cdef Output found = Output.__new__(Output)
    found.numbers = tuple([y[i] for i in range(n)])
    return found


cdef class Scores:
    """The scores of one example and its gold output y, to be asked about the outputs that the example may have."""
    cdef Structure gen
    cdef Tables *at                 # theta; NULL after the loss has been computed
    cdef Scratch own                # the tables, where they are a copy
    cdef const int32_t *gold        # the integers of y, and after them what else the structure keeps there, such as costs
    cdef Scores before              # the scores without a cost, where these have one
    cdef readonly Output y

    cdef Tables *tables(self) except NULL:
        if self.at == NULL or (self.before is not None and self.before.at == NULL):
            raise ValueError("these scores are gone: they can be asked only while the loss of their example is computed")
        return self.at

    @property
    def theta(self):
        """The scores of all outcomes, as one vector."""
        return vector_of(self.tables())

    def with_cost(self, float cost=1):
        """A copy of these scores, with so many times the cost of each output added to what it scores."""
        cdef Scores more = Scores.__new__(Scores)
        more.own = Scratch()
        if not more.own.copy(self.tables()):
            raise MemoryError("no memory for the scores of an example")
        more.gen, more.at, more.gold, more.y = self.gen, &more.own.at, self.gold, self.y
        more.before = self if self.before is None else self.before
        self.gen.add_cost(more.at, self.gold, cost)
        return more

    def argmax(self, *, bint ties=False):
        """The output with the highest score; y itself where the structure counts that output as right. With `ties`, of equals
        one that is not right."""
        cdef Tables *theta = self.tables()
        cdef Scratch raised = Scratch(), mu
        if ties:
            mu = self.zeros()
            self.gen.add(&mu.at, self.gold, 1)
            if not raised.copy(theta):
                raise MemoryError("no memory for the scores of an example")
            self.gen.favour_rivals(&raised.at, self.gold, &mu.at, GRAIN)
            theta = &raised.at
        cdef Outputs best = Outputs(room=self.gen.room(theta.places[0]))
        self.gen.argmax(theta, best.y)
        self.gen.check()
        if self.gen.same(theta, self.gold, best.y):
            return self.y
        return output_of(best.y, self.gen.length(theta, best.y))

    def score(self, Output y not None):
        """The score of an output, theta.mu(y)."""
        cdef Outputs integers = Outputs(y)
        return self.gen.score(self.tables(), self.gold if y is self.y else integers.y)

    def mu(self, Output y not None):
        """How often an output uses each outcome of each place, as one vector."""
        cdef Scratch found = self.zeros()
        cdef Outputs integers = Outputs(y)
        self.gen.add(&found.at, self.gold if y is self.y else integers.y, 1)
        return vector_of(&found.at)

    def marginals(self):
        """log Z, and the expected mu(y) under p(y) = exp(theta.mu(y)) / Z, as one vector."""
        cdef Scratch found = self.zeros()
        if not self.gen.has_marginals:
            raise UsageError(f"structure {self.gen.name!r} has no marginals. Say needs_marginals = True in the loss.")
        logz = self.gen.marginals(self.tables(), &found.at)
        self.gen.check()
        return logz, vector_of(&found.at)

    cdef Scratch zeros(self):
        cdef Scratch found = Scratch()
        if not found.shape(self.tables()):
            raise MemoryError("no memory for the scores of an example")
        found.clear()
        return found


cdef class Outputs:
    """Memory for the integers of one output."""
    cdef int32_t *y

    def __cinit__(self, Output y=None, int64_t room=0):
        cdef int64_t i
        room = max(room, len(y.numbers) if y is not None else 0)
        self.y = <int32_t *>malloc((2 * room + 8) * sizeof(int32_t))
        if self.y == NULL:
            raise MemoryError("no memory for an output")
        if y is not None:
            for i in range(len(y.numbers)):
                self.y[i] = y.numbers[i]

    def __dealloc__(self):
        free(self.y)


cdef class Own(Loss):
    """A loss whose `evaluate` is Python: it takes Scores, and returns the value of the loss and r as one vector. Where a
    subclass has `of_margin`, yes-or-no questions are learned with that."""
    is_asked = True                 # whether loops ask the Python code
    cdef object error
    cdef object interrupt

    def __cinit__(self, *args, **how):
        kind = type(self)
        self.name = str(getattr(kind, "called", "") or kind.__name__)
        self.needs_marginals = getattr(kind, "needs_marginals", None) is True
        self.is_mistake = getattr(kind, "is_mistake", None) is True
        if getattr(kind, "of_margin", None) is not None:
            self.phi = OwnPhi(self)

    def check(self):
        """Raise what went wrong in the Python code, if something did."""
        error, self.error = self.error or self.interrupt, None
        self.interrupt = None
        if error is not None:
            raise error

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = 0
        out.active = False
        with gil:
            scores = scores_of(gen, theta, y)
            found = self.tried(self.asked, scores)
            (<Scores>scores).at = NULL
            if found is not None:
                out.value = found[0]
                out.active = write(found[1], r)
        return out

    def asked(self, Scores scores):
        """The value and r that the Python code gives, checked."""
        value, r = (<object>self).evaluate(scores)
        r, n = np.asarray(r, np.float32), len(scores.theta)
        if r.shape != (n,):
            raise UsageError(f"expected r of loss {self.name!r} like theta, {n} numbers, found {r.shape}.")
        return float(value), np.ascontiguousarray(r)

    cdef int margins(self, float *margin, int64_t n, Answers *out) except -1:
        """Sum the losses of n margins, and write the slope of each over it."""
        cdef int64_t k
        if n == 0:
            return 0
        found = self.tried(self.asked_of, np.asarray(<float[:n]>margin).astype(np.float64))
        out.asked += n
        for k in range(n):
            margin[k] = found[1][k] if found is not None else 0
            out.active += margin[k] != 0
        if found is not None:
            out.value += found[0]
        return 0

    def asked_of(self, margin):
        """The sum of the losses of margins, and the slope of each."""
        values, slopes = self.of_margin(margin)
        slopes = np.asarray(slopes, np.float64)
        if slopes.shape != margin.shape or np.shape(values) != margin.shape:
            raise UsageError(f"expected as many losses and slopes from of_margin of loss {self.name!r} as margins.")
        return float(np.sum(values)), slopes

    def tried(self, question, about):
        """Ask the Python code, and return its answer; None when something has gone wrong."""
        for again in range(2):
            if self.error is not None:
                return None
            try:
                return question(about)
            except KeyboardInterrupt as error:
                self.interrupt = error
            except BaseException as error:
                self.error = error
        self.error = self.error or self.interrupt
        return None


cdef class OwnPhi(Phi):
    """The loss of one yes-or-no question that a loss in Python has."""
    cdef Own of

    def __init__(self, Own of):
        kind = type(of)
        self.of = of
        self.name = of.name
        self.is_mistake = of.is_mistake
        self.mean = getattr(kind, "mean_of_questions", None) is True

    def check(self):
        self.of.check()

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        with gil:
            self.of.margins(margin, n, out)


cdef Scores scores_of(Structure gen, Tables *theta, const int32_t *y):
    cdef Scores scores = Scores.__new__(Scores)
    scores.gen, scores.at, scores.gold = gen, theta, y
    scores.y = output_of(y, gen.length(theta, y))
    return scores


cdef object vector_of(const Tables *of):
    """All tables as one vector: block after block, place after place."""
    cdef int g, k
    cdef int64_t p, n = 0, at = 0
    for g in range(of.n_blocks):
        n += of.places[g] * of.outcomes[g]
    vector = np.empty(n, np.float32)
    cdef float[::1] out = vector
    for g in range(of.n_blocks):
        for p in range(of.places[g]):
            for k in range(of.outcomes[g]):
                out[at] = of.block[g][p * of.stride[g] + k]
                at += 1
    return vector


cdef bint write(const float[::1] vector, Tables *to):
    """Write a vector into tables; returns whether any number of it is not 0."""
    cdef int g, k
    cdef int64_t p, at = 0
    cdef bint found = False
    for g in range(to.n_blocks):
        for p in range(to.places[g]):
            for k in range(to.outcomes[g]):
                to.block[g][p * to.stride[g] + k] = vector[at]
                found = found or vector[at] != 0
                at += 1
    return found
