"""Every learner of the registry over every structure of the registry, and with every word that an option may be.

A new learner is tested without being told; a new structure needs a line in PROBLEMS: examples that weights can get right.
The table in docs/matrix.md is what is found here; this writes it anew:
LINNET_WRITE=1 python -m pytest tests/learners/test_every_structure.py -k matrix
"""

import itertools
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np
import pytest

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.learners import LEARNERS, Examples, Learning
from linnet.learners.dual import by_outcome
from linnet.learners.examples import accuracy
from linnet.losses.each import Each
from linnet.structures import STRUCTURES
from linnet.structures.alignment import OneToMany
from linnet.structures.brackets import Brackets
from linnet.structures.candidates import CandidatePairs, Candidates, gold
from linnet.structures.chain import Chain
from linnet.structures.compression import Compression
from linnet.structures.grandparents import GrandTree
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.interface import Structure
from linnet.structures.itg import Itg
from linnet.structures.labels import Labels
from linnet.structures.labelset import Labelset, WholeSet
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone
from linnet.structures.ordinal import Ordinal
from linnet.structures.own import Own
from linnet.structures.ranking import Ranking
from linnet.structures.siblings import SiblingTree
from linnet.structures.tree import Tree


@dataclass
class Problem:
    structure: type
    arguments: tuple[Any, ...]
    n_features: tuple[int, ...]
    examples: Examples

    @property
    def gen(self) -> Any:
        return self.structure(*self.arguments)

    def tried(self, name, options, gen=None):
        """A learner at work, or the sentence that says why it cannot work with the structure."""
        try:
            return Learning(LEARNERS[name], options, gen or self.gen, self.n_features, self.examples.length2())
        except UsageError as error:
            if f"structure {self.gen.name!r}" not in str(error):
                raise
            return str(error)

    def learning(self, name, options, gen=None):
        found = self.tried(name, options, gen)
        return pytest.skip(found) if isinstance(found, str) else found

    def reason(self, name, options):
        """Why a learner cannot work with the structure, whatever they are called and without advice; "" where it can."""
        found = self.tried(name, options)
        if not isinstance(found, str):
            return ""
        said = found.replace(f"structure {self.gen.name!r}", "the structure").rpartition(". Use ")[0]
        return re.sub(r"^(learner '\S+'|loss '\S+'|boosting by=\S+|\w+=\S+) ", "", said)


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


def whole_set():
    """The same sets, with a feature for each label and one for its absence: without a margin, a score of 0 is right where a
    label is not in the set."""
    problem = labelset()
    has = np.arange(64)[:, None] % 8 >> np.arange(3) & 1
    rows = SparseRows(
        np.arange(0, 193, 3), (np.arange(3) + 3 * has).ravel().astype(np.uint32), np.ones(192, np.float32)
    )
    return Problem(WholeSet, (3,), (6,), Examples((Block(*rows),), problem.examples.y, problem.examples.y_at))


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


def brackets(n=60):
    """D N V, N V, N V N and V N: D N is a noun phrase, and V N like all of it a clause. The feature of a span is its first and
    last tag with its length, that of a split the tags around it."""
    rng = np.random.default_rng(0)
    D, N, V = range(3)
    NOTHING, NP, S = range(3)
    y, spans, splits, at, splits_at = [], [], [], [0], [0]
    for _ in range(n):
        tags = [[D, N, V], [N, V], [N, V, N], [V, N]][rng.integers(4)]
        tree = {(0, 1): NP} if tags[0] == D else {(1, 2): S}
        tree |= {(t, t): NOTHING for t in range(len(tags))} | {(0, len(tags) - 1): S}
        for i, j in Brackets.spans(len(tags)).T.tolist():
            y.append(tree.get((i, j), -1) + 1)
            spans.append((tags[i] * 3 + tags[j]) * 3 + min(j - i, 2))
        splits += [tags[k] * 3 + tags[k + 1] for _, k, _ in Brackets.splits(len(tags)).T.tolist()]
        at.append(len(spans))
        splits_at.append(len(splits))
    blocks = tuple(
        Block(np.arange(len(one) + 1), np.array(one, np.uint32), np.ones(len(one), np.float32), np.array(cut))
        for one, cut in ((spans, at), (splits, splits_at))
    )
    return Problem(Brackets, (3,), (27, 9), Examples(blocks, np.array(y, np.int32), np.array(at)))


