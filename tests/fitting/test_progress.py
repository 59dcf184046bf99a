"""Which model of how many is learned now, and how long those of its kind will take."""

import math
from contextlib import contextmanager

import pytest
from treebank import conllu

import linnet
from linnet.cli import console
from linnet.fitting import progress as module
from linnet.fitting.progress import SILENT, Steps
from linnet.learners import Progress


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def told(left=6.0):
    return Progress(1, 10, 0.4, left, None)


def test_a_kind_of_models_takes_as_long_as_those_so_far(clock):
    seen = []
    taggers = Steps(seen.append).inside("tagger", 3)
    first = taggers.next()
    clock.now = 4.0
    first(told())  # 4 s, and 6 more; then two models of 10 s
    second = taggers.next()
    clock.now = 12.0
    second(told(2.0))  # two models in 14 s, of which 2 are left; then one of 7 s
    assert [(one.step, one.steps, one.left) for one in seen] == [("tagger 1 of 3", 3, 26), ("tagger 2 of 3", 3, 9)]
    assert [one.share for one in seen] == pytest.approx([4 / 30, 12 / 21])


def test_of_what_is_learned_for_another_model_those_before_it_say_how_long(clock):
    seen = []
    parsers = Steps(seen.append).inside("reranking").inside("held-out parser", 4)

    def pruner(left):
        parsers.inside("pruner").next()(told(left))

    parsers.next()
    clock.now = 1.0
    pruner(3.0)
    parsers.next()
    clock.now = 5.0
    pruner(3.0)  # one in 1 s; the second has taken longer already, and two are left
    assert [one.step for one in seen] == [f"reranking, held-out parser {k} of 4, pruner" for k in (1, 2)]
    assert math.isnan(seen[0].left)
    assert (seen[1].left, seen[1].share) == (2, pytest.approx(5 / 7))
    assert seen[0].share == 0


def test_one_model_alone_is_as_it_was():
    seen = []
    Steps(seen.append).inside("parser").next()(told())
    assert seen == [Progress(1, 10, 0.4, 6.0, None, step="parser")]
    Steps(seen.append).inside("").next()(told())
    assert seen[1] == told()
    assert Steps().inside("parser").next() is None
    assert (SILENT.inside("tagger", 2).next(), SILENT.at) == (None, 0)


def test_every_step_of_a_parser_has_its_name(tmp_path):
    (tmp_path / "trees.conllu").write_text(conllu(50))
    seen = {}
    linnet.train(
        tmp_path / "trees.conllu", task="parse", epochs=1, rerank=3, progress=lambda one: seen.setdefault(one.step)
    )
    taggers = [f"tagger {k} of 12" for k in range(1, 13)]  # of UPOS and of XPOS, of all sentences and of five parts
    parsers = [f"held-out parser {k} of 5{more}" for k in range(1, 6) for more in (", pruner", "")]
    assert list(seen) == [
        *taggers,
        "pruner",
        "parser",
        *(f"reranking, {one}" for one in taggers + parsers),
        "reranking",
    ]


def test_labels_have_one_step_without_a_name():
    seen = {}
    linnet.train((["good", "bad"], ["+", "-"]), features="words:1", progress=lambda one: seen.setdefault(one.step))
    assert list(seen) == [""]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({}, "epoch 1 of 10, 6 s left"),
        ({"step": "parser"}, "parser: epoch 1 of 10, 6 s left in this step"),
        ({"step": "tagger 2 of 6", "steps": 6}, "tagger 2 of 6: epoch 1 of 10, 6 s left for all 6"),
        ({"step": "held-out parser 1 of 5, pruner", "left": math.nan}, "held-out parser 1 of 5, pruner: epoch 1 of 10"),
    ],
)
def test_the_bar_says_for_what_the_time_is(monkeypatch, how, said):
    notes = []

    @contextmanager
    def bar(what, *, quiet):
        yield lambda share, note: notes.append(note)

    monkeypatch.setattr(console, "_bar", bar)
    with console.learning_progress() as progress:
        progress(Progress(**{"epoch": 1, "epochs": 10, "share": 0.4, "left": 6.0, "last": None} | how))
    assert notes == [said]
