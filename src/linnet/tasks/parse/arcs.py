"""From tokens to the blocks of a dependency tree: features of each arc, of its relation, and of two arcs together.

Parts of a template, with `|` between them:

    h.NAME    an attribute of the head, h.NAME[1] of the token after it; NAME is any of the token features
    m.NAME    an attribute of the child, likewise
    s.NAME    an attribute of the child that the head has before this one on the same side: trees of second order
    g.NAME    an attribute of the head of the head: trees of second order
    b.NAME    an attribute of each token between head and child
              NAME may also be `marker`, the preposition or conjunction that leads a token in: tasks/parse/markers.py
    dir       the side of the head on which the child is;  dist also how far away it is
    rel       marks a template of relations, which tells relations apart; the others tell arcs apart

>>> features = ArcFeatures("h.w|m.w|dist h.upos|m.upos|dir rel|m.upos", ("w", "upos"))
>>> [str(template) for template in features.templates["arcs"]], [str(template) for template in features.templates["relations"]]
(['h.w|m.w|dist', 'h.upos|m.upos|dir'], ['rel|m.upos'])
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linnet.core.extract.anchored import ARCS, BETWEEN, GRANDPARENTS, SIBLINGS, A, B, C
from linnet.errors import UsageError
from linnet.features.anchored import AnchoredFeatures, AnchoredTemplate, Columns, Ints

ARC_GRAMMAR = {
    "h.NAME m.NAME": "any of the token features, of the head or of the child of an arc",
    "s.NAME g.NAME": "any of the token features, of the child before it on the same side of the head, or of the head's head",
    "b.NAME": "any of the token features, of each token between head and child",
    "h.marker m.marker": "the preposition or conjunction that leads the token in, by the tags",
    "dir dist": "on which side of the head the child is, and how far away",
    "rel|...": "marks features that tell relations apart; the others tell arcs apart",
    "min=2": "leaves out features that are seen less often",
}


class ArcFeatures(AnchoredFeatures):
    who = {"h": A, "m": B, "s": C, "g": C, "b": BETWEEN}  # noqa: RUF012
    kinds = {"arcs": ARCS, "relations": ARCS, "siblings": SIBLINGS, "grandparents": GRANDPARENTS}  # noqa: RUF012
    marks = ("rel",)

    @property
    def names(self) -> list[str]:
        """The names of the blocks other than relations. With grandparents there are always siblings too."""
        grandparents = ["grandparents"] if self.templates["grandparents"] else []
        return ["arcs", *(["siblings"] if self.templates["siblings"] or grandparents else []), *grandparents]

    def block_of(self, template: AnchoredTemplate) -> str:
        third = [name for letter, name in (("s", "siblings"), ("g", "grandparents")) if template.looks_at(letter)]
        if third and (len(third) > 1 or template.mark or template.looks_at("b")):
            raise UsageError(
                f"{str(template)!r}: s. and g. cannot be in the same template, nor with rel or b. Leave one out."
            )
        return third[0] if third else "relations" if template.mark else "arcs"

    def hint(self) -> str:
        return "For a start: h.lower|m.lower|dist h.upos|m.upos|dist rel|m.upos|h.upos."

    def fit(self, columns: Columns, starts: Ints, heads: npt.NDArray[np.int32]) -> ArcFeatures:
        """Number the features of the arcs of these trees."""
        codes = self.begin(columns, starts)
        for name in self.kinds:
            self.core(name).learn(codes, starts, heads, self.least)
            self.end(name)
        return self

    def grow(self, columns: Columns, starts: Ints, heads: npt.NDArray[np.int32]) -> None:
        """Add the features of the arcs of further trees, however rare they are."""
        codes = self.go_on(columns, starts)
        for name in self.kinds:
            self.core(name).learn(codes, starts, heads)
