"""MIRA with slack, which is PA-I, and its relatives (Crammer et al. 2006; Eisenstein, section 4.1: eq. 8-10 are pa,
eq. 11-14 mira).

    y_hat = argmax_y w.f(x, y) + cost(y_i, y)
    tau   = min(C, loss / ||f(x, y_i) - f(x, y_hat)||^2)                mira, pa1
            loss / ||f(x, y_i) - f(x, y_hat)||^2                        pa: the hard version
            loss / (||f(x, y_i) - f(x, y_hat)||^2 + 1 / (2 C))          pa2
    w    <- w + tau (f(x, y_i) - f(x, y_hat))

The smallest change of w that gives the right output its margin. Small C: small steps, more bias, less variance. With k > 1
it is the smallest that gives it a margin over each of the k best outputs (core/loops/mira_kbest.pyx).
"""

from __future__ import annotations

import math
from dataclasses import replace

from linnet.core.form import Loss, Step, Structure
from linnet.learners.preset import Core, Option, Options, Preset, online


def hinge(options: Options) -> Loss:
    from linnet.losses.hinge import Hinge

    return Hinge()


def _step(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive

    return PassiveAggressive(options["C"])


def _k_best(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    if options["k"] == 1:
        return online(preset, options, gen, n_features)
    from linnet.core.loops.mira_kbest import KBest

    return online(preset, options, gen, n_features, kind=KBest, k=options["k"], C=options.get("C", math.inf))


def _hard(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive

    return PassiveAggressive(math.inf)


def _second(options: Options) -> Step:
    from linnet.steps.passive_aggressive import PassiveAggressive2

    return PassiveAggressive2(options["C"])


PRESET = Preset(
    name="mira",
    summary="MIRA (PA-I): the smallest step that closes the margin, at most C",
    loss=hinge,
    step=_step,
    options={
        "C": Option(1.0, "the largest step; inf for the hard version", least=0),
        "k": Option(1, "how many of the best outputs get their margin", least=1, whole=True),
    },
    core=_k_best,
)

AVERAGED = replace(PRESET, name="averaged-mira", summary="MIRA, its weights averaged over all steps", averaged=True)

PA = replace(
    PRESET,
    name="pa",
    summary="passive-aggressive: the margin is always closed",
    step=_hard,
    options={"k": PRESET.options["k"]},
)

PA2 = replace(
    PRESET,
    name="pa2",
    summary="PA-II: the smallest step, softened by C in proportion to the loss",
    step=_second,
    core=online,
    options={"C": Option(1.0, "the larger, the longer the steps; inf for the hard version", least=0)},
)
