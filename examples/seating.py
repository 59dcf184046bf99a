"""A game: who sits where at a table, learned from how a host has seated other guests.

    GEN(x) = all orders of n guests; y[s] is the guest on seat s
    block 0:  guests x seats        guest i is on seat s
    block 1:  pairs x 1             guests i and j sit side by side

The host has rules in mind (talkers in the middle, children beside a parent, rivals apart), which no one has written down; w is
what they are worth to him. All orders are listed, so that nothing else has to be said: argmax, k best and probabilities follow.
"""

import itertools

import numpy as np

import linnet
from linnet.structures.checks import check_structure

SEATS = 5
TRAITS = ("talker", "child", "parent", "rival", "smoker")
HOST = {  # what the host does not say
    ("talker", 2): 2.0, ("smoker", 0): 1.5, ("smoker", 4): 1.6, ("child", 0): -1.1, ("child", 4): -1.2,
    ("child", "parent"): 3.1, ("rival", "rival"): -4.2, ("talker", "talker"): -0.7, ("child", "smoker"): -2.3,
}  # fmt: skip


class Seating(linnet.Structure):
    outcomes = (SEATS, 1)
    one_outcome = True

    def features(self, guests):
        """A guest is a set of traits."""
        pairs = [[f"{a}+{b}" for a in one for b in other] for one, other in itertools.permutations(guests, 2)]
        return [[sorted(guest) for guest in guests], pairs]

    def mu(self, y):
        seats = [(0, guest, seat) for seat, guest in enumerate(y)]
        return seats + [(1, self.pair(*both), 0) for i, j in itertools.pairwise(y) for both in ((i, j), (j, i))]

    def pair(self, i, j):
        """The place of (i, j) among all pairs of different guests."""
        return i * (SEATS - 1) + j - (j > i)

    def outputs(self, places):
        return itertools.permutations(range(SEATS))


def wanted(guests, y):
    """What the host thinks of an order."""
    seats = sum(HOST.get((trait, s), 0) for s, i in enumerate(y) for trait in guests[i])
    beside = [(a, b) for i, j in itertools.pairwise(y) for a in guests[i] for b in guests[j]]
    return seats + sum(HOST.get(pair, 0) + (HOST.get(pair[::-1], 0) if pair[0] != pair[1] else 0) for pair in beside)


def data(n, seed=0):
    """Parties, and the order that the host likes best."""
    rng = np.random.default_rng(seed)
    X, Y = [], []
    while len(X) < n:
        guests = [{trait for trait in TRAITS if rng.random() < 0.4} for _ in range(SEATS)]
        ranked = sorted(itertools.permutations(range(SEATS)), key=lambda y: -wanted(guests, y))
        if wanted(guests, ranked[0]) > wanted(guests, ranked[1]):
            X.append(guests)
            Y.append(ranked[0])
    return X, Y


if __name__ == "__main__":
    check_structure(Seating, [data(1)[0][0]])
    X, Y = data(300)
    for learner in ("perceptron", "averaged-mira", "svm", "crf"):
        print(learner, linnet.learn(Seating, X[:200], Y[:200], learner=learner).evaluate(X[200:], Y[200:]))
