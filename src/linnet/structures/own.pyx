# cython: language_level=3
"""A structure written in Python (structures/interface.py) as one of the form: asked with the GIL, from loops that run without.

To the loops, an output is its number, repeated as often as block 0 has places. Outputs with the same parts have the
same number. Gold outputs keep their numbers; others are forgotten when there is no more use for them.

An error of the Python code is kept, the loop goes on without asking again, and `check` raises the error. After Ctrl-C
the code is asked once more, so that what is learned until then is right.

A cost that is not a sum over parts cannot be added to theta. It has a block of its own, with one place, whose weights
are always 0. add_cost writes 1 + the number of y, and the amount, in the place of the two scores there, and whatever
searches or scores outputs adds the cost where it finds them (`costing`).
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

import numpy as np

from linnet.errors import UsageError


cdef class Own(Structure):
    cdef readonly object of
    cdef readonly bint hides            # whether there is a block for the cost, after those of the structure
    cdef readonly tuple own_outcomes
    cdef object error
    cdef object interrupt
    cdef dict numbers
    cdef list parts
    cdef readonly list outputs          # each output by its number
    cdef int64_t n_gold

    def __init__(self, of, gold=()):
        if of.missing:
            raise UsageError(of.missing)
        self.of = of
        self.name = type(of).__name__
        self.hides = of.own_cost
        self.own_outcomes = tuple(of.outcomes)
        self.outcomes = (*self.own_outcomes, 2) if self.hides else self.own_outcomes
        self.has_marginals = of.has_marginals
        self.numbers, self.parts, self.outputs = {}, [], []
        for y in gold:
            self.number(y)
        self.n_gold = len(self.outputs)

    def given(self, int g):
        if g == len(self.own_outcomes):
            return np.zeros(2, np.int64), None
        context = self.of.given(g)
        return None if context is None else (np.asarray(context, np.int64), None)

    @property
    def plain(self):
        """Whether each place of block 0 has one outcome: votes go to these outcomes, whatever the integers of an output
        are."""
        return self.of.one_outcome

    @property
    def one_outcome(self):
        return self.of.one_outcome

    @property
    def has_decisions(self):
        """Whether each place of block 0 has one outcome, which can be clamped; without that there is nothing to clamp."""
        return self.of.one_outcome

    def number(self, y):
        """The number of an output; one whose parts are new gets a new number."""
        parts = np.array(sorted(map(tuple, self.of.mu(y))), np.int32)
        parts = parts.reshape(-1, 3) if parts.size == 0 else parts
        if parts.ndim != 2 or parts.shape[1] != 3:
            raise UsageError(f"expected parts (block, place, outcome) from mu of {self.name}, found {list(self.of.mu(y))!r:.60}.")
        for g, place, outcome in parts.tolist():
            if not (0 <= g < len(self.own_outcomes) and place >= 0 and 0 <= outcome < self.own_outcomes[g]):
                raise UsageError(
                    f"mu of {self.name} has the part {(g, place, outcome)}, but outcomes are {self.own_outcomes}: expected "
                    "(block, place, outcome), all from 0.")
        key = parts.tobytes()
        if key not in self.numbers:
            self.numbers[key] = len(self.outputs)
            self.parts.append(parts)
            self.outputs.append(y)
        return self.numbers[key]

    def fits(self, int number, places):
        """Raise UsageError where an output has a part at a place that x does not have."""
        for g, place, _ in self.parts[number].tolist():
            if place >= places[g]:
                raise UsageError(
                    f"mu of {self.name} has a part at place {place} of block {g}, which has {places[g]} places, from 0.")

    def encoded(self, gold, n_places):
        """The gold outputs as y and y_at, given the number of places of block 0 of each example."""
        y_at = np.concatenate([[0], np.cumsum(np.maximum(n_places, 1))]).astype(np.int64)
        y = np.repeat(np.array([self.number(output) for output in gold], np.int32), np.diff(y_at))
        self.n_gold = len(self.outputs)
        return y, y_at

    def check(self):
        """Raise what went wrong in the Python code, if something did."""
        error, self.error = self.error or self.interrupt, None
        self.interrupt = None
        if error is not None:
            raise error

    def forget(self, bint gold=False):
        """Forget all outputs that are not gold; with `gold`, those too."""
        if gold:
            self.n_gold = 0
        for parts in self.parts[self.n_gold:]:
            del self.numbers[parts.tobytes()]
        del self.parts[self.n_gold:], self.outputs[self.n_gold:]

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """F1 of the parts of block 0. Where each place has one part, that is the share of places that are right."""
        both = total = 0
        self.check()
        for gold, found in zip(np.asarray(y)[y_at[:-1]].tolist(), np.asarray(y_hat)[y_hat_at[:-1]].tolist(), strict=True):
            a, b = ({part for part in map(tuple, self.parts[k].tolist()) if part[0] == 0} for k in (gold, found))
            both += len(a & b)
            total += len(a) + len(b)
        return 2 * both / total if total else 1.0

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 1

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return max(places, 1)

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return max(theta.places[0], 1)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        with gil:
            if self.find(theta, 1, y_hat) == 0:
                y_hat[0] = -1

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        with gil:
            return 1 if self.of.has_k_best else -1

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        cdef int a, found
        cdef int64_t n = self.length(theta, y)
        with gil:
            found = self.find(theta, k, y)
            for a in range(found):
                scores[a] = self.score_of(theta, y[a * n])
        return found

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        with gil:
            return self.score_of(theta, y[0])

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        with gil:
            return self.sums(theta, mu)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        with gil:
            self.add_to(table, y[0], amount)

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """Add the cost of parts: plus half of the amount for each part that y does not have, minus half for each that it
        has."""
        cdef int64_t p
        cdef int k
        if self.hides:
            theta.block[theta.n_blocks - 1][0] = y[0] + 1
            theta.block[theta.n_blocks - 1][1] = amount
            return
        for p in range(theta.places[0]):
            for k in range(theta.outcomes[0]):
                theta.block[0][p * theta.stride[0] + k] += amount / 2
        with gil:
            self.take_off(theta, y[0], amount)

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        """Fix place i of block 0 to the outcome that output `value` has there, or forbid that outcome."""
        cdef int k
        with gil:
            k = self.outcome_of(theta, value, i)
        Structure.decide(self, theta, i, k, holds)

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        return y[0] == y_hat[0]

    cdef int find(self, const Tables *theta, int k, int32_t *y):
        """Write the k best outputs into y, and return how many there are."""
        cdef int64_t i, n = self.length(theta, y)
        cdef int a = 0
        for number in self.tried(self.best, self.tables(theta), k, *self.costing(theta)) or ():
            for i in range(n):
                y[a * n + i] = number
            a += 1
        return a

    cdef double sums(self, const Tables *theta, Tables *mu):
        """Write the marginals into mu, and return log Z."""
        cdef int g
        found = self.tried(self.expected, self.tables(theta), *self.costing(theta))
        if found is None:
            return 0
        for g in range(len(self.own_outcomes)):
            if mu.places[g]:
                np.asarray(<float[:mu.places[g], :mu.stride[g]]>mu.block[g])[:, :mu.outcomes[g]] = found[1][g]
        return found[0]

    cdef int take_off(self, Tables *theta, int32_t number, float amount) except -1:
        for g, place, outcome in {tuple(part) for part in self.parts_of(theta, number).tolist()}:
            if g == 0:
                theta.block[0][<int64_t>place * theta.stride[0] + <int>outcome] -= amount
        return 0

    cdef object costing(self, const Tables *theta):
        """The gold output and the amount, where theta carries a cost that is not in its tables; else None and 0."""
        cdef const float *cost = theta.block[theta.n_blocks - 1]
        return (self.outputs[<int>cost[0] - 1], cost[1]) if self.hides and cost[0] > 0 else (None, 0.0)

    cdef list tables(self, const Tables *theta):
        cdef int g
        cdef list out = []
        for g in range(len(self.own_outcomes)):
            if theta.places[g] == 0:
                out.append(np.zeros((0, theta.outcomes[g])))
            else:
                rows = np.asarray(<float[:theta.places[g], :theta.stride[g]]>theta.block[g])
                out.append(rows[:, :theta.outcomes[g]].astype(np.float64))
        return out

    def tried(self, question, *about):
        """Ask the Python code, and return its answer; None when something has gone wrong."""
        for again in range(2):
            if self.error is not None:
                return None
            try:
                return question(*about)
            except KeyboardInterrupt as error:
                self.interrupt = error
            except BaseException as error:
                self.error = error
        self.error = self.error or self.interrupt
        return None

    def best(self, list theta, int k, y, amount):
        """The numbers of the k best outputs."""
        if k == 1:
            found = [self.of.augmented(copied(theta), y, amount) if amount else self.of.argmax(copied(theta))]
        elif not amount:
            found = self.of.best_k(copied(theta), k)
        elif self.of.listed:
            found = self.of._best(theta, k, y, amount)
        else:
            raise UsageError(f"the {k} best outputs with the cost of {self.name} need outputs(places). Use k=1.")
        numbers = [self.number(y_hat) for y_hat in found[:k]]
        for number in numbers:
            self.fits(number, [len(table) for table in theta])
        return numbers

    def expected(self, list theta, y, amount):
        """log Z and the marginals, as the Python code gives them."""
        if not amount:
            logz, mu = self.of.marginals(copied(theta))
        elif self.of.listed:
            logz, mu = self.of._expected(theta, y, amount)
        else:
            raise UsageError(f"probabilities with the cost of {self.name} need outputs(places). Learn without a margin.")
        shapes, found = [table.shape for table in theta], [np.shape(table) for table in mu]
        if shapes != found:
            raise UsageError(f"expected marginals of {self.name} like theta, {shapes}, found {found}.")
        return float(logz), mu

    cdef object parts_of(self, const Tables *theta, int32_t number):
        """The parts of an output; none where something has gone wrong, so that nothing is learned from there on."""
        cdef int64_t i
        if self.error is not None or number < 0:
            return np.zeros((0, 3), np.int32)
        found = self.parts[number]
        cdef const int32_t[:, ::1] part = found
        for i in range(part.shape[0]):
            if part[i, 1] >= theta.places[part[i, 0]]:
                self.error = self.error or UsageError(
                    f"{self.name} has a gold output with a part at place {part[i, 1]} of block {part[i, 0]}, which has "
                    f"{theta.places[part[i, 0]]} places, from 0.")
                return np.zeros((0, 3), np.int32)
        return found

    cdef double score_of(self, const Tables *theta, int32_t number):
        cdef const int32_t[:, ::1] part = self.parts_of(theta, number)
        cdef int64_t i
        cdef double total = 0
        for i in range(part.shape[0]):
            total += theta.block[part[i, 0]][part[i, 1] * theta.stride[part[i, 0]] + part[i, 2]]
        if self.hides and number >= 0:
            y, amount = self.costing(theta)
            if amount:
                total += amount * (self.tried(self.of.cost, y, self.outputs[number]) or 0)
        return total

    cdef int outcome_of(self, const Tables *theta, int32_t number, int64_t t) except -2:
        cdef const int32_t[:, ::1] part = self.parts_of(theta, number)
        cdef int64_t i
        for i in range(part.shape[0]):
            if part[i, 0] == 0 and part[i, 1] == t:
                return part[i, 2]
        return -1

    cdef int add_to(self, Tables *table, int32_t number, float amount) except -1:
        cdef const int32_t[:, ::1] part = self.parts_of(table, number)
        cdef int64_t i
        for i in range(part.shape[0]):
            table.block[part[i, 0]][part[i, 1] * table.stride[part[i, 0]] + part[i, 2]] += amount
        return 0


def copied(theta):
    """Copies of the tables, which the Python code may change."""
    return [table.copy() for table in theta]
