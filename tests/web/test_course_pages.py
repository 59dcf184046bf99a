"""The course in a real browser: stepped through and played with, by mouse and by keys, narrow and dark."""

from __future__ import annotations

import pytest
from browsing import chromium, faults
from running_server import serving

from linnet.web.course.pages import PAGES

LESSONS = [page.path for page in PAGES[1:]]


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(browser):
    with serving() as client:
        yield client.address


@pytest.fixture
def opened(browser, address):
    """Opens a page of the course, in which no script fails and no policy is violated; a question may be refused."""
    contexts, said = [], []

    def go(path, **how):
        contexts.append(browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | how)))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address + path)
        page.wait_for_selector(FILLED[path], state="attached")
        return page

    yield go
    for context in contexts:
        context.close()
    assert [line for line in said if "422" not in line] == []


FILLED = {
    "/course": "li.card a",
    "/course/plane": "#facts dt",
    "/course/texts": "#facts dt",
    "/course/losses": "#rows tr",
    "/course/tags": "#trellis .node",
}
"""For each page what is there when its first answer has come."""


def fact(page, name):
    return page.evaluate(
        "name => [...document.querySelectorAll('dt')].find(x => x.textContent === name).nextSibling.textContent", name
    )


def until(page, said, value=None):
    """Wait until an expression, or a function of a value, is true. The policy of the pages lets no string be evaluated in them,
    so that the browser cannot wait by itself."""
    for _ in range(100):
        if page.evaluate(said, value):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within 10 s: {said}")


def to_start(page):
    page.click("#first")
    page.wait_for_selector("#at:has-text('before learning')")


