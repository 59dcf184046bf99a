"""Bounds from theory on weights, on the examples that they come from, and on the mistakes on the way.

    gamma = min_i [w.f(x_i, y_i) - max over y != y_i of w.f(x_i, y)] / ||w||          the margin (core/loops/margins.pyx)
    R    >= ||f(x_i, y) - f(x_i, y')||                                                the radius

    mistakes <= R^2 / gamma^2                    of the perceptron in all passes: Novikoff (1962); over structures Collins
                                                 (2002, theorem 1). So of pa, and of mira with C >= 1/R^2 (Crammer et al. 2006)
    mean of P(y_hat != y) over w_0 ... w_(n-1)   with probability 1 - delta, of M mistakes in the first pass over n examples:
              <= M/n + sqrt(2/n ln(1/delta))     Cesa-Bianchi, Conconi and Gentile (2004, proposition 1)

With two labels a textbook has one vector u and decides by the sign of u.x. Here each label has weights of its own, and
u = w_1 - w_0 (w_1 = u/2 = -w_0 if the weights began at 0):

    y u.x = w.f(x, y) - w.f(x, y'),    ||w|| = ||u|| / sqrt(2),    R = sqrt(2) max ||x||

so that gamma and R are sqrt(2) times those of u, and the bound R^2 / gamma^2 is the same.

    #{y != y_i: w.f(x_i, y) >= w.f(x_i, y_i)}    the ranking loss, which is no less than the 0-1 loss
        <= sum over y != y_i of exp(w.f(x_i, y) - w.f(x_i, y_i))     (Smith, "Boosting and Exp Loss"; Collins and Koo 2005)

The first bound needs weights with gamma > 0, of whatever learner: then the data are separable, and these weights show
it. The second needs examples in random order, each of them new to the weights that predict it, so that later passes
tell nothing. Over structures a mistake is an output that is not right as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.form import Structure
from linnet.core.loops.margins import Margins
from linnet.core.predictor import Predictor
from linnet.core.products import length
from linnet.core.scorer import Linear
from linnet.core.types import Json
from linnet.learners.preset import Weights
from linnet.learners.weights import blocks, norm

if TYPE_CHECKING:
    from linnet.learners.examples import Examples
    from linnet.learners.fit import Epoch

DELTA = 0.05
"""The probability that the bound on the error of new examples does not hold."""
# The number of examples of a piece. Between two pieces Python looks at signals.
_PIECE = 1 << 14
# The largest number of scores, examples times labels, that are looked at for the ranking loss.
_MOST_SCORES = 20_000_000
# The largest difference of scores of which exp is taken, so that it stays finite.
_LARGEST = 700.0


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
    signed_margin: float | None
    """The margin of one weight vector with a sign, u = w_1 - w_0, where there are two labels: min_i y_i u.x_i / ||u||."""
    signed_radius: float | None
    """The radius for that vector, max_i ||x_i||, where there are two labels."""
    ranking_loss: float | None
    """For learners of the exponential loss over labels: the mean number of labels that are ahead of the right one, or tied
    with it, on the training examples."""
    exp_loss: float | None
    """The mean exponential loss of the final weights over the training examples. It is no less than the ranking loss,
    which is no less than the training error."""
    error_bound: float | None
    """A bound on the mean error of the weights of the first pass, which holds with probability 1 - DELTA."""


def theory(
    gen: Structure,
    weights: list[Weights],
    examples: Examples,
    history: Sequence[Epoch],
    *,
    online: bool,
    bias: bool = True,
    exponential: bool = False,
) -> Theory | None:
    """The measurements and bounds; None for weights that are all 0 or not finite. `online` says that each example of
    the first pass was new, `bias` that the constant feature counts in R, and `exponential` that the loss is the
    exponential one."""
    length = norm(weights)
    if not 0 < length < math.inf:
        return None
    radius, ahead = _measured(gen, weights, examples, bias) if gen.has_k_best else (None, None)
    margin = None if ahead is None else ahead / length
    passes = [epoch.mistakes for epoch in history if epoch.run == 1]
    counted = [mistakes for mistakes in passes if mistakes is not None]
    first = passes[0] if passes else None
    signed = _length_of_signed(gen, weights) if ahead is not None else None
    ranking, exp = _ranking(gen, weights, examples) if exponential else (None, None)
    return Theory(
        norm=length,
        radius=radius,
        signed_margin=ahead / signed if ahead is not None and signed else None,
        signed_radius=radius / math.sqrt(2) if radius is not None and signed else None,
        margin=margin,
        mistakes=sum(counted) if passes and len(counted) == len(passes) else None,
        mistake_bound=(radius / margin) ** 2 if radius and margin else None,
        ranking_loss=ranking,
        exp_loss=exp,
        error_bound=error_bound(first, len(examples)) if online and first is not None else None,
    )


def _length_of_signed(gen: Structure, weights: list[Weights]) -> float | None:
    """||w_1 - w_0|| of two labels; None for outputs of another kind."""
    if not gen.single or gen.outcomes != (2,):
        return None
    (W,) = blocks(weights, gen)
    return length(W[:, 1] - W[:, 0]) if isinstance(W, np.ndarray) else None


def _ranking(gen: Structure, weights: list[Weights], examples: Examples) -> tuple[float | None, float | None]:
    """The mean ranking loss and the mean exponential loss of labels; both None for outputs of another kind, and where
    the scores would take too much memory."""
    if not gen.single or len(gen.outcomes) > 1 or len(examples) * gen.outcomes[0] > _MOST_SCORES:
        return None, None
    theta = Predictor(gen, Linear(weights)).scores(examples.blocks)[0].astype(np.float64)
    ahead = theta - theta[np.arange(len(theta)), examples.y][:, None]
    each = (ahead >= 0).sum(axis=1) - 1.0, np.exp(np.minimum(ahead, _LARGEST)).sum(axis=1) - 1
    ranking, exp = (float(np.average(losses, weights=examples.weight)) for losses in each)
    return ranking, exp


def _measured(gen: Structure, weights: list[Weights], examples: Examples, bias: bool) -> tuple[float, float]:
    """R, and the margin not divided by ||w||; 0 where no output has a rival."""
    margins = Margins(gen, weights, bias=bias)
    for begin in range(0, len(examples), _PIECE):
        margins.run(examples.blocks, examples.y, examples.y_at, begin, min(begin + _PIECE, len(examples)))
    return math.sqrt(margins.radius2), margins.margin if margins.margin < math.inf else 0.0


def in_words(found: Mapping[str, Json]) -> str:
    """A line for people that says what a Theory tells, as the model file has it."""
    known = {name: value for name, value in found.items() if value is not None}
    parts = []
    if known.get("margin") and {"radius", "mistake_bound"} <= known.keys():
        parts.append(
            f"separable: margin gamma {known['margin']:.2g}, radius R {known['radius']:.3g}, "
            f"(R/gamma)^2 = {known['mistake_bound']:.2g}{_signed(known)}"
        )
    elif {"margin", "radius"} <= known.keys():
        parts.append(f"not separated by these weights, radius R {known['radius']:.3g}")
    if "mistakes" in known:
        parts.append(f"{known['mistakes']:,} mistakes")
    if {"exp_loss", "ranking_loss"} <= known.keys():
        parts.append(
            f"exponential loss {known['exp_loss']:.3g}, which bounds the ranking loss {known['ranking_loss']:.3g} "
            "(labels ahead of the right one)"
        )
    if known.get("error_bound", 1) < 1:
        parts.append(f"by its first pass, an error of at most {100 * known['error_bound']:.1f}% on new examples")
    return "; ".join(parts)


def _signed(known: Mapping[str, Json]) -> str:
    """What the margin and the radius are for one weight vector with a sign, where there are two labels."""
    if not known.get("signed_margin") or "signed_radius" not in known:
        return ""
    return f" (one vector with a sign: gamma {known['signed_margin']:.2g}, R {known['signed_radius']:.3g})"


def error_bound(mistakes: int, n: int, delta: float = DELTA) -> float:
    """M/n + sqrt(2/n ln(1/delta)), 1 at most.

    >>> round(error_bound(100, 1000, 0.05), 4)
    0.1774
    """
    return min(mistakes / n + math.sqrt(2 / n * math.log(1 / delta)), 1.0)
