"""Every learner of the registry over every structure of the registry, and with every word that an option may be.

A new learner is tested without being told; a new structure needs a line in PROBLEMS: examples that weights can get right.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from linnet.core.form import Block
from linnet.structures.candidates import CandidatePairs, Candidates, gold
from linnet.structures.chain import Chain
from linnet.structures.compression import Compression
from linnet.structures.grandparents import GrandTree
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset
from linnet.structures.ordinal import Ordinal
from linnet.structures.ranking import Ranking
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree

from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.online import accuracy
from linnet.structures import STRUCTURES


@dataclass
class Problem:
    structure: type
    arguments: tuple[Any, ...]
    n_features: tuple[int, ...]
    examples: Examples

    @property
    def gen(self) -> Any:
        return self.structure(*self.arguments)

    def learning(self, name, options, gen=None):
        """A learner at work; where it cannot work with the structure, its sentence says why it is skipped."""
        try:
            return Learning(LEARNERS[name], options, gen or self.gen, self.n_features, self.examples.length2())
        except UsageError as error:
            if f"structure {self.gen.name!r}" not in str(error):
                raise
            pytest.skip(str(error))


def labels(n=60):
    """Three labels with three features each; every example has two of its own, and one that says nothing."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    own = np.array([rng.permutation(3)[:2] for _ in range(n)]) + 3 * y[:, None]
    features = np.hstack([own, 9 + rng.integers(0, 2, (n, 1))]).astype(np.uint32)
    rows = SparseRows(np.arange(0, 3 * n + 1, 3), features.ravel(), np.ones(3 * n, np.float32))
    return Problem(Labels, (3,), (11,), Examples.labelled(rows, y.astype(np.int32)))


def chain(n=60):
    """Four tags in pairs, 0 1 and 2 3. The word of the first of a pair is that of its tag; that of the second is the same
    for both, so that only the transition tells."""
    rng = np.random.default_rng(0)
    pairs = [2 * rng.integers(0, 2, rng.integers(1, 5)) for _ in range(n)]
    tags = [np.stack([first, first + 1], axis=1).ravel() for first in pairs]
    y = np.concatenate(tags).astype(np.int32)
    words = np.where(y % 2 == 0, y, 4).astype(np.uint32)
    at = np.concatenate([[0], np.cumsum([len(sentence) for sentence in tags])])
    emit = Block(np.arange(len(y) + 1), words, np.ones(len(y), np.float32), at)
    trans = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    return Problem(Chain, (4,), (5, 0), Examples((emit, trans), y, at))


