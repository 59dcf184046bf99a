"""Naive Bayes: counts, smoothed, as the weights of a linear model. Over tags it is a hidden Markov model.

    w_0,y  = ln P(y)                   = ln(n_y / n)
    w_j,y  = ln P(j | y)               = ln((c_jy + alpha) / sum_j' (c_j'y + alpha))
    w_0,ay = ln P(y | a) - ln P(y),      P(y | a) = (n_ay + alpha) / sum_y' (n_ay' + alpha)    for tag y after tag a

c_jy is how often feature j was seen with label y, so that w.f(x, y) = ln P(x, y) (Carpuat, "Prediction with Naïve
Bayes"; Crammer, "Smoothing"; Eisenstein, section 1). alpha = 0 is maximum likelihood: what was not seen is impossible.
Its weight is -1e6 and not -inf, so that scores are finite, and where every label is impossible, the one with the fewest
impossible features wins.

There are two stories of how the words of a text come about (Eisenstein, section 2; Carpuat, "Prediction with naive
Bayes"). They have the same weights, and their P(x, y) differ by a factor that is the same for all labels:

    categorical   one word after the other is drawn from P(j | y): P(x, y) = exp(w.f(x, y))
    multinomial   how often each word occurs is drawn at once: P(x, y) is that of categorical times
                  (sum_j x_j)! / prod_j x_j!, the number of orders in which the words could stand (joint.py)

Two others see the same counts (McCallum and Nigam 1998; Rennie et al. 2003):

    bernoulli     each feature is there or not: p_jy = (c_jy + alpha) / (n_y + 2 alpha), w_j,y = ln p_jy - ln(1 - p_jy),
                  and the sum over all j of ln(1 - p_jy) is added to w_0,y
    complement    w_j,y = -ln P(j | any label but y), from c_j - c_jy: steadier where labels differ much in size

Where the features have fields (`Fields`), those of a column are chosen among the values of that column, and a number is drawn
from a normal distribution with a mean and a variance for each label, which is linear in (1, x, x^2):

    categorical   w_j,y = ln((c_jy + alpha) / sum_j' (c_j'y + alpha)), j' the values of the same column
    gaussian      -(x - mu_y)^2 / 2 v_y - ln(2 pi v_y) / 2:  w_x,y = mu_y / v_y,  w_x^2,y = -1 / 2 v_y, the rest in w_0,y
                  v_y = mean of x^2 - mu_y^2 + var_smoothing max_x v(x); where a number is missing, a feature subtracts the
                  rest from w_0,y again

The probabilities of words, columns and numbers are multiplied, so one model may have all three; `event` is that of the
words. With impossible=zero, a text with words that no label can have gets the probability 0 for every label (Crammer,
"Need for Smoothing"); the feature `unknown` counts the words that were never seen, so that these are among them.

Some outcomes are not alternatives of which one is chosen: the labels of a set, the arcs of a tree, and links. Each of
these is a yes-or-no question: is it used at this place? It has two such models, of places that use it and of places
that do not, and its weights are their difference,

    w_j,k  = ln P(j | yes) - ln P(j | no),    w_0,k = ln n_yes - ln n_no

so that theta_k = ln P(yes, x) - ln P(no, x), and the best output is that whose questions are together the most probable, each
as if it stood alone. There the complement of yes is no, so that event=complement is the same as the multinomial event.

The weight of a pair of tags is added to that of the tag alone, so it is only the difference, ln P(y | a) - ln P(y). The
sum over a sentence is then ln P(y_1) + ln P(y_2 | y_1) + ... (Rabiner 1989), where the probability that a sentence
starts with a tag is how often the tag occurs anywhere. The structure says which outcome is chosen given which
(`given`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linnet.core.form import Loss, Step, Structure
from linnet.core.types import I64
from linnet.errors import UsageError
from linnet.features import Fields
from linnet.features.fields import NUMBER, VECTOR, WORD
from linnet.learners.joint import CERTAIN, joint_of_counts
from linnet.learners.preset import Option, Options, Preset, Weights, online

if TYPE_CHECKING:
    from linnet.learners.contract import Core

Counts = npt.NDArray[np.float64]
Part = tuple[Counts, Counts | float]
"""The weights of some features, and what they add to w_0."""


def _loss(options: Options) -> Loss:
    from linnet.losses.likelihood import Likelihood

    return Likelihood()


def _step(options: Options) -> Step:
    from linnet.steps.constant import Constant

    return Constant()


def _core(preset: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
    from linnet.core.loops.outcome_counts import Choices

    return online(preset, options, Choices(gen), n_features)


def _multinomial(c: Counts, n: Counts, alpha: float) -> Part:
    return np.log((c + alpha) / (c + alpha).sum(axis=0)), 0.0


def _complement(c: Counts, n: Counts, alpha: float) -> Part:
    rest = c.sum(axis=1, keepdims=True) - c + alpha
    return -np.log(rest / rest.sum(axis=0)), 0.0


def _bernoulli(c: Counts, n: Counts, alpha: float) -> Part:
    if alpha == 0:
        raise UsageError("event=bernoulli needs alpha > 0, for what was not seen would be certain not to be there.")
    if (c > n * (1 + 1e-5)).any():
        raise UsageError("event=bernoulli needs features that are 0 or 1. Add `presence raw` to the features.")
    p = (np.minimum(c, n) + alpha) / (n + 2 * alpha)
    absent = np.log1p(-p)
    return np.log(p) - absent, absent.sum(axis=0)


def _not_of_words(c: Counts, n: Counts, alpha: float) -> Part:
    raise UsageError(
        "event=gaussian is for numbers (number:NAME) alone. Where there are words too, they need event=multinomial."
    )


_EVENTS = {
    "multinomial": _multinomial,
    "bernoulli": _bernoulli,
    "complement": _complement,
    "categorical": _multinomial,
    "gaussian": _not_of_words,
}


def _categorical(c: Counts, column: npt.NDArray[np.int32], alpha: float) -> Counts:
    total = np.zeros((int(column.max()) + 1, c.shape[1]))
    np.add.at(total, column, c + alpha)
    w: Counts = np.log((c + alpha) / total[column])
    return w


def _gaussian(c: Counts, n: Counts, smoothing: float) -> Part:
    """The weights of numbers, and what they add to w_0. The rows of c are three for each number: missing, x and x^2."""
    missing, x, x2 = c[0::3], c[1::3], c[2::3]
    seen = n - missing
    total = [part.sum(axis=1, keepdims=True) for part in (seen, x, x2)]
    of_all = _moments(total[0], total[1], total[2], (0.0, 1.0))
    mu, v = _moments(seen, x, x2, of_all)
    v = v + smoothing * (of_all[1].max() or 1.0)
    rest = -(mu**2) / (2 * v) - np.log(2 * np.pi * v) / 2
    return np.stack([-rest, mu / v, -1 / (2 * v)], axis=1).reshape(c.shape), rest.sum(axis=0)


def _moments(n: Counts, x: Counts, x2: Counts, unseen: tuple[Counts | float, Counts | float]) -> tuple[Counts, Counts]:
    """The mean and the variance; those in `unseen` where there is nothing to count."""
    mu = np.where(n > 0, x / n, unseen[0])
    return mu, np.where(n > 0, np.maximum(x2 / n - mu**2, 0), unseen[1])


def _events(c: Counts, n: Counts, fields: Fields | None, options: Options) -> Part:
    """The weights of all features, each by the event of its field."""
    alpha, event = float(options["alpha"]), _EVENTS[str(options["event"])]
    if fields is None:
        return event(c, n, alpha)
    if VECTOR in fields:
        raise UsageError(
            "naive Bayes has no story of how vectors and topics come about. Leave these features out, or use another learner."
        )
    w, always = np.empty_like(c), np.zeros_like(n)
    words, values, numbers = (np.flatnonzero(of) for of in (fields == WORD, fields > WORD, fields == NUMBER))
    if len(words):
        w[words], more = event(c[words], n, alpha)
        always += more
    if len(values):
        w[values] = _categorical(c[values], fields[values], alpha)
    if len(numbers):
        w[numbers], more = _gaussian(c[numbers], n, float(options["var_smoothing"]))
        always += more
    return w, always


def log_probabilities(
    counts: list[Weights], gen: Structure, options: Options, fields: Sequence[Fields | None] = ()
) -> list[Weights]:
    """The weights of a generative model, from what `Choices` has counted."""
    from linnet.core.weights import stride_of

    weights: list[Weights] = []
    log_p: list[Counts] = []
    for g, (c, k) in enumerate(zip(counts, gen.outcomes, strict=True)):
        given, of_block = gen.given(g), fields[g] if fields else None
        w = np.zeros((len(c), stride_of(k)), np.float32)
        with np.errstate(divide="ignore", invalid="ignore"):
            if given is None:
                yes, no = c[:, :k].astype(np.float64), (c[:, k : k + 1] - c[:, :k]).astype(np.float64)
                found = _odds(yes, no, of_block, options)
                log_p.append(np.zeros(0))
            else:
                found, own = _choice(c[:, :k].astype(np.float64), given, log_p, of_block, options)
                log_p.append(own)
        # 0 / 0 means a label without a single count, which is impossible.
        w[:, :k] = np.nan_to_num(found, nan=-CERTAIN, neginf=-CERTAIN, posinf=CERTAIN)
        weights.append(w)
    return weights


def _choice(
    c: Counts, given: tuple[I64, tuple[int, I64] | None], log_p: list[Counts], fields: Fields | None, options: Options
) -> tuple[Counts, Counts]:
    """The weights of outcomes of which one is chosen, and ln P of each given its context."""
    context, below = given
    n = c[0]
    choices = n + (float(options["alpha"]) if below else 0)
    own: Counts = np.log(choices / np.bincount(context, choices)[context])
    w, always = _events(c[1:], n, fields, options)
    bias = own if below is None else own - log_p[below[0]][below[1]]
    return np.vstack([bias + always, w]), own


def _odds(yes: Counts, no: Counts, fields: Fields | None, options: Options) -> Counts:
    """The weights of outcomes that are each used or not: the difference of two models."""
    if options["event"] == "complement":
        options = {**options, "event": "multinomial"}
    models = []
    for c in (yes, no):
        w, always = _events(c[1:], c[0], fields, options)
        models.append(np.vstack([np.log(c[0]) + always, w]))
    return np.asarray(models[0] - models[1])


def _impossible(options: Options) -> float:
    # Every impossible feature adds -CERTAIN to a score, and no score of what is possible comes near to half of that.
    return -CERTAIN / 2 if options["impossible"] == "zero" else -np.inf


PRESET = Preset(
    name="naive-bayes",
    summary="naive Bayes, add-alpha smoothed: one pass, counts only; over tags a hidden Markov model",
    loss=_loss,
    step=_step,
    options={
        "alpha": Option(1.0, "added to every count; 0 is maximum likelihood", least=0, most=1e6),
        "event": Option(
            "multinomial",
            "multinomial: how often each word occurs; categorical: one word after the other, which has the same weights, but "
            "no multinomial coefficient in P(x, y); bernoulli: each is there or not; complement: what other labels lack; of "
            "columns always categorical, of numbers gaussian",
            choices=tuple(_EVENTS),
        ),
        "impossible": Option(
            "least",
            "what becomes of a text that no label can have, as alpha=0 finds some: least, the label with the least that is "
            "impossible wins; zero, all its probabilities are 0",
            choices=("least", "zero"),
        ),
        "var_smoothing": Option(
            1e-9, "of numbers: the share of the greatest variance that is added to all of them", least=1e-12, most=1e6
        ),
    },
    epochs=1,
    one_pass=True,
    probabilistic=True,
    generative=True,
    core=_core,
    finish=log_probabilities,
    joint=joint_of_counts,
    impossible=_impossible,
)
