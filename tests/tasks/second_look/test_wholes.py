"""Whole outputs: what differs between two of them is what they have, all of it, less what they share."""

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import linnet
from linnet.tasks.parse.wholes import TreeWhole
from linnet.tasks.second_look.wholes import differences
from linnet.tasks.tag.wholes import TagWhole

RELATIONS = ("conj", "nsubj", "obj", "case")
LABELS = [("O", False), ("NP", False), ("NP", True), ("VP", False), ("VP", True)]


def random_tree(rng, n):
    """Each token below one that comes before it in a random order."""
    order = rng.permutation(n) + 1
    heads = np.zeros(n, int)
    for k in range(1, n):
        heads[order[k] - 1] = order[rng.integers(k)]
    return (heads * len(RELATIONS) + rng.integers(len(RELATIONS), size=n)).tolist()


def random_tags(rng, n):
    """Legal ones: nothing goes on with a span of another type."""
    y = []
    for _ in range(n):
        k = int(rng.integers(len(LABELS)))
        kind, goes_on = LABELS[k]
        y.append(k - 1 if goes_on and (not y or LABELS[y[-1]][0] != kind) else k)
    return y


def case(kind, rng, n):
    words = rng.choice(["A", "b", "c"], n).tolist()
    tags = rng.choice(["X", "Y"], n).tolist()
    if kind == "trees":
        return TreeWhole(words, tags, words, RELATIONS), random_tree
    return TagWhole(words, tags if rng.random() < 0.5 else None, LABELS), random_tags


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["trees", "tags"]), st.integers(1, 7), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_differences_are_those_of_all_features(kind, n, k, seed):
    rng = np.random.default_rng(seed)
    x, draw = case(kind, rng, n)
    outputs = [draw(rng, n) for _ in range(k)]
    whole = []
    for y in outputs:
        parts = list(x.parts(y))
        assert len(parts) == len(set(parts))
        whole.append(Counter(name for part in parts for name in x.features(part)))
    for own, found in zip(whole, differences(x, outputs), strict=True):
        names = own.keys() | whole[0].keys()
        assert found == {name: own[name] - whole[0][name] for name in names if own[name] != whole[0][name]}


def test_of_a_tree():
    """She sees the dog: all of it, and what is another way if `she` were below the dog."""
    x = TreeWhole(["She", "sees", "dogs"], ["PRP", "VBZ", "NNS"], ["PRON", "VERB", "NOUN"], ("nsubj", "obj", "root"))
    right, wrong = [2 * 3, 2, 2 * 3 + 1], [3 * 3, 2, 2 * 3 + 1]
    names = {name for part in x.parts(right) for name in x.features(part)}
    assert "VERB root : < nsubj * obj >" in names
    assert "sees arguments nsubj obj" in names
    assert "depth 2 of 3" in names
    (_, found) = differences(x, [right, wrong])
    assert found["VERB root : < nsubj * obj >"] == -1
    assert found["VERB root : < * obj >"] == 1
    assert found["depth 3 of 3"] == 1
    assert "ROOT - : < * root >" in names - found.keys()


def test_of_tags():
    """Both have the same span first; they differ in whether the third word is one of its own."""
    x = TagWhole(["a", "dog", "barks"], ["D", "N", "V"], LABELS)
    first, second = differences(x, [[1, 2, 2], [1, 2, 3]])
    assert first == {}
    assert second["NP 3 long"] == -1
    assert second["NP = D N"] == second["NP VP </s>"] == 1
    assert "<s> NP" not in second


def test_only_tags_of_spans_lose_their_prefix():
    sentence = ["dogs", "run", "fastest", "most", "often"]
    kinds = {}
    for tags in (["NNS", "VBZ", "JJS", "RBS", "O"], ["B-NP", "B-VP", "I-VP", "I-VP", "O"]):
        model = linnet.train([sentence] * 4, [tags] * 4, task="tag", learner="perceptron", features="w", estimate=False)
        (whole,) = model.wholes(model.typed([" ".join(sentence)]))
        kinds[tags[0]] = set(whole.labels)
    assert kinds["NNS"] == {("NNS", False), ("VBZ", False), ("JJS", False), ("RBS", False), ("O", False)}
    assert kinds["B-NP"] == {("NP", False), ("VP", False), ("VP", True), ("O", False)}
