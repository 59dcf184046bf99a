"""The figures of tags: by hand, and against the rules of conlleval applied token by token."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import DataError
from linnet.tasks.tag.measures import TagScore, TypeScore, evaluate_tags

SETS = {"bio": "BI", "bioes": "BIES", "bilou": "BILU", "any": "BIESLU"}


@st.composite
def tagged(draw):
    """Sentences of (gold, predicted) pairs in one of the schemes, well formed or not."""
    letters = SETS[draw(st.sampled_from(sorted(SETS)))]
    tag = st.sampled_from(["O", *(f"{letter}-{kind}" for letter in letters for kind in ("X", "Y"))])
    copied = tag.map(lambda one: (one, one))
    return draw(st.lists(st.lists(copied | st.tuples(tag, tag), max_size=10), min_size=1, max_size=5))


def flat(sentences):
    gold, predicted = ([pair[k] for sentence in sentences for pair in sentence] for k in (0, 1))
    return gold, predicted, np.cumsum([0, *map(len, sentences)])


class Script:
    """conlleval, token by token: chunks are counted while they are open, and those that agree at both ends are right."""

    def __init__(self):
        self.right, self.gold, self.guessed = {}, {}, {}

    def run(self, sentences):
        self.before, self.agree = (("O", ""), ("O", "")), False
        for sentence in sentences:
            for pair in sentence:
                self.token(*map(self.split, pair))
            self.token(("O", ""), ("O", ""))  # the empty line
        return self

    @staticmethod
    def split(tag):
        letter, _, kind = tag.partition("-")
        return {"L": "E", "U": "S"}.get(letter, letter), kind

    @staticmethod
    def ends(before, now):
        """Whether a chunk ends between two tags."""
        pairs = {("B", "B"), ("B", "S"), ("B", "O"), ("I", "B"), ("I", "S"), ("I", "O")}
        if before[0] in ("E", "S") or (before[0], now[0]) in pairs:
            return True
        return before[0] != "O" and before[1] != now[1]

    @staticmethod
    def starts(before, now):
        """Whether a chunk starts at the second of two tags."""
        pairs = {("E", "E"), ("E", "I"), ("S", "E"), ("S", "I"), ("O", "E"), ("O", "I")}
        if now[0] in ("B", "S") or (before[0], now[0]) in pairs:
            return True
        return now[0] != "O" and before[1] != now[1]

    def token(self, gold, guess):
        was_gold, was_guess = self.before
        gold_ends, guess_ends = self.ends(was_gold, gold), self.ends(was_guess, guess)
        if self.agree and gold_ends and guess_ends:
            self.count(self.right, was_gold[1])
        if gold_ends or guess_ends:
            self.agree = False
        gold_starts, guess_starts = self.starts(was_gold, gold), self.starts(was_guess, guess)
        if gold_starts and guess_starts and gold[1] == guess[1]:
            self.agree = True
        if gold_starts:
            self.count(self.gold, gold[1])
        if guess_starts:
            self.count(self.guessed, guess[1])
        self.before = gold, guess

    @staticmethod
    def count(counts, kind):
        counts[kind] = counts.get(kind, 0) + 1


@given(tagged())
def test_conlleval_agrees(sentences):
    gold, predicted, starts = flat(sentences)
    if not gold:
        return
    script = Script().run(sentences)
    report = evaluate_tags(gold, predicted, starts)
    if not script.gold:
        assert (report.precision, report.recall, report.f1, report.per_type) == (None, None, None, {})
        return
    totals = [sum(counts.values()) for counts in (script.right, script.guessed, script.gold)]
    assert (report.precision, report.recall, report.f1) == pytest.approx(shares(*totals))
    assert set(report.per_type) == {*script.gold, *script.guessed}
    for kind, score in report.per_type.items():
        right, guessed, there = (counts.get(kind, 0) for counts in (script.right, script.guessed, script.gold))
        assert score == TypeScore(*map(pytest.approx, shares(right, guessed, there)), there, guessed)


def shares(right, guessed, there):
    precision, recall = (right / n if n else 0 for n in (guessed, there))
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0


@given(tagged())
def test_tokens_and_sentences_one_by_one(sentences):
    gold, predicted, starts = flat(sentences)
    if not gold:
        return
    report = evaluate_tags(np.array(gold), np.array(predicted), starts)
    whole = [all(a == b for a, b in sentence) for sentence in sentences if sentence]
    assert report.n_tokens == len(gold)
    assert report.n_sentences == len(whole)
    assert report.token_accuracy == pytest.approx(np.mean([a == b for a, b in zip(gold, predicted, strict=True)]))
    assert report.sentence_accuracy == pytest.approx(np.mean(whole))


def test_by_hand():
    # Gold: X at 0-2, Y at 3, X at 4. Predicted: X at 0-2, X at 3-4 with one I too many.
    gold = ["B-X", "I-X", "O", "B-Y", "B-X"]
    predicted = ["B-X", "I-X", "O", "B-X", "I-X"]
    report = evaluate_tags(gold, predicted, [0, 3, 5])
    assert (report.n_tokens, report.n_sentences) == (5, 2)
    assert (report.token_accuracy, report.sentence_accuracy) == (0.6, 0.5)
    assert (report.precision, report.recall, report.f1) == (1 / 2, 1 / 3, 2 / 5)
    assert report.per_type == {"X": TypeScore(1 / 2, 1 / 2, 1 / 2, 2, 2), "Y": TypeScore(0, 0, 0, 1, 0)}
    assert report.per_tag == {
        "B-X": TagScore(1 / 2, 1 / 2, 1 / 2, 2),
        "B-Y": TagScore(0, 0, 0, 1),
        "I-X": TagScore(1 / 2, 1, 2 / 3, 1),
        "O": TagScore(1, 1, 1, 1),
    }
    assert (report.known_accuracy, report.unknown_accuracy) == (None, None)


def test_plain_tags_have_no_spans():
    # B, E, I and S are parts of speech in some languages.
    report = evaluate_tags(["S", "V", "E", "S"], ["S", "V", "S", "B"], [0, 4])
    assert (report.precision, report.recall, report.f1, report.per_type) == (None, None, None, {})
    figures = {"n_tokens", "n_sentences", "token_accuracy", "sentence_accuracy"}
    assert set(report.as_dict()) == {*figures, "per_tag", "confusion"}


def test_no_predicted_spans():
    report = evaluate_tags(["B-X", "O"], ["O", "O"], [0, 2])
    assert (report.precision, report.recall, report.f1) == (0, 0, 0)


def test_known_and_unknown_words():
    report = evaluate_tags(list("NVNV"), list("NVVV"), [0, 4], known=[True, True, False, False])
    assert (report.known_accuracy, report.unknown_accuracy) == (1, 0.5)
    report = evaluate_tags(list("NV"), list("NN"), [0, 2], known=np.ones(2, bool))
    assert (report.known_accuracy, report.unknown_accuracy) == (0.5, None)
    assert "unknown_accuracy" not in report.as_dict()


def test_the_json_object():
    report = evaluate_tags(["B-X", "O"], ["B-X", "O"], [0, 2], known=[True, False])
    assert json.loads(json.dumps(report.as_dict())) == {
        "n_tokens": 2,
        "n_sentences": 1,
        "token_accuracy": 1,
        "sentence_accuracy": 1,
        "precision": 1,
        "recall": 1,
        "f1": 1,
        "known_accuracy": 1,
        "unknown_accuracy": 1,
        "per_type": {"X": {"precision": 1, "recall": 1, "f1": 1, "gold": 1, "predicted": 1}},
        "per_tag": {tag: {"precision": 1, "recall": 1, "f1": 1, "count": 1} for tag in ("B-X", "O")},
        "confusion": [[1, 0], [0, 1]],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["O"], ["O", "O"], [0, 1]), "expected as many predicted tags as gold tags, found 2 and 1."),
        (([], [], [0]), "there is nothing to evaluate: no tokens."),
        (
            (["O"], ["O"], [0, 2]),
            "expected the starts of sentences and the number of tokens, from 0 up to 1, found [0 2].",
        ),
        (
            (["O"], ["O"], [0, 1], [True, True]),
            "expected for each of 1 words whether it is known, found 2 values.",
        ),
    ],
)
def test_what_does_not_fit(arguments, message):
    with pytest.raises(DataError) as caught:
        evaluate_tags(*arguments)
    assert str(caught.value) == message
