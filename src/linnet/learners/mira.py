"""MIRA with slack, which is PA-I, and its relatives (Crammer et al. 2006; Eisenstein, section 4.1: eq. 8-10 are pa,
eq. 11-14 mira).

    y_hat = argmax_y w.f(x, y) + cost(y_i, y)
    tau   = min(C, loss / ||f(x, y_i) - f(x, y_hat)||^2)                mira, pa1
            loss / ||f(x, y_i) - f(x, y_hat)||^2                        pa: the hard version
            loss / (||f(x, y_i) - f(x, y_hat)||^2 + 1 / (2 C))          pa2
    w    <- w + tau (f(x, y_i) - f(x, y_hat))

A step is the smallest change of w that gives the right output its margin over y_hat. With a small C the steps are
small, so that there is more bias and less variance. Other outputs may still be inside their margins then, unless there
are only two labels: from w = 0 with three labels, pa gives the right one a margin of 1/2 over the third. With k > 1 it
is the smallest change that gives the right output its margin over each of the k best outputs
(core/loops/mira_kbest.pyx), and with k = all over every label (core/loops/mira_all.pyx): pa then brings the hinge loss
of the example to 0.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from linnet.core.form import Loss, Step, Structure
from linnet.learners.preset import Option, Options, Preset, online

if TYPE_CHECKING:
    from linnet.learners.contract import Core


def hinge(options: Options) -> Loss:
    from linnet.losses.hinge import Hinge

    return Hinge()


def _step(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive

    return PassiveAggressive(options["C"])


def _k_best(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    C = options.get("C", math.inf)
    if options["k"] == 1:
        return online(preset, options, gen, n_features)
    if options["k"] == "all":
        from linnet.core.loops.mira_all import AllMargins

        return online(preset, options, gen, n_features, kind=AllMargins, C=C)
    from linnet.core.loops.mira_kbest import KBest

    return online(preset, options, gen, n_features, kind=KBest, k=options["k"], C=C)


def _hard(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive

    return PassiveAggressive(math.inf)


def _second(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive2

    return PassiveAggressive2(options["C"])


PRESET = Preset(
    name="mira",
    summary="MIRA (PA-I): the smallest step that closes the margin over the best other output, at most C",
    loss=hinge,
    step=_step,
    options={
        "C": Option(1.0, "the largest step; inf for the hard version", least=0),
        "k": Option(
            1,
            "over how many of the best outputs a step closes the margin; all: over every label",
            least=1,
            most=1000,
            whole=True,
            choices=("all",),
        ),
    },
    core=_k_best,
    mixing=1.5,  # A step closes a margin and goes no further.
)

AVERAGED = replace(PRESET, name="averaged-mira", summary="MIRA, its weights averaged over all steps", averaged=True)

PA = replace(
    PRESET,
    name="pa",
    summary="passive-aggressive: MIRA without a bound; with k=all the step closes the margins over all labels",
    step=_hard,
    options={"k": PRESET.options["k"]},
    mixing=1.0,
)

PA2 = replace(
    PRESET,
    name="pa2",
    summary="PA-II: the smallest step, softened by C in proportion to the loss",
    step=_second,
    core=online,
    options={"C": Option(1.0, "the larger, the longer the steps; inf for the hard version", least=0)},
    mixing=1.0,
)
