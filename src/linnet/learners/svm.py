"""The support vector machine, to its optimum or by stochastic gradients.

    svm        1/2 ||w||^2 + C sum_i max_y [w.f(x_i, y) + cost(y_i, y) - w.f(x_i, y_i)]
    pegasos    lam/2 ||w||^2 + the mean of the same,    lam = 1 / (C n)

svm goes up the dual, one example at a time and each time as far as is best (Lacoste-Julien et al. 2013), until the duality
gap is a small share (tol) of the objective. Over labels it is the machine of Crammer and Singer (2001), over tags the
structured one of Tsochantaridis et al. (2005). pegasos takes steps of 1/(lam t) (Shalev-Shwartz et al. 2011).
"""

from __future__ import annotations

from typing import Any

from linnet.learners.preset import Option, Options, Preset


def _loss(options: Options) -> Any:
    from linnet.losses.hinge import Hinge

    return Hinge()


def _constant(options: Options) -> Any:
    from linnet.steps.constant import Constant

    return Constant()


def _pegasos(options: Options) -> Any:
    from linnet.steps.pegasos import Pegasos

    return Pegasos(options["lam"])


def _dual(options: Options) -> Any:
    from linnet.core.dual import Dual

    def make(preset: Preset, options: Options, gen: Any, n_features: tuple[int, ...]) -> Any:
        return Dual(gen, preset.step(options), n_features, C=options["C"])

    return make


PRESET = Preset(
    name="svm",
    summary="support vector machine, to the optimum in its dual: over tags a structured SVM",
    loss=_loss,
    step=_constant,
    options={
        "C": Option(1.0, "how much a loss counts against the length of w; lam is 1 / (C n)", least=1e-12, most=1e12)
    },
    needs_all=True,
    solver=_dual,
)

PEGASOS = Preset(
    name="pegasos",
    summary="support vector machine by stochastic gradients with steps of 1/(lam t)",
    loss=_loss,
    step=_pegasos,
    options={"lam": Option(1e-4, "L2 regularisation, per example", least=1e-12)},
)
