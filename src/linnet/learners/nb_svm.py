"""A support vector machine over features that count as much as naive Bayes believes in them (Wang and Manning 2012).

    f_j   = s (sum_k P(k | j) |r_jk|)^power         r_jk the log-count ratio of feature j and outcome k (core/sparse.pyx)
    w_j  := f_j v_j,    v the machine that learns from x_j f_j

which is a machine with a prior of its own for each weight: 1/2 sum_j (w_j / f_j)^2 + C sum_i loss_i. With two labels
and power 1 it is the model of the paper; the square root (0.5) is better where labels are many or rare. s is such that
the mean of ||x||^2 stays as it was, so that C means what it means for `svm`. The result is a linear model like any
other, as f is multiplied into w. Each block of a structure has factors of its own, from counts of the places that use
an outcome and of those that do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.core.form import Structure
from linnet.learners import svm
from linnet.learners.preset import Make, Option, Options, Preset

if TYPE_CHECKING:
    from linnet.learners.scaled import Scaled


def _scaled(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Scaled:
    from linnet.learners.mirrored import Mirrored, are_mirrors
    from linnet.learners.scaled import Scaled

    loss = svm.machine(preset, options, gen)
    core = (
        Mirrored(loss, n_features, options["C"])
        if are_mirrors(gen, loss)
        else svm.in_dual(preset, options, gen, n_features)
    )
    return Scaled(core, options["power"], gen, n_features)


def _solver(options: Options) -> Make:
    return _scaled


PRESET = Preset(
    name="nb-svm",
    summary="support vector machine over features that count as much as naive Bayes believes in them",
    loss=svm.PRESET.loss,
    step=svm.PRESET.step,
    options={
        **svm.PRESET.options,
        "power": Option(0.5, "of the log-count ratio: 1 as Wang and Manning have it, 0 is svm", least=0, most=4),
    },
    needs_all=True,
    solver=_solver,
    supported=svm.PRESET.supported,
)
