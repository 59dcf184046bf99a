"""Soft confidence-weighted learning (Wang, Zhao and Hoi 2012; Dredze, Crammer and Pereira 2008 for the hard one).

    w ~ N(w, Sigma);    P(w.f(x, y_i) - w.f(x, y_hat) >= cost(y_i, y_hat)) >= p

A step goes to the distribution nearest to the last one for which this holds, or nearly holds: what is missing costs C
times its size, in scw2 C times its square. An example whose margin is as wide as its cost is left alone. With p = 1/2
the two learners are PA-I and PA-II.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

from linnet.core.form import Step
from linnet.learners.mira import hinge
from linnet.learners.preset import Option, Options, Preset


def _step(options: Options) -> Step:
    from linnet.steps.confidence import Scw

    return Scw(options["C"], NormalDist().inv_cdf(options["p"]))


def _second(options: Options) -> Step:
    from linnet.steps.confidence import Scw2

    return Scw2(options["C"], NormalDist().inv_cdf(options["p"]))


PRESET = Preset(
    name="scw",
    summary="soft confidence-weighted: as AROW, with a margin that is sure to be wide enough",
    loss=hinge,
    step=_step,
    options={
        "C": Option(0.1, "the largest step", least=0, most=1e6),
        "p": Option(0.9, "how sure the margin has to be", least=0.5, most=1 - 1e-9),
    },
)

SECOND = replace(PRESET, name="scw2", summary="SCW-II: the same, softened by C in proportion to the loss", step=_second)
