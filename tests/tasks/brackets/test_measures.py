"""Brackets counted by hand as evalb counts them."""

import pytest

from linnet.errors import DataError
from linnet.tasks.brackets.measures import evaluate_brackets

# (S (NP the dog) (VP saw (NP a cat) (PP with (NP ears))) .)
GOLD = ["(S(NP*", "*)", "(VP*", "(NP*", "*)", "(PP*", "(NP*)))", "*)"]
TAGS = ["DT", "NN", "VBD", "DT", "NN", "IN", "NNS", "."]


def test_attachment():
    # (S (NP the dog) (VP saw (NP (NP a cat) (PP with (NP ears)))) .): one bracket more, which crosses none
    found = ["(S(NP*", "*)", "(VP*", "(NP(NP*", "*)", "(PP*", "(NP*))))", "*)"]
    report = evaluate_brackets(GOLD, found, TAGS, [0, 8])
    assert (report.n_sentences, report.n_tokens, report.n_brackets) == (1, 8, 6)
    assert report.precision == pytest.approx(6 / 7)
    assert report.recall == 1
    assert report.f1 == pytest.approx(12 / 13)
    assert (report.exact, report.crossing, report.no_crossing) == (0, 0, 1)
    assert report.per_label["NP"].precision == pytest.approx(3 / 4)
    assert report.per_label["NP"].count == 3


def test_crossing():
    # (S (X the dog saw) (NP a cat) (PP with (NP ears)) .): the first crosses VP and NP, which is one crossing bracket
    found = ["(S(X*", "*", "*)", "(NP*", "*)", "(PP*", "(NP*))", "*)"]
    report = evaluate_brackets(GOLD, found, TAGS, [0, 8])
    # right: S, NP a cat, PP, NP ears of 5 found and 6 gold
    assert report.precision == pytest.approx(4 / 5)
    assert report.recall == pytest.approx(4 / 6)
    assert (report.crossing, report.no_crossing) == (1, 0)
    assert report.per_label["X"].f1 == 0


def test_punctuation_does_not_count():
    """Where the full stop hangs makes no difference, nor does a bracket with nothing but punctuation."""
    found = [*GOLD[:6], "(NP*", "*)))))"]
    found[6], found[7] = "(NP*)", "(PRN*))))"
    report = evaluate_brackets(GOLD, found, TAGS, [0, 8])
    assert (report.f1, report.exact) == (1, 1)
    without_tags = evaluate_brackets(GOLD, found, None, [0, 8])
    # VP and PP are a word longer, and PRN is one more
    assert without_tags.f1 == pytest.approx(2 * 4 / (6 + 7))


def test_labels_that_are_the_same_and_top():
    report = evaluate_brackets(["(TOP(S*", "(PRT*)))"], ["(S*", "(ADVP*))"], ["VB", "RP"], [0, 2])
    assert (report.f1, report.n_brackets) == (1, 2)
    assert list(report.per_label) == ["ADVP", "S"]


def test_the_same_bracket_twice_counts_twice():
    report = evaluate_brackets(["(NP(NP*))"], ["(NP*)"], ["NN"], [0, 1])
    assert (report.precision, report.recall) == (1, 0.5)


def test_sums_are_over_all_sentences():
    report = evaluate_brackets([*GOLD, "(NP*)"], [*GOLD, "(VP*)"], [*TAGS, "NN"], [0, 8, 9])
    assert report.f1 == pytest.approx(2 * 6 / (7 + 7))
    assert report.exact == 0.5


def test_what_cannot_be_counted():
    with pytest.raises(DataError, match="expected the brackets of 8 words, found those of 8 and 7"):
        evaluate_brackets(GOLD, GOLD[1:], TAGS, [0, 8])
    with pytest.raises(DataError, match="nothing to evaluate"):
        evaluate_brackets([], [], [], [0])
