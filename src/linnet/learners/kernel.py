"""The perceptron and the support vector machine in their dual, with a kernel in the place of f(x).f(x').

    theta = alpha_0 + sum_s alpha_s k(x, x_s)
    kernel-perceptron   at a mistake, alpha_s += mu(y) - mu(y_hat) at each place s of the example (Freund and Schapire
                        1999, on kernels; Collins and Duffy 2002 for structures)
    kernel-svm          the optimum of svm.py for any kernel (Cortes and Vapnik 1995; Crammer and Singer 2001)

Here theta are the scores of all outcomes at a place x, a place being a text or a token; the x_s are the places of the training
data that are kept, each with a row alpha_s of numbers, one for each outcome; and alpha_0 is the bias. mu(y) says which outcomes
the output y uses (docs/design.md has all terms). With the linear kernel these learners are the perceptron and the svm. Over
tags each token is compared with the tokens of the training data. Pairs of neighbouring tags have no features to be compared by,
so that each pair has a plain weight. gamma = auto is 1 / mean ||f||^2. A `budget` bounds the examples that are kept
(core/loops/support.pyx): the SVM is then no longer the optimum.

kernel = subsequence (a string kernel) compares texts by the sequences of words or characters that they share in the same order,
gaps allowed (core/loops/kernel.pyx). A text compared with itself gives 1, by k(x, x') / sqrt(k(x, x) k(x', x')).
A pair of texts of n and m words takes L n m steps, where L is the option `length`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linnet.core.form import Structure
from linnet.core.scorer import Scorer
from linnet.core.types import Setting
from linnet.learners import perceptron, svm
from linnet.learners.dual import climb
from linnet.learners.preset import BIAS, Make, Option, Options, Preset, Weights

if TYPE_CHECKING:
    from linnet.learners.contract import Core

SUBSEQUENCE = {
    "length": Option(
        2, "subsequence: how many words or characters the longest sequences have", least=1, most=8, whole=True
    ),
    "decay": Option(0.3, "subsequence: the factor for each word or character in a gap", least=1e-3, most=1),
}
"""Options of learners that compare texts by the subsequences that they share, which need features with `sequence`."""

_KERNEL = {
    "kernel": Option(
        "rbf",
        "linear, polynomial or rbf; subsequence: over features with `sequence`, the first 1,024 of a text",
        choices=("linear", "polynomial", "rbf", "subsequence"),
    ),
    "gamma": Option(
        "auto",
        "polynomial: (1 + gamma x.x')^degree; rbf: exp(-gamma ||x - x'||^2)",
        least=0,
        most=1e6,
        choices=("auto",),
    ),
    "degree": Option(2, "polynomial: of what degree", least=1, most=20, whole=True),
    **SUBSEQUENCE,
    "budget": Option(0, "at most so many examples are kept; 0 for all", least=0, most=1e9, whole=True),
    "cache": Option(200, "MB for kernel values that are needed again", least=0, most=1e6),
    **BIAS,
}


def compares_sequences(options: Options) -> bool:
    """Whether these options of a learner compare texts by their subsequences: `kernel` here, `metric` of neighbours.py."""
    return "subsequence" in (options.get("kernel"), options.get("metric"))


def _kernel_arguments(options: Options) -> dict[str, Setting]:
    """What the compiled classes `Compared` and `Supported` are told of the kernel. A `length` lets them compare sequences."""
    if options["kernel"] == "subsequence":
        return {"kind": "linear", "unit": True, "length": options["length"], "decay": options["decay"]}
    return {"kind": options["kernel"], "gamma": options["gamma"], "degree": options["degree"]}


def _memory_arguments(options: Options) -> dict[str, Setting]:
    """What the compiled class `Supported` is told about how much it may keep."""
    return {"budget": options["budget"], "cache": options["cache"]}


def _scorer(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.loops.kernel import Compared

    return Compared("kernel", weights, **_kernel_arguments(options))


def _perceptron(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.core.loops.support import Supported

    loss, step = preset.loss_over(gen, options), preset.step(options)
    return Supported(
        gen,
        loss,
        step,
        n_features,
        averaged=preset.averaged,
        **_memory_arguments(options),
        **_kernel_arguments(options),
    )


def _svm(options: Options) -> Make:
    from linnet.core.loops.support import Supported

    def make(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
        loss, step = svm.machine(preset, options, gen), preset.step(options)
        arguments = _memory_arguments(options) | _kernel_arguments(options)
        return Supported(gen, loss, step, n_features, climb=climb(gen, loss), C=options["C"], **arguments)

    return make


PERCEPTRON = Preset(
    name="kernel-perceptron",
    summary="averaged perceptron in its dual: polynomial, rbf and string kernels, with a budget if wanted",
    loss=perceptron.PRESET.loss,
    step=perceptron.PRESET.step,
    options=_KERNEL,
    averaged=True,
    needs_all=True,
    core=_perceptron,
    scorer=_scorer,
    sequences=compares_sequences,
    supported=svm.PRESET.supported,
)

SVM = Preset(
    name="kernel-svm",
    summary="support vector machine with a kernel, to the optimum in its dual",
    loss=svm.PRESET.loss,
    step=svm.PRESET.step,
    options={**svm.PRESET.options, **_KERNEL},
    needs_all=True,
    solver=_svm,
    scorer=_scorer,
    sequences=compares_sequences,
    supported=svm.PRESET.supported,
)
