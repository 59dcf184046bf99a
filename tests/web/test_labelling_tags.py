"""Tags and spans in a real browser: by keys alone, and by the mouse."""

from __future__ import annotations

import pytest
from browsing import faults
from labelling_pages import opening, press, wait
from made_up import keeps, parts_of_speech, sentences, spans

from linnet.labelling.inputs import SentenceInputs

BIO = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
LONG = [f"word{i}" for i in range(300)]


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens labelling of sentences in the browser."""
    with opening(browser, tmp_path) as begin:

        def of_sentences(words=None, task="tag", labels=BIO, **context):
            return begin(SentenceInputs.of(words or sentences(60)), task, labels, **context)

        yield of_sentences


def words_of(page) -> list[str]:
    return page.locator(".token .word").all_text_contents()


def tags_of(page) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('.token')].map((one) => one.getAttribute('aria-label'))")


def mark(page, wanted: list[str]) -> None:
    """Mark spans by keys: arrows go to each, Shift with arrows marks it, a digit gives it its type; 0 unmarks all before."""
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.press("0")
    for start, tag in enumerate(wanted):
        if tag[0] == "B":
            end = start
            while end + 1 < len(wanted) and wanted[end + 1][0] == "I":
                end += 1
            page.keyboard.press("Home")
            for _ in range(start):
                page.keyboard.press("ArrowRight")
            for _ in range(end - start):
                page.keyboard.press("Shift+ArrowRight")
            page.keyboard.press({"PER": "1", "LOC": "2"}[tag[2:]])


def test_spans_are_marked_and_saved_by_keys_alone(opened):
    labelling, page = opened(held_out=0)
    for _ in range(6):
        words = words_of(page)
        row = next(row for row in range(60) if labelling.pool.inputs.shown(row) == words)
        mark(page, spans(words))
        press(page, "Enter")
        assert list(labelling.state.answer(row).answer) == spans(words)
    assert "6 of 60 texts, 6 by you" in page.locator("#count").text_content()
    assert page.locator("#labels button").all_text_contents() == ["1 PER", "2l LOC"]


def test_the_guess_is_filled_in_and_only_mistakes_are_corrected(opened):
    labelling, page = opened(held_out=0)
    for row in labelling.queue.rest.tolist()[:15]:
        labelling.answer(row, spans(labelling.pool.inputs.shown(row)))
    press(page, "s")
    for _ in range(3):
        words = words_of(page)
        row = next(row for row in range(60) if labelling.pool.inputs.shown(row) == words)
        guess = labelling.belief().guesses([row])[0]
        assert "Filled in by the model" in page.locator("#guess").text_content()
        assert [label.split(", ")[1] for label in tags_of(page)] == [tag[2:] or "no label" for tag in guess]
        if list(guess) != spans(words):
            mark(page, spans(words))
        press(page, "Enter")
        assert list(labelling.state.answer(row).answer) == spans(words)
    page.keyboard.press("h")
    assert page.locator("#guess").text_content() == ""
    assert page.locator(".token.given").count() == 0


def test_the_rest_is_found_again_after_a_correction(opened):
    labelling, page = opened(held_out=0)
    for row in labelling.queue.rest.tolist()[:15]:
        labelling.answer(row, spans(labelling.pool.inputs.shown(row)))
    press(page, "s")
    with page.expect_response("**/again") as answered:
        page.keyboard.press("Home")
        page.keyboard.press("2")
    found = answered.value.json()["answer"]
    assert found[0] == "B-LOC"
    wait(page, "!document.body.hasAttribute('data-busy')")
    assert tags_of(page)[0].endswith(", LOC")
    assert len(found) == len(words_of(page))


def test_held_out_sentences_are_not_filled_in(opened):
    labelling, page = opened()
    for row in labelling.queue.rest.tolist()[:13]:
        labelling.answer(row, spans(labelling.pool.inputs.shown(row)))
    press(page, "s")
    assert "never learned from" in page.locator("#why").text_content()
    assert page.locator("#guess").text_content() == ""
    assert page.locator(".token.given").count() == 0


def test_plain_tags_go_on_to_the_next_token(opened):
    labelling, page = opened(labels=["DET", "PROPN", "VERB", "X"], held_out=0)
    words = words_of(page)
    row = next(row for row in range(60) if labelling.pool.inputs.shown(row) == words)
    press(page, "Enter")
    assert "tokens have no tag yet" in page.locator("#said").text_content()
    for tag in parts_of_speech(words):
        page.keyboard.press(str(1 + ["DET", "PROPN", "VERB", "X"].index(tag)))
    press(page, "Enter")
    assert list(labelling.state.answer(row).answer) == parts_of_speech(words)
    press(page, "u")
    assert words_of(page) == words
    assert labelling.state.answered() == []


def test_tokens_are_kept_or_dropped(opened):
    labelling, page = opened(task="compress", labels=(), held_out=0)
    words = words_of(page)
    row = next(row for row in range(60) if labelling.pool.inputs.shown(row) == words)
    for tag in keeps(words):
        page.keyboard.press("d" if tag == "drop" else "k")
    press(page, "Enter")
    assert list(labelling.state.answer(row).answer) == keeps(words)
    assert page.locator("#finding").is_hidden()


def test_spans_by_the_mouse(opened):
    labelling, page = opened(words=[["New", "York", "is", "far"]] * 3, labels=["O", "B-LOC", "I-LOC"], held_out=0)
    boxes = [page.locator(".token").nth(i).bounding_box() for i in range(2)]
    page.mouse.move(boxes[0]["x"] + 5, boxes[0]["y"] + 5)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + 5, boxes[1]["y"] + 5)
    page.mouse.up()
    page.locator("#labels button").first.click()
    assert tags_of(page)[:2] == ["New, LOC", "York, LOC, goes on"]
    page.evaluate("document.querySelector('#said').textContent = 'waiting'")
    page.locator("#save").click()
    wait(page, "document.querySelector('#said').textContent === 'Saved: 1 span'")
    assert [labelling.state.answer(row).answer for row in labelling.state.answered()] == [("B-LOC", "I-LOC", "O", "O")]


def test_a_new_type_of_span_is_typed(opened):
    labelling, page = opened(held_out=0)
    page.keyboard.press("/")
    page.keyboard.type("EVENT")
    page.keyboard.press("Enter")
    press(page, "Enter")
    assert labelling.labels[-1] == "B-EVENT"


def test_tokens_are_text_and_run_from_right_to_left(opened):
    hostile = ["<img", "src=x", "onerror=alert(1)>", "&amp;", "<script>alert(2)</script>"]
    hebrew = ["הכלב", "רץ", "הביתה", "מהר"]
    _, page = opened(words=[hebrew, hostile, ["x" * 3000], LONG], held_out=0, viewport={"width": 360, "height": 640})
    seen = []
    for _ in range(4):
        words = words_of(page)
        seen.append(words)
        if words == hebrew:
            page.keyboard.press("ArrowLeft")
            assert page.evaluate("document.activeElement.textContent").startswith("רץ")
        if words == LONG:
            page.keyboard.press("End")
            assert page.evaluate("document.activeElement.textContent").startswith("word299")
            page.keyboard.press("ArrowUp")
            assert not page.evaluate("document.activeElement.textContent").startswith("word299")
        assert page.locator("#text img, #text script").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press(page, "Enter")
    assert sorted(seen) == sorted([hebrew, hostile, ["x" * 3000], LONG])


@pytest.mark.parametrize(("scheme", "width"), [("light", 1600), ("dark", 360)])
@pytest.mark.parametrize("task", ["tag", "compress"])
def test_no_serious_fault(opened, task, scheme, width):
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    labelling, page = opened(
        task=task,
        labels=BIO if task == "tag" else (),
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
        bypass_csp=True,
    )
    for row in labelling.queue.rest.tolist()[:5]:
        labelling.answer(row, (spans if task == "tag" else keeps)(labelling.pool.inputs.shown(row)))
    press(page, "s")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []
