"""The tags that a parser gives itself."""

import numpy as np
import pytest
from treebank import conllu

from linnet import io
from linnet.io.sentences.conllu import TREE
from linnet.tasks.sentences import own_tags as module
from linnet.tasks.sentences.own_tags import OwnTags, own_tags


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    path = tmp_path_factory.mktemp("trees") / "some.conllu"
    path.write_text(conllu(40))
    return io.read_sentences(path, label_col=TREE)


@pytest.fixture(scope="module")
def tagged(sentences):
    return own_tags(sentences, ("upos", "xpos"))


@pytest.mark.parametrize("column", ["upos", "xpos"])
def test_sentences_to_learn_from_get_tags_of_taggers_that_have_not_seen_them(sentences, tagged, column):
    gold = module._gold(sentences, column)
    found = np.array(tagged[1].columns[column].to_pylist())
    for part in (0, 3):
        held = np.arange(40) % 5 == part
        words, tokens = sentences.part(np.flatnonzero(held))
        expected = module._learned(gold.part(np.flatnonzero(~held))).tag(words)
        assert found[tokens].tolist() == list(expected)


def test_other_columns_stay(sentences, tagged):
    assert tagged[1].columns["w"].equals(sentences.columns["w"])
    assert tagged[1].columns["lemma"].equals(sentences.columns["lemma"])


def test_new_sentences_get_tags_of_the_tagger_that_has_seen_all(sentences, tagged):
    words = io.Sentences({"w": sentences.columns["w"]}, sentences.starts, None, "here", None)
    found = tagged[0].fill(words).columns
    for column in ("upos", "xpos"):
        expected = module._learned(module._gold(sentences, column)).tag(words)
        assert found[column].to_pylist() == list(expected)


def test_they_are_the_same_as_parts_of_a_model(sentences, tagged):
    again = OwnTags.from_models(tagged[0].models())
    assert again.columns == ("upos", "xpos")
    ours, same = (own.fill(sentences).columns for own in (tagged[0], again))
    assert all(ours[name].equals(same[name]) for name in again.columns)


def test_few_sentences_are_tagged_by_who_has_seen_them(sentences):
    few = sentences.first(4)
    own, filled = own_tags(few, ("upos",))
    assert filled.columns["upos"].equals(own.fill(few).columns["upos"])
