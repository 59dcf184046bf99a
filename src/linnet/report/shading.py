"""Colours behind words, as classes of a style sheet: how much a word speaks for or against, and which kind it is.

No element has a style of its own, so that pages may forbid such styles, as those of a server do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

_STEPS = 15
"""The number of shades of each of the two colours, for and against."""
_DARKEST = 0.75
"""The opacity of the strongest shade."""
_HUES = 24
"""The number of colours for kinds."""
_NAMES = np.array(
    ["", *(f"for{step}" for step in range(1, _STEPS + 1)), *(f"against{step}" for step in range(_STEPS, 0, -1))], object
)
"""The classes of all shades: at k that of the k-th shade for, and at -k that of the k-th shade against."""


def shade(contribution: float, most: float) -> str:
    """The class of a word that adds so much, where `most` is the largest that any word adds; "" for one that adds next to
    nothing.

    >>> shade(0.5, 1.0), shade(-1.0, 1.0), shade(0.0, 1.0)
    ('for7', 'against15', '')
    """
    step = math.ceil(_STEPS * min(abs(contribution) / most, 1.0) - 0.5) if most else 0
    return f"{'for' if contribution > 0 else 'against'}{step}" if step else ""


def shades(contributions: Sequence[float], most: float) -> list[str]:
    """The class of each word, as `shade` gives it.

    >>> shades([0.5, -1.0, 0.0], 1.0)
    ['for7', 'against15', '']
    """
    shares = np.asarray(contributions) / (most or 1.0)
    steps = np.ceil(_STEPS * np.minimum(np.abs(shares), 1.0) - 0.5).astype(np.int64)
    names: list[str] = _NAMES[np.where(shares > 0, steps, -steps)].tolist()
    return names


def hue(kind: int) -> str:
    """The class of the kind with this number. The colours of kinds that follow each other are far from each other."""
    return f"hue{kind % _HUES}"


def _rules() -> str:
    lines = []
    for step in range(1, _STEPS + 1):
        strong = _DARKEST * step / _STEPS
        lines.append(f".for{step} {{ background: rgba(0, 150, 70, {strong:.2f}); }}")
        lines.append(f".against{step} {{ background: rgba(210, 40, 40, {strong:.2f}); }}")
    for k in range(_HUES):
        lines.append(f".hue{k} {{ background: hsla({(k * 137 + 210) % 360}, 75%, 50%, {0.22 + k % 3 * 0.1:.2f}); }}")
    return "\n".join(["", *lines, ""])


STYLE = _rules()
