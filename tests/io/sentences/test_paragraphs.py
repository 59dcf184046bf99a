"""Files with hard line ends: paragraphs are the texts, and places in them are places in the file."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.io.sentences.paragraphs import look_wrapped, paragraphs
from linnet.io.sentences.prose import split_sentences

STORY = [
    "It was a bright cold day in April, and the clocks were striking thirteen. Winston Smith, his chin nuzzled into his "
    "breast in an effort to escape the vile wind, slipped quickly through the glass doors of Victory Mansions, though not "
    "quickly enough to prevent a swirl of gritty dust from entering along with him.",
    "The hallway smelt of boiled cabbage and old rag mats. At one end of it a coloured poster, too large for indoor "
    "display, had been tacked to the wall.",
]


def wrapped(width, indent="", between=("",)):
    lines = []
    for paragraph in STORY:
        lines += [*textwrap.wrap(paragraph, width, initial_indent=indent), *between]
    return lines


@pytest.mark.parametrize("width", [50, 72, 100])
@pytest.mark.parametrize("style", [{}, {"indent": "    ", "between": ()}])
def test_wrapped_paragraphs_come_back(width, style):
    lines = wrapped(width, **style)
    assert look_wrapped(lines)
    texts = [text for batch in paragraphs([lines]) for text in batch]
    assert [" ".join(text.split()) for text in texts] == STORY


@pytest.mark.parametrize(
    "lines",
    [
        STORY,
        [STORY[0], "", STORY[1]],
        ["a fine film", "dull and far too long", "i liked it", "no"],
        [
            "One sentence stands here.",
            "A second, which is a good deal longer than the first, stands here.",
            "Then three.",
        ],
        ["short", "lines", "of", "the", "same", "width"],
        [],
        [""],
    ],
)
def test_a_text_on_each_line_stays_one(lines):
    assert not look_wrapped(lines)
    assert list(paragraphs([lines])) == [lines]


@given(st.integers(1, 7))
def test_batches_may_end_anywhere(size):
    lines = wrapped(60)
    cut = (
        [lines[i : i + size] for i in range(0, len(lines), size)]
        if size > 2
        else [lines[:6], *([x] for x in lines[6:])]
    )
    whole = [text for batch in paragraphs([lines]) for text in batch]
    assert [text for batch in paragraphs(cut) for text in batch] == whole


def test_places_are_those_of_the_file():
    lines = wrapped(60)
    file = "\n".join(lines)
    at = 0
    for batch in paragraphs([lines]):
        for text in batch:
            at = file.index(text, at)
            for sentence in split_sentences(text):
                for start, end in sentence:
                    assert file[at + start : at + end] == text[start:end]
                    assert not any(character.isspace() for character in text[start:end])


def test_sentences_run_over_line_ends():
    texts = [text for batch in paragraphs([wrapped(60)]) for text in batch]
    sentences = [
        " ".join(text[sentence[0][0] : sentence[-1][1]].split()) for text in texts for sentence in split_sentences(text)
    ]
    assert len(sentences) == 4
    assert sentences[2] == "The hallway smelt of boiled cabbage and old rag mats."


def test_a_paragraph_without_end_is_cut_somewhere():
    lines = ["word " * 12 + "end"] * 40_000
    sizes = [len(text) for batch in paragraphs([lines]) for text in batch]
    assert len(sizes) == 3
    assert max(sizes) < 1.2 * (1 << 20)
