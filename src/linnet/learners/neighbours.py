"""Learning by heart: every place of the training data is kept, and new ones are compared with them.

    parzen       p(x, y) = P(y) p(x | y) = 1/n sum_{i: y_i = y} exp(-||x - x_i||^2 / 2 h^2) / Z     (Parzen 1962;
                 Crammer, "1-D Regression")
    neighbours   p(y | x) = (n_y + alpha P(y)) / (n + alpha), n_y being how many of the n nearest have y   (Cover and Hart 1967)

metric = euclid compares rows as they are; cosine as if they were of length 1: ||x - x'||^2 = 2 - 2 cos(x, x'); so does
subsequence, by the subsequences that two texts share (kernel.py). auto is euclid for numbers, whose length says
something, and cosine for texts. Of the features of a number only x itself is compared by euclid, not x^2. The square is
left out of the rows that are kept; the new row still has it, but there it adds the same to the distance to every kept
row. Rows that are as near as the k-th neighbour are counted, too.

Where each outcome is used or not by itself (naive_bayes.py), theta_k is ln p(x, yes) - ln p(x, no), or ln P(yes | x) -
ln P(no | x).

Over tags the tokens are compared, and a pair of tags weighs ln P(y | a) - ln P(y), by counts, as in naive_bayes.py.
With windows that is a hidden Markov model with these densities; with neighbours, one whose emissions are p(y | x) /
P(y) (Bourlard and Morgan 1994). Where pairs of tags have features u, pairs are compared, too. With windows, ln p(u | a,
y) is added to the weight of a pair, smoothed by adding alpha windows of all pairs to those of the pair. With
neighbours, P(y | a, u) is estimated from the nearest pairs, smoothed by adding alpha pairs that are distributed as P(y
| a).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.form import Structure
from linnet.core.scorer import Scorer
from linnet.core.types import Setting
from linnet.features import Fields
from linnet.features.fields import NUMBER
from linnet.learners import naive_bayes
from linnet.learners.kernel import SUBSEQUENCE, compares_sequences
from linnet.learners.preset import Option, Options, Preset, Weights

if TYPE_CHECKING:
    from linnet.learners.contract import Core

_METRIC = Option(
    "auto",
    "the distance between rows: cosine; euclid, which auto is for numbers: a matrix, or number:COLUMN without words; "
    "subsequence: over features with `sequence`, of a text the first 1,024",
    choices=("auto", "cosine", "euclid", "subsequence"),
)
_ALPHA = "added to the count of every pair of tags, and to that of all neighbours"


def _core(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.core.loops.outcome_counts import Choices
    from linnet.core.loops.support import Counted

    return Counted(
        Choices(gen), preset.loss(options), preset.step(options), n_features, cache=0, **_kernel_arguments(options)
    )


def _kernel_arguments(options: Options) -> dict[str, Setting]:
    """The arguments of compiled classes that say how two rows are compared."""
    h = float(options.get("h", 1))
    subsequences = {name: options[name] for name in SUBSEQUENCE} if options["metric"] == "subsequence" else {}
    return {"kind": "near", "gamma": 1 / (2 * h * h), "unit": options["metric"] != "euclid", **subsequences}


def _windows(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.loops.densities import Windows

    return Windows("windows", weights, smoothing=options["alpha"], **_kernel_arguments(options))


def _neighbours(weights: Sequence[Weights], options: Options) -> Scorer:
    from linnet.core.loops.densities import Neighbours

    return Neighbours(weights, most=options["k"], smoothing=options["alpha"], **_kernel_arguments(options))


def _finish(weights: list[Weights], gen: Structure, options: Options, fields: Sequence[Fields | None]) -> list[Weights]:
    """The weights with counts turned into logarithms, for blocks without features to compare, and for outcomes that are chosen
    given others.

    `weights` are the arrays of `Compared` (core/loops/kernel.pyx): first one with the number of features of each block plus 1;
    then for each block alpha, whose row 0 has the counts of all outcomes, and the rows that are kept as indptr, indices and
    values."""
    from linnet.core.loops.densities import depends

    if options["metric"] == "euclid":
        for g, of_block in enumerate(fields):
            if of_block is not None:
                indptr, indices, values = weights[2 + 4 * g : 5 + 4 * g]
                weights[2 + 4 * g : 5 + 4 * g] = _without_squares(indptr, indices, values, of_block)
    counts, smoothing = [alpha[:1] for alpha in weights[1::4]], {"alpha": options["alpha"], "event": "multinomial"}
    for g, w in enumerate(naive_bayes.log_probabilities(counts, gen, smoothing)):
        if weights[0][g] == 1:
            weights[1 + 4 * g] = w
        elif depends(gen, g):
            weights[1 + 4 * g] = np.vstack([w, weights[1 + 4 * g][1:]])
    return weights


def _without_squares(indptr: Weights, indices: Weights, values: Weights, fields: Fields) -> list[Weights]:
    """Rows without the squares of numbers, each of which is the last of the three features of a number."""
    squares = np.zeros(len(fields), bool)
    squares[np.flatnonzero(fields == NUMBER)[2::3]] = True
    keep = ~squares[indices]
    ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(keep, dtype=np.uint64)])
    return [ends[indptr.astype(np.int64)], indices[keep], values[keep]]


def _preset(
    name: str, summary: str, scorer: Callable[[Sequence[Weights], Options], Scorer], options: dict[str, Option]
) -> Preset:
    return Preset(
        name=name,
        summary=summary,
        loss=naive_bayes.PRESET.loss,
        step=naive_bayes.PRESET.step,
        options={**options, "metric": _METRIC, **SUBSEQUENCE, "alpha": Option(1.0, _ALPHA, least=0, most=1e6)},
        epochs=1,
        one_pass=True,
        probabilistic=True,
        generative=True,
        needs_all=True,
        core=_core,
        scorer=scorer,
        finish=_finish,
        sequences=compares_sequences,
    )


PARZEN = _preset(
    "parzen",
    "kernel densities (Parzen windows) of each label: keeps all examples; over tags a hidden Markov model",
    _windows,
    {
        "h": Option(
            0.2, "the width of a window, the standard deviation of its normal distribution", least=1e-6, most=1000
        )
    },
)
NEIGHBOURS = _preset(
    "neighbours",
    "votes of the k nearest examples: keeps all of them; over tags with transitions by counts",
    _neighbours,
    {"k": Option(5, "how many neighbours vote", least=1, most=1_000_000, whole=True)},
)
