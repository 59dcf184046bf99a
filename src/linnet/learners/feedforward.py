"""A feedforward network with one hidden layer over sparse features: a bag of embeddings (core/loops/network.pyx).

    theta = V^T (1, h),    h = tanh(E^T x), or relu
    loss  = log Z - theta.mu(y_i),    Z over all outputs: of labels, or of whole sequences of tags

Both layers are learned by AdaGrad (Duchi, Hazan and Singer 2011), with a rate for each weight. E starts with numbers
between -1 / sqrt(hidden) and 1 / sqrt(hidden), which depend on their row and column alone and so are the same each
time. V starts at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linnet.core.form import Loss, Step, Structure
from linnet.core.scorer import Scorer
from linnet.learners.preset import Option, Options, Preset, Weights

if TYPE_CHECKING:
    from linnet.learners.contract import Core


def _loss(options: Options) -> Loss:
    from linnet.losses.log import Log

    return Log()


def _step(options: Options) -> Step:
    from linnet.steps.adagrad import AdaGrad

    return AdaGrad(options["eta"], options["lam"])


def _core(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.core.loops.network import Backpropagation

    loss, step = preset.loss_over(gen, options), preset.step(options)
    relu = options["activation"] == "relu"
    return Backpropagation(gen, loss, step, n_features, hidden=options["hidden"], relu=relu)


def _scorer(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.loops.network import Network

    return Network(weights, relu=options["activation"] == "relu")


PRESET = Preset(
    name="feedforward",
    summary="network with one hidden layer by AdaGrad: embeddings of features; gives probabilities",
    loss=_loss,
    step=_step,
    options={
        "hidden": Option(100, "how many numbers the hidden layer has", least=1, most=1 << 16, whole=True),
        "activation": Option("tanh", "tanh or relu", choices=("tanh", "relu")),
        "eta": Option(0.03, "the learning rate", least=0, most=1e6),
        "lam": Option(0.0, "L2 regularisation, per example", least=0, most=1e6),
    },
    epochs=5,
    probabilistic=True,
    core=_core,
    scorer=_scorer,
)
