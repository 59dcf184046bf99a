"""The support vector machine, to its optimum or by stochastic gradients.

    svm        1/2 ||w||^2 + C sum_i loss_i
    pegasos    lam/2 ||w||^2 + the mean of the losses,    lam = 1 / (C n)

    squared-hinge       sum_q max(0, 1 - z_q <theta, a_q>)^2,  q the questions with yes or no (losses/each.pyx)
    hinge               sum_q max(0, 1 - z_q <theta, a_q>)
    multiclass-hinge    max_y [w.f(x_i, y) + cost(y_i, y) - w.f(x_i, y_i)]

The first two are a machine for each label against the rest, for each node of a tree of labels or for each threshold of
ratings, all learned in the same passes; over rankings and lists one over pairs (Herbrich, Graepel and Obermayer 2000; Joachims
2002); over tags and trees one for each outcome that a place may have, which are learned apart and decided together. The third
is over labels the one of Crammer and Singer (2001), over sets of labels and rankings the second, over tags, trees and
whole sets the structured one of Tsochantaridis et al. (2005).

svm goes up the dual, one example at a time and each time as far as is best, until the duality gap is a small share
(tol) of the objective. Where each question is about a single outcome, a step goes to the best of all that the example
could add to w (core/loops/coordinate.pyx); else it goes along a line (core/loops/frank_wolfe.pyx). pegasos takes steps
of 1/(lam t) with the third loss (Shalev-Shwartz et al. 2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.core.form import Loss, Step, Structure
from linnet.learners.dual import ascent, by_outcome
from linnet.learners.preset import Make, Option, Options, Preset

if TYPE_CHECKING:
    from linnet.core.loops.dual import Dual


def _loss_of_questions(squared: bool) -> Loss:
    from linnet.losses.each import Each
    from linnet.losses.phi import Hinge

    return Each(Hinge(squared=squared))


def _loss_of_outputs() -> Loss:
    from linnet.losses.hinge import Hinge

    return Hinge()


_LOSSES = {
    "squared-hinge": lambda: _loss_of_questions(True),
    "hinge": lambda: _loss_of_questions(False),
    "multiclass-hinge": _loss_of_outputs,
}


def _loss(options: Options) -> Loss:
    return _LOSSES.get(options.get("loss", "auto"), _loss_of_outputs)()


def _constant(options: Options) -> Step:
    from linnet.steps.constant import Constant

    return Constant()


def _pegasos(options: Options) -> Step:
    from linnet.steps.pegasos import Pegasos

    return Pegasos(options["lam"])


def _dual(options: Options) -> Make:
    return in_dual


def machine(preset: Preset, options: Options, gen: Structure) -> Loss:
    """The loss of the machine over a structure, with loss=auto decided: squared-hinge where questions are about single
    outcomes, else multiclass-hinge."""
    name = options["loss"]
    if name == "auto":
        name = "squared-hinge" if by_outcome(gen) else "multiclass-hinge"
    return preset.loss_over(gen, {**options, "loss": name})


def in_dual(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Dual:
    """The Core that goes to the optimum of the machine in its dual."""
    return ascent(gen, machine(preset, options, gen), n_features, C=options["C"])


def _always(options: Options) -> bool:
    return True


PRESET = Preset(
    name="svm",
    summary="support vector machine, to the optimum in its dual: over labels one against the rest, over tags structured",
    loss=_loss,
    step=_constant,
    options={
        "C": Option(1.0, "how much a loss counts against the length of w; lam is 1 / (C n)", least=1e-12, most=1e12),
        "loss": Option(
            "auto",
            "squared-hinge or hinge: of each label against the rest, of a tree each node, of a sentence each tag; "
            "multiclass-hinge: of all at once; auto is the first where outcomes stand alone, over tags and whole sets the last",
            choices=("auto", *_LOSSES),
        ),
    },
    needs_all=True,
    solver=_dual,
    supported=_always,
)

PEGASOS = Preset(
    name="pegasos",
    summary="support vector machine by stochastic gradients with steps of 1/(lam t)",
    loss=_loss,
    step=_pegasos,
    options={"lam": Option(1e-4, "L2 regularisation, per example", least=1e-12, most=1e6)},
)