def test_the_course_leads_from_page_to_page(opened):
    page = opened("/course")
    for path in LESSONS:
        page.click(".next a")
        page.wait_for_selector(FILLED[path], state="attached")
        assert page.evaluate("location.pathname") == path
    page.click(".next a")
    page.wait_for_selector(FILLED["/course"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", FILLED)
def test_pages_fit_and_have_no_serious_faults(opened, path, scheme):
    page = opened(path, color_scheme=scheme, bypass_csp=True)
    for width in (360, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(page) == []


def test_steps_go_forward_and_back(opened):
    page = opened("/course/plane")
    to_start(page)
    assert "no line" in page.inner_text("#said")
    assert page.locator("#lines *").count() == 0
    assert page.is_disabled("#back")
    page.click("#on")
    page.wait_for_selector("#at:has-text('step 1 of')")
    assert "A mistake" in page.inner_text("#said")
    assert page.locator("#lines .region").count() == 2
    assert page.locator(".point.seen").count() == 1
    page.focus("#step")
    page.keyboard.press("ArrowRight")
    assert "step 2" in page.inner_text("#at")
    page.click("#back")
    assert "step 1" in page.inner_text("#at")
    page.click("#last")
    assert page.is_disabled("#on")
    assert page.locator("#lines .boundary").count() == 1
    assert "Learning ends here: the last epoch made no mistake." in page.inner_text("#said")
    page.click("#play")
    page.wait_for_selector("#at:has-text('step 3')")
    page.click("#play")


def test_a_point_is_added_moved_flipped_and_removed_by_keys_alone(opened):
    page = opened("/course/plane")
    n = page.locator(".point").count()
    line = page.get_attribute("#lines .boundary", "points")
    page.focus("#add")
    page.keyboard.press("Enter")
    assert page.locator(".point").count() == n + 1
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        f"Point {n + 1}, label plus, at 5, 5"
    )
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp", "ArrowUp", "Space"):
        page.keyboard.press(key)
    page.wait_for_selector(f"[aria-label^='Point {n + 1}, label minus, at 4, 6.1']")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("f")
    until(page, "before => document.querySelector('#lines .boundary').getAttribute('points') !== before", line)
    assert page.evaluate("document.activeElement.closest('#points') !== null"), "the point keeps the focus"
    page.keyboard.press("Delete")
    until(page, "n => document.querySelectorAll('.point').length === n", n)
    until(page, "before => document.querySelector('#lines .boundary').getAttribute('points') === before", line)


def test_a_point_is_added_and_dragged_by_the_mouse(opened):
    page = opened("/course/plane")
    n = page.locator(".point").count()
    box = page.locator("#plane .frame").bounding_box()

    def at(x, y):
        return box["x"] + box["width"] * x / 10, box["y"] + box["height"] * (1 - y / 10)

    page.select_option("#new", "0")
    page.mouse.click(*at(9, 9))
    page.wait_for_selector(f"[aria-label^='Point {n + 1}, label minus, at 9, 9']")
    page.mouse.move(*at(9, 9))
    page.mouse.down()
    page.mouse.move(*at(4, 4), steps=4)
    page.mouse.up()
    page.wait_for_selector(f"[aria-label^='Point {n + 1}, label minus, at 4, 4']")
    page.mouse.move(*at(1, 1))
    assert page.locator(f"[aria-label^='Point {n + 1}, label minus, at 4, 4']").count() == 1, "it was let go"
    page.click("#flip")
    page.wait_for_selector(f"[aria-label^='Point {n + 1}, label plus, at 4, 4']")
    page.click("#remove")
    assert page.locator(".point").count() == n


def test_learners_and_their_knobs(opened):
    page = opened("/course/plane")
    assert page.locator(".taught:visible").count() == 1
    page.select_option("#learner", "mira")
    page.wait_for_selector("#facts:has-text('a lead of 1')")
    assert "min(C, loss" in page.inner_text(".taught:visible .equation")
    page.select_option("#learner", "svm")
    page.wait_for_selector(".point.support")
    loose = page.evaluate("document.querySelectorAll('.point.support').length")
    page.fill("#svm-C", "0.001")
    until(page, "n => document.querySelectorAll('.point.support').length !== n", loose)
    page.focus("#svm-C-slider")
    page.keyboard.press("End")
    assert page.input_value("#svm-C") == "1000"
    page.select_option("#learner", "naive-bayes")
    page.wait_for_selector("#said:has-text('counted')")
    assert "Mistakes so far" not in page.inner_text("#bound")


def test_what_cannot_be_learned_is_said(opened):
    page = opened("/course/plane")
    page.select_option("#data", "corners")
    page.wait_for_selector("#bound:has-text('No line that separates')")
    for _ in range(7):
        page.focus(".point >> nth=0")
        page.keyboard.press("Delete")
    page.wait_for_selector("#fault:has-text('from 2 to 40 points')")
    page.click("#add")
    until(page, "document.getElementById('fault').textContent === ''")


def test_texts_move_weights(opened):
    page = opened("/course/texts")
    page.select_option("#learner", "mira")
    page.wait_for_selector(".taught[data-learner=mira]:visible")
    page.wait_for_timeout(500)
    to_start(page)
    assert page.is_visible("#no-weights")
    page.click("#on")
    assert fact(page, "τ") == "0.1667"
    assert page.locator("#rows tr.seen").count() == 1
    moved = page.locator("#weights td.moved").all_inner_texts()
    assert moved == ["0 → −0.1667", "0 → 0.1667"] * 3
    assert page.locator("#theta-rows tr").count() == 2


def test_texts_labels_and_another_text_can_be_changed(opened):
    page = opened("/course/texts")
    page.wait_for_selector("#answer b:has-text('pos')")
    page.fill("#text", "bad poor")
    page.wait_for_selector("#answer b:has-text('neg')")
    page.click("#add")
    page.keyboard.type("<b>dull</b> עולם")
    page.wait_for_selector("#fault:has-text('label')")
    page.keyboard.press("Tab")
    page.keyboard.type("other")
    page.wait_for_selector("#weights th:has-text('other')")
    assert page.locator("#fault:not(:empty)").count() == 0
    page.fill("#text", "dull")
    page.wait_for_selector("#answer b:has-text('other')")
    page.click("#rows tr:last-child button")
    page.wait_for_selector("#weights th:has-text('other')", state="detached")
    page.select_option("#data", "lights")
    page.select_option("#learner", "naive-bayes")
    page.fill("#naive-bayes-alpha", "0")
    page.wait_for_selector("#answer b:has-text('works')")
    assert page.inner_text("#weights-title") == "Counts after this step"


def test_the_margin_is_dragged_and_moved_by_keys(opened):
    page = opened("/course/losses")
    assert "m = 0.5" in page.inner_text("#m")
    page.focus("#margin")
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    assert "m = 0:" in page.inner_text("#m")
    assert page.locator("#rows tr:has-text('hinge') td.n").all_inner_texts() == ["1", "−1"]
    box = page.locator("#losses").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 620 / 640, box["y"] + 20, steps=3)
    page.mouse.up()
    assert "m = 3:" in page.inner_text("#m")


def test_the_trellis_follows_the_sentence_and_is_walked_by_keys(opened):
    page = opened("/course/tags")
    assert page.locator(".node").count() == 25
    assert page.locator(".node.best, .node.chosen.best").count() == 5
    page.focus(".node.chosen")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("the as PRON")
    assert page.inner_text("#cell-title") == "the as PRON"
    assert page.locator("#ways tr.y").count() == 1
    page.fill("#sentence", "she barks")
    until(page, "document.querySelectorAll('.node').length === 10")
    assert page.locator("#best tr:first-child td:not(.n)").all_inner_texts() == ["PRON", "VERB"]
    page.fill("#sentence", "")
    page.wait_for_selector("#fault:has-text('1 to 12 words')")
    page.fill("#sentence", f"{'x' * 24} <script>")
    page.wait_for_selector("#best-head:has-text('<script>')")
    assert page.locator("#trellis script").count() == 0


def test_a_weight_is_changed_and_put_back(opened):
    page = opened("/course/tags")
    page.select_option("#learner", "crf")
    page.wait_for_selector(".node .small")
    before = page.inner_text("#best tr:first-child")
    page.fill("[aria-label='Weight of VERB after NOUN']", "-50")
    page.wait_for_selector("#changed:has-text('One weight was set by hand')")
    assert page.locator("input.moved").count() == 1
    page.fill("[aria-label='Weight of DET after DET']", "60")
    page.wait_for_selector("#changed:has-text('2 weights were set by hand')")
    assert page.inner_text("#best tr:first-child") != before
    page.click("#reset")
    page.wait_for_selector("#changed:has-text('as they were learned')")
    assert page.inner_text("#best tr:first-child") == before
    assert page.locator("input.moved").count() == 0


def test_the_tagger_learns_from_other_sentences(opened):
    page = opened("/course/tags")
    page.fill("#sentences", "a/X b/Y\nb/Y a/X")
    page.wait_for_selector("#best-head")
    page.fill("#sentence", "b a b")
    until(page, "document.querySelectorAll('.node').length === 6")
    assert page.locator("#best tr:first-child td:not(.n)").all_inner_texts() == ["Y", "X", "Y"]
    page.fill("#sentences", "a b")
    page.wait_for_selector("#fault:has-text('dog/NOUN')")
