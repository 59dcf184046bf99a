"""The page of explanations: everything that comes from outside is text in it."""

from html.parser import HTMLParser

import linnet
from linnet.explain import Strong
from linnet.tasks.texts.page import page

EVIL = "<script>alert(\"1\")</script> & 'quotes'"


class Parsed(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def model_of(label="+", other="-", word="good"):
    return linnet.train(([f"{word} day", "bad day"], [label, other]), features="words punct markup", learner="logistic")


def test_markup_in_texts_labels_features_and_titles_is_text():
    model = model_of(label=EVIL, other="<b>")
    html = page(EVIL, [model.explain(f"good {EVIL}")], {EVIL: [Strong(EVIL, 1.0)]})
    parsed = Parsed(html)
    assert "<script" not in html
    assert ">&lt;</span>" in html  # the marks of the text are words of their own
    assert ">&amp;</span>" in html
    assert not {"script", "b", "img"} & set(parsed.tags)
    assert parsed.text.count(EVIL) == 6  # title and heading, label, the text itself, label and feature of the model


def test_the_text_stands_on_the_page_as_it_is():
    text = "good  <day>\n\tİ 🙂 bad!"
    assert text in Parsed(page("t", [model_of().explain(text)], {})).text


def test_a_word_is_coloured_by_what_it_adds():
    why = model_of().explain("good bad thing")
    html = page("t", [why], {})
    strongest = max(why.words, key=lambda word: abs(word.contribution))
    side = "for" if strongest.contribution > 0 else "against"
    assert f'<span class="{side}15" title="{strongest.contribution:+.4f}">{strongest.text}</span>' in html
    assert '<span class="" title="+0.0000">thing</span>' in html


def test_features_beyond_the_top_are_summed():
    why = model_of().explain("good bad day")
    html = page("t", [why], {}, top=1)
    rest = sum(item.contribution for item in why.contributions[1:])
    assert f"<td>{len(why.contributions) - 1} more</td>" in html
    assert f"{rest:+.4f}" in html


def test_spaces_in_names_can_be_seen():
    assert "<td>chars=␣ab</td>" in page("t", [], {"x": [Strong("chars= ab", 1.0)]})


def test_the_page_asks_nothing_of_the_network():
    parsed = Parsed(page("t", [model_of().explain("good")], {}))
    assert [name for name, _ in parsed.attributes if name in ("src", "href")] == []


def test_of_a_long_text_the_words_that_add_most_are_marked():
    """A browser takes a minute for a paragraph with 100,000 marks."""
    text = f"{'day ' * 5000}good"
    shown = page("a title", [model_of().explain(text)])
    assert shown.count('<span class="for') + shown.count('<span class="against') <= 4000
    assert ">good</span>" in shown
    assert "".join(Parsed(shown).text.split()).count("".join(text.split())) == 1
