"""Problems of gold data: which are found, in which words, and that training and inspecting find the same."""

from collections import Counter

import pytest

import linnet
from linnet.errors import DataError
from linnet.tasks import named
from linnet.tasks.commands import Data
from linnet.tasks.equal_texts import encoded
from linnet.tasks.problems import problems_in, problems_of, spelled_alike

MESSY = [
    *[("good film", "pos")] * 1,
    *[(f"fine film {i}", "pos") for i in range(60)],
    *[(f"dull film {i}", "neg") for i in range(5)],
    ("a great film", "POS"),
    ("a poor film", "neg "),
    ("good film", "neg"),
    (" ", "pos"),
]


def test_labels_that_differ_in_case_or_blanks_are_named_with_their_counts():
    assert spelled_alike(Counter({"pos": 480, "POS": 2, "neg": 9, "pos ": 1})) == [
        "labels that differ only in case or blanks: 'pos' (480), 'POS' (2), 'pos ' (1). Make them one if they mean the same"
    ]
    assert spelled_alike(Counter({"a b": 1, "ab": 1, "b": 3})) == []
    many = Counter({name: 1 for k in range(5) for name in (f"x{k}", f"X{k}")})
    assert spelled_alike(many)[3:] == ["2 more groups of labels that differ only in case or blanks"]


def test_what_is_found_the_gravest_first_and_long_lists_are_cut():
    texts, labels = zip(*MESSY, strict=True)
    assert problems_in(encoded(texts), labels, Counter(labels)) == [
        "labels that differ only in case or blanks: 'pos' (62), 'POS' (1). Make them one if they mean the same",
        "labels that differ only in case or blanks: 'neg' (6), 'neg ' (1). Make them one if they mean the same",
        "1 empty text: row 70",
        "1 text that repeats an earlier one: row 69",
        "1 text that repeats an earlier one with another label: row 69",
        "2 labels with fewer than 5 examples: POS, neg ",
        "the label 'pos' has 62 examples, more than 10 times those of 'neg ' (1): look at macro F1 beside accuracy, and try "
        "--set class-weight=balanced",
    ]
    rare = Counter({f"label{k:02}": 1 for k in range(14)} | {"often": 9})
    assert "14 labels with fewer than 5 examples: label00, label01" in problems_in(encoded([]), [], rare)[0]
    assert problems_in(encoded([]), [], rare)[0].endswith("label09 and 4 more")


def test_inspect_and_gold_examples_have_the_same_problems(tmp_path):
    path = tmp_path / "reviews.jsonl"
    rows = [f'{{"text": "{text}", "label": "{label}"}}\n' for text, label in MESSY]
    path.write_text("".join(rows))
    task = named("labels")
    found = problems_of(task, task.read(str(path), {}))
    assert len(found) == 7
    assert task.commands.facts(Data([str(path)]))["problems"] == found


def test_sets_of_labels_have_no_skew_and_sentences_have_tags(tmp_path):
    task = named("labelset")
    gold = task.read((["a", "b", "a"], [["x"], ["X", "y"], ["y"]]), {})
    assert problems_of(task, gold) == [
        "labels that differ only in case or blanks: 'X' (1), 'x' (1). Make them one if they mean the same",
        "1 text that repeats an earlier one: row 3",
        "1 text that repeats an earlier one with another label: row 3",
        "3 labels with fewer than 5 examples: X, x, y",
    ]
    tag = named("tag")
    sentences = tag.read(([["the", "dog"], ["the", "dog"]], [["DT", "NN"], ["DT", "VB"]]), {})
    assert problems_of(tag, sentences) == [
        "1 sentence that repeats an earlier one: row 2",
        "1 sentence that repeats an earlier one with another label: row 2",
    ]


def test_a_column_with_nearly_as_many_values_as_rows_holds_no_labels():
    texts = [f"text {i}" for i in range(40)]
    names = [f"name {i}" for i in range(34)] + ["same"] * 6
    message = (
        "texts and labels: the label column has 35 different values in 40 rows, so it does not seem to hold labels: name the "
        r"column that does \(--label-col, or label= in Python\)\."
    )
    with pytest.raises(DataError, match=message):
        linnet.train((texts, names))
    named("labels").read((texts, [f"name {i % 32}" for i in range(40)]), {})  # 0.8 of the rows are not too many
    named("labels").read((texts[:19], names[:19]), {})  # few rows cannot tell
