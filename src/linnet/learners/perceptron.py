"""The perceptron (Rosenblatt 1958; Collins 2002; Carpuat, algorithms 3 and 4; Eisenstein, section 3).

    y_hat = argmax_y w.f(x, y),  of equals one that is not y_i;    if y_hat != y_i:  w <- w + f(x, y_i) - f(x, y_hat)

A tie is a mistake (losses/perceptron.pyx), so that weights that make none separate the examples, with a margin above 0.
On separable data there are at most R^2 / gamma^2 mistakes; on other data it thrashes, and the average of all w_t (not
only of those after a mistake) generalises better (Freund and Schapire 1999; Eisenstein, section 3.1). The voted
perceptron is older than the average: every w that there was while learning predicts, with as many votes as the number
of examples that it got right (core/loops/votes.pyx).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from linnet.core.form import Loss, Step, Structure
from linnet.core.scorer import Scorer
from linnet.learners.preset import BIAS, Option, Options, Preset, Weights, check_room

if TYPE_CHECKING:
    from linnet.learners.contract import Core


def _loss(options: Options) -> Loss:
    from linnet.losses.perceptron import Perceptron

    return Perceptron()


def _step(options: Options) -> Step:
    from linnet.steps.constant import Constant

    return Constant()


def _voted(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.core.loops.votes import Voted

    check_room(preset, gen, n_features)
    return Voted(gen, preset.loss_over(gen, options), preset.step(options), n_features, votes=options["votes"])


def _votes(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.loops.votes import Votes

    return Votes(weights)


PRESET = Preset(
    name="perceptron",
    summary="perceptron: on a mistake, add the right features and take off the wrong ones",
    loss=_loss,
    step=_step,
)

AVERAGED = replace(
    PRESET,
    name="averaged-perceptron",
    summary="perceptron, its weights averaged over all steps",
    averaged=True,
)

VOTED = Preset(
    name="voted-perceptron",
    summary="perceptron whose earlier weights vote, each as often as it was right before its first mistake",
    loss=_loss,
    step=_step,
    options={
        "votes": Option(
            20, "how many earlier weights to keep: those that survived longest", least=1, most=1000, whole=True
        ),
        **BIAS,
    },
    core=_voted,
    scorer=_votes,
)
