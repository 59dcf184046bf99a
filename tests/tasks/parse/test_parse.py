"""Dependency trees from files to files."""

import time
from dataclasses import replace

import numpy as np
import pytest
from treebank import conllu

import linnet
from linnet import io
from linnet.core import machine
from linnet.errors import DataError, UsageError
from linnet.io.sentences.conllu import TREE
from linnet.limits import PARSED
from linnet.tasks.commands import Data
from linnet.tasks.parse import commands as parse
from linnet.tasks.parse import features
from linnet.tasks.parse.page import drawn
from linnet.tasks.parse.terminal import drawing
from linnet.training.in_words import mended


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    for name, n, seed in (("train", 80, 0), ("test", 30, 1)):
        (folder / f"{name}.conllu").write_text(conllu(n, seed))
    return folder


@pytest.fixture(scope="module")
def parser(files):
    return linnet.train(files / "train.conllu", task="parse", epochs=5)


@pytest.fixture(scope="module")
def given(files):
    return linnet.train(files / "train.conllu", task="parse", epochs=5, options={"tags": "given"})


def test_it_parses_what_it_has_not_seen(files, parser, given):
    gold = io.read_sentences(files / "test.conllu", label_col=TREE)
    assert given.evaluate(gold).las > 0.97
    report = parser.evaluate(gold)
    assert report.las > 0.95
    assert report.uas >= report.las


def test_text_is_cut_tagged_and_parsed(parser):
    (arcs,) = parser.predict([["The", "old", "dog", "sees", "the", "cat", "."]])
    assert [arc.head for arc in arcs] == [3, 3, 4, 0, 6, 4, 4]
    assert [arc.relation for arc in arcs] == ["det", "amod", "nsubj", "root", "det", "obj", "punct"]


def test_a_model_file_holds_the_taggers_and_the_pruner(files, parser, tmp_path):
    parser.save(tmp_path / "p.linnet")
    again = linnet.load(tmp_path / "p.linnet")
    assert set(again.features.tags.columns) == {"upos", "xpos"}
    assert again.features.pruner is not None
    gold = io.read_sentences(files / "test.conllu", label_col=TREE)
    assert np.array_equal(again.parse(gold)[1], parser.parse(gold)[1])


def test_given_tags_are_needed_by_who_learned_with_them(given):
    words = io.Sentences({"w": linnet.features.as_text(["a", "dog"])}, np.array([0, 2]), None, "x.txt", None)
    with pytest.raises(UsageError, match="needs the column 'lemma'|needs the column 'upos'|needs the column 'xpos'"):
        given.parse(words)


@pytest.mark.parametrize("options", [{"order": 1}, {"order": 2}, {"order": 2, "prune": 0}, {"projective": "no"}])
def test_orders_and_pruning(files, options):
    model = linnet.train(files / "train.conllu", task="parse", epochs=3, options={"tags": "given", **options})
    gold = io.read_sentences(files / "test.conllu", label_col=TREE)
    assert model.evaluate(gold).las > 0.95


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tags": "mine"}, "expected tags=own or given"),
        ({"order": 4}, "expected order=1 or order=2"),
        ({"prune": 2}, "expected prune to be a share"),
        ({"projective": "maybe"}, "expected projective=auto or yes or no"),
        ({"prun": 0}, "Did you mean 'prune' of task 'parse'"),
    ],
)
def test_wrong_settings_are_refused(files, options, message):
    with pytest.raises(UsageError, match=message):
        linnet.train(files / "train.conllu", task="parse", options=options)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t0\troot", "\t1\troot", "a cycle|no tree|other than the word itself"),
        ("\t0\troot", "\t99\troot", "expected a head from 0 to"),
        ("\t0\troot", "\tx\troot", "no such number"),
        ("\tDET\t", "\t_\t", "expected tags in the column UPOS, found none"),
    ],
)
def test_wrong_trees_are_refused_by_line(tmp_path, old, new, message):
    path = tmp_path / "bad.conllu"
    path.write_text(conllu(3).replace(old, new, 1))
    with pytest.raises(DataError, match=message) as caught:
        linnet.train(path, task="parse")
    assert "bad.conllu" in str(caught.value)


def test_sentences_that_are_no_trees_can_be_left_out(tmp_path):
    path = tmp_path / "some.conllu"
    path.write_text(conllu(12).replace("\t0\troot", "\t1\troot", 1))
    task = linnet.tasks.configured(linnet.tasks.named("parse"), {"wrong": "skip"})[0]
    found = task.read(path, {})
    assert (len(found), found.details["skipped"]) == (11, 1)
    assert (
        linnet.train(path, task="parse", epochs=1, options={"wrong": "skip", "tags": "given"}).details["skipped"] == 1
    )


