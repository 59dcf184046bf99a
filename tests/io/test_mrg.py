"""Bracketed trees: what is read of them, what is written again, and every way in which a file can be wrong."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_back import written

from linnet.errors import DataError, UsageError
from linnet.io import read_sentence_batches, read_sentences
from linnet.limits import BRACKETS
from linnet.tasks.guessing import task_of_file

TREES = """
( (S
    (NP-SBJ-1 (DT The) (JJ old) (NN dog) )
    (VP (VBZ seems)
      (S (NP-SBJ (-NONE- *-1) )
        (VP (TO to) (VP (VB bark) (-LRB- -LRB-) (ADVP=2 (RB loudly)) (-RRB- -RRB-) ))))
    (. .) ))
(TOP (FRAG (UH Yes)))   (S (NP (NN rain)))
( (NN one) (NN two))
"""
WORDS = [
    ["The", "old", "dog", "seems", "to", "bark", "-LRB-", "loudly", "-RRB-", "."],
    ["Yes"],
    ["rain"],
    ["one", "two"],
]
BITS = [
    ["(S(NP*", "*", "*)", "(VP*", "(S(VP*", "(VP*", "*", "(ADVP*)", "*))))", "*)"],
    ["(FRAG*)"],
    ["(S(NP*))"],
    ["*", "*"],
]


def by_sentence(values, sentences):
    values = values.to_pylist()
    return [values[a:b] for a, b in pairwise(sentences.starts.tolist())]


@pytest.fixture
def refusal(put):
    def message(content):
        with pytest.raises(DataError) as caught:
            read_sentences(put("a.mrg", content), label_col="tree")
        return str(caught.value)

    return message


@pytest.mark.parametrize("name", ["a.mrg", "a.ptb", "a.dat"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_trees_become_columns(put, name, end):
    path = put(name, TREES.replace("\n", end))
    sentences = read_sentences(path, label_col="tree")
    assert task_of_file(path) == "brackets"
    assert list(sentences.columns) == ["w", "tag"]
    assert by_sentence(sentences.columns["w"], sentences) == WORDS
    assert by_sentence(sentences.columns["tag"], sentences)[0][4:7] == ["TO", "VB", "-LRB-"]
    assert by_sentence(sentences.tags, sentences) == BITS


def test_what_is_written_is_read_again(put):
    sentences = read_sentences(put("a.mrg", TREES), label_col="tree")
    text = written(sentences, sentences.tags).decode()
    assert text.splitlines()[1:] == ["( (FRAG (UH Yes)))", "( (S (NP (NN rain))))", "( (NN one) (NN two))"]
    assert text.startswith(
        "( (S (NP (DT The) (JJ old) (NN dog)) (VP (VBZ seems) (S (VP (TO to) (VP (VB bark) (-LRB- -LRB-)"
    )
    again = read_sentences(put("b.mrg", text), label_col="tree")
    assert by_sentence(again.tags, again) == BITS
    assert by_sentence(again.columns["w"], again) == WORDS


def test_tags_are_replaced_and_the_rest_stays(put):
    sentences = read_sentences(put("a.mrg", TREES))
    assert list(sentences.columns) == ["w"]
    assert by_sentence(sentences.tags, sentences)[2:] == [["NN"], ["NN", "NN"]]
    assert written(sentences, sentences.tags).decode() == TREES.rstrip("\n")
    changed = written(sentences, ["X"] * sentences.n_tokens).decode()
    assert "(NP-SBJ-1 (X The) (X old) (X dog) )" in changed
    assert "(-NONE- *-1)" in changed


def test_brackets_that_are_words(put):
    sentences = read_sentences(put("a.conll", "( (\nyes UH\n) )\n\n"))
    from linnet.io.sentences.mrg import bracketed

    words = sentences.columns["w"].to_pylist()
    assert bracketed(words, sentences.tags.to_pylist(), ["(X*", "*", "*)"], sentences.starts) == [
        "( (X (-LRB- -LRB-) (UH yes) (-RRB- -RRB-)))"
    ]
    with pytest.raises(UsageError, match=r"^cannot write '1 000' into brackets: words and tags have no spaces\."):
        bracketed(["1 000"], ["CD"], ["*"], sentences.starts[:1])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 200))
def test_batches_are_the_whole(tmp_path_factory, size):
    path = tmp_path_factory.getbasetemp() / "batches.mrg"
    path.write_text(5 * TREES)
    parts = list(read_sentence_batches(path, label_col="tree", batch_bytes=size))
    assert [one for part in parts for one in by_sentence(part.tags, part)] == 5 * BITS
    assert [one for part in parts for one in by_sentence(part.columns["w"], part)] == 5 * WORDS


FAULTS = [
    (
        "( (S (NN a)))\n\n( (S (NN b))",
        "a.mrg:3: the bracket that opens here is never closed. Add the ) that is missing.",
    ),
    (
        "( (S (NN a))\n( (S (NN b)))\n",
        "a.mrg:2: expected a label after (, found none. Is a ) missing before it?",
    ),
    ("( (S (NN a))))\n", "a.mrg:1: found a ) that closes nothing. Remove it, or add its (."),
    (
        "( (S\n (NP the man)))\n",
        "a.mrg:2: expected a tag and a word in brackets such as (NN dog), found 'the'. Give every word its tag.",
    ),
    (
        "( (S (NN a)))\ndog NN\n",
        "a.mrg:2: expected a tree that begins with (, found 'dog'. Is the file one of another format (--format)?",
    ),
    (
        "( (S (NN a)\n (NP )))\n",
        "a.mrg:2: expected words or brackets inside (NP, found nothing. Remove it.",
    ),
    ("\n( )\n", "a.mrg:2: expected words or brackets inside (, found nothing. Remove it."),
    (
        "( (S (NP (-NONE- *))))\n",
        "a.mrg: the file holds no words. Expected trees such as ( (S (NP (DT The) (NN dog)) (VP (VBZ barks)))).",
    ),
    (b"( (S (NN a)))\n( (S (NN \xff)))\n", "a.mrg:2: byte 0xff is not UTF-8 "),
]


@pytest.mark.parametrize(("content", "message"), FAULTS)
def test_what_is_wrong_is_said_by_line(refusal, content, message):
    assert refusal(content).startswith(message)


def test_what_is_good_before_an_error_is_given(put):
    batches = read_sentence_batches(put("a.mrg", "( (S (NN a)))\n( (S (NN b)))\n( (S b c))"), label_col="tree")
    assert by_sentence((first := next(batches)).tags, first) == [["(S*)"], ["(S*)"]]
    with pytest.raises(DataError, match=r"^a.mrg:3: "):
        next(batches)


def test_other_columns_are_refused(put):
    with pytest.raises(UsageError) as caught:
        read_sentences(put("a.mrg", TREES), label_col="tre")
    assert str(caught.value) == "expected --label-col tag or tree, found 'tre'. Did you mean 'tree'?"


def test_brackets_in_brackets_without_end(put, refusal):
    def nested(n):
        return "(A " * n + "(N w)" + ")" * n + "\n"

    assert refusal(f"(S (NN a))\n{nested(1_000_000)}") == (
        "a.mrg:2: more than 1,000 brackets are open. Is a ) missing in a tree before it?"
    )
    assert read_sentences(put("b.mrg", nested(999)), label_col="tree").n_tokens == 1


def test_a_bracket_that_is_never_closed_in_a_large_file(refusal, monkeypatch):
    monkeypatch.setattr("linnet.io.sentences.mrg.BRACKETS", replace(BRACKETS, most=1000))
    content = "(S (NN a))\n(S " + "(N w) " * 1000
    assert refusal(content) == "a.mrg:2: the bracket that opens here is never closed. Add the ) that is missing."