class Breaks(Structure):
    """Where a line may be broken: never twice side by side; block 1 says whether it is at all."""

    outcomes = (2, 2)
    one_outcome = True

    def features(self, x):
        return [[{"letter": str(letter)} for letter in x], [{}]]

    def mu(self, y):
        return [*((0, t, k) for t, k in enumerate(y)), (1, 0, int(any(y)))]

    def outputs(self, places):
        all_of_them = itertools.product((1, 0), repeat=places[0])
        return [y for y in all_of_them if not any(a and b for a, b in itertools.pairwise(y))]

    def given(self, g):
        return [0, 0]


def own(n=60, structure=Breaks):
    """Letters 0 and 1 break, 2 and 3 do not."""
    rng = np.random.default_rng(0)
    gold, indices, at = [], [], [0]
    for _ in range(n):
        word = 2 * rng.integers(0, 2, rng.integers(1, 5)) + rng.integers(0, 2)
        for t in range(1, len(word)):
            word[t] = word[t] if word[t - 1] > 1 else 2 + word[t] % 2
        gold.append(tuple((word < 2).astype(int).tolist()))
        indices.extend(word)
        at.append(len(indices))
    sizes = np.diff(at)
    gen = Own(structure(), gold)
    y, y_at = gen.encoded(gold, sizes)
    letters = Block(np.arange(at[-1] + 1), np.array(indices, np.uint32), np.ones(at[-1], np.float32), np.array(at))
    nothing = Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    blocks = (letters, *[nothing] * (len(gen.outcomes) - 1))
    return Problem(Own, (structure(), gold), (4, *[0] * (len(gen.outcomes) - 1)), Examples(blocks, y, y_at))


def alignment(structure, n=60):
    """Words 0 to 3 are translated by themselves, 4 and 5 by nothing; in the target they come in the same order."""
    rng = np.random.default_rng(0)
    y, pairs, words, at, t_at = [], [], [], [0], [0]
    for _ in range(n):
        known = np.sort(rng.permutation(4)[: rng.integers(1, 4)])
        source, target = (np.insert(known, rng.integers(len(known) + 1), rng.integers(4, 6)) for _ in range(2))
        y += ((source[:, None] == target) & (target < 4)).ravel().tolist()
        pairs += (6 * source[:, None] + target).ravel().tolist()
        words += target.tolist()
        at.append(len(pairs))
        t_at.append(len(words))
    blocks = (
        Block(np.arange(len(some) + 1), np.array(some, np.uint32), np.ones(len(some), np.float32), np.array(cut))
        for some, cut in ((pairs, at), (words, t_at))
    )
    return Problem(structure, (), (36, 6), Examples(tuple(blocks), np.array(y, np.int32), np.array(at)))


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
    "whole-set": whole_set,
    "ranking": ranking,
    "chain": chain,
    "compression": compression,
    "hierarchy": hierarchy,
    "ordinal": ordinal,
    "matching": lambda: alignment(Matching),
    "one-to-many": lambda: alignment(OneToMany),
    "monotone": lambda: alignment(Monotone),
    "itg": lambda: alignment(Itg),
    "tree": tree,
    "siblings": siblings,
    "grandparents": grandparents,
    "brackets": brackets,
    "own": own,
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


PAGE = Path(__file__).parents[2] / "docs" / "matrix.md"


def matrix(problems):
    """The table: for each learner, and where they differ for the words of its options, what it does with each structure."""
    rows, letters = [], {}
    for name, group in itertools.groupby(settings(), key=lambda setting: setting[0]):
        found = {}
        for _, options in group:
            reasons = tuple(problems[structure].reason(name, options) for structure in STRUCTURES)
            found.setdefault(reasons, []).extend(f"{key}={word}" for key, word in options.items())
        for n, (reasons, words) in enumerate(found.items()):
            cells = [letters.setdefault(why, ascii_lowercase[len(letters)]) if why else "yes" for why in reasons]
            rows.append([f"{name} `{' '.join(words)}`" if n else name, *cells])
    table = [["learner", *STRUCTURES], ["---"] * (1 + len(STRUCTURES)), *rows]
    lines = [f"| {' | '.join(row)} |" for row in table]
    return "\n".join([*lines, "", *(f"- {letter}: {why}" for why, letter in letters.items()), ""])


def test_the_matrix_in_the_docs(problems):
    head, bar, table = PAGE.read_text(encoding="utf-8").partition("| learner |")
    found = matrix(problems)
    if os.environ.get("LINNET_WRITE"):
        PAGE.write_text(head + found, encoding="utf-8")
    else:
        assert bar + table == found, "docs/matrix.md is out of date; the head of this file says how to write it"


