"""Labels that are probably wrong: which are found, in which order, and what is not judged."""

import numpy as np
import pytest

import linnet
from linnet.comparison.suspects import lines_of, margins
from linnet.errors import UsageError
from linnet.tasks import named


def reviews(n=200):
    """Texts whose words tell their label, with a few words that tell nothing."""
    rng = np.random.default_rng(0)
    words = {"pos": ["good", "fine", "great"], "neg": ["bad", "poor", "dull"]}
    labels = ["pos", "neg"] * (n // 2)
    texts = [" ".join([*rng.choice(words[label], 2), f"w{rng.integers(9)}", f"v{i}"]) for i, label in enumerate(labels)]
    return texts, labels


def test_the_labels_that_were_flipped_are_the_suspects():
    texts, labels = reviews()
    flipped = {7, 42, 101, 160}
    for i in flipped:
        labels[i] = {"pos": "neg", "neg": "pos"}[labels[i]]
    found = linnet.suspects((texts, labels))
    assert {one.row - 1 for one in found} == flipped
    assert all(one.label == labels[one.row - 1] != one.suggested for one in found)
    assert all(one.text == texts[one.row - 1] and one.line is None for one in found)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


def test_a_margin_is_the_difference_of_two_probabilities_of_held_out_texts():
    texts, labels = reviews(40)
    task = named("labels")
    gold = task.read((texts, labels), {})
    score, other = margins(task, gold)
    assert other.tolist() == [1 - y for y in gold.y.tolist()]
    assert np.all(score < -0.5)  # all are right, and new texts are told so
    assert np.all(score >= -1)


def test_labels_of_few_texts_are_not_judged():
    texts, labels = reviews(40)
    found = linnet.suspects(([*texts, "good fine"], [*labels, "odd"]))
    assert found == []
    with pytest.raises(UsageError, match="at least two labels with 5 texts"):
        linnet.suspects((texts[:8], labels[:8]))


def test_lines_are_those_of_the_file(tmp_path):
    texts, labels = reviews(20)
    path = tmp_path / "reviews.csv"
    rows = [f"{text},{label}" for text, label in zip(texts, labels, strict=True)]
    path.write_text("\n".join(["text,label", *rows]) + "\n")
    assert lines_of(str(path), 20, {}) == list(range(2, 22))
    assert lines_of(str(path), 21, {}) is None
    assert lines_of((texts, labels), 20, {}) is None


def test_sentences_have_no_suspects_yet(tmp_path):
    path = tmp_path / "tags.conll"
    path.write_text("the DT\ndog NN\n\n")
    with pytest.raises(UsageError, match="one label, but the data are for task 'tag'"):
        linnet.suspects(str(path))
