"""The default features of a dependency parser, in the manner of McDonald et al. (2005) and of those who came after.

{t} stands for the fine tag, {u} for the coarse one. They were chosen on the development part of English web text.
"""

from __future__ import annotations

from collections.abc import Sequence

_ARCS = """
h.lower h.{t} h.lower|h.{t} m.lower m.{t} m.lower|m.{t} h.lower|m.lower h.{t}|m.{t} h.lower|m.{t} h.{t}|m.lower
h.lower|h.{t}|m.{t} h.{t}|m.lower|m.{t} h.lower|m.lower|m.{t} h.lower|h.{t}|m.lower h.lower|h.{t}|m.lower|m.{t}
h.{t}|b.{t}|m.{t} h.{t}|h.{t}[-1]|m.{t}[-1]|m.{t} h.{t}|h.{t}[-1]|m.{t}[1]|m.{t} h.{t}|h.{t}[1]|m.{t}[-1]|m.{t}
h.{t}|h.{t}[1]|m.{t}[1]|m.{t}
h.{t}|h.{t}[1]|m.{t} h.{t}|m.{t}[-1]|m.{t} h.{t}|h.{t}[-1]|m.{t} h.{t}|m.{t}[1]|m.{t}
"""
_MORE_ARCS = """
h.{u}|m.{u} h.{u}|b.{u}|m.{u} h.suffix:3|m.{t} h.{t}|m.suffix:3 h.{t}|m.{t}|h.{t}[2] h.{t}|m.{t}|m.{t}[-2] h.{t}|m.{t}|m.{t}[2]
h.{t}|m.lower[-1]|m.{t} h.{t}|m.lower[1]|m.{t} h.lower[-1]|h.{t}|m.{t} h.lower[1]|h.{t}|m.{t}
"""
_SLOW_ARCS = "h.lower|m.lower[-1] h.lower|m.lower[1] h.lower[-1]|m.lower h.lower[1]|m.lower"
_GIVEN_ARCS = """
h.feats|m.feats h.lemma|m.lemma h.lemma|m.{u} h.{u}|m.lemma h.{u}|h.feats|m.{u}|m.feats
"""
_RELATIONS = """
m.lower m.{t} h.{t} h.lower h.{t}|m.{t} m.lower|h.{t} m.{t}|h.lower m.{t}|m.{t}[-1] m.{t}|m.{t}[1] h.{t}|m.{t}|m.{t}[1]
h.{t}|m.{t}|m.{t}[-1] m.suffix:3|h.{t} m.{u}|h.{u} m.lower|h.lower m.lower|m.{t} h.{t}|b.{t}|m.{t}
m.{t}|m.lower[-1] m.{t}|m.lower[1] h.{t}|m.{t}|h.{t}[1] h.{t}|m.{t}|h.{t}[-1] m.{t}[-1]|m.{t}|m.{t}[1]
h.{t}|m.{t}|m.{t}[-1]|m.{t}[1] m.lower[-1]|m.lower h.lower[1]|h.lower|m.{t} m.lower[1]|h.{t}|m.{t} m.lower[-1]|h.{t}|m.{t}
"""
_SLOW_RELATIONS = """
m.lower[-1] m.lower[1] h.lower[1]|m.{u} m.lower[-1]|m.lower|h.{u} m.prefix:4 m.prefix:4|h.{u} h.prefix:4|m.{u}
m.prefix:4|h.prefix:4 m.suffix:2|h.suffix:2 m.suffix:2|m.{u}|h.{u} h.suffix:2|m.{u}|h.{u}
m.suffix:2|m.marker h.suffix:2|m.marker
"""
_MARKED_RELATIONS = """
m.marker m.marker|m.{t} m.marker|m.{t}|h.{t} m.marker|h.lower m.marker|m.lower m.marker|h.marker m.marker|m.{u}|h.{u}
m.marker|m.{t}|h.lower m.marker|m.lower|h.{u} m.marker|h.lower|m.lower m.marker|h.marker|m.{u}|h.{u} m.marker|b.{u}|m.{u}|h.{u}
"""
_GIVEN_RELATIONS = "m.lemma|m.{u} h.lemma|m.{u} h.lemma|m.lemma m.feats|h.{u} m.feats|h.feats"
_SIBLINGS = """
s.{t}|m.{t} h.{t}|s.{t}|m.{t} s.lower|m.lower s.{t}|m.lower s.lower|m.{t} h.{t}|s.lower|m.{t} h.{t}|s.{t}|m.lower
h.lower|s.{t}|m.{t} s.{u}|m.{u} h.{u}|s.{u}|m.{u} s.{t}|s.{t}[1]|m.{t} s.{t}|m.{t}|m.{t}[-1] h.lower|s.lower|m.lower
"""
_GRANDPARENTS = """
g.{t}|m.{t} g.{t}|h.{t}|m.{t} g.lower|m.lower g.{t}|m.lower g.lower|m.{t} g.lower|h.{t}|m.{t} g.{t}|h.{t}|m.lower
g.{t}|h.lower|m.{t} g.{u}|m.{u} g.{u}|h.{u}|m.{u} g.lower|h.lower|m.lower g.{t}|h.{t}|m.{t}|m.{t}[-1] g.{t}|h.{t}|m.{t}|m.{t}[1]
g.{t}|h.{t}|h.{t}[1]|m.{t} g.{t}|h.{t}|h.{t}[-1]|m.{t}
"""
_PRUNER = """
h.{t} m.{t} h.{t}|m.{t} h.lower|m.{t} h.{t}|m.lower h.lower|m.lower h.{t}|b.{t}|m.{t} h.{t}|h.{t}[1]|m.{t} h.{t}|m.{t}[-1]|m.{t}
h.{t}|h.{t}[-1]|m.{t} h.{t}|m.{t}[1]|m.{t} h.{t}|h.{t}[1]|m.{t}[-1]|m.{t}
"""


def default_spec(fine: str, coarse: str, given: Sequence[str], order: int = 2) -> str:
    """The default templates over a fine and a coarse tag, and over `feats` and `lemma` if they are given. First order is
    faster."""
    # Both are flags: a list times False is empty.
    more, slow = {"feats", "lemma"} <= set(given), order == 2
    arcs = [_ARCS, _MORE_ARCS, *[_SLOW_ARCS] * slow, *[_GIVEN_ARCS] * more]
    relations = [_RELATIONS, *[_SLOW_RELATIONS] * slow, _MARKED_RELATIONS, *[_GIVEN_RELATIONS] * more]
    second = [_SIBLINGS, _GRANDPARENTS] * slow
    items = [*_with(arcs, ("dir", "dist")), *_with(relations, ("dir",), "rel|"), *_with(second, ("dir",)), "min=2"]
    return " ".join(items).format(t=fine, u=coarse)


def pruner_spec(fine: str) -> str:
    """The templates of the pruner, over the fine tag."""
    return " ".join([*_with([_PRUNER], ("dist",)), "min=2"]).format(t=fine)


def _with(groups: Sequence[str], where: Sequence[str], mark: str = "") -> list[str]:
    """Each template with each of the words in `where`, and with the mark before it."""
    return [f"{mark}{item}|{one}" for group in groups for item in group.split() for one in where]
