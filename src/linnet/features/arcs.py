"""Sentences to the blocks of a dependency tree: features of each arc, and of its relation.

Parts of a template, with `|` between them:

    h.NAME    an attribute of the head, h.NAME[1] of the token behind it; NAME is any of the token features
    m.NAME    of the child, likewise
    s.NAME    of the child that the head has before this one on the same side: trees of second order
    b.NAME    of each token between head and child
    dir       on which side of the head the child is;  dist also how far away
    rel       the template is one of relations: it tells them apart, where the others tell arcs apart

>>> features = ArcFeatures("h.w|m.w|dist h.upos|m.upos|dir rel|m.upos", ("w", "upos"))
>>> [str(template) for template in features.arc_templates], [str(template) for template in features.relation_templates]
(['h.w|m.w|dist', 'h.upos|m.upos|dir'], ['rel|m.upos'])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arcs import BETWEEN, CHILD, DIRECTION, HEAD, LENGTH, SIBLING, Arcs, length_name
from linnet.core.form import Block
from linnet.errors import UsageError
from linnet.features.token_spec import LISTS, parse_templates
from linnet.features.tokens import AMBIGUITIES, TokenFeatures

ARC_GRAMMAR = {
    "h.NAME m.NAME": "for parse: any of the token features, of the head and of the child of an arc",
    "s.NAME": "for parse: of the child before it on the same side of the head; trees of second order",
    "b.NAME": "for parse: of each token between head and child",
    "dir dist": "for parse: on which side of the head the child is, and how far away",
    "rel|...": "for parse: the features that tell relations apart",
}

_WHO = {"h": HEAD, "m": CHILD, "s": SIBLING, "b": BETWEEN}
_WHERE = {"dir": DIRECTION, "dist": LENGTH}
_RELATION = "rel"
# The codes of token features below this one are places outside a sentence, which arcs have codes of their own for.
_FIRST = 4
_OUTSIDE = ("<s>", "</s>", "<root>", "<none>")

Ints = npt.NDArray[np.int64]
Columns = Mapping[str, pa.LargeStringArray]


@dataclass(frozen=True)
class ArcPart:
    who: str
    attribute: str = ""
    offset: int = 0

    def __str__(self) -> str:
        if not self.attribute:
            return self.who
        return f"{self.who}.{self.attribute}" + (f"[{self.offset}]" if self.offset else "")


@dataclass(frozen=True)
class ArcTemplate:
    parts: tuple[ArcPart, ...]
    of_relation: bool = False

    @property
    def of_sibling(self) -> bool:
        return any(part.who == "s" for part in self.parts)

    def __str__(self) -> str:
        return "|".join([*([_RELATION] if self.of_relation else []), *map(str, self.parts)])


class ArcFeatures:
    """The features of a specification, once they have seen some trees."""

    def __init__(self, spec: str, columns: Sequence[str], files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.spec = " ".join(spec.split())
        templates = list(dict.fromkeys(one for item in self.spec.split() for one in _templates(item, columns)))
        self.arc_templates = [template for template in templates if not (template.of_relation or template.of_sibling)]
        self.sibling_templates = [template for template in templates if template.of_sibling]
        self.relation_templates = [template for template in templates if template.of_relation]
        if not self.arc_templates:
            raise UsageError(
                "the features name no template of arcs. For a start: h.lower|m.lower|dist h.upos|m.upos|dist."
            )
        names = [part.attribute for template in templates for part in template.parts if part.attribute]
        # It is asked for the codes of tokens only.
        self._tokens = TokenFeatures(" ".join(dict.fromkeys(names)) or "w", columns, files)
        self._arcs = self._relations = self._siblings = Arcs([], ())

    @property
    def columns(self) -> tuple[str, ...]:
        return self._tokens.columns

    @property
    def n_features(self) -> int:
        return int(self._arcs.n_features)

    @property
    def n_relation_features(self) -> int:
        return int(self._relations.n_features)

    @property
    def n_sibling_features(self) -> int:
        return int(self._siblings.n_features)

    @property
    def order(self) -> int:
        return 2 if self.sibling_templates else 1

    def fit(self, columns: Columns, starts: Ints, heads: npt.NDArray[np.int32]) -> ArcFeatures:
        """Know the features of the arcs of these trees."""
        codes = self._codes(columns, starts, grow=True)
        self._make(self._n_codes())
        self._arcs.learn(codes, starts, heads)
        self._relations.learn(codes, starts, heads)
        self._siblings.learn(codes, starts, heads)
        return self

    def blocks(self, columns: Columns, starts: Ints) -> tuple[Block, ...]:
        """The blocks of these sentences: features of arcs, of their relations, and of second order those of siblings."""
        codes = self._codes(columns, starts, grow=False)
        n = np.diff(starts)
        arcs, triples = n * (n + 1), (n * (n + 1) * (n + 2) + (n - 1) * n * (n + 1)) // 6
        places, of_triples = (np.concatenate([np.zeros(1, np.int64), np.cumsum(size)]) for size in (arcs, triples))
        blocks = (Block(*self._arcs.rows(codes, starts), places), Block(*self._relations.rows(codes, starts), places))
        if self.order == 1:
            return blocks
        return *blocks, Block(*self._siblings.rows(codes, starts, triples=True), of_triples)

    def _n_codes(self) -> tuple[int, ...]:
        return tuple(len(self._tokens._vocabularies[name]) for name in self._tokens.attributes)

    def _make(self, n_codes: Sequence[int]) -> None:
        try:
            self._arcs = Arcs(self._numbered(self.arc_templates), n_codes)
            self._relations = Arcs(self._numbered(self.relation_templates), n_codes)
            self._siblings = Arcs(self._numbered(self.sibling_templates), n_codes)
        except OverflowError as error:
            raise UsageError(
                f"a feature of arcs joins too many values ({error}). Use templates of fewer parts."
            ) from None

    def _numbered(self, templates: Sequence[ArcTemplate]) -> list[tuple[tuple[int, int, int], ...]]:
        number = {name: k for k, name in enumerate(self._tokens.attributes)}
        return [
            tuple(
                (_WHO[part.who], number[part.attribute], part.offset) if part.attribute else (_WHERE[part.who], 0, 0)
                for part in template.parts
            )
            for template in templates
        ]

    def _codes(self, columns: Columns, starts: Ints, *, grow: bool) -> npt.NDArray[np.int32]:
        codes = self._tokens.codes(columns, starts, grow=grow)
        return np.ascontiguousarray(np.where(codes >= 0, codes - _FIRST, -1), np.int32)

    def name(self, feature: int) -> str:
        """Of an arc."""
        return self._named(self._arcs, self.arc_templates, feature)

    def relation_name(self, feature: int) -> str:
        return self._named(self._relations, self.relation_templates, feature)

    def sibling_name(self, feature: int) -> str:
        return self._named(self._siblings, self.sibling_templates, feature)

    def _named(self, core: Arcs, templates: Sequence[ArcTemplate], feature: int) -> str:
        t, codes = core.codes(feature)
        return f"{templates[t]}=" + "|".join(map(self._value, templates[t].parts, codes))

    def _value(self, part: ArcPart, code: int) -> str:
        if not part.attribute:
            return str(length_name(code, part.who == "dir"))
        if code < len(_OUTSIDE):
            return _OUTSIDE[code]
        return str(self._tokens._vocabularies[part.attribute].name(code - len(_OUTSIDE)))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What a model file keeps of the features, beside `header()`."""
        arrays = {f"tokens.{name}": array for name, array in self._tokens.arrays().items()}
        parts = {"arcs": self._arcs, "relations": self._relations, "siblings": self._siblings}
        return arrays | {name: part.arrays()["arcs"] for name, part in parts.items()}

    def header(self) -> dict[str, Any]:
        return {"spec": self.spec, "tokens": self._tokens.header()}

    @classmethod
    def from_arrays(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> ArcFeatures:
        tokens = header["tokens"]
        self = cls(header["spec"], tuple(tokens["columns"]), tokens["files"])
        under = {name.removeprefix("tokens."): array for name, array in arrays.items() if name.startswith("tokens.")}
        self._tokens = TokenFeatures.from_arrays(tokens, under)
        n_codes = self._n_codes()
        self._arcs = Arcs.from_arrays(self._numbered(self.arc_templates), n_codes, arrays["arcs"])
        self._relations = Arcs.from_arrays(self._numbered(self.relation_templates), n_codes, arrays["relations"])
        self._siblings = Arcs.from_arrays(self._numbered(self.sibling_templates), n_codes, arrays["siblings"])
        return self


def _templates(item: str, columns: Sequence[str]) -> list[ArcTemplate]:
    atoms = item.split("|")
    of_relation = atoms[0] == _RELATION
    choices = [_parts(atom, item, columns) for atom in (atoms[1:] if of_relation else atoms)]
    if not choices:
        raise UsageError(f"{item!r} names nothing that tells relations apart. For a start: rel|m.upos|h.upos.")
    found = [ArcTemplate(parts, of_relation) for parts in product(*choices)]
    if found[0].of_sibling and (of_relation or any(part.who == "b" for part in found[0].parts)):
        raise UsageError(
            f"{item!r}: features of siblings are neither of relations nor of tokens between. Leave one out."
        )
    if sum(part.who in _WHERE for part in found[0].parts) > 1 or sum(part.who == "b" for part in found[0].parts) > 1:
        raise UsageError(f"{item!r}: a template has one of dir and dist, and one part between head and child.")
    return found


def _parts(atom: str, item: str, columns: Sequence[str]) -> list[ArcPart]:
    if atom in _WHERE:
        return [ArcPart(atom)]
    who, dot, rest = atom.partition(".")
    if who not in _WHO or not dot:
        raise UsageError(
            f"{atom!r} in {item!r}: expected dir, dist, or whose feature it is, as in h.{atom}, m.{atom}, b.{atom}."
        )
    found = [template.parts[0] for template in parse_templates(rest, columns) if not template.tags]
    if any(part.attribute in (*AMBIGUITIES, *LISTS) for part in found):
        raise UsageError(f"{atom!r} in {item!r} is for single tokens. Leave it out.")
    if who == "b" and any(part.offset for part in found):
        raise UsageError(f"{atom!r} in {item!r}: of tokens between there are no neighbours. Leave out [..].")
    return [ArcPart(who, part.attribute, part.offset) for part in found]
