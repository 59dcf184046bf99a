"""Explanations within a time: what is left out is said, in every task and in every form."""

import re
import time

import pytest
from bitext import jsonl
from treebank import conllu

import linnet
from linnet.core import budget
from linnet.core.budget import affordable, left_out, within
from linnet.tasks import named

TAGGED = "the DT\nold JJ\nfilm NN\nends VBZ\n\n" * 6
KEPT = '{"tokens": ["the", "old", "film", "ends"], "keep": [0, 0, 1, 1]}\n' * 6
BRACKETS = "( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n( (S (NP (PRP It)) (VP (VBZ ends))))\n" * 4
DATA = {
    "tag": ("x.conll", TAGGED, "the old film ends", "2 of 4 tokens"),
    "parse": ("x.conllu", conllu(20), "the old dog sees", "2 of 4 tokens"),
    "brackets": ("x.mrg", BRACKETS, "The film ends", "2 of 3 constituents"),
    "align": ("x.jsonl", jsonl(20), "a b c ||| x y z", "2 of 3 target tokens"),
    "compress": ("x.jsonl", KEPT, "the old film ends", "2 of 4 tokens"),
}


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1
        return self.now


def test_all_is_explained_where_there_is_no_limit():
    assert list(affordable("abc", "letters")) == ["a", "b", "c"]
    with within(None) as time_left:
        assert list(affordable("abc", "letters")) == ["a", "b", "c"]
    assert (time_left.left_out, left_out()) == ("", "")


def test_what_there_is_no_time_for_is_left_out_and_counted(monkeypatch):
    monkeypatch.setattr(budget.time, "monotonic", Clock())
    with within(4) as one:
        assert list(affordable("abcde", "letters")) == ["a", "b", "c"]
        assert list(affordable("fg", "letters")) == []
        assert left_out() == one.left_out == "explained 3 of 7 letters in 4 seconds; give a shorter text for the rest"
    assert left_out() == ""


@pytest.fixture(scope="module", params=DATA)
def explained(request, tmp_path_factory):
    """A model, a text, both explained in full and in part, and what was left out."""
    name, data, text, part = DATA[request.param]
    file = tmp_path_factory.mktemp("data") / name
    file.write_text(data)
    model = linnet.train(file, task=request.param, epochs=2)
    explain = named(request.param).commands.explain
    whole = explain(model, None, text, 5)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(budget.time, "monotonic", Clock())
        with within(3):
            return whole, explain(model, None, text, 5), part


def test_every_task_explains_the_first_parts(explained):
    whole, cut, part = explained
    assert whole.left_out == ""
    assert cut.left_out == f"explained {part} in 3 seconds; give a shorter text for the rest"
    (full,), (short,) = whole.as_dict()["explanations"], cut.as_dict()["explanations"]
    if not isinstance(full, list):
        (name,) = {"arcs", "brackets", "tokens"} & set(full)
        full, short = full[name], short[name]
    assert len(short) == 2 < len(full)
    assert short == full[:2]
    assert "left_out" not in whole.as_dict()
    assert cut.as_dict()["left_out"] == cut.left_out


def test_pages_and_the_terminal_show_the_whole_output_and_say_what_was_left_out(explained):
    whole, cut, _ = explained

    def words(page):
        return re.sub(
            r"<table.*", "", re.sub(r"<[^<>]*>", " ", page.partition("</h1>")[2].partition("<table class=why>")[0])
        )

    assert "explained" not in whole.page("t", 5)
    assert f"<p class=dim>{cut.left_out}.</p>" in cut.page("t", 5)
    assert words(cut.page("t", 5)).replace(f"{cut.left_out}.", "").split() == words(whole.page("t", 5)).split()
    assert str(cut.shown(5)[-1]) == f"{cut.left_out}."
    assert len(cut.shown(5)) == len(whole.shown(5)) + 1


def test_a_clock_that_goes_on_is_looked_at():
    with within(0.02) as one:
        for _ in affordable(range(1000), "steps"):
            time.sleep(0.001)
    assert 0 < int(re.match(r"explained (\d+) of 1,000 steps in 0.02 seconds;", one.left_out)[1]) < 30


def test_the_best_trees_are_those_that_were_found_in_time(tmp_path):
    file = tmp_path / "x.conllu"
    file.write_text(conllu(20))
    model = linnet.train(file, task="parse", epochs=1, options={"order": 1})
    words = ["the", "dog"] * 5
    (whole,) = model.answers([words], top=30)["best"].to_pylist()
    with within(0) as none:
        (first,) = model.answers([words], top=30)["best"].to_pylist()
    assert (len(whole), first) == (30, whole[:1])
    assert none.left_out == "found 1 of 30 best outputs in 0 seconds; give a shorter text for the rest"
    with within(60) as enough:
        assert model.answers([words], top=30)["best"].to_pylist() == [whole]
    assert enough.left_out == ""