def test_crossing_arcs_are_learned_as_such_or_from_the_nearest_projective_tree(tmp_path):
    rows = [
        "1\ta\t_\tX\tX\t_\t3\tr\t_\t_",
        "2\tb\t_\tY\tY\t_\t4\tr\t_\t_",
        "3\tc\t_\tZ\tZ\t_\t4\tr\t_\t_",
        "4\td\t_\tV\tV\t_\t0\troot\t_\t_",
    ]
    path = tmp_path / "crossing.conllu"
    path.write_text(("\n".join(rows) + "\n\n") * 12)
    task = linnet.tasks.named("parse")
    free = task.read(path, {})
    assert not free.details["projective"]
    assert (free.y == free.truth).all()
    forced = linnet.tasks.configured(task, {"projective": "yes"})[0].read(path, {})
    heads = forced.heads[:4].tolist()
    assert sum(a != b for a, b in zip(heads, [3, 4, 4, 0], strict=True)) == 1
    model = linnet.train(path, task="parse", epochs=5, options={"tags": "given", "order": 1})
    assert [
        arc.head
        for arc in model.predict(
            [[("a", "", "X", "X", ""), ("b", "", "Y", "Y", ""), ("c", "", "Z", "Z", ""), ("d", "", "V", "V", "")]]
        )[0]
    ] == [3, 4, 4, 0]


def test_every_contribution_counts(files, given):
    sentences = io.read_sentences(files / "test.conllu", label_col=TREE).first(3)
    _, y = given.parse(sentences)
    arcs = given.arcs(y)
    for tree, a in zip(given.explain_sentences(sentences), sentences.starts, strict=False):
        assert list(tree.heads) == [arc.head for arc in arcs[a : a + len(tree.words)]]
        for arc in tree.arcs:
            assert arc.score == pytest.approx(sum(part.contribution for part in arc.contributions), abs=1e-4)
            assert arc.against < 0 or (arc.against != arc.head and arc.score >= -1e-4)
    assert any(arc.against >= 0 for tree in given.explain_sentences(sentences) for arc in tree.arcs)


def test_a_tree_is_drawn():
    lines = drawing(["A", "red", "dog", "barks"], [3, 3, 4, 0], ["det", "amod", "nsubj", "root"])
    assert lines == [
        "┌──> A      det",
        "│┌─> red    amod",
        "└┼─> dog    nsubj",
        " └── barks  root",
    ]
    svg = drawn(["A", "dog"], [2, 0], ["det", "root"])
    assert svg.count("<path") == 4
    assert ">det</text>" in svg


def test_learners_are_compared(files):
    found = linnet.compare(
        files / "train.conllu", task="parse", learners=["averaged-perceptron", "perceptron"], folds=2
    )
    assert found.best.score > 0.9
    assert set(found.strongest) == {"amod", "case", "det", "nmod", "nsubj", "obj", "punct", "root"}


def test_what_is_in_a_treebank(files, tmp_path):
    facts = parse.facts(Data([str(files / "train.conllu")]))
    assert (facts["sentences"], facts["relations"]["root"]) == (80, 80)
    path = tmp_path / "some.conllu"
    path.write_text(conllu(4).replace("\t0\troot", "\t1\troot", 1))
    assert any("no tree" in problem for problem in parse.facts(Data([str(path)]))["problems"])


def test_sentences_that_are_too_long_are_refused(monkeypatch, parser):
    monkeypatch.setattr(features, "PARSED", replace(PARSED, most=5))
    assert len(parser.predict([["a"] * 5])[0]) == 5
    with pytest.raises(DataError, match="a sentence has 6 tokens, and trees are found for at most 5. Split it"):
        parser.predict([["a"], ["a"] * 6])


def test_sentences_that_are_too_long_are_not_learned_from(tmp_path, capsys):
    """Trees of 1,499 tokens would take minutes: they are left out before anything is computed, or refused where there are no
    others."""
    row = "{}\ta\t_\tNOUN\t_\t_\t{}\tdep\t_\t_\n"
    long = "".join(row.format(m, m - 1) for m in range(1, 1500)) + "\n"
    (tmp_path / "long.conllu").write_text(long)
    (tmp_path / "mixed.conllu").write_text(long + conllu(20) + long)
    options = {"order": 1, "tags": "given"}
    began = time.process_time()
    with pytest.raises(DataError, match="a sentence has 1,499 tokens, and trees are found for at most 1,000. Split it"):
        linnet.train(tmp_path / "long.conllu", task="parse", options=options)
    model = linnet.train(tmp_path / "mixed.conllu", task="parse", epochs=1, options=options)
    assert (model.details["left out"], model.provenance["examples"]) == (2, 20)
    assert list(mended(model)) == ["left out 2 sentences that are too long to learn from"]
    with pytest.raises(DataError, match="a sentence has 1,499 tokens"):
        model.evaluate(tmp_path / "mixed.conllu")
    facts = parse.facts(Data([str(tmp_path / "mixed.conllu")]))
    assert facts["problems"] == ["2 sentences that are too long"]
    assert time.process_time() - began < 5


def test_tables_that_are_too_large_are_refused_before_they_are_made(monkeypatch, parser):
    whole = parser.predict([["a"] * 8, ["a"] * 20])
    monkeypatch.setattr(machine, "MOST", 100_000)
    assert parser.predict([["a"] * 8]) == whole[:1]
    with pytest.raises(
        DataError, match="the longest example has .* places, whose scores would take .* order=1 needs less"
    ):
        parser.predict([["a"] * 20])
    assert parser.predict([["a"] * 8]) == whole[:1]
