"""The page of a model: what a training has to tell is on it, whatever the task, and what comes from outside is text."""

import pytest

import linnet
from linnet.plot.model_page import model_page

EVIL = "<script>alert('1')</script>"
TEXTS = [f"a fine {EVIL} film", "a dull film", "a fine day", "a dull day"] * 10


def test_the_page_tells_what_training_tells():
    model = linnet.train((TEXTS, [EVIL, "neg"] * 20), learner="averaged-mira", features="words:1", dev=0.2)
    html = model_page(f"t {EVIL}", model)
    assert "<script" not in html
    assert "http" not in html
    for heading in ("What it is", "How right it is", "Look at the data", "How learning went", "Labels"):
        assert f"<h2>{heading}</h2>" in html
    assert f"<li>learner averaged-mira, {model.features.n_features} features: words:1</li>" in html
    assert "expected on new data like these: 100.0% right (+- 9.5, 8 held out)" in html
    assert "texts that repeat an earlier one" in html
    assert "<title>mistakes</title>" in html
    assert "<title>mean loss</title>" in html
    assert html.count("<td class=n>20</td><td class=share><svg") == 2
    strongest = model.strongest(1)["neg"][0]
    assert f"<td>{strongest.feature}</td><td class=n>{strongest.weight:+.2f}</td>" in html


def test_a_model_of_one_pass_has_no_course_and_one_of_kernels_no_features():
    one_pass = model_page("t", linnet.train((TEXTS, ["pos", "neg"] * 20), learner="naive-bayes", features="words:1"))
    assert "<title>mistakes</title>" not in one_pass
    assert "<h2>Strongest features of the model</h2>" in one_pass
    kernel = linnet.train((TEXTS, ["pos", "neg"] * 20), learner="kernel-perceptron", features="words:1")
    assert "Strongest features" not in model_page("t", kernel)


@pytest.mark.parametrize("task", ["tag", "labelset"])
def test_models_of_other_tasks_have_a_page(task):
    tagged = [(text.split(), ["D", "J", "N"]) for text in ("a fine film", "the dull day", "a dull film")] * 4
    sets = [(text, ["x", "y"] if "fine" in text else ["x"]) for text in TEXTS]
    model = linnet.train(tagged if task == "tag" else sets, task=task)
    html = model_page("t", model)
    assert f"task {task}" in html
    assert f"<li>learner {model.learner}, " in html
