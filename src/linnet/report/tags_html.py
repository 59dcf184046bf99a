"""Explanations of tags as one self-contained HTML page: no script, no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.explain.tags import Part, TagExplanation
from linnet.report.html import document
from linnet.report.terminal import visible

_STYLE = """
p.tagged { line-height: 3.1; border-left: 3px solid var(--line); padding-left: 1rem; }
p.tagged a { color: inherit; text-decoration: none; border-radius: 4px; padding: .15rem .3rem .1rem; position: relative; }
p.tagged a small { position: absolute; left: .3rem; top: 1.35rem; font-size: .62rem; color: var(--dim); white-space: nowrap; }
p.tagged a:hover { outline: 1px solid var(--dim); }
table.why { width: 100%; } table.why td { vertical-align: top; border-bottom: 1px solid var(--line); }
table.why td.tag span { border-radius: 4px; padding: 0 .3rem; }
tr:target { background: rgba(240, 200, 60, 0.2); }
details summary { cursor: pointer; list-style: none; } details summary::after { content: " \\2026"; color: var(--dim); }
details[open] summary::after { content: ""; } details table { margin: .3rem 0 .6rem; font-size: .9em; }
.nowrap { white-space: nowrap; }
"""
_IN_BRIEF = 3


def tags_page(title: str, sentences: Sequence[Sequence[TagExplanation]], top: int = 10) -> str:
    """The whole page: each sentence with its tags in colour, and for each token why this tag and not the next best."""
    colours = _colours([token.tag for sentence in sentences for token in sentence])
    parts = [_sentence(n, sentence, colours, top) for n, sentence in enumerate(sentences, 1) if sentence]
    return document(title, "\n".join(parts), _STYLE)


def _sentence(n: int, sentence: Sequence[TagExplanation], colours: dict[str, str], top: int) -> str:
    words = " ".join(
        f'<a href="#s{n}t{token.token}" style="background: {colours[token.tag]}; '
        f'margin-right: {_room(token)}" title="not {escape(token.against)}, by {token.score:+.2f}">'
        f"{escape(visible(token.word))}<small>{escape(visible(token.tag))}</small></a>"
        for token in sentence
    )
    rows = "".join(
        f"<tr id=s{n}t{token.token}><td class=nowrap>{escape(visible(token.word))}</td>"
        f'<td class="tag nowrap"><span style="background: {colours[token.tag]}">{escape(visible(token.tag))}</span></td>'
        f"<td class=nowrap>{escape(visible(token.against))}</td><td class=n>{token.score:+.2f}</td>"
        f"<td>{_why(token, sentence, top)}</td></tr>"
        for token in sentence
    )
    return (
        f"<h2>Sentence {n}</h2>\n<p class=tagged>{words}</p>\n<table class=why><tr><th>token</th><th>tag</th><th>not</th>"
        f"<th class=n>by</th><th>because</th></tr>{rows}</table>"
    )


def _room(token: TagExplanation) -> str:
    """A tag that is longer than its word needs room behind it; its letters are smaller."""
    return f"{max(0.0, 0.4 * len(token.tag) - 0.5 * len(token.word)):.1f}em"


def _why(token: TagExplanation, sentence: Sequence[TagExplanation], top: int) -> str:
    brief = ", ".join(_reason(part, token, sentence) for part in token.contributions[:_IN_BRIEF])
    if len(token.contributions) <= _IN_BRIEF:
        return brief
    rows = "".join(
        f'<tr><td>{_what(part, token, sentence)}</td><td class="n {_side(part)}">{part.contribution:+.3f}</td></tr>'
        for part in token.contributions[:top]
    )
    rest = token.contributions[top:]
    if rest:
        total = sum(part.contribution for part in rest)
        rows += f"<tr class=dim><td>{len(rest)} more</td><td class=n>{total:+.3f}</td></tr>"
    return f"<details><summary>{brief}</summary><table>{rows}</table></details>"


def _reason(part: Part, token: TagExplanation, sentence: Sequence[TagExplanation]) -> str:
    return f'{_what(part, token, sentence)} <span class="{_side(part)}">{part.contribution:+.2f}</span>'


def _what(part: Part, token: TagExplanation, sentence: Sequence[TagExplanation]) -> str:
    """With the word, if it is another one."""
    where = (
        "" if part.token == token.token else f"<span class=dim>{escape(visible(sentence[part.token].word))}:</span> "
    )
    return f"{where}{escape(visible(part.what))}"


def _side(part: Part) -> str:
    return "for" if part.contribution > 0 else "against"


def _colours(tags: Sequence[str]) -> dict[str, str]:
    """A colour for each kind of tag, far from those before it; B-NP and I-NP are of one kind, O has none."""
    kinds = list(dict.fromkeys(_kind(tag) for tag in sorted(set(tags)) if tag != "O"))
    hue = {kind: f"hsla({(k * 137 + 210) % 360}, 75%, 50%, {0.22 + k % 3 * 0.1:.2f})" for k, kind in enumerate(kinds)}
    return {tag: "none" if tag == "O" else hue[_kind(tag)] for tag in tags}


def _kind(tag: str) -> str:
    return tag[2:] if tag[1:2] == "-" and tag[0] in "BIESLU" else tag
