"""Steps of learning as a page, and as text."""

import re

import linnet
from linnet.fitting.trace_page import trace_page

TEXTS, GOLD = ["a <b>good</b> film", "a bad film", "good"], ["+", "-", "+"]


def steps(n=3, learner="mira", **how):
    return list(linnet.trace(TEXTS, GOLD, learner=learner, features="words:1 markup", shuffle=False, steps=n, **how))


def test_each_step_links_to_its_neighbours():
    page = trace_page("mira", steps())
    sections = re.split(r"<section class=step id=", page)[1:]
    assert [section[:2] for section in sections] == ["s0", "s1", "s2"]
    links = [re.findall(r'href="#(s\d)" rel=(\w+)', section) for section in sections]
    assert links == [[("s1", "next")], [("s0", "prev"), ("s2", "next")], [("s1", "prev")]]
    assert re.findall(r'<a href="#(s\d)" class=(\w+)', page) == [("s0", "close"), ("s1", "wrong"), ("s2", "wrong")]


def test_what_a_step_says_on_the_page():
    page = trace_page("mira", steps(1))
    assert "a &lt;b&gt;good&lt;/b&gt; film" in page
    assert "<b>good</b> film" not in page
    assert "<dt>loss</dt><dd>1</dd>" in page
    assert re.search(r"<td>good</td><td>\+</td><td class=n>0</td><td class=n>0\.\d+</td>", page)
    assert 'class="n y hat"' in page  # y and y_hat are the same label.
    assert "rel=next" not in page


def test_a_step_stands_in_a_notebook():
    (first,) = steps(1)
    html = first._repr_html_()
    assert html.startswith('<div class="linnet-')
    assert "<section class=step" in html


def test_a_pass_has_numbers_and_no_example():
    page = trace_page("boosting", steps(2, "boosting", options={"by": "stumps"}))
    assert "D: the examples that count most in this round" in page
    assert "<dt>sum of the losses</dt>" in page
    assert "class=key" not in page


def test_a_step_in_one_line():
    (first,) = steps(1)
    assert repr(first) == "<step 1: step 1, mira, epoch 1, example 0>"
