"""The page of an evaluation: what a report has is on it, for every task, and what comes from outside is text."""

import numpy as np
import pytest

import linnet
from linnet.report.evaluation import evaluation_page
from linnet.tasks.labels.measures import evaluate_labels

EVIL = "<script>alert('1')</script>"


@pytest.fixture(scope="module")
def report():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1], 90)
    y_hat = p.argmax(axis=1)
    labels = ["pos", EVIL]
    gold = [labels[k] if rng.random() < 0.8 else labels[1 - k] for k in y_hat]
    gold[0] = "new"
    texts = [f"text {i} {EVIL}" for i in range(90)]
    return evaluate_labels(gold, [labels[k] for k in y_hat], labels, p, np.log(p), texts)


def test_all_parts_of_a_report_on_labels(report):
    html = evaluation_page(f"t {EVIL}", report.as_dict())
    assert "<script" not in html
    assert "http" not in html
    assert f"<td>accuracy</td><td class=n>{100 * report.accuracy:.2f}%</td>" in html
    assert f"<td>log loss</td><td class=n>{report.log_loss:.4f}</td>" in html
    assert "1 example has a label that the model does not know: &#x27;new&#x27; (1)." in html
    for heading in ("By label", "Confusion", "Calibration", "Mean losses", "The worst errors"):
        assert f"<h2>{heading}</h2>" in html
    assert html.count("<td colspan=4 class=text>") == len(report.most_wrong) == 10
    assert f"<td class=n>{100 * report.per_label['pos'].recall:.2f}%</td>" in html


def test_figures_of_other_tasks_are_spelled_out_and_shares_are_in_percent():
    texts, sets = ["a b", "b c", "c a", "a"] * 5, [["x"], ["y"], ["x", "y"], []] * 5
    model = linnet.train((texts, sets), task="labelset", features="words:1")
    report = model.evaluate(texts, sets)
    html = evaluation_page("t", report.as_dict())
    assert f"<td>micro F1</td><td class=n>{100 * report.micro_f1:.2f}%</td>" in html
    assert f"<td>coverage</td><td class=n>{report.ranking.coverage:.4f}</td>" in html
    assert "<td>examples</td><td class=n>20</td>" in html
    assert "<h2>By label</h2>" in html
    assert "<h2>Calibration</h2>" not in html