def learned_apart(learning):
    """Whether each question is learned by itself, and what they say together is the output: that may be wrong where weights
    could get it right."""
    gen = learning.gen
    loss = learning.preset.loss_over(gen, learning.options)
    return isinstance(loss, Each) and gen.has_scores and not by_outcome(gen)


@every
def test_what_can_be_learned_is_learned(problems, structure, name, options):
    problem = problems[structure]
    learning = problem.learning(name, options)
    rounds = 300 if options.get("by") == "stumps" else 30  # one question about one feature in each
    fit = learning.run(problem.examples, epochs=rounds, tol=0)
    right = accuracy(problem.gen, learning.scorer(fit.weights), problem.examples)
    stops_at_a_tie = name == "averaged-perceptron" and options.get("bias") == "no"  # which the average may lose again
    assert right > 0.75 if learned_apart(learning) or stops_at_a_tie else right == 1
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

    gen = OnlyArgmax(*problem.arguments)
    preset = LEARNERS[name]
    loss = preset.loss_over(gen, preset.checked({}))
    if not loss.needs_marginals:
        learning = problem.learning(name, {}, gen)
        fit = learning.run(problem.examples, epochs=30, tol=0)
        assert accuracy(problem.gen, learning.scorer(fit.weights), problem.examples) == 1
        return
    with pytest.raises(UsageError, match=rf"needs marginals, which structure '{gen.name}' does not .*\. Use .*\.$"):
        Learning(preset, {}, gen, problem.n_features)


def as_predicted_from_nothing(problem, learning):
    """The examples of a problem with the outputs for gold that weights of 0 predict: each ties with all others."""
    gen, examples = learning.gen, problem.examples
    if isinstance(gen, Candidates):  # a gold output is the number of the best candidate, and the costs of all
        at = np.array([0, 2])
        two = Block(np.zeros(3, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), at)
        return Examples((two,), *gold([0, 1], at))
    y, y_at = Predictor(gen, [np.zeros_like(w) for w in learning.online.last()]).argmax(examples.blocks)
    if isinstance(gen, Ranking):  # a gold output is a set: that of the first label
        y, y_at = np.tile(np.array([1, 0], np.int32), len(examples)), np.arange(0, 2 * len(examples) + 1, 2)
    return replace(examples, y=np.ascontiguousarray(y), y_at=y_at)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_tie_is_a_mistake(problems, structure):
    learning = problems[structure].learning("perceptron", {})
    examples = as_predicted_from_nothing(problems[structure], learning)
    learning.online.begin()
    learning.online.run(examples.blocks, examples.y, examples.y_at, np.arange(1))
    assert (learning.online.mistakes, learning.online.updates) == (1, 1)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_perceptron_that_makes_no_mistake_has_separated_the_examples(problems, structure):
    problem = problems[structure]
    learning = problem.learning("perceptron", {})
    fit = learning.run(problem.examples, epochs=500, measure=True)
    assert fit.stopped == "the last epoch made no mistake"
    if learning.gen.has_k_best:
        assert fit.theory.margin > 0


@pytest.mark.parametrize("scale", [1, 1000])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_an_output_is_a_mistake_exactly_where_it_is_not_ahead_of_all_others(problems, structure, scale):
    """With whole weights, so that there are many ties, and none for rounding alone."""
    learning = problems[structure].learning("perceptron", {})
    if not learning.gen.has_k_best or isinstance(learning.gen, Candidates):
        pytest.skip(f"the second best output of structure {structure!r} is not known, or as right as the best")
    rng = np.random.default_rng(0)
    weights = [scale * rng.integers(-1, 2, w.shape).astype(np.float32) for w in learning.online.last()]
    examples = problems[structure].examples
    predictor = Predictor(learning.gen, weights)
    y, y_at = predictor.argmax(examples.blocks)
    found, expected = [], []
    for i, (_, scores) in enumerate(predictor.kbest(examples.blocks, 2)):
        learning.online.begin()
        learning.begin_with({f"v{g}": w for g, w in enumerate(weights)})
        learning.online.run(examples.blocks, np.ascontiguousarray(y), y_at, np.array([i]))
        found.append(learning.online.mistakes)
        expected.append(int(len(scores) > 1 and scores[0] == scores[1]))
    assert found == expected
