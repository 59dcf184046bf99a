"""Explanations of compressions as one HTML page: words that are dropped are struck out. It needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.report.page import document
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.tasks.compress.gold import KEEP
from linnet.tasks.tag.page import reasons_of
from linnet.tasks.tag.why import TagExplanations

_STYLE = """
p.kept { border-inline-start: 3px solid var(--line); padding-inline-start: 1rem; }
p.kept a { color: inherit; text-decoration: none; } p.kept a:hover { outline: 1px solid var(--dim); }
del, p.kept del a { color: var(--dim); text-decoration: line-through var(--against); }
"""


def compression_page(title: str, sentences: Sequence[TagExplanations], top: int = 10) -> str:
    """The whole page: each sentence with the words that are dropped struck out, and why each word is kept or
    dropped."""
    parts = [_sentence(n, sentence, top) for n, sentence in enumerate(sentences, 1) if sentence.words]
    return document(title, "\n".join(parts), WHY + _STYLE)


def _sentence(n: int, sentence: TagExplanations, top: int) -> str:
    words = " ".join(
        _struck(
            token.tag,
            f'<a href="#s{n}t{token.token}" title="{token.tag}, by {token.score:+.2f}">{_word(token.word)}</a>',
        )
        for token in sentence
    )
    words += "".join(
        f" {_struck(tag, _word(word))}"
        for word, tag in zip(sentence.words[len(sentence) :], sentence.tags[len(sentence) :], strict=True)
    )
    rows = "".join(
        f"<tr id=s{n}t{token.token}><td>{_struck(token.tag, _word(token.word))}</td><td>{escape(token.tag)}</td>"
        f"<td class=n>{token.score:+.2f}</td><td>{reasons_of(token, sentence.words, top)}</td></tr>"
        for token in sentence
    )
    kept = sum(tag == KEEP for tag in sentence.tags)
    return (
        f"<h2>Sentence {n} <span class=dim>{kept} of {len(sentence.words)} tokens kept</span></h2>\n"
        f"<p class=kept dir=auto>{words}</p>\n"
        "<table class=why><tr><th>token</th><th>decision</th><th class=n>by</th><th>because</th></tr>"
        f"{rows}</table>"
    )


def _word(word: str) -> str:
    return escape(visible(word))


def _struck(tag: str, shown: str) -> str:
    return shown if tag == KEEP else f"<del>{shown}</del>"
