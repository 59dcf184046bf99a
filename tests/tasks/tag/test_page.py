"""The page of tags: what it shows, and that nothing in the data can become part of it."""

import re
from html.parser import HTMLParser

from linnet.tasks.tag.page import tags_page
from linnet.tasks.tag.why import Part, TagExplanation, TagExplanations

PARTS = tuple(Part(t, f"w=<{t}>", contribution) for t, contribution in ((0, 2.0), (1, -0.5), (0, 0.25), (0, 0.125)))
TOKENS = [
    TagExplanation(0, "<b>Ann", "B-PER", "O", 1.875, PARTS),
    TagExplanation(1, "Lee", "I-PER", "O", -0.5, PARTS[1:2]),
    TagExplanation(2, "&", "O", "B-LOC", 2.0, PARTS[:1]),
    TagExplanation(3, "Rome", "B-LOC", "O", 2.0, PARTS[:1]),
]


def explained(tokens, more=()):
    """Explanations of these tokens, and after them words with tags that are not explained."""
    words = [*((token.word, token.tag) for token in tokens), *more]
    return TagExplanations([word for word, _ in words], [tag for _, tag in words], tokens)


SENTENCE = explained(TOKENS)


class Page(HTMLParser):
    """Tags that are open, the text of the body, and the anchors."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.links, self.ids = [], "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert tag not in ("script", "link", "img", "b")
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_is_whole_and_escaped():
    page = Page(tags_page("Why: <m>", [SENTENCE, explained([]), explained(TOKENS[1:2])]))
    assert page.open == []
    assert "Why: <m>" in page.text
    assert "<b>Ann" in page.text
    assert "Sentence 2" not in page.text
    assert page.links == ["#s1t0", "#s1t1", "#s1t2", "#s1t3", "#s3t1"]
    assert page.ids == [link[1:] for link in page.links]


def test_words_that_are_not_explained_are_shown_without_a_link():
    page = Page(tags_page("t", [explained(TOKENS[:1], [("<i>Lee", "I-PER"), ("&", "O")])]))
    assert page.links == ["#s1t0"]
    assert page.ids == ["s1t0"]
    assert "<i>LeeI-PER &O" in page.text


def test_reasons_in_brief_and_in_full():
    text = Page(tags_page("t", [SENTENCE], top=2)).text
    assert "w=<0>\N{NO-BREAK SPACE}+2.00, " in text
    assert "w=<0>\N{NO-BREAK SPACE}+0.25" in text
    assert "2 more+0.375" in text  # 0.25 + 0.125
    assert "-0.500" in text


def test_a_reason_at_another_token_names_its_word():
    assert "Lee: w=<1>\N{NO-BREAK SPACE}-0.50" in Page(tags_page("t", [SENTENCE])).text


def test_colours_are_by_kind_and_outside_has_none():
    colours = re.findall(r'<td class="tag nowrap"><span class="(.*?)">(.*?)<', tags_page("t", [SENTENCE]))
    of = {tag: colour for colour, tag in colours}
    assert of["B-PER"] == of["I-PER"] != of["B-LOC"]
    assert of["O"] == ""