def compression(n=60):
    """Two words are kept and two are not; neighbours may be farther apart than the reach."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 7, n)
    at = np.concatenate([[0], np.cumsum(lengths)])
    words = rng.integers(0, 4, at[-1])
    tokens = Block(np.arange(at[-1] + 1), words.astype(np.uint32), np.ones(at[-1], np.float32), at)
    places = np.concatenate([[0], np.cumsum([len(Compression(3).pairs(T)[0]) for T in lengths])])
    pairs = Block(np.zeros(places[-1] + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), places)
    return Problem(Compression, (3,), (4, 0), Examples((tokens, pairs), (words < 2).astype(np.int32), at))


def labelset():
    """A feature for each of three labels, and one that is always there; any subset, the empty one too."""
    sets = [np.flatnonzero(np.arange(8)[i % 8] >> np.arange(3) & 1) for i in range(64)]
    y = np.concatenate([[len(labels), *labels] for labels in sets]).astype(np.int32)
    indices = np.concatenate([[3, *labels] for labels in sets]).astype(np.uint32)
    at = np.concatenate([[0], np.cumsum([1 + len(labels) for labels in sets])])
    rows = SparseRows(at, indices, np.ones(len(indices), np.float32))
    return Problem(Labelset, (3,), (4,), Examples((Block(*rows),), y, at))


def ranking():
    """The same: the labels that are in a set come before those that are not."""
    problem = labelset()
    return Problem(Ranking, (3,), problem.n_features, problem.examples)


def hierarchy():
    """Two of the three labels of the first problem are below one node."""
    problem = labels()
    return Problem(Hierarchy, ([-1, 0, 0, -1],), problem.n_features, problem.examples)


def ordinal():
    """The three labels of the first problem as ratings."""
    problem = labels()
    n = len(problem.examples)
    thresholds = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((*problem.examples.blocks, thresholds), problem.examples.y, problem.examples.y_at)
    return Problem(Ordinal, (3,), (*problem.n_features, 0), examples)


def tree(n=60):
    """Determiners hang from the noun behind them, nouns from the verb: on its left with another relation than on its right. The
    features of an arc are its two tags, its direction and whether it goes to a neighbour."""
    rng = np.random.default_rng(0)
    D, N, V, ROOT = range(4)
    y, indices, at, y_at = [], [], [0], [0]
    for _ in range(n):
        left, right = ([D, N] if rng.integers(2) else [N] for _ in range(2))
        tags = [*left, V, *(right if rng.integers(2) else [])]
        verb = tags.index(V) + 1
        for m, tag in enumerate(tags, 1):
            head = {D: m + 1, N: verb, V: 0}[tag]
            relation = int(tag == N and m > verb)
            y.append(2 * head + relation)
            for h, other in enumerate([ROOT, *tags]):
                where = 2 * (h < m) + (abs(h - m) == 1)
                indices.append((other * 4 + tag) * 4 + where)
        at.append(len(indices))
        y_at.append(len(y))
    rows = (np.arange(len(indices) + 1), np.array(indices, np.uint32), np.ones(len(indices), np.float32), np.array(at))
    examples = Examples((Block(*rows), Block(*rows)), np.array(y, np.int32), np.array(y_at))
    return Problem(Tree, (2,), (64, 64), examples)


def siblings():
    """The same trees, with a feature of each child and the one before it: whether there is one."""
    problem = tree()
    triples = [SiblingTree.triples(n) for n in np.diff(problem.examples.y_at)]
    at = np.concatenate([[0], np.cumsum([found.shape[1] for found in triples])])
    h, s, _ = np.concatenate(triples, axis=1)
    block = Block(np.arange(at[-1] + 1), (h == s).astype(np.uint32), np.ones(at[-1], np.float32), at)
    examples = Examples((*problem.examples.blocks, block), problem.examples.y, problem.examples.y_at)
    return Problem(SiblingTree, (2,), (*problem.n_features, 2), examples)


def grandparents():
    """The same again, with a feature of each child and the head of its head: whether that is the root."""
    problem = siblings()
    sizes = np.diff(problem.examples.y_at)
    at = np.concatenate([[0], np.cumsum(sizes * (sizes + 1) ** 2)])
    g = np.concatenate([np.arange(n * (n + 1) ** 2) % (n + 1) for n in sizes])
    block = Block(np.arange(at[-1] + 1), (g == 0).astype(np.uint32), np.ones(at[-1], np.float32), at)
    examples = Examples((*problem.examples.blocks, block), problem.examples.y, problem.examples.y_at)
    return Problem(GrandTree, (2,), (*problem.n_features, 2), examples)


def candidates(n=60):
    """Lists of two to five. A candidate has a feature of its quality, which none shares, and one that says nothing; its
    cost is what it lacks."""
    rng = np.random.default_rng(0)
    quality = [rng.permutation(5)[: rng.integers(2, 6)] for _ in range(n)]
    at = np.concatenate([[0], np.cumsum([len(one) for one in quality])])
    of_all = np.concatenate(quality)
    indices = np.stack([of_all, 5 + rng.integers(0, 2, at[-1])], axis=1).astype(np.uint32)
    block = Block(np.arange(0, 2 * at[-1] + 1, 2), indices.ravel(), np.ones(2 * at[-1], np.float32), at)
    return Problem(Candidates, (), (7,), Examples((block,), *gold((4 - of_all) / 2, at)))


def candidate_pairs():
    """The same."""
    problem = candidates()
    return Problem(CandidatePairs, (), problem.n_features, problem.examples)


PROBLEMS = {
    "labels": labels,
    "labelset": labelset,
    "ranking": ranking,
    "chain": chain,
    "compression": compression,
    "hierarchy": hierarchy,
    "ordinal": ordinal,
    "tree": tree,
    "siblings": siblings,
    "grandparents": grandparents,
    "candidates": candidates,
    "candidate-pairs": candidate_pairs,
}


OF_COLUMNS = ("categorical", "gaussian")
"""Events of naive Bayes that need columns (tests/sklearn/test_columns.py)."""


def settings():
    """Each learner with its defaults, with each word of each option, and with the k best.

    Subsequences are of other rows, and in test_kernel.py.
    """
    for name, preset in LEARNERS.items():
        yield name, {}
        for key, option in preset.options.items():
            words = [word for word in option.choices if word not in (option.default, "subsequence", *OF_COLUMNS)]
            yield from ((name, {key: word}) for word in words)
        if "k" in preset.options:
            yield name, {"k": 3}


every = pytest.mark.parametrize(
    ("structure", "name", "options"),
    [
        pytest.param(structure, name, options, id=" ".join([structure, name, *map(str, options.values())]))
        for structure in STRUCTURES
        for name, options in settings()
    ],
)


@pytest.fixture(scope="module")
def problems():
    return {structure: make() for structure, make in PROBLEMS.items()}


def test_every_structure_has_a_problem():
    assert set(PROBLEMS) == set(STRUCTURES)


@every
def test_what_can_be_learned_is_learned(problems, structure, name, options):
    problem = problems[structure]
    learning = problem.learning(name, options)
    fit = learning.run(problem.examples, epochs=30, tol=0)
    assert accuracy(problem.gen, learning.scorer(fit.weights), problem.examples) == 1
    assert all(np.isfinite(w).all() for w in fit.weights)
    assert all(np.isfinite(epoch.loss) and epoch.loss >= -1e-6 for epoch in fit.history)


@every
def test_the_same_seed_gives_the_same_bits(problems, structure, name, options):
    problem = problems[structure]
    first, second = (problem.learning(name, options).run(problem.examples, epochs=3, seed=5) for _ in range(2))
    assert [w.tobytes() for w in first.weights] == [w.tobytes() for w in second.weights]


@every
def test_going_on_from_a_state_is_going_on(problems, structure, name, options):
    problem = problems[structure]
    whole = problem.learning(name, options).run(problem.examples, epochs=5, tol=0)
    first = problem.learning(name, options)
    fit = first.run(problem.examples, epochs=2, tol=0)
    second = problem.learning(name, options)
    second.online.restore(*first.online.state())
    fit = second.run(problem.examples, epochs=5, tol=0, fit=fit)
    assert [w.tobytes() for w in fit.weights] == [w.tobytes() for w in whole.weights]
    assert [epoch.loss for epoch in fit.history] == [epoch.loss for epoch in whole.history]


@every
def test_a_pass_in_parts_is_a_pass(problems, structure, name, options):
    problem = problems[structure]
    learning = problem.learning(name, options)
    if learning.preset.needs_all or options.get("by", "online") != "online":
        with pytest.raises(UsageError) as caught:
            learning.partial(problem.examples)
        assert str(caught.value) == f"learner {name!r} needs all examples at once with these options. Use fit."
        return
    whole = problem.learning(name, options).run(problem.examples, epochs=1, shuffle=False)
    learning.partial(problem.examples)
    assert [w.tobytes() for w in learning.weights()] == [w.tobytes() for w in whole.weights]


def exchanged(data, begin):
    """The outputs, those from one on exchanged between examples whose outputs are of the same length and size."""
    y, groups = data.y.copy(), {}
    for i in range(begin, len(data)):
        places = tuple(np.diff(block.arrays()[3])[i] if block.arrays()[3] is not None else 1 for block in data.blocks)
        groups.setdefault((data.y_at[i + 1] - data.y_at[i], places), []).append(i)
    for group in groups.values():
        for i, j in zip(group, np.roll(group, 1), strict=True):
            y[data.y_at[i] : data.y_at[i + 1]] = data.y[data.y_at[j] : data.y_at[j + 1]]
    assert not np.array_equal(y, data.y)
    return y


@every
def test_examples_of_weight_0_teach_nothing(problems, structure, name, options):
    problem = problems[structure]
    data, n = problem.examples, len(problem.examples)
    weight = (np.arange(n) < n // 2).astype(np.float32)
    half = Examples(data.blocks, data.y, data.y_at, weight)
    wrong = Examples(data.blocks, exchanged(data, n // 2), data.y_at, weight)
    first, second = (problem.learning(name, options).run(examples, epochs=2, tol=0) for examples in (half, wrong))
    assert [w.tobytes() for w in first.weights] == [w.tobytes() for w in second.weights]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", [name for name in LEARNERS if "dropout" in LEARNERS[name].options])
def test_with_dropout_and_in_several_runs(problems, structure, name):
    problem = problems[structure]
    options = {"dropout": 0.1, "runs": 2}
    fit = problem.learning(name, options).run(problem.examples, epochs=30, tol=0)
    assert accuracy(problem.gen, fit.weights, problem.examples) > 0.95
    one = problem.learning(name, {"dropout": 0.1}).run(problem.examples, epochs=30, tol=0)
    assert not np.array_equal(fit.weights[0], one.weights[0])


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", LEARNERS)
def test_what_cannot_be_says_so(problems, structure, name):
    """A structure that offers only argmax: what needs more refuses it in a sentence, and all else learns."""
    problem = problems[structure]

    class OnlyArgmax(problem.structure):
        has_marginals = False

        def given(self, g):
            return None

    gen = OnlyArgmax(*problem.arguments)
    preset = LEARNERS[name]
    loss = preset.loss_over(gen, preset.checked({}))
    needs = "marginals" if loss.needs_marginals else "chosen" if preset.generative else ""
    if not needs:
        learning = problem.learning(name, {}, gen)
        fit = learning.run(problem.examples, epochs=30, tol=0)
        assert accuracy(problem.gen, learning.scorer(fit.weights), problem.examples) == 1
        return
    with pytest.raises(UsageError, match=rf"needs .*{needs}.* which structure '{structure}' does not .*\. Use .*\.$"):
        Learning(preset, {}, gen, problem.n_features)
