"""Labelling in a real browser, by keys alone."""

from __future__ import annotations

import pytest
from browsing import faults
from labelling_pages import opening, press, wait

from linnet.labelling.inputs import TextInputs

WORDS = ("good", "fine", "great", "bad", "dull", "poor")
TEXTS = [f"a {WORDS[i % 6]} film, number {i}" for i in range(120)]


def right(text: str) -> str:
    return "pos" if any(word in text for word in WORDS[:3]) else "neg"


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens labelling of texts in the browser."""
    with opening(browser, tmp_path) as begin:

        def of_texts(texts=TEXTS, task="labels", labels=("neg", "pos"), **context):
            return begin(TextInputs.of(texts), task, labels, features="words:1", **context)

        yield of_texts


def test_one_key_is_label_save_and_next(opened):
    labelling, page = opened()
    for _ in range(12):
        text = page.locator("#text").text_content()
        row = TEXTS.index(text)
        press(page, "1" if right(text) == "neg" else "2")
        assert labelling.state.answer(row).answer == (right(text),)
        assert page.locator("#text").text_content() != text
    assert "12 of 120 texts, 12 by you" in page.locator("#count").text_content()
    assert "held-out texts" in page.locator("#accuracy").text_content()


def test_undo_skip_and_note_by_keys(opened):
    labelling, page = opened()
    first = page.locator("#text").text_content()
    press(page, "2")
    press(page, "u")
    assert page.locator("#text").text_content() == first
    press(page, "1")
    press(page, "Control+z")
    assert page.locator("#text").text_content() == first
    page.keyboard.press("n")
    page.keyboard.type("two u's <b>")
    page.keyboard.press("Tab")
    press(page, "Enter")
    assert page.locator("#notes li").all_text_contents() == ["two u's <b>"]
    press(page, "s")
    assert page.locator("#text").text_content() != first
    assert labelling.state.answered() == []


def test_labels_are_found_and_added_by_typing(opened):
    labelling, page = opened(labels=[f"topic {i}" for i in range(1000)])
    page.keyboard.press("/")
    page.keyboard.type("topic 777")
    assert page.locator("#labels button").all_text_contents() == ["topic 777"]
    press(page, "Enter")
    page.keyboard.press("/")
    page.keyboard.type("brand new")
    press(page, "Enter")
    assert [labelling.state.answer(row).answer for row in labelling.state.answered()] == [
        ("topic 777",),
        ("brand new",),
    ]
    assert labelling.labels[-1] == "brand new"


def test_several_labels_are_toggled_and_saved(opened):
    labelling, page = opened(task="labelset", labels=("film", "good", "sad"))
    row = TEXTS.index(page.locator("#text").text_content())
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("3")
    page.keyboard.press("2")
    press(page, "Enter")
    assert labelling.state.answer(row).answer == ("film", "sad")
    other = TEXTS.index(page.locator("#text").text_content())
    press(page, "Enter")
    assert labelling.state.answer(other).answer == ()


def test_the_guess_is_hidden_unless_asked_for(opened):
    _, page = opened()
    for _ in range(6):
        text = page.locator("#text").text_content()
        press(page, "1" if right(text) == "neg" else "2")
    assert page.locator("#guess").text_content() == ""
    page.keyboard.press("h")
    assert "The model’s guess:" in page.locator("#guess").text_content()


def test_curve_and_review(opened):
    _, page = opened()
    for _ in range(30):
        text = page.locator("#text").text_content()
        press(page, "1" if right(text) == "neg" else "2")
    page.keyboard.press("p")
    page.wait_for_selector("#more table")
    assert "too few to say" in page.locator("#more").text_content()
    page.keyboard.press("r")
    page.wait_for_selector("text=Suspected mistakes")


def test_text_is_text_and_runs_from_right_to_left(opened):
    hostile = "<img src=x onerror=alert(1)> & <script>alert(2)</script>"
    _, page = opened(texts=["שלום עולם", hostile, "x" * 5000], labels=("a", "b"))
    seen = set()
    for _ in range(3):
        text = page.locator("#text").text_content()
        seen.add(text)
        if text == "שלום עולם":
            assert page.evaluate("getComputedStyle(document.querySelector('#text')).direction") == "rtl"
        assert page.locator("#text img, #text script").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press(page, "1")
    assert seen == {"שלום עולם", hostile, "x" * 5000}
    assert "All texts are labelled" in page.locator("#text").text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_no_serious_fault_and_no_overflow(opened, scheme, width):
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    _, page = opened(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def test_two_browsers_at_once_lose_nothing(opened, browser):
    labelling, page = opened()
    other = browser.new_context().new_page()
    other.goto(page.url)
    other.wait_for_selector("#labels button")
    texts: list[str] = []
    for _ in range(15):
        for one in (page, other):
            texts.append(one.locator("#text").text_content())
            one.evaluate("document.querySelector('#said').textContent = 'waiting'")
        page.keyboard.press("1")
        other.keyboard.press("2")
        for one in (page, other):
            wait(one, "document.querySelector('#said').textContent.startsWith('Saved')")
    other.context.close()
    given = [event.answer for text in texts if (event := labelling.state.answer(TEXTS.index(text))) is not None]
    assert len(set(texts)) == 30, "no text is shown in both"
    assert given == [("neg",), ("pos",)] * 15
    assert labelling.state.n == 30


def test_an_answer_is_sent_again_until_the_server_answers(opened):
    labelling, page = opened()
    failed: list[str] = []

    def lose(route) -> None:
        """The request reaches the server, but its answer does not come back."""
        failed.append(route.request.post_data)
        if len(failed) == 1:
            route.fetch()
            route.fulfill(status=200, body="no JSON")
        else:
            route.continue_()

    page.route("**/event", lose)
    row = TEXTS.index(page.locator("#text").text_content())
    press(page, "1")
    assert page.locator("#said").text_content() == "Saved: neg"
    assert len(failed) == 2
    assert failed[0] == failed[1]
    assert labelling.state.n == 1
    assert labelling.state.answer(row).answer == ("neg",)
