"""Explanations of compressions as one HTML page: words that are dropped are struck out. It needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.report.page import document
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.tasks.compress.gold import KEEP
from linnet.tasks.tag.page import reasons_of
from linnet.tasks.tag.why import TagExplanation

_STYLE = """
p.kept { border-inline-start: 3px solid var(--line); padding-inline-start: 1rem; }
p.kept a { color: inherit; text-decoration: none; } p.kept a:hover { outline: 1px solid var(--dim); }
del, p.kept del a { color: var(--dim); text-decoration: line-through var(--against); }
"""


def compression_page(title: str, sentences: Sequence[Sequence[TagExplanation]], top: int = 10) -> str:
    """The whole page: each sentence with the words that are dropped struck out, and why each word is kept or
    dropped."""
    parts = [_sentence(n, sentence, top) for n, sentence in enumerate(sentences, 1) if sentence]
    return document(title, "\n".join(parts), WHY + _STYLE)


def _sentence(n: int, sentence: Sequence[TagExplanation], top: int) -> str:
    words = " ".join(
        _struck(token, f'<a href="#s{n}t{token.token}" title="{token.tag}, by {token.score:+.2f}">{_word(token)}</a>')
        for token in sentence
    )
    rows = "".join(
        f"<tr id=s{n}t{token.token}><td>{_struck(token, _word(token))}</td><td>{escape(token.tag)}</td>"
        f"<td class=n>{token.score:+.2f}</td><td>{reasons_of(token, sentence, top)}</td></tr>"
        for token in sentence
    )
    kept = sum(token.tag == KEEP for token in sentence)
    return (
        f"<h2>Sentence {n} <span class=dim>{kept} of {len(sentence)} tokens kept</span></h2>\n"
        f"<p class=kept dir=auto>{words}</p>\n"
        "<table class=why><tr><th>token</th><th>decision</th><th class=n>by</th><th>because</th></tr>"
        f"{rows}</table>"
    )


def _word(token: TagExplanation) -> str:
    return escape(visible(token.word))


def _struck(token: TagExplanation, shown: str) -> str:
    return shown if token.tag == KEEP else f"<del>{shown}</del>"
