"""The table and the page of a comparison."""

import re
from html import escape
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from linnet.comparison import System, compare
from linnet.comparison.page import comparison_page
from linnet.comparison.terminal import cells, comparison_table, headings, left_out
from linnet.report import svg
from linnet.report.drawing import marks

EVIL = "<script>alert('1')</script>"


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    texts = [
        " ".join(f"{'<b>abc'[3 + (k if rng.random() < 0.7 else rng.integers(3))]}{rng.integers(5)}" for _ in range(6))
        for k in y
    ]
    labels = [(EVIL, "two & more", "three")[k] for k in y]
    return compare((texts, labels), learners=["perceptron", "naive-bayes"], features=["words:1", "words:2"], folds=3)


class Page(HTMLParser):
    """Tags that are open, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.tags = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in ("meta", "line", "path", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("line", "path", "circle"):
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_table_on_the_terminal(result):
    console = Console(width=200, color_system=None)
    with console.capture() as shown:
        console.print(comparison_table(result))
    text = shown.get()
    best = result.best
    assert "150 examples, 4 systems in " in text
    assert f"{100 * best.score:.2f} ± {100 * best.error:.2f}" in text
    assert f"{best.system.learner} ({best.system.features}) {best.verdict.sentence}" in text
    assert cells(best, result, headings(result))[-1] == f"{100 * best.reliability.ece:.1f}"
    chance = result.chance
    assert chance.answer == "always three"
    assert f"{chance.answer}" in text
    assert f"{100 * chance.score:.2f} ± {100 * chance.error:.2f}" in text


def test_costs_are_shown_as_they_are_and_the_least_above():
    rng = np.random.default_rng(1)
    y = rng.integers(1, 4, 90)
    texts = [f"w{k if rng.random() < 0.7 else rng.integers(1, 4)}" for k in y]
    found = compare(
        (texts, list(map(str, y))), task="ordinal", learners=["perceptron", "logistic"], features=["words:1"], folds=3
    )
    best = found.best
    names = headings(found, brief=True)
    assert names == ["learner", "mean absolute error", "", "accuracy", "training", "seconds"]
    shown = dict(zip(names, cells(best, found, names), strict=True))
    assert shown["mean absolute error"] == f"{best.score:.4f} ± {best.error:.4f}"
    assert shown["accuracy"] == f"{100 * best.accuracy:.2f}"
    assert shown["training"] == f"{best.train:.4f}"
    page = Page(comparison_page("Ratings", found))
    assert "Mean absolute error against time" in page.text
    assert "Mean absolute error on held-out (line)" in page.text


def test_less_is_drawn_above():
    plot = svg.scatter(["a", "b"], [1, 2], [0.5, 1.5], [0.1, 0.1], "x", "y", less_is_better=True)
    (_, better), (_, worse) = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4"', plot)
    assert float(better) < float(worse)
    assert ">1.2<" in plot or ">1<" in plot


def test_the_page_is_whole_and_what_comes_from_outside_is_text(result):
    html = comparison_page(f"Compared: {EVIL}", result)
    page = Page(html)
    assert page.open == []
    assert not {"script", "img", "link", "b" * 2} & set(page.tags)
    assert "http" not in html
    assert page.text.count(EVIL) >= 3
    for heading in (
        "How they fit",
        "Accuracy against time",
        "Learning curves",
        "Calibration",
        "Confusion of",
        "Most wrong",
    ):
        assert heading in page.text
    assert page.tags.count("svg") == 1 + 4 + 4


def test_the_confusion_on_the_page_is_that_of_the_best(result):
    html = comparison_page("t", result)
    table = re.search(r"<table class=confusion>(.*?)</table>", html).group(1)
    counts = [int(n or 0) for n in re.findall(r'title="[\d.]+%">(\d*)</td>', table)]
    assert counts == result.confusion.ravel().tolist()


def test_points_lie_where_they_should():
    # From 1 to 10 seconds on a logarithmic axis, with 1.25 and 1.6 times of room at the ends.
    plot = svg.scatter(["a", "b"], [1.0, 10.0], [0.8, 0.9], [0.0, 0.0], "s", "%")
    (x1, y1), (x2, y2) = [tuple(map(float, found)) for found in re.findall(r'circle cx="([\d.]+)" cy="([\d.]+)"', plot)]
    share = [np.log10(f) / np.log10(20) for f in (1.25, 12.5)]
    assert [x1, x2] == pytest.approx([48 + 700 * s for s in share], abs=0.1)
    assert y1 > y2


def test_names_of_points_at_the_same_place_do_not_cover_each_other():
    plot = svg.scatter([f"learner {i}" for i in range(8)], [1.0] * 8, [0.8] * 8, [0.01] * 8, "s", "%")
    spots = [tuple(map(float, found)) for found in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)" class="name">', plot)]
    assert len(spots) == 8
    for i, (x, y) in enumerate(spots):
        assert all(abs(y - b) >= 13 or abs(x - a) >= 50 for a, b in spots[:i])


def test_round_marks():
    assert marks(0.78, 0.93) == pytest.approx([0.8, 0.85, 0.9])
    assert marks(0, 0.3, 3) == pytest.approx([0, 0.1, 0.2, 0.3])
    assert svg._seconds(0.08, 3) == pytest.approx([0.1, 0.2, 0.5, 1, 2])


def test_only_what_nothing_beats_is_on_the_line():
    assert svg._front([(3, 1), (1, 5), (2, 6), (4, 2)]) == [(1, 5), (3, 1)]


def test_systems_that_fit_alike_are_rows_of_a_table_and_not_sentences(result):
    html = comparison_page("t", result)
    part = html[html.index("How they fit") : html.index("against time")]
    assert part.count("<tr>") == 1 + len(result.rows)
    assert "<li><b>" in part
    assert result.best.verdict.sentence not in html
    for row in result.rows:
        assert f"<td class=n>{100 * row.train:.2f}</td><td class=n>{100 * row.score:.2f}</td>" in part


def test_one_log_loss_for_each_learner(result):
    html = comparison_page("t", result)
    names = headings(result)
    for row in result.rows:
        assert cells(row, result, names)[names.index("log loss")] == f"{row.losses['log']:.3f}"
        assert f"<td class=n>{row.losses['log']:.3f}</td>" in html
        assert row.losses["exp"] <= 1e15
        assert row.as_dict()["log_loss"] == row.losses["log"]


def test_a_bin_with_few_predictions_is_hollow_and_not_on_the_line():
    plot = svg.reliability_panel("t", "ECE 1.0", [0.15, 0.6, 0.9], [1.0, 0.5, 0.9], [3, 40, 400])
    assert plot.count('<circle class="few"') == 1
    assert "3 predictions of 15% on average, 100% of them right" in plot
    (line,) = re.findall(r'<path class="one" d="M([^"]*)"', plot)
    assert line.count(",") == 2


def test_a_line_leads_from_each_far_name_to_the_edge_of_its_point():
    names = [f"learner {i}" for i in range(12)]
    xs, ys = [1.0 + i / 500 for i in range(12)], [0.8 + i / 5000 for i in range(12)]
    plot = svg.scatter([*names, "slow"], [*xs, 9.0], [*ys, 0.9], [0.001] * 13, "s", "%")
    points = [tuple(map(float, found)) for found in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4"', plot)]
    leads = [tuple(map(float, found)) for found in re.findall(r'class="lead" x1="([\d.]+)" y1="([\d.]+)"', plot)]
    assert leads
    for x, y in leads:
        assert any(np.hypot(x - a, y - b) == pytest.approx(4, abs=0.15) for a, b in points)


def test_reasons_for_which_learners_are_left_out_are_said_once():
    refused = [(System("f", "a"), "learner 'a' needs sets."), (System("f", "b"), "learner 'b' needs sets.")]
    assert left_out(SimpleNamespace(refused=refused, rows=[])) == ["a, b are left out: learner this needs sets."]
    there = [SimpleNamespace(system=System("words:1", "a"))]
    assert left_out(SimpleNamespace(refused=[(System("w\x1b", "a"), "no feature is left.")], rows=there)) == [
        "a (w\ufffd) is left out: no feature is left."
    ]


def test_labels_of_sets_have_a_table_with_the_most_frequent_first():
    rng = np.random.default_rng(0)
    names = [EVIL, *(f"l{k:02}" for k in range(1, 24))]
    sets = [[name for k, name in enumerate(names) if rng.random() < (0.9 if k == 0 else 0.1)] for _ in range(60)]
    texts = [" ".join(f"w{names.index(name)}" for name in one) for one in sets]
    found = compare((texts, sets), task="labelset", learners=["averaged-mira"], features=["words:1"], folds=3)
    html = comparison_page("t", found)
    page = Page(html)
    assert page.open == []
    assert "Labels of averaged-mira" in page.text
    assert "The 20 most frequent of 24." in page.text
    table = html.rpartition("<table><tr><th>label</th>")[2].partition("</table>")[0]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")[1:]]
    assert [int(row[-1]) for row in rows] == sorted(found.singles[:, 0].tolist(), reverse=True)[:20]
    gold, guessed, right = found.singles[found.labels.index(EVIL)].tolist()
    shares = (right / guessed, right / gold, 2 * right / (guessed + gold))
    assert rows[0] == [escape(EVIL), *(f"{100 * share:.1f}" for share in shares), str(gold)]
    assert gold == sum(EVIL in one for one in sets)
