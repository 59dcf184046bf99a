"""Errors with their reasons, for every task: just those decisions are shown that differ from what is right."""

from __future__ import annotations

import re
from html import unescape

import pytest
from task_models import examples, trained

import linnet
from linnet.report.evaluation import evaluation_page
from linnet.tasks.commands import Asked, Data
from linnet.tasks.rerank.commands import evaluate as evaluate_lists
from linnet.tasks.tag.commands import evaluate as evaluate_tags
from linnet.tasks.wrong_decisions import wrong_in_texts, wrong_in_words

WORDS = ("tag", "compress", "parse", "brackets", "align")
TEXTS = ("labelset", "ranking", "hierarchy", "ordinal")


def predicted(model, task):
    """New examples of a task with the outputs of its model, which are the right ones from now on."""
    X, _ = examples(task, 12, seed=9)
    if task == "align":
        return X, [[*map(tuple, links)] for links in model.predict(X)]
    if task == "compress":
        return X, [[int(keep) for keep in flags] for flags in model.answers(X)["keep"].to_pylist()]
    if task == "parse":  # The parser has a tagger of its own.
        X = [[word for word, *_ in sentence] for sentence in X]
        return X, [[(arc.head, arc.relation) for arc in arcs] for arcs in model.predict(X)]
    return X, [*model.predict(X)]


def errors(model, task, X, Y):
    if task in TEXTS:
        return wrong_in_texts(model, model.labelled(X, Y, {}))
    return wrong_in_words(model, (X, Y))


@pytest.fixture(scope="module", params=[*WORDS, *TEXTS])
def learned(request):
    model = trained(request.param)
    return request.param, model, *predicted(model, request.param)


def test_no_decision_is_wrong_where_all_are_as_predicted(learned):
    task, model, X, Y = learned
    assert errors(model, task, X, Y).found == []


def other(task, y):
    """Another output than y: what is right by it, and what was found, where it differs."""
    if task == "tag":
        k = "VERB" if y[1] != "VERB" else "NOUN"
        return [y[0], k, *y[2:]], [(k, y[1])]
    if task == "compress":
        return [y[0], 1 - y[1], *y[2:]], [(("drop", "keep")[1 - y[1]], ("drop", "keep")[y[1]])]
    if task == "parse":
        (head, _), *others = y
        return [(head, "verb"), *others], [("verb", "root")]
    if task == "align":
        return [(i, j) for i, j in y if j], [("no link", None)]
    if task == "brackets":
        return y.replace("(VP", "(NP"), [("NP", "VP")]
    if task == "labelset":
        return [*y, "verb"] if "verb" not in y else [one for one in y if one != "verb"], [
            ("yes", "no") if "verb" not in y else ("no", "yes")
        ]
    if task == "ranking":
        return [y[-1]], [(y[-1], y[0])]
    if task == "hierarchy":
        label = "others/now" if y != "others/now" else "animals/now"
        return label, [(label, y)]
    return str(2 - int(y)) if int(y) != 1 else "0", [(str(2 - int(y)) if int(y) != 1 else "0", str(y))]


def test_just_the_decision_that_differs_is_wrong_and_has_reasons(learned):
    task, model, X, Y = learned
    y, expected = other(task, Y[3])
    found = errors(model, task, X, [*Y[:3], y, *Y[4:]]).found
    assert {error.row for error in found} == {4}
    pairs = [(error.gold, error.predicted) for error in found]
    assert pairs[0][0] == expected[0][0]
    if expected[0][1] is not None:
        assert pairs == expected
    for error in found:
        assert error.ahead >= -1e-4 or task in TEXTS
        assert "class=because" in error.text
        assert re.search(r"[+-]\d\.\d\d", error.text), "a feature and what it adds"
    if task in WORDS:
        assert all("<mark>" in error.text for error in found)


def test_a_right_value_costs_what_the_error_says():
    model = trained("tag")
    X, Y = predicted(model, "tag")
    k = model.labels.index("VERB" if Y[3][1] != "VERB" else "NOUN")
    (error,) = wrong_in_words(model, (X, [*Y[:3], other("tag", Y[3])[0], *Y[4:]])).found
    (decided,) = model.decisions([X[3]])
    there = sum(contribution for *_, contribution in decided.reasons({1: k}, {}))
    assert error.ahead == pytest.approx(-there, abs=1e-4)
    assert error.ahead > 0


def test_spans_are_named_as_the_file_names_them(tmp_path):
    """A span of one token is S- in the model and B- in the file."""
    data = "the DT O\nold JJ B-X\ndog NN O\n\ndog NN O\nruns VB B-Y\nnow RB I-Y\n\nit PR O\nran VB B-Y\n\n" * 6
    (tmp_path / "train.conll").write_text(data)
    (tmp_path / "test.conll").write_text(data.replace("old JJ B-X", "old JJ B-Y", 1))
    model = linnet.train(tmp_path / "train.conll", task="tag")
    assert "S-X" in model.labels
    found = evaluate_tags(model, Data([str(tmp_path / "test.conll")]), Asked())
    (error,) = found.errors().found
    assert (error.row, error.about, error.gold, error.predicted) == (1, "old", "B-Y", "B-X")
    page = found.page("tags")
    (link,) = re.findall(r'<a href="#(errors-\w+)">1</a>', page)
    assert f'<section class=pair id="{link}"><h2>B-Y taken for B-X</h2>' in page
    assert "the <mark>old</mark> dog" in page


def test_lists_whose_cheapest_candidate_was_not_chosen(tmp_path):
    line = '{"source": "%s", "candidates": [{"text": "the film", "cost": %d}, {"text": "film the", "cost": %d}]}\n'
    (tmp_path / "train.jsonl").write_text("".join(line % (f"x{i}", 0, 1) for i in range(8)))
    (tmp_path / "test.jsonl").write_text(
        line % ("as before", 0, 1) + line % ("the other way", 1, 0) + line % ("tie", 0, 0)
    )
    model = linnet.train(tmp_path / "train.jsonl", task="rerank")
    found = evaluate_lists(model, Data([str(tmp_path / "test.jsonl")]), Asked())
    errors = found.errors()
    assert [(one.row, one.gold, one.predicted) for one in errors.found] == [(2, "film the", "the film")]
    assert "<th>list</th><th>label</th>" in found.page("lists")


def test_what_was_not_looked_at_is_said(monkeypatch):
    monkeypatch.setattr("linnet.tasks.wrong_decisions._MOST_EXAMPLES", 2)
    model = trained("ordinal")
    X, _ = examples("ordinal", 5)
    found = wrong_in_texts(model, model.labelled(X, ["0"] * 5, {}))
    assert "among the first 2 of 5 examples" in found.says
    assert {error.row for error in found.found} <= {1, 2}


def test_words_are_never_markup():
    model = trained("tag")
    evil = ["<script>alert(1)</script>", "dog", "<b>"]
    found = wrong_in_words(model, ([evil], [["VERB", "VERB", "VERB"]]))
    page = evaluation_page("t", model.evaluate([evil], [["VERB"] * 3]).as_dict(), found)
    assert found.found
    assert "<script>" not in page
    assert "<b>" not in page.partition("worst errors")[2]
    assert "<script>" in unescape(page)
