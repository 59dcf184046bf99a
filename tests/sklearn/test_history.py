"""What every estimator says of its epochs, and that each takes `epochs` and `shuffle`."""

import numpy as np
import pytest
from sklearn.base import clone

from linnet.errors import UsageError
from linnet.learners import Epoch
from linnet.sklearn import (
    ConstituentParser,
    DependencyParser,
    HierarchyClassifier,
    LabelRanker,
    LabelsetClassifier,
    LinearClassifier,
    OrdinalClassifier,
    Reranker,
    SequenceTagger,
    WordAligner,
)

TEXTS = ["good film", "fine film", "bad film", "poor film", "good plot", "bad plot"]
SENTENCES = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N"]]
TREES = [[(2, "det"), (3, "nsubj"), (0, "root")], [(2, "det"), (3, "nsubj"), (0, "root")], [(2, "det"), (0, "root")]]
BRACKETS = [
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))",
    "(S (NP (DT the)) (NP (NN cat)))",
]
LINKS = [[(0, 0), (1, 1)], [(0, 0), (1, 2), (2, 1)], [(0, 0)]]
PAIRS = [
    (["a", "dog"], ["un", "chien"]),
    (["a", "red", "dog"], ["un", "chien", "rouge"]),
    (["dog"], ["chien"]),
]

ESTIMATORS = {
    "labels": (LinearClassifier("perceptron", features="words:1"), TEXTS, ["+", "+", "-", "-", "+", "-"]),
    "matrix": (LinearClassifier("perceptron"), np.eye(4), [0, 1, 0, 1]),
    "sets": (LabelsetClassifier("perceptron", features="words:1"), TEXTS, [["a"], ["a", "b"], ["b"], [], ["a"], ["b"]]),
    "ranking": (LabelRanker("perceptron", features="words:1"), TEXTS, [["a"], ["a", "b"], ["b"], ["a"], ["a"], ["b"]]),
    "ratings": (OrdinalClassifier("perceptron", features="words:1"), TEXTS, [3, 3, 1, 1, 3, 2]),
    "paths": (
        HierarchyClassifier("perceptron", features="words:1"),
        TEXTS,
        ["a:x", "a:x", "a:y", "b:x", "a:x", "b:y"],
    ),
    "tags": (SequenceTagger(learner="perceptron", features="w"), SENTENCES, TAGS),
    "attributes": (SequenceTagger(learner="perceptron"), [[{"w": w} for w in one] for one in SENTENCES], TAGS),
    "arcs": (
        DependencyParser("perceptron", columns=("w", "upos"), tags="given", prune=0, order=1),
        [[(w, t) for w, t in zip(one, tags, strict=True)] for one, tags in zip(SENTENCES, TAGS, strict=True)],
        TREES,
    ),
    "brackets": (ConstituentParser("perceptron"), SENTENCES, BRACKETS),
    "links": (WordAligner("perceptron", features="model1 dist"), PAIRS, LINKS),
    "lists": (
        Reranker("perceptron", features="words:2"),
        [["a dog", "dog a"], ["the cat", "cat the", "cat cat"], ["b c", "c b"]],
        [[0, 1], [0, 1, 2], [1, 0]],
    ),
}
every = pytest.mark.parametrize("name", ESTIMATORS)


def fitted(name, **parameters):
    estimator, X, y = ESTIMATORS[name]
    return clone(estimator).set_params(**parameters).fit(X, y)


@every
def test_an_estimator_says_what_each_epoch_did(name):
    history = fitted(name, epochs=2).history_
    assert 1 <= len(history) <= 2
    assert all(isinstance(epoch, Epoch) for epoch in history)
    assert [epoch.epoch for epoch in history] == [1, 2][: len(history)]
    assert history[0].mistakes > 0
    assert history[0].loss >= 0
    assert fitted(name, epochs=1).history_[0].mistakes == history[0].mistakes


@every
def test_without_shuffling_the_seed_does_not_matter(name):
    runs = [fitted(name, epochs=3, shuffle=False, random_state=seed).history_ for seed in range(4)]
    assert all(_told(run) == _told(runs[0]) for run in runs)


def _told(history):
    return [(epoch.loss, epoch.mistakes, epoch.updates) for epoch in history]


def test_a_lesson_has_no_epochs():
    for name in ("labels", "sets", "ratings", "tags", "lists"):
        estimator, X, y = ESTIMATORS[name]
        assert clone(estimator).partial_fit(X, y).history_ == []


def test_the_order_of_sentences_is_that_of_the_data():
    losses = {
        shuffle: {
            SequenceTagger(learner="crf", features="w", epochs=1, shuffle=shuffle, random_state=seed)
            .fit(SENTENCES, TAGS)
            .history_[0]
            .loss
            for seed in range(6)
        }
        for shuffle in (True, False)
    }
    assert len(losses[False]) == 1
    assert len(losses[True]) > 1


def test_epochs_and_the_word_of_crfsuite_are_one():
    X, y = SENTENCES, TAGS
    assert SequenceTagger(learner="crf", features="w", epochs=3).fit(X, y).n_iter_ == 3
    assert SequenceTagger(features="w", max_iterations=3).fit(X, y).n_iter_ == 3
    with pytest.raises(UsageError, match="max_iterations is in CRFsuite's words, epochs in linnet's"):
        SequenceTagger(features="w", max_iterations=3, epochs=3).fit(X, y)
