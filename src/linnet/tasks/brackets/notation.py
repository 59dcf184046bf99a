"""The words of a trace of a constituent parser: spans of words and their labels."""

from __future__ import annotations

import numpy as np

from linnet.fitting.notation import Chart, Notation, Tables
from linnet.structures.brackets import Brackets
from linnet.tasks.brackets.features import BLOCKS, BracketFeatures
from linnet.tasks.brackets.gold import Bracketed


def of_spans(features: BracketFeatures, gold: Bracketed, i: int) -> Notation:
    """The words of a sentence with a constituent tree."""
    words = gold.part(np.array([i])).sentences.columns["w"].to_pylist()
    labels, n = gold.labels, len(words)
    spans, splits = Brackets.spans(n).T.tolist(), Brackets.splits(n).T.tolist()

    def place(block: int, place: int) -> str:
        if block == 0:
            first, last = spans[place]
            return " ".join(words[first : last + 1])
        first, split, last = splits[place]
        return f"{' '.join(words[first : split + 1])} | {' '.join(words[split + 1 : last + 1])}"

    def charts(tables: Tables) -> list[Chart]:
        used = [p for p in range(len(spans)) if (tables.mu[0][p] + tables.mu_hat[0][p]).any()]
        rows = [(place(0, p), tuple(tables.cell(0, p, k) for k in range(len(labels)))) for p in used]
        return [Chart("theta: labels of the spans of both trees", tuple(map(_shown, labels)), tuple(rows))]

    return Notation(
        text=" ".join(words),
        feature=lambda block, j: features.spans.name(BLOCKS[block], j),
        outcome=lambda block, k: _shown(labels[k]) if block == 0 else "",
        output=lambda y: ", ".join(f"{labels[k - 1]}({place(0, p)})" for p, k in enumerate(y) if k > 1),
        place=place,
        charts=charts,
    )


def _shown(label: str) -> str:
    """A label; the first one is that of spans which the tree does not show."""
    return label or "(none)"
