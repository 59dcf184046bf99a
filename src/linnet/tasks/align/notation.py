"""The words of a trace of word alignment: links between the tokens of two sentences."""

from __future__ import annotations

import numpy as np

from linnet.fitting.notation import Chart, Notation, Tables
from linnet.tasks.align.features import AlignmentFeatures
from linnet.tasks.align.gold import Aligned


def of_links(features: AlignmentFeatures, gold: Aligned, i: int) -> Notation:
    """The words of a pair of sentences. The link of source token i and target token j of n and m is place i m + j."""
    source, target = gold.part(np.array([i])).pairs.words()[0]
    m = len(target)

    def place(block: int, place: int) -> str:
        return f"{source[place // m]} - {target[place % m]}" if block == 0 else f"nothing - {target[place]}"

    def charts(tables: Tables) -> list[Chart]:
        rows = [(word, tuple(tables.cell(0, k * m + j, 0) for j in range(m))) for k, word in enumerate(source)]
        rows.append(("nothing", tuple(tables.cell(1, j, 0) for j in range(m))))
        return [Chart("theta: links of source words (rows) to target words (columns)", tuple(target), tuple(rows))]

    return Notation(
        text=f"{' '.join(source)} ||| {' '.join(target)}",
        feature=lambda block, j: (features.name, features.none_name)[block](j),
        outcome=lambda block, k: "",
        output=lambda y: ", ".join(place(0, p) for p, flag in enumerate(y) if flag == 1) or "no links",
        place=place,
        charts=charts,
    )
