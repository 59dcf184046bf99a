"""The page of an evaluation: what a report has is on it, for every task, and what comes from outside is text."""

import json
import re

import numpy as np
import pytest

import linnet
from linnet.report.evaluation import evaluation_page
from linnet.tasks import named
from linnet.tasks.commands import Asked, Data
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
    assert html.count("<td colspan=5 class=text>") == len(report.most_wrong) == 10
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


def test_a_number_of_the_confusion_leads_to_the_texts_that_it_counts(tmp_path):
    texts = ["a fine film", "a dull film", "a fine day", "a dull day"] * 10 + ["fine fine film", "dull <b>day</b>"]
    labels = ["pos", "neg"] * 20 + ["neg", "pos"]
    model = linnet.train((texts, labels), features="words:1")
    found = named("labels").commands.evaluate(model, _file(tmp_path, texts, labels), Asked())
    html = found.page("t")
    assert "<script" not in html
    links = re.findall(r'<a href="#(errors-\w+)">(\d+)</a>', html)
    assert [int(n) for _, n in links] == [1, 1]
    for place, _ in links:
        section = html.partition(f'<section class=pair id="{place}">')[2].partition("</section>")[0]
        assert section.count("<td colspan=5 class=text>") == 1
    neg_as_pos = html.partition("<h2>neg taken for pos</h2>")[2].partition("</section>")[0]
    assert neg_as_pos.count(">fine</span>") == 2  # The words that speak for the label are coloured.
    assert "<b>day</b>" not in html


def test_a_model_without_weights_of_features_shows_its_errors_without_reasons(tmp_path):
    texts, labels = ["a b", "b c", "c d", "a d"] * 3 + ["a b"], ["x", "y", "y", "x"] * 3 + ["y"]
    model = linnet.train((texts, labels), learner="kernel-perceptron", features="words:1")
    html = named("labels").commands.evaluate(model, _file(tmp_path, texts, labels), Asked()).page("t")
    sections = html.partition("<section class=pair")[2].rpartition("</section>")[0]
    assert "class=text>a b</td>" in sections


def test_errors_of_all_pairs_are_kept_and_the_worst_of_all():
    rng = np.random.default_rng(1)
    labels = [f"l{k:02}" for k in range(30)]
    theta = rng.normal(size=(4000, 30))
    y = rng.integers(30, size=4000)
    gold, predicted = [labels[k] for k in y], [labels[k] for k in theta.argmax(axis=1)]
    found = evaluate_labels(gold, predicted, labels, None, theta).errors
    pairs = {(a, b) for a, b in zip(gold, predicted, strict=True) if a != b}
    assert {(one.gold, one.predicted) for one in found} == pairs
    ahead = theta.max(axis=1) - theta[np.arange(4000), y]
    assert [one.score for one in found[:10]] == np.sort(ahead)[::-1][:10].tolist()
    for pair in list(pairs)[:20]:
        of_pair = [s for s, a, b in zip(ahead, gold, predicted, strict=True) if (a, b) == pair]
        assert max(one.score for one in found if (one.gold, one.predicted) == pair) == max(of_pair)


def _file(folder, texts, labels):
    path = folder / "data.jsonl"
    rows = [json.dumps({"text": text, "label": label}) for text, label in zip(texts, labels, strict=True)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return Data([str(path)])
