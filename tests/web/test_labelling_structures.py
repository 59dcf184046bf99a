"""Heads, constituents, links and candidates in a real browser: by keys alone, and by the mouse."""

from __future__ import annotations

import threading

import pytest
from browsing import faults
from labelling_pages import opening, press, wait
from made_up import constituents, links, parts_of_speech, sentences, translated, tree

from linnet.io.lists.lists import Candidate, CandidateList, Lists
from linnet.io.pairs.pairs import pairs_of
from linnet.labelling.inputs import ListInputs, PairInputs, SentenceInputs

WORDS = sentences(40)
RIGHT = {"parse": tree, "brackets": constituents, "align": lambda pair: links(pair[0]), "rerank": lambda one: [0]}
RELATIONS = ["root", "DET", "PROPN", "VERB", "X"]
LABELS = {"parse": RELATIONS, "brackets": ["S", "NP", "PP"]}


def examples(task: str):
    if task == "parse":
        return SentenceInputs.of([[*zip(words, parts_of_speech(words), strict=True)] for words in WORDS], ("w", "upos"))
    if task == "brackets":
        return SentenceInputs.of(WORDS)
    if task == "align":
        return PairInputs(pairs_of([translated(words) for words in WORDS], None))
    each = [CandidateList([Candidate(" ".join(words)), Candidate(" ".join(words[::-1]))], "say it") for words in WORDS]
    return ListInputs(Lists(each, "lists"))


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens labelling for a task in the browser."""
    with opening(browser, tmp_path) as begin:

        def for_task(task, *, held_out=0, **context):
            return begin(examples(task), task, LABELS.get(task, ()), held_out=held_out, **context)

        yield for_task


def taught(labelling, page, n: int) -> None:
    """Answer some examples beside the page, and go on to one that has a guess."""
    for row in labelling.queue.rest.tolist()[:n]:
        labelling.answer(row, RIGHT[labelling.kind.name](labelling.pool.inputs.shown(row)))
    press(page, "s")


def row_of(labelling, page) -> int:
    return int(page.locator("#why").text_content().split(":")[0].removeprefix("Text ")) - 1


def test_heads_and_relations_by_keys_alone(opened):
    labelling, page = opened("parse")
    row = row_of(labelling, page)
    words = labelling.pool.inputs.shown(row)
    press(page, "Enter")
    assert "has no head yet" in page.locator("#said").text_content()
    page.keyboard.press("Home")
    page.keyboard.press("0")
    for _, relation in tree(words)[1:]:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press(str(1 + RELATIONS.index(relation)))
    assert page.locator("svg.arcs .arc").count() == len(words)
    press(page, "Enter")
    assert [list(arc) for arc in labelling.state.answer(row).answer] == tree(words)
    press(page, "u")
    assert row_of(labelling, page) == row


def test_heads_by_drag_and_the_rest_is_found_again(opened):
    labelling, page = opened("parse")
    taught(labelling, page, 8)
    assert "Filled in by the model" in page.locator("#guess").text_content()
    boxes = [page.locator(".token .word").nth(i).bounding_box() for i in range(3)]
    with page.expect_response("**/again") as answered:
        page.mouse.move(boxes[1]["x"] + 3, boxes[1]["y"] + 3)
        page.mouse.down()
        page.mouse.move(boxes[2]["x"] + 3, boxes[2]["y"] + 3)
        page.mouse.up()
    assert answered.value.json()["answer"][1][0] == 3
    row = row_of(labelling, page)
    heads = page.evaluate("[...document.querySelectorAll('.token')].map((one) => one.getAttribute('aria-label'))")
    assert heads[1].endswith(f"head: {labelling.pool.inputs.shown(row)[2]}")
    page.keyboard.press("5")
    press(page, "Enter")
    assert labelling.state.answer(row).answer[1] == (3, "X")


def test_what_is_no_tree_is_refused_in_a_sentence(opened):
    labelling, page = opened("parse")
    page.keyboard.press("Home")
    for _ in labelling.pool.inputs.shown(row_of(labelling, page)):
        page.keyboard.press("0")
        page.keyboard.press("ArrowRight")
    press(page, "Enter")
    assert "root" in page.locator("#said.wrong").text_content()
    assert labelling.state.n == 0


def test_constituents_by_keys_alone(opened):
    labelling, page = opened("brackets")
    row = row_of(labelling, page)
    words = labelling.pool.inputs.shown(row)
    press(page, "Enter")
    assert "no constituent yet" in page.locator("#said.wrong").text_content()
    for first, last, label in constituents(words)[::-1]:
        page.keyboard.press("Home")
        for _ in range(first):
            page.keyboard.press("ArrowRight")
        for _ in range(last - first):
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press(str(1 + LABELS["brackets"].index(label)))
    assert page.locator(".constituent.marked").text_content() == "S"
    page.keyboard.press("0")
    assert page.locator(".constituent.marked").count() == 0
    page.keyboard.press("0")
    assert "no constituent" in page.locator("#said.wrong").text_content()
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    assert page.locator(".constituent.marked").text_content() == constituents(words)[1][2]
    page.keyboard.press("ArrowUp")
    assert page.locator(".constituent.marked").text_content() == "S"
    press(page, "Enter")
    assert [list(part) for part in labelling.state.answer(row).answer] == constituents(words)
    press(page, "u")
    assert row_of(labelling, page) == row
    assert labelling.state.answer(row) is None


def test_constituents_by_the_mouse_and_the_rest_is_found_again(opened):
    labelling, page = opened("brackets")
    taught(labelling, page, 8)
    row = row_of(labelling, page)
    words = labelling.pool.inputs.shown(row)
    assert "Filled in by the model" in page.locator("#guess").text_content()
    boxes = [page.locator(".token .word").nth(i).bounding_box() for i in range(3)]
    page.mouse.move(boxes[1]["x"] + 3, boxes[1]["y"] + 3)
    page.mouse.down()
    page.mouse.move(boxes[2]["x"] + 3, boxes[2]["y"] + 3)
    page.mouse.up()
    with page.expect_response("**/again") as answered:
        page.locator("#labels button", has_text="PP").click()
    assert [1, 2, "PP"] in answered.value.json()["answer"]
    page.locator(".constituent", has_text="S").click()
    assert page.locator(".token.marked").count() == len(words)
    page.locator(".constituent[aria-label^='PP: " + " ".join(words[1:3]) + "']").click()
    page.keyboard.press("Backspace")
    wait(page, f"!document.querySelector(\".constituent[aria-label='PP: {' '.join(words[1:3])}']\")")
    press(page, "Enter")
    assert (1, 2) not in [part[:2] for part in labelling.state.answer(row).answer]
    assert labelling.state.answer(row).answer[0] == (0, len(words) - 1, "S")


def test_a_constituent_that_crosses_another_takes_its_place(opened):
    _, page = opened("brackets")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("3")
    assert page.locator(".constituent").all_text_contents() == ["PP"]
    assert "NP crossed it and was taken away" in page.locator("#said").text_content()


def test_links_by_keys_alone(opened):
    labelling, page = opened("align")
    row = row_of(labelling, page)
    words = labelling.pool.inputs.shown(row)[0]
    page.keyboard.press("End")
    for i in range(len(words)):
        page.keyboard.press("Space")
        if i + 1 < len(words):
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowLeft")
    press(page, "Enter")
    assert [list(link) for link in labelling.state.answer(row).answer] == links(words)


def test_links_by_the_mouse_and_the_rest_is_found_again(opened):
    labelling, page = opened("align")
    taught(labelling, page, 8)
    row = row_of(labelling, page)
    guess = labelling.belief().guesses([row])[0]
    assert page.locator("td.linked").count() == len(guess)
    i, j = guess[0]
    with page.expect_response("**/again"):
        page.locator("tbody tr").nth(i).locator("td").nth(j).click()
    wait(page, f"!document.querySelectorAll('tbody tr')[{i}].querySelectorAll('td')[{j}].classList.contains('linked')")
    press(page, "Enter")
    assert (i, j) not in labelling.state.answer(row).answer


def test_the_best_candidate_by_one_key_or_one_click(opened):
    labelling, page = opened("rerank")
    row = row_of(labelling, page)
    press(page, "2")
    assert labelling.state.answer(row).answer == (1,)
    assert page.locator("#said").text_content().startswith("Saved: 2, ")
    row = row_of(labelling, page)
    page.evaluate("document.querySelector('#said').textContent = 'waiting'")
    page.locator(".candidate").first.click()
    wait(page, "document.querySelector('#said').textContent.startsWith('Saved: 1, ')")
    assert labelling.state.answer(row).answer == (0,)
    row = row_of(labelling, page)
    page.keyboard.press("ArrowDown")
    press(page, "Enter")
    assert labelling.state.answer(row).answer == (0,)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1600), ("dark", 360)])
@pytest.mark.parametrize("task", ["parse", "brackets", "align", "rerank"])
def test_no_serious_fault(opened, task, scheme, width):
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    labelling, page = opened(task, color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
    taught(labelling, page, 4)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def test_while_it_learns_from_what_is_there_the_page_says_how_far_it_is(browser, tmp_path):
    """Answers that the data have take a while to learn from. The page is there at once, and counts them."""
    go_on = threading.Event()

    class Slow:
        lessons = 120, 300
        features = None

        def learn(self, labels, answers):
            go_on.wait(20)

    with opening(browser, tmp_path) as begin:
        _, page = begin(examples("align"), "align", (), learner=Slow(), until="#text progress")
        assert "learned from 120 of 300 answers" in page.locator("#text").text_content()
        assert faults(page) == []
        go_on.set()
        page.wait_for_selector("#text table.links")
        assert page.locator("#text progress").count() == 0
