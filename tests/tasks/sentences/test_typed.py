"""Sentences as people type them, with more columns than the words where a model needs these."""

import re

import pytest

import linnet
from linnet.errors import DataError
from linnet.tasks.sentences.prose import typed_sentences

X = [[("the", "DT"), ("dog", "NN"), ("barks", "VB")], [("a", "DT"), ("cat", "NN")]] * 5
Y = [["B", "I", "O"], ["B", "I"]] * 5
TYPED = "the DT\ncow NN\n\nruns VB\n"


@pytest.fixture(scope="module")
def chunker():
    return linnet.train(X, Y, task="tag", features="w col2", learner="averaged-perceptron")


def test_prose_is_cut_into_words():
    assert typed_sentences(["It barks. Twice."], ["w"]).columns["w"].to_pylist() == ["It", "barks", ".", "Twice", "."]


def test_a_token_is_on_each_line_where_there_are_more_columns():
    found = typed_sentences([TYPED], ["w", "col2"])
    assert found.columns["w"].to_pylist() == ["the", "cow", "runs"]
    assert found.columns["col2"].to_pylist() == ["DT", "NN", "VB"]
    assert found.starts.tolist() == [0, 2, 3]


def test_numbered_columns_are_taken_from_their_places():
    assert typed_sentences(["the x DT"], ["w", "col3"]).columns["col3"].to_pylist() == ["DT"]
    assert typed_sentences(["the DET"], ["w", "upos"]).columns["upos"].to_pylist() == ["DET"]


@pytest.mark.parametrize(("text", "line", "n"), [("the DT\ndog", 2, 1), ("the old dog barks", 1, 4)])
def test_a_line_with_fewer_or_more_values_is_named(text, line, n):
    said = "the model looks at more than the words (w, col2). Write a token on each line, such as: dog NN. "
    with pytest.raises(DataError, match=re.escape(f"{said}Expected 2 values on line {line}, found {n}.")):
        typed_sentences([text], ["w", "col2"])


def test_a_model_with_more_columns_answers_and_explains_what_is_typed(chunker):
    assert chunker.predict(chunker.typed([TYPED])) == [["B", "I"], ["O"]]
    assert [one.words for one in chunker.decisions(chunker.typed([TYPED]))] == [["the", "cow"], ["runs"]]
