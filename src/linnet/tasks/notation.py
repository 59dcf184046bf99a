"""The words of a trace that several tasks share: those of labels, and those of tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from linnet.explain.strongest import Named
from linnet.fitting.contract import Gold
from linnet.fitting.notation import Cell, Chart, Notation, Tables
from linnet.structures.chain import Chain


def of_labels(features: object, gold: Gold, i: int) -> Notation:
    """The words of an example with one label, or with outcomes that are labels."""
    labels = gold.labels
    named = features.name if isinstance(features, Named) else None
    return Notation(
        text=gold.part(np.array([i])).texts()[0],
        feature=lambda block, j: named(j) if named is not None and block == 0 else f"feature {j}",
        outcome=lambda block, k: labels[k] if k < len(labels) else str(k),
        output=lambda y: labels[y[0]] if len(y) and 0 <= y[0] < len(labels) else " ".join(map(str, y)),
        place=lambda block, place: "",
    )


def of_tags(names: Sequence[Callable[[int], str]], labels: Sequence[str], words: Sequence[str], gen: Chain) -> Notation:
    """The words of a sentence with tags. names: for each block a function that gives the name of a feature by its
    number."""
    L = len(labels)

    def outcome(block: int, k: int) -> str:
        if block == 0:
            return labels[k]
        if block == 1:
            return f"{labels[k // L]} {labels[k % L]}"
        # Tags a, b and c in a row are outcome (b L + a) L + c of block 2 (structures/trigrams.pyx).
        return f"{labels[k // L % L]} {labels[k // L // L]} {labels[k % L]}"

    return Notation(
        text=" ".join(words),
        feature=lambda block, j: names[block](j) if block < len(names) else f"feature {j}",
        outcome=outcome,
        output=lambda y: " ".join(labels[k] for k in y),
        place=lambda block, place: (
            words[place] if block == 0 else words[place + 1] if block == 1 and gen.observed else ""
        ),
        charts=partial(_charts_of_tags, labels, words, gen),
    )


def _charts_of_tags(labels: Sequence[str], words: Sequence[str], gen: Chain, tables: Tables) -> list[Chart]:
    """The table of the Viterbi algorithm, a row for each tag and a column for each token; and the scores of tags at tokens, and
    of pairs of tags where these are the same at all tokens."""
    L, T = len(labels), len(words)
    best, back = gen.viterbi(tables.theta)

    def cell(t: int, k: int) -> Cell:
        found: Any = tables.cell(0, t, k)
        return Cell(float(best[t, k]), found.r, found.y, found.y_hat, labels[back[t, k]] if back[t, k] >= 0 else "")

    def chart(name: str, columns: Sequence[str], rows: int, of: Callable[[int, int], Cell]) -> Chart:
        each = tuple((labels[k], tuple(of(t, k) for t in range(rows))) for k in range(L))
        return Chart(name, tuple(columns), each)

    charts = [
        chart("Viterbi: the best score up to each token, and the tag before it", words, T, cell),
        chart("theta: tags at tokens", words, T, lambda t, k: tables.cell(0, t, k)),
    ]
    if not gen.observed:
        charts.append(
            chart(
                "theta: each tag (row) after each other (column)", labels, L, lambda a, c: tables.cell(1, 0, a * L + c)
            )
        )
    return charts
