"""The losses over the margin, with their slopes, computed by the losses that learners use."""

from __future__ import annotations

from functools import cache

import numpy as np

from linnet.core.types import Json
from linnet.plot.losses import FORMULAS, HIGH, LOSSES, LOW, of_margins

_STEPS = 120
"""The number of steps from the least margin to the greatest."""


@cache
def losses() -> Json:
    """The value and the slope of each loss at margins that are a twentieth apart."""
    margins = np.round(np.linspace(LOW, HIGH, _STEPS + 1), 2)
    found: dict[str, Json] = {"0-1": {"formula": "1 if m ≤ 0", "values": np.where(margins <= 0, 1.0, 0.0).tolist()}}
    for name, loss in LOSSES.items():
        values, slopes = of_margins(loss(), margins)
        found[name] = {"formula": FORMULAS[name], "values": values.tolist(), "slopes": slopes.tolist()}
    return {"margins": margins.tolist(), "losses": found}
