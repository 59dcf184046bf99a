"""Ascent in the dual (core/loops/dual.pyx): how an example finds its step, for every loss and every structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet.core.form import Loss, Structure
    from linnet.core.loops.dual import Climb, Dual


def by_outcome(gen: Structure) -> bool:
    """Whether each question is about one outcome of the only place: a label, a node of a tree, a threshold."""
    return bool(gen.single or gen.separate or (len(gen.outcomes) == 1 and gen.one_outcome and not gen.plain))


def climb(gen: Structure, loss: Loss) -> Climb:
    """How an example finds its step in the dual. `Coordinate` goes directly to the best that the example could add to
    w, where the loss has a formula for it (over one label or a set, and for questions about single outcomes); else
    `FrankWolfe` goes along a line."""
    from linnet.core.loops.coordinate import Coordinate
    from linnet.core.loops.frank_wolfe import FrankWolfe
    from linnet.losses.each import Each

    known = by_outcome(gen) if isinstance(loss, Each) else gen.single or gen.separate
    return Coordinate() if loss.has_dual and known else FrankWolfe()


def ascent(gen: Structure, loss: Loss, n_features: tuple[int, ...], *, C: float = 0, lam: float = 0) -> Dual:
    """The learner of a linear model in the dual. It takes C, or lam = 1 / (C n)."""
    from linnet.core.loops.dual import Dual
    from linnet.steps.constant import Constant

    return Dual(gen, loss, Constant(), n_features, climb=climb(gen, loss), C=C, lam=lam)
