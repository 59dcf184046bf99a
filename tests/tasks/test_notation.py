"""Traces in the words of every task: outputs, features, places and tables of scores."""

import json

import bitext
import pytest
from treebank import conllu

import linnet

TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (PRP it)) (VP (VBZ barks)))"]
SETS = [("corn wheat", ["corn", "wheat"]), ("gold", ["gold"]), ("nothing", [])]
LISTS = [
    {"source": noun, "candidates": [{"text": f"{noun} the", "cost": 1}, {"text": f"the {noun}", "cost": 0}]}
    for noun in ("dog", "cat", "cow", "hen")
]
FILES = {
    "hierarchy.csv": "text,label\n" + "how many,NUM:count\nwhen,NUM:date\nwhere,LOC:city\n" * 6,
    "ordinal.csv": "text,label\n" + "bad,1\nfine,2\nsuperb,3\n" * 6,
    "labelset.jsonl": "".join(json.dumps({"text": text, "labels": some}) + "\n" for text, some in SETS * 6),
    "compress.jsonl": '{"tokens": ["a", "very", "fine", "film"], "keep": [1, 0, 1, 1]}\n' * 4,
    "parse.conllu": conllu(40),
    "brackets.mrg": "\n".join(4 * TREES) + "\n",
    "align.jsonl": bitext.jsonl(20),
    "rerank.jsonl": "".join(f"{json.dumps(one)}\n" for one in LISTS),
}


@pytest.fixture
def second(tmp_path):
    """The second step of a learner over the file of a task, in the order of the file."""

    def step(name, *, task=None, learner="mira", **how):
        path = tmp_path / name
        path.write_text(FILES[name], encoding="utf-8")
        task = task or name.partition(".")[0]
        found = list(linnet.trace(path, task=task, learner=learner, shuffle=False, steps=2, **how))[1]
        assert found.y_hat is not None
        assert found.loss == pytest.approx(found.loss)
        return found

    return step


def rows(chart):
    return [name for name, _ in chart.rows]


def test_sets_of_labels(second):
    step = second("labelset.jsonl", features="words:1")
    assert (step.x, step.y, step.y_hat, step.right) == ("gold", "gold", "corn, wheat", False)
    assert rows(step.charts[0]) == ["corn", "gold", "wheat"]


def test_a_ranking_is_right_where_the_right_labels_come_first(second):
    step = second("labelset.jsonl", task="ranking", learner="pa", features="words:1", epochs=9)
    assert (step.y, step.y_hat.count(","), step.score) == ("gold", 2, None)
    assert step.right == step.y_hat.startswith("gold")


def test_nodes_of_a_tree_of_labels(second):
    step = second("hierarchy.csv", features="words:1")
    assert (step.y, step.y_hat) == ("NUM:date", "NUM:count")
    assert rows(step.charts[0]) == ["LOC", "LOC/city", "NUM", "NUM/count", "NUM/date"]


@pytest.mark.parametrize("score", ["own", "shared"])
def test_thresholds_between_ratings(second, score):
    step = second("ordinal.csv", features="words:1", options={"score": score})
    assert step.y == "2"
    assert rows(step.charts[-1]) == ["above 1", "above 2"]
    assert {one.outcome for one in step.changes[0].largest} <= {"above 1", "above 2", "score"}


def test_tokens_that_stay(second):
    step = second("compress.jsonl", features="w gap <lower|>lower")
    assert (step.x, step.y) == ("a very fine film", "a fine film")
    tokens, pairs = step.charts
    assert (tokens.columns, rows(tokens)) == (("drop", "keep"), ["a", "very", "fine", "film"])
    assert rows(pairs)[:3] == ["<s> a", "<s> very", "a very"]
    assert [(one.place, one.name) for one in step.features][:2] == [("a", "w=a"), ("very", "w=very")]


def test_arcs_and_relations(second):
    step = second("parse.conllu", options={"tags": "own", "order": 2})
    arcs, relations = step.charts
    words = step.x.split()
    assert (list(arcs.columns), rows(arcs)) == (words, ["ROOT", *words])
    assert sum(cell.y for _, cells in arcs.rows for cell in cells) == len(words)
    assert "det" in relations.columns
    assert step.y.count(", ") == len(words) - 1


def test_spans_and_labels(second):
    step = second("brackets.mrg", options={"tags": "given"})
    assert (step.x, step.y) == ("it barks", "NP(it), S(it barks), VP(barks)")
    (chart,) = step.charts
    assert chart.columns == ("(none)", "NP", "S", "VP")
    assert sorted(rows(chart)) == ["barks", "it", "it barks"]


def test_links(second):
    step = second("align.jsonl")
    source, target = (side.split() for side in step.x.split(" ||| "))
    (chart,) = step.charts
    assert (list(chart.columns), rows(chart)) == (target, [*source, "nothing"])
    assert step.y.split(", ")[0] == f"{source[0]} - {target[0]}"


def test_candidates(second):
    step = second("rerank.jsonl", features="start:1")
    assert (step.x, step.y, step.right) == ("cat", "candidate 1: the cat", True)
    assert [(one.place, one.name) for one in step.features] == [("candidate 0", "cat"), ("candidate 1", "the")]
