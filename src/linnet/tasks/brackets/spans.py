"""From tokens to the blocks of a constituent tree: features of each span, and of the points where it can be split.

Parts of a template, with `|` between them:

    i.NAME    an attribute of the first word of a span, i.NAME[-1] of the one before it; NAME is any of the token features
    j.NAME    an attribute of the last word, likewise
    k.NAME    an attribute of the first word after the point where a span is split, k.NAME[-1] of the last one before it
    b.NAME    an attribute of each word between the first and the last
    dist      how long the span is

>>> features = SpanFeatures("i.w|j.w|dist i.tag[-1] k.tag[-1..0]", ("w", "tag"))
>>> [str(template) for template in features.templates["spans"]], [str(template) for template in features.templates["splits"]]
(['i.w|j.w|dist', 'i.tag[-1]'], ['k.tag[-1]', 'k.tag'])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.extract.anchored import BETWEEN, SPANS, SPLITS, A, B, C
from linnet.errors import UsageError
from linnet.features.anchored import AnchoredFeatures, AnchoredTemplate, Columns, Ints

SPAN_GRAMMAR = {
    "i.NAME j.NAME": "any of the token features, of the first or of the last word of a span",
    "k.NAME": "any of the token features, of the first word after the point where a span is split in two",
    "b.NAME dist": "any of the token features, of each word between first and last; the length of the span",
    "min=2": "leaves out features that are seen less often",
}


class SpanFeatures(AnchoredFeatures):
    who = {"i": A, "j": B, "k": C, "b": BETWEEN}  # noqa: RUF012
    kinds = {"spans": SPANS, "splits": SPLITS}  # noqa: RUF012

    def block_of(self, template: AnchoredTemplate) -> str:
        if template.looks_at("k") and template.looks_at("b"):
            raise UsageError(f"{str(template)!r}: a template cannot have both k. and b. in it. Leave one out.")
        return "splits" if template.looks_at("k") else "spans"

    def hint(self) -> str:
        return "For a start: i.lower|j.lower i.tag|j.tag|dist i.tag[-1]|j.tag[1] k.tag[-1]|k.tag."

    def fit(self, columns: Columns, starts: Ints, y: npt.NDArray[np.int32], y_at: Ints) -> SpanFeatures:
        """Number the features of the spans of these trees."""
        codes = self.begin(columns, starts)
        for name, (at, places) in zip(self.kinds, _used(np.diff(starts), y, y_at), strict=True):
            self.core(name).learn_places(codes, starts, at, places, self.least)
            self.end(name)
        return self

    def grow(self, columns: Columns, starts: Ints, y: npt.NDArray[np.int32], y_at: Ints) -> None:
        """Add the features of the spans of further trees, however rare they are."""
        codes = self.go_on(columns, starts)
        for name, (at, places) in zip(self.kinds, _used(np.diff(starts), y, y_at), strict=True):
            self.core(name).learn_places(codes, starts, at, places)


def _used(sizes: Ints, y: npt.NDArray[np.int32], y_at: Ints) -> Sequence[tuple[Ints, npt.NDArray[np.int32]]]:
    """The spans of binary trees, and their splits, each as a pair of arrays. The first array has the number of them
    before each sentence and, last, the number of all. The second has a column for each of them, with the numbers of
    three words, from 1: the first word, the first word of the right part (for a span, the first word again) and the
    last word."""
    spans, splits = [], []
    for i, n in enumerate(sizes.tolist()):
        last, first = (part[y[y_at[i] : y_at[i + 1]] != 0] + 1 for part in np.tril_indices(n))
        spans.append(np.stack([first, first, last]))
        # Spans that end with the same word are ordered by their first word, each before its right part.
        inner = np.flatnonzero(first < last)
        splits.append(np.stack([first[inner], first[inner + 1], last[inner]]))
    return [
        (
            np.concatenate([np.zeros(1, np.int64), np.cumsum([part.shape[1] for part in parts])]),
            np.ascontiguousarray(np.concatenate(parts, axis=1), np.int32),
        )
        for parts in (spans, splits)
    ]
