"""Documents as naive Bayes believes that they come about: y from P(y), then each word given y alone.

    multinomial   n words from P(j | y, j is a word), n from a Poisson distribution of the mean length
    bernoulli     each word with p_jy
    columns       one of the values from P(j | y)
    numbers       from the normal distribution of y: v_y = -1 / 2 w_x^2,y, mu_y = w_x,y v_y

and P(y) is in proportion to exp(w_0,y), after what bernoulli and the numbers have added to w_0,y is subtracted. To the
model, n-grams, parts of words and the like are drawn one by one, too, as if they did not overlap. Nobody could read a
document of these, so they are not drawn here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from linnet.errors import UsageError
from linnet.features import Fields
from linnet.features.fields import NUMBER, WORD
from linnet.learners.preset import Options, Weights

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def documents(
    weights: Weights,
    n_labels: int,
    options: Options,
    words: Ints,
    length: float,
    rng: np.random.Generator,
    fields: Fields | None = None,
) -> Iterator[tuple[int, Ints, Floats]]:
    """Yield documents without end: the number of a label, the numbers of the features, and their values. `words` are
    the numbers of the features that documents are made of; multinomial documents have `length` of them on average.
    `weights` are those of naive Bayes: a row for the bias and for each feature."""
    if options["event"] == "complement":
        raise UsageError("event=complement says what is not of a label, so it cannot write documents. Use multinomial.")
    bernoulli = options["event"] == "bernoulli"
    w = weights[1:, :n_labels].astype(np.float64)
    of = np.full(len(w), WORD) if fields is None else fields
    numbers = np.flatnonzero(of == NUMBER).reshape(-1, 3)
    columns = [np.flatnonzero(of == column) for column in np.unique(of[of > WORD])]
    absent = -np.logaddexp(0, w[of == WORD]).sum(axis=0) if bernoulli else 0.0
    prior = _shares(np.exp(weights[0, :n_labels] - (absent - w[numbers[:, 0]].sum(axis=0))))
    p = 1 / (1 + np.exp(-w[words])) if bernoulli else _shares(np.exp(w[words]))
    v = -1 / (2 * w[numbers[:, 2]])
    mu = w[numbers[:, 1]] * v
    while True:
        y = int(rng.choice(n_labels, p=prior))
        if bernoulli:
            drawn = [words[rng.random(len(words)) < p[:, y]]]
        elif p[:, y].any():
            drawn = [rng.choice(words, max(1, rng.poisson(length)), p=p[:, y])]
        else:
            drawn = []  # there are no words, or the texts of this label have none
        for values in columns:
            drawn.append(rng.choice(values, 1, p=_shares(np.exp(w[values, y]))))
        there = np.concatenate([*drawn, np.zeros(0, np.int64)])
        x = rng.normal(mu[:, y], np.sqrt(v[:, y]))
        yield y, np.append(there, numbers[:, 1]), np.append(np.ones(len(there)), x)


def _shares(p: Floats) -> Floats:
    """Numbers as shares of their sum, in each column; zeros stay zeros."""
    total = p.sum(axis=0)
    shares: Floats = p / np.where(total > 0, total, 1)
    return shares
