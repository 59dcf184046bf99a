"""The page of a model: what a training has to tell is on it, whatever the task, and what comes from outside is text."""

import pytest

import linnet
import linnet.plot
from linnet.errors import UsageError
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


def test_models_that_were_not_learned_as_they_are_have_a_page():
    data = (["a fine film", "a dull film"] * 5, ["pos", "neg"] * 5)
    model = linnet.train(data, learner="averaged-perceptron", features="words:1")
    merged = model_page("t", model.merge(linnet.train(data, learner="averaged-perceptron", features="words:1")))
    assert "<li>task labels, 2 labels</li>" in merged
    assert "How learning went" not in merged
    session = model.session()
    session.learn("a very fine film", "pos")
    assert "<li>task labels, 2 labels</li>" in model_page("t", session.model())


def test_two_runs_of_one_epoch_have_no_course():
    data = (["a fine film", "a dull film"] * 5, ["pos", "neg"] * 5)
    model = linnet.train(data, learner="averaged-perceptron", epochs=1, options={"runs": 2}, estimate=False)
    assert len(model.report["epochs"]) == 2
    assert "<h2>How learning went</h2>" in model_page("t", model)
    with pytest.raises(UsageError, match="there is no course to draw"):
        linnet.plot.learning(model)
