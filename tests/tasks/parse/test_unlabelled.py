"""Parsers whose taggers learn from sentences without trees, too."""

import numpy as np
import pytest

import linnet

NOUNS = ["dog", "cat", "horse", "bird", "cow", "fox"]
VERBS = ["sees", "likes", "hears", "bites", "follows", "meets"]


def toy(n, seed, nouns, verbs):
    """Sentences such as: the dog sees the cat; with tags, heads and relations."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        noun, verb, other = str(rng.choice(nouns)), str(rng.choice(verbs)), str(rng.choice(nouns))
        words = [("the", "DET"), (noun, "NOUN"), (verb, "VERB"), ("the", "DET"), (other, "NOUN")]
        yield words, [(2, "det"), (3, "nsubj"), (0, "root"), (5, "det"), (3, "obj")]


FEW = [*zip(*toy(10, 0, NOUNS[:2], VERBS[:2]), strict=True)]
POOL = [[word for word, _ in words] for words, _ in toy(200, 1, NOUNS, VERBS)]


def trained(**how):
    return linnet.train(*FEW, task="parse", epochs=2, **{"unlabelled": POOL, **how})


def test_the_taggers_know_words_that_no_tree_has():
    model = trained()
    tagger = model.features.tags.taggers["upos"]()
    assert "like-amb" in tagger.features.spec
    assert tagger.predict([["the", "fox", "meets", "the", "bird"]]) == [["DET", "NOUN", "VERB", "DET", "NOUN"]]
    words = {name.partition("=")[2] for name in tagger.features.names() if name.startswith("like-amb=")}
    assert {"NOUN", "VERB"} <= words
    assert model.report["unlabelled"] == {"examples": 200}


def test_given_tags_need_no_tagger():
    with pytest.raises(linnet.UsageError, match="tags=given needs no taggers"):
        trained(options={"tags": "given"})
