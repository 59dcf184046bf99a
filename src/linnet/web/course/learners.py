"""The learners of the course: their knobs, their equations, and what these say in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from linnet.learners.preset import Options
from linnet.web.problems import RefusedError
from linnet.web.questions import Asked, flag, string, whole_number

MOST_EPOCHS = 20


@dataclass(frozen=True)
class Knob:
    """An option of a learner that a page lets people turn."""

    name: str
    value: float
    least: float
    most: float
    says: str
    """What the option does, in a few words."""


@dataclass(frozen=True)
class Taught:
    """A learner as the course has it. What is shown of it is HTML."""

    name: str
    """The name under which linnet has the learner."""
    called: str
    knobs: tuple[Knob, ...]
    equation: str
    says: str
    by: str
    """The lectures that have it."""
    probable: bool = False
    """Whether its scores are logarithms of probabilities."""
    fixed: Options = field(default_factory=dict)
    """Options that make it exactly what the equation says, where linnet has another default."""


_EISENSTEIN, _SMITH, _CARPUAT = "Eisenstein", "Smith", "Carpuat"
_ARGMAX = "ŷ = argmax<sub>y</sub> <b>w</b>·<b>f</b>(x, y)"
_UPDATE = "<b>w</b> ← <b>w</b> + <b>f</b>(x, y) − <b>f</b>(x, ŷ)"
_C = Knob("C", 1, 0.001, 1000, "the longest step τ that one example may cause")

PERCEPTRON = Taught(
    "perceptron",
    "perceptron",
    (),
    f"{_ARGMAX}\nif ŷ ≠ y: {_UPDATE}",
    "Only a mistake moves the weights: the features of the example are added to the right label and taken from the "
    "wrong one. If some weights separate the data by a margin γ, there are at most (R/γ)² mistakes (Novikoff).",
    f"{_EISENSTEIN}, section 3; {_CARPUAT}, algorithm 3",
)
AVERAGED = Taught(
    "averaged-perceptron",
    "averaged perceptron",
    (),
    f"if ŷ ≠ y: {_UPDATE}\n<b>w̄</b> = (<b>w</b><sub>1</sub> + … + <b>w</b><sub>t</sub>) / t",
    "The steps are those of the perceptron, but the prediction is made by the mean of the weights of all steps, which "
    "moves less with the last example.",
    f"{_EISENSTEIN}, section 3.1; {_CARPUAT}, algorithm 4",
)
MIRA = Taught(
    "mira",
    "MIRA",
    (_C,),
    "loss = max(0, cost(ŷ) − <b>w</b>·(<b>f</b>(x, y) − <b>f</b>(x, ŷ)))\n"
    "τ = min(C, loss / ‖<b>f</b>(x, y) − <b>f</b>(x, ŷ)‖²)\n"
    "<b>w</b> ← <b>w</b> + τ (<b>f</b>(x, y) − <b>f</b>(x, ŷ))",
    "Each step is as short as brings the margin of its example to 1, but never longer than C. So an example that is "
    "right by less than 1 moves the weights, too.",
    f"{_EISENSTEIN}, equations 8 to 14",
)
SVM = Taught(
    "svm",
    "support vector machine",
    (Knob("C", 1, 0.001, 1000, "how much a loss counts against the length of w"),),
    "min<sub>w</sub> ½‖<b>w</b>‖² + C Σ<sub>i</sub> max(0, 1 − m<sub>i</sub>)\n"
    "m<sub>i</sub> = <b>w</b>·<b>f</b>(x<sub>i</sub>, y<sub>i</sub>) − "
    "max<sub>y≠y<sub>i</sub></sub> <b>w</b>·<b>f</b>(x<sub>i</sub>, y)",
    "The weights are as short as they can be for the losses that remain. They are a sum over some of the examples, the "
    "support vectors, whose α is not 0; a step finds the best α of one example.",
    f"{_EISENSTEIN}, section 4; {_SMITH}, max margin",
    fixed={"loss": "multiclass-hinge"},
)
LOGISTIC = Taught(
    "logistic",
    "logistic regression",
    (
        Knob("eta", 0.1, 0.001, 10, "the learning rate: how long a step is"),
        Knob("lam", 0.001, 0, 1, "regularisation: how strongly weights are drawn to 0"),
    ),
    "p(y | x) = exp(<b>w</b>·<b>f</b>(x, y)) / Σ<sub>y′</sub> exp(<b>w</b>·<b>f</b>(x, y′))\n"
    "<b>w</b> ← (1 − ηλ) <b>w</b> + η (<b>f</b>(x, y) − E[<b>f</b>(x, Y)])",
    "Every example moves the weights, by the difference between its features and those that the model expects: much "
    "where it is unsure or wrong, hardly where it is sure and right.",
    "Choi, log-linear models and stochastic gradient; Smith, log loss",
    probable=True,
    fixed={"cap": "no"},
)
NAIVE_BAYES = Taught(
    "naive-bayes",
    "naive Bayes",
    (Knob("alpha", 1, 0, 100, "the fake counts that smooth: what was not seen has so many"),),
    "w<sub>j,y</sub> = ln P(j | y) = ln [(count(j, y) + α) / Σ<sub>j′</sub> (count(j′, y) + α)]\n"
    "w<sub>0,y</sub> = ln P(y)",
    "There is no loss and no mistake: an example adds its features to the counts of its label, and the weights are "
    "logarithms of what the counts say. The order of the examples does not matter.",
    f"{_EISENSTEIN}, sections 1 and 2; {_CARPUAT}; Crammer",
    probable=True,
)
STEPWISE = (PERCEPTRON, AVERAGED, MIRA, SVM, LOGISTIC, NAIVE_BAYES)
"""The learners of points and of texts."""

_PAIRS = "<b>w</b>·<b>f</b>(x, y) = Σ<sub>t</sub> θ<sub>t</sub>(y<sub>t</sub>) + θ(y<sub>t−1</sub>, y<sub>t</sub>)"
TAGGERS = (
    Taught(
        "averaged-perceptron",
        "structured perceptron",
        (),
        f"{_PAIRS}\nif ŷ ≠ y: {_UPDATE}",
        "The perceptron over whole sequences, averaged: ŷ is the best of all sequences of tags, found by Viterbi. Its scores "
        "are no probabilities.",
        f"{_SMITH}, perceptron; Collins 2002",
    ),
    Taught(
        "crf",
        "conditional random field",
        (Knob("lam", 0.01, 0, 10, "regularisation: how strongly weights are drawn to 0"),),
        f"{_PAIRS}\np(y | x) = exp(<b>w</b>·<b>f</b>(x, y)) / Z(x)",
        "Logistic regression over whole sequences: Z(x) sums over all of them, which takes as long as Viterbi. The "
        "marginals are the probabilities of each tag at each word.",
        f"{_SMITH}, log loss",
        probable=True,
    ),
    Taught(
        "naive-bayes",
        "hidden Markov model",
        (Knob("alpha", 0.1, 0, 100, "the fake counts that smooth: what was not seen has so many"),),
        f"{_PAIRS}\nθ<sub>t</sub>(y) = ln P(y) + Σ<sub>j</sub> ln P(j | y), θ(a, y) = ln P(y | a) − ln P(y)",
        "The weights are logarithms of smoothed counts: how probable each feature j is given its tag, and each tag given the "
        "one before, so that the score of a sequence is ln P(x, y).",
        "Carpuat and Eisenstein, naive Bayes, over sequences",
        probable=True,
    ),
)
"""The learners of tags."""


@dataclass(frozen=True)
class Wanted:
    """Which learner a page wants, and how it is to learn."""

    taught: Taught
    options: Options
    epochs: int
    shuffle: bool


NAMES = ("learner", "options", "epochs", "shuffle")
"""The names in a question that say which learner is wanted."""


def wanted(asked: Asked, known: tuple[Taught, ...]) -> Wanted:
    """The learner that a question wants, one of those that are known, with options within their bounds."""
    name = string(asked, "learner")
    found = {taught.name: taught for taught in known}.get(name)
    if found is None:
        raise RefusedError(422, f"expected a learner among {', '.join(one.name for one in known)}, found {name!r:.60}.")
    epochs = whole_number(asked, "epochs", 1, MOST_EPOCHS)
    return Wanted(found, _options(asked, found), epochs or MOST_EPOCHS, flag(asked, "shuffle"))


def _options(asked: Asked, taught: Taught) -> Options:
    """The options of a learner: those that the question turns, and otherwise those that the course begins with."""
    given = asked.get("options", {})
    if not isinstance(given, Mapping):
        raise RefusedError(422, 'expected an object as "options", such as {"C": 1}.')
    knobs = {knob.name: knob for knob in taught.knobs}
    for name, value in given.items():
        knob = knobs.get(name)
        if knob is None:
            raise RefusedError(422, f"{taught.called} has no option {name!r:.60} in the course.")
        if not isinstance(value, int | float) or isinstance(value, bool) or not knob.least <= value <= knob.most:
            raise RefusedError(422, f"expected a number from {knob.least:g} to {knob.most:g} as {name}.")
    return {**taught.fixed, **{name: float(given.get(name, knob.value)) for name, knob in knobs.items()}}
