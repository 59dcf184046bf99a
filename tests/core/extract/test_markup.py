"""HTML in text: tags are blanks, entities the characters that they stand for, and all else is text."""

import html
import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.extract.text import Analyser


def column(*documents):
    return pa.array(documents, pa.large_string())


def tokens(text, **options):
    """The tokens of a text, each with the part of the text that it covers."""
    analyser = Analyser(lower=False, punctuation=True, **options)
    analyser.rows(column(text), grow=True)
    places = zip(*analyser.occurrences(text), strict=True)
    return [(analyser.vocabulary.name(int(j)), text[a:b]) for j, a, b in places]


def names(text, **options):
    return " ".join(name for name, _ in tokens(text, **options))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so good.<br /><br />The end", "so good . The end"),
        ("one<BR>two<br/>three<hr>four", "one two three four"),
        ('<p class="x">a</p ><a href=\'b>c\' title = "<d>">e</a>', "a e"),
        ("<td\nwidth=50% nowrap>a</td>", "a"),
        ("<h1>a</h1><!-- <b> c > d -->e<!---->", "a e"),
        ("fish &amp; chips&nbsp;&#33; &#x21;", "fish & chips ! !"),
        ("I&#39;m caf&eacute;s na&#239;ve &#151;", "I 'm cafés naïve —"),
        ("&lt;br&gt; &amp;amp;", "< br > & amp ;"),
    ],
)
def test_markup_is_no_words(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "I <3 you",
        "a < b and c > d",
        "if x <b and c> d",
        "<unk> <user> <url> <time> <link>",
        "<me@example.org> <a@b.de>",
        "vector<int> <3 b>",
        "R&D AT&T; Q&A & &; &# &#; &#x; &#xZZ; &#12ab; &nosuch;",
        "the end <br",
        "<a href='open>",
        "<!-- open",
        "< br> </ br> <> </>",
        "<brr> <b2> <b.c>",
        f"<a href={'x' * 5000}>",
    ],
)
def test_what_only_looks_like_markup_stays(text):
    assert names(text) == " ".join(re.findall(r"\w+|[^\w\s]", text))
    assert tokens(text) == tokens(text, markup=True)


def test_markup_stays_where_it_is_asked_for():
    assert names("a<br>b &amp; c", markup=True) == "a < br > b & amp ; c"


def test_each_word_covers_its_place_in_the_text_itself():
    text = "<p>Caf&eacute;s</p> &amp; 好<b>吃</b> I&#39;m"
    assert tokens(text) == [
        ("Cafés", "Caf&eacute;s"),
        ("&", "&amp;"),
        ("好", "好"),
        ("吃", "吃"),
        ("I", "I"),
        ("'m", "&#39;m"),
    ]
    assert tokens("x <b>İ</b>stanbul", words=(2, 2)) == [("x İ", "x <b>İ"), ("İ stanbul", "İ</b>stanbul")]


def test_all_kinds_of_features_are_without_markup():
    kinds = {"chars": (2, 2), "across": (2, 2), "start": (1, 2), "skip": (1, 1), "shapes": (1, 2)}
    for kind, span in kinds.items():
        found = []
        for text in ("Fish <br> &amp; Chips", "Fish & Chips"):
            analyser = Analyser(words=(0, 0), **{kind: span})
            analyser.rows(column(text), grow=True)
            found.append([analyser.vocabulary.name(i) for i in range(len(analyser.vocabulary))])
        assert found[0] == found[1]


pieces = st.lists(
    st.sampled_from(["x", "é", "好", " ", ";", "<", ">", "&", "<i>", "</i>", "<u x='>'>", "&lt;", "&eacute;", "&#9;"])
)


@given(pieces.map("".join))
def test_a_text_without_its_markup_has_the_same_words(text):
    tag = r"""</?(?:i|u)(?:[\s/]*|[\s/](?:[^<>=]*=\s*(?:'[^']*'|"[^"]*")?)+[^<>=]*)>"""
    plain = [html.unescape(part) for part in re.sub(tag, "\0", text).split("\0")]
    assert names(text) == names(" ".join(plain), markup=True)


def test_places_are_those_of_words_and_marks_without_markup():
    text = "<p>It isn&#39;t caf&eacute;,<br/>好吃!"
    places = zip(*Analyser().places(text), strict=True)
    assert [text[a:b] for a, b in places] == ["It", "isn", "&#39;t", "caf&eacute;", ",", "好", "吃", "!"]
    assert len(Analyser().places("")[0]) == 0
    assert names("<p>", markup=True) == "< p >"
    assert [len(starts) for starts in Analyser(markup=True).places("<p>")] == [3, 3]
