"""Bounds from theory on weights, on the examples that they come from, and on the mistakes on the way.

    gamma = min_i [w.f(x_i, y_i) - max over y != y_i of w.f(x_i, y)] / ||w||          the margin (core/loops/margins.pyx)
    R    >= ||f(x_i, y) - f(x_i, y')||                                                the radius

    mistakes <= R^2 / gamma^2                    of the perceptron in all passes: Novikoff (1962); over structures Collins
                                                 (2002, theorem 1). So of pa, and of mira with C >= 1/R^2 (Crammer et al. 2006)
    mean of P(y_hat != y) over w_0 ... w_(n-1)   with probability 1 - delta, of M mistakes in the first pass over n examples:
              <= M/n + sqrt(2/n ln(1/delta))     Cesa-Bianchi, Conconi and Gentile (2004, proposition 1)

The first needs gamma > 0, of whatever weights: then the data are separable, and these weights show it. The second needs
examples in random order, each of them new to the weights that predict it: later passes tell nothing. Over structures a
mistake is an output that is not right as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linnet.core.form import Structure
from linnet.core.loops.margins import Margins
from linnet.core.types import Json
from linnet.learners.preset import Weights
from linnet.learners.weights import norm

if TYPE_CHECKING:
    from linnet.learners.examples import Examples
    from linnet.learners.fit import Epoch

DELTA = 0.05
# The number of examples of a piece. Between two pieces Python looks at signals.
_PIECE = 1 << 14


@dataclass(frozen=True)
class Theory:
    norm: float
    """The length of the weights, ||w||."""
    radius: float | None
    margin: float | None
    """The margin, 0 where a training example is wrong or tied; None, as is R, where the structure has no k best outputs."""
    mistakes: int | None
    """The number of mistakes in all passes of the first run, if all were counted."""
    mistake_bound: float | None
    """Novikoff's bound on the mistakes, R^2 / gamma^2."""
    error_bound: float | None
    """A bound on the mean error of the weights of the first pass, which holds with probability 1 - DELTA."""


def theory(
    gen: Structure, weights: list[Weights], examples: Examples, history: Sequence[Epoch], *, online: bool
) -> Theory | None:
    """The measurements and bounds; None for weights that are not finite. `online` says that each example of the first pass
    was new."""
    length = norm(weights)
    if not 0 < length < math.inf:
        return None
    radius, ahead = _measured(gen, weights, examples) if gen.has_k_best else (None, None)
    margin = None if ahead is None else ahead / length
    passes = [epoch.mistakes for epoch in history if epoch.run == 1]
    counted = [mistakes for mistakes in passes if mistakes is not None]
    first = passes[0] if passes else None
    return Theory(
        norm=length,
        radius=radius,
        margin=margin,
        mistakes=sum(counted) if passes and len(counted) == len(passes) else None,
        mistake_bound=(radius / margin) ** 2 if radius and margin else None,
        error_bound=error_bound(first, len(examples)) if online and first is not None else None,
    )


def _measured(gen: Structure, weights: list[Weights], examples: Examples) -> tuple[float, float]:
    """R, and the margin not divided by ||w||; 0 where no output has a rival."""
    margins = Margins(gen, weights)
    for begin in range(0, len(examples), _PIECE):
        margins.run(examples.blocks, examples.y, examples.y_at, begin, min(begin + _PIECE, len(examples)))
    return math.sqrt(margins.radius2), margins.margin if margins.margin < math.inf else 0.0


def in_words(found: Mapping[str, Json]) -> str:
    """A line for people that says what a Theory tells, as the model file has it."""
    parts = []
    if found.get("margin"):
        parts.append(
            f"separable: margin gamma {found['margin']:.2g}, radius R {found['radius']:.3g}, "
            f"(R/gamma)^2 = {found['mistake_bound']:.2g}"
        )
    elif found.get("margin") is not None:
        parts.append(f"not separated by these weights, radius R {found['radius']:.3g}")
    if found.get("mistakes") is not None:
        parts.append(f"{found['mistakes']:,} mistakes")
    if (found.get("error_bound") or 1) < 1:
        parts.append(f"by its first pass, an error of at most {100 * found['error_bound']:.1f}% on new examples")
    return "; ".join(parts)


def error_bound(mistakes: int, n: int, delta: float = DELTA) -> float:
    """M/n + sqrt(2/n ln(1/delta)), 1 at most.

    >>> round(error_bound(100, 1000, 0.05), 4)
    0.1774
    """
    return min(mistakes / n + math.sqrt(2 / n * math.log(1 / delta)), 1.0)
