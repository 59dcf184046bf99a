"""The frame of every page: head, header with the way to other pages, and a main part that scripts fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape


def frame(
    title: str, body: str, *, scripts: Sequence[str] = (), links: Mapping[str, str] | None = None, here: str = ""
) -> str:
    """A page in the style that all pages share.

    body: the HTML of the main part. scripts: names of modules among the static files. links: the addresses of pages to
    go to, keyed by what they are called. here: what this page is called among them.
    """
    loaded = "".join(f'<script type="module" src="/static/{escape(name)}"></script>' for name in scripts)
    ways = "".join(
        f'<a href="{escape(to)}"{" aria-current=page" if name == here else ""}>{escape(name)}</a>'
        for name, to in (links or {}).items()
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="linnet">'
        f'<title>{escape(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/static/linnet.svg"><link rel="stylesheet" href="/static/pages.css">'
        f'<link rel="stylesheet" href="/static/web.css">{loaded}</head>\n<body class=web>'
        '<a class=skip href="#main">Skip to the content</a>'
        f'<header class=top><a class=brand href="/"><img src="/static/linnet.svg" alt="" width=28 height=28>linnet</a>'
        f'<nav aria-label="Pages">{ways}</nav></header>\n<main id=main>{body}</main>\n</body></html>\n'
    )
