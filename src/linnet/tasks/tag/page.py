"""Explanations of tags as one HTML page; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest

from linnet.report.page import document
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.report.reasons import why
from linnet.report.shading import STYLE as SHADES
from linnet.report.shading import hue
from linnet.tasks.second_look.page import STYLE as LOOK
from linnet.tasks.second_look.page import second_look
from linnet.tasks.second_look.why import SecondLook
from linnet.tasks.tag.why import TagExplanation, TagExplanations

_STYLE = """
p.tagged { display: flex; flex-wrap: wrap; gap: .3rem .25rem;
  border-inline-start: 3px solid var(--line); padding-inline-start: 1rem; }
p.tagged a { color: inherit; text-decoration: none; border-radius: 4px; padding: .1rem .3rem; line-height: 1.35; }
p.tagged a small { display: block; font-size: .68rem; white-space: nowrap; }
p.tagged a:hover { outline: 1px solid var(--dim); }
table.why td.tag span { border-radius: 4px; padding: 0 .3rem; }
"""


def tags_page(
    title: str, sentences: Sequence[TagExplanations], top: int = 10, looks: Sequence[SecondLook | None] = ()
) -> str:
    """The whole page: each sentence with its tags in colour, why each token has its tag and not the next best, and why the
    reranker chose the tags, if there is one."""
    colours = _colours([tag for sentence in sentences for tag in sentence.tags])
    parts = [
        _sentence(n, sentence, colours, top) + second_look(look, top)
        for n, (sentence, look) in enumerate(zip_longest(sentences, looks), 1)
        if sentence.words
    ]
    return document(title, "\n".join(parts), WHY + LOOK + SHADES + _STYLE)


def _sentence(n: int, sentence: TagExplanations, colours: dict[str, str], top: int) -> str:
    words = " ".join(
        f'<a href="#s{n}t{token.token}" class="{colours[token.tag]}" '
        f'title="not {escape(token.against)}, by {token.score:+.2f}">'
        f"{escape(visible(token.word))}<small>{escape(visible(token.tag))}</small></a>"
        for token in sentence
    )
    words += "".join(
        f' <a class="{colours[tag]}">{escape(visible(word))}<small>{escape(visible(tag))}</small></a>'
        for word, tag in zip(sentence.words[len(sentence) :], sentence.tags[len(sentence) :], strict=True)
    )
    rows = "".join(
        f"<tr id=s{n}t{token.token}><td class=nowrap>{escape(visible(token.word))}</td>"
        f'<td class="tag nowrap"><span class="{colours[token.tag]}">{escape(visible(token.tag))}</span></td>'
        f"<td class=nowrap>{escape(visible(token.against))}</td><td class=n>{token.score:+.2f}</td>"
        f"<td>{reasons_of(token, sentence.words, top)}</td></tr>"
        for token in sentence
    )
    return (
        f"<h2>Sentence {n}</h2>\n<p class=tagged dir=auto>{words}</p>\n<table class=why>"
        "<tr><th>token</th><th>tag</th><th>not</th>"
        f"<th class=n>by</th><th>because</th></tr>{rows}</table>"
    )


def reasons_of(token: TagExplanation, words: Sequence[str], top: int) -> str:
    """The reasons for a tag; a reason at another token begins with its word."""
    return why(
        [
            ("" if part.token == token.token else words[part.token], part.what, part.contribution)
            for part in token.contributions
        ],
        top,
    )


def _colours(tags: Sequence[str]) -> dict[str, str]:
    """The class of the colour of each tag. Tags of one kind, such as B-NP and I-NP, share theirs; O has none."""
    kinds = list(dict.fromkeys(_kind(tag) for tag in sorted(set(tags)) if tag != "O"))
    return {tag: "" if tag == "O" else hue(kinds.index(_kind(tag))) for tag in set(tags)}


def _kind(tag: str) -> str:
    return tag[2:] if tag[1:2] == "-" and tag[0] in "BIESLU" else tag
