"""A page as a part of another one, such as a notebook: its body, with a style that holds in it alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

# A rule of a style sheet: one that holds others, such as @media, or a selector with its declarations.
_RULE = re.compile(r"\s*(?:(@[^{}]+)\{((?:[^{}]*\{[^{}]*\})*)\s*\}|([^{}]+)\{([^{}]*)\})")
_COMMA = re.compile(r",(?![^()]*\))")
"""A comma between two selectors, not one inside a selector."""
_OF_PAGES = ("html", "body", "h1")
"""The elements that a page has and a part of a page has not."""
_LIGHT = ('[data-jp-theme-light="true"]', ".vscode-light", '[theme="light"]')
_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", ".vscode-high-contrast", '[theme="dark"]')
"""How notebooks say that they are light or dark, whatever the system is: Jupyter, Visual Studio Code, Colab."""
_PAPER = "--paper: var(--jp-layout-color0, var(--vscode-editor-background, Canvas));"
"""The background of the notebook, where it says which it has."""
_BASE = """
{0} {{ font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 64rem;
  padding: .2rem .6rem; overflow-x: auto; }}
{0} table {{ margin: .4rem 0; font-size: inherit; table-layout: auto; }} {0} tr:nth-child(n) {{ background: none; }}
"""
_LAST = "{0} > style + h2 {{ margin-top: .3rem; }}"
"""_BASE has the style of the element in the place of `body`, and undoes that of notebooks for tables. _LAST takes off
the space above the first heading, which only a whole page needs."""


def parts_of(page: str) -> tuple[str, str]:
    """The style sheet and the body, without its title, of a page that `document` made."""
    style = page.partition("<style>")[2].partition("</style>")[0]
    return style, page.partition("</h1>")[2].rpartition("</body>")[0].strip()


def fragment(page: str) -> str:
    """The body of a page that `document` made, without its title."""
    style, body = parts_of(page)
    name = "linnet-" + hashlib.sha256(page.encode()).hexdigest()[:8]
    body = re.sub(r'(\bid=|href="#)(?=\w)', rf"\1{name}-", body)
    # With the class named twice, these rules are more specific than those of a notebook, and so prevail.
    return f'<div class="{name}"><style>{scoped(style, f".{name}.{name}")}</style>\n{body}\n</div>'


def scoped(style: str, scope: str) -> str:
    """A style sheet of a page that holds below a selector only.

    >>> print(scoped(":root { --ink: black } body { margin: 0 } td, th.n { padding: 0 }", ".x").splitlines()[-2])
    .x td, .x th.n { padding: 0 }
    """
    colours = {"light": "", "dark": ""}
    rules = []
    for outer, inner, selector, declared in _RULE.findall(style):
        if "prefers-color-scheme" in outer:
            colours["dark"] += _declared(inner, ":root")
        elif outer:
            rules.append(f"{outer.strip()} {{ {' '.join(_below(scope, inner))} }}")
        elif selector.strip() == ":root":
            colours["light"] += declared
        else:
            rules += _below(scope, f"{selector}{{{declared}}}")
    return "\n".join([*_coloured(scope, **colours), _BASE.format(scope).strip(), *rules, _LAST.format(scope)])


def _below(scope: str, style: str) -> Iterator[str]:
    """The rules of a style sheet for what is below a selector."""
    for _, _, selectors, declared in _RULE.findall(style):
        own = [one for one in map(str.strip, _COMMA.split(selectors)) if one not in _OF_PAGES]
        if own:
            yield f"{', '.join(f'{scope} {one}' for one in own)} {{{declared}}}"


def _coloured(scope: str, light: str, dark: str) -> Iterator[str]:
    """The colours: those of the notebook where it says which it has, otherwise those of the system."""
    yield f"{scope} {{{light}}}"
    yield f"@media (prefers-color-scheme: dark) {{ {scope} {{{dark}}} }}"
    for kind, hosts, declared in (("light", _LIGHT, light), ("dark", _DARK, light + dark)):
        yield f"{', '.join(f'{host} {scope}' for host in hosts)} {{{declared} {_PAPER} color-scheme: {kind}; }}"


def _declared(style: str, selector: str) -> str:
    return "".join(declared for _, _, found, declared in _RULE.findall(style) if found.strip() == selector)
