"""The words of a trace of a dependency parser: arcs from heads to words."""

from __future__ import annotations

import numpy as np

from linnet.core.form import Structure
from linnet.fitting.notation import Chart, Notation, Tables
from linnet.tasks.parse.features import ParseFeatures
from linnet.tasks.parse.gold import Trees

_ROOT = "ROOT"


def of_arcs(features: ParseFeatures, gold: Trees, gen: Structure, i: int) -> Notation:
    """The words of a sentence with a tree. The arc from head h to word m, both from 1, is place (m - 1) (n + 1) + h."""
    words = gold.part(np.array([i])).sentences.columns["w"].to_pylist()
    heads, n, labels = [_ROOT, *words], len(words), gold.labels
    names = features.names(len(labels) > 1)

    def place(block: int, place: int) -> str:
        if names[block] not in ("arcs", "relations"):
            return f"place {place}"
        m, h = divmod(place, n + 1)
        return f"{heads[h]} > {words[m]}"

    def output(y: object) -> str:
        assert isinstance(y, list)
        arcs = ((k // len(labels), k % len(labels)) for k in y)
        return ", ".join(f"{heads[h]} >{labels[r]}> {word}" for word, (h, r) in zip(words, arcs, strict=True))

    def charts(tables: Tables) -> list[Chart]:
        rows = [(heads[h], tuple(tables.cell(0, m * (n + 1) + h, 0) for m in range(n))) for h in range(n + 1)]
        found = [Chart("theta: arcs from each head (row) to each word (column)", tuple(words), tuple(rows))]
        if "relations" in names:
            g = names.index("relations")
            used = [p for p in range(n * (n + 1)) if (tables.mu[g][p] + tables.mu_hat[g][p]).any()]
            rows = [(place(g, p), tuple(tables.cell(g, p, k) for k in range(len(labels)))) for p in used]
            found.append(Chart("theta: relations of these arcs", labels, tuple(rows)))
        return found

    return Notation(
        text=" ".join(words),
        feature=lambda block, j: features.arcs.name(names[block], j),
        outcome=lambda block, k: labels[k] if names[block] == "relations" else "",
        output=lambda y: output(list(y)),
        place=place,
        charts=charts,
    )
