"""ConstituentParser: trees as strings in and out."""

import pickle

import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from linnet.errors import DataError
from linnet.sklearn import ConstituentParser

TREES = [
    f"(S (NP (DT {det}) (NN {noun})) (VP (VBZ {verb})))"
    for det in ("the", "a")
    for noun in ("dog", "cat", "man")
    for verb in ("barks", "sleeps")
]
WORDS = [[det, noun, verb] for det in ("the", "a") for noun in ("dog", "cat", "man") for verb in ("barks", "sleeps")]
TAGGED = [list(zip(words, ("DT", "NN", "VBZ"), strict=True)) for words in WORDS]


class Tree:
    """As nltk has it: brackets over several lines are what str makes of it."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text.replace(" (VP", "\n  (VP")


def test_trees_come_out():
    parser = ConstituentParser().fit(WORDS, TREES)
    assert parser.predict(WORDS[:2]) == [f"( {tree})" for tree in TREES[:2]]
    assert parser.labels_ == ["NP", "S", "VP"]
    assert parser.score(WORDS, TREES) == 1
    again = pickle.loads(pickle.dumps(parser))
    assert again.predict(WORDS) == parser.predict(WORDS)


def test_given_tags_other_learners_and_trees_as_objects():
    parser = ConstituentParser("mira", tags="given", features="i.tag|j.tag k.tag", options={"C": 0.1}, epochs=5)
    parser.fit(TAGGED, list(map(Tree, TREES)))
    assert parser.predict(TAGGED[:1]) == [f"( {TREES[0]})"]
    assert (parser.model_.learner, parser.model_.options["C"]) == ("mira", 0.1)
    assert cross_val_score(clone(parser), TAGGED, TREES, cv=2).tolist() == [1, 1]


def test_what_does_not_fit():
    with pytest.raises(NotFittedError):
        ConstituentParser().predict(WORDS)
    with pytest.raises(DataError, match="as many sentences as trees with words, found 12 and 11"):
        ConstituentParser().fit(WORDS, TREES[1:])
    with pytest.raises(DataError, match="sentence 1 has 2 words, but its tree 3: 'the dog sleeps'"):
        ConstituentParser().fit([WORDS[0], WORDS[1][1:], *WORDS[2:]], TREES)
    with pytest.raises(DataError, match="trees:2: found a"):
        ConstituentParser().fit(WORDS[:2], [TREES[0], TREES[1] + ")"])
