"""Learners on a few short texts: which weights each step moves, and what the weights say of another text in the end."""

from __future__ import annotations

from linnet.core.types import Json
from linnet.tasks.texts.model import TextModel
from linnet.training.how import How
from linnet.training.tracing import trace
from linnet.training.train import train
from linnet.web.course.learners import NAMES, STEPWISE, Wanted, wanted
from linnet.web.problems import RefusedError
from linnet.web.questions import Asked, check_names, string, strings

MOST_TEXTS = 20
LONGEST = 120
"""The largest number of characters of a text."""
MOST_LABELS = 5
LONGEST_LABEL = 24
FEATURES = "words:1"
"""The features of texts: how often each word is there."""


def texts(asked: Asked) -> Json:
    """The trace of a learner on texts, and why another text gets its label in the end."""
    check_names(asked, "texts", "labels", "text", *NAMES)
    given, how = _given(asked), settings(wanted(asked, STEPWISE))
    text = string(asked, "text")
    if len(text) > LONGEST:
        raise RefusedError(422, f"expected a text of at most {LONGEST} characters, found {len(text):,}.")
    model = train(*given, task="labels", **how)
    return {
        "steps": [step.as_dict() for step in trace(*given, task="labels", changes=None, **how)],
        "stopped": model.report["stopped"],
        "answer": _answer(model, text) if text.strip() else None,
    }


def settings(how: Wanted) -> How:
    """What `linnet.train` is told, so that it learns as the page wants."""
    return {
        "learner": how.taught.name,
        "options": how.options,
        "features": FEATURES,
        "epochs": how.epochs,
        "shuffle": how.shuffle,
        "tol": 0.0,
        "estimate": False,
        "threads": 1,
    }


def _given(asked: Asked) -> tuple[list[str], list[str]]:
    """The texts and the labels of a question."""
    given, labels = strings(asked, "texts"), [label.strip() for label in strings(asked, "labels")]
    if not 2 <= len(given) <= MOST_TEXTS or len(given) != len(labels):
        raise RefusedError(422, f"expected from 2 to {MOST_TEXTS} texts, each with a label. Add or remove some.")
    if any(not text.strip() or len(text) > LONGEST for text in given):
        raise RefusedError(422, f"expected texts of 1 to {LONGEST} characters. Write a few words, or remove the row.")
    if any(not 1 <= len(label) <= LONGEST_LABEL for label in labels):
        raise RefusedError(422, f"expected a label of 1 to {LONGEST_LABEL} characters for each text.")
    if not 2 <= len(set(labels)) <= MOST_LABELS:
        raise RefusedError(422, f"expected from 2 to {MOST_LABELS} different labels, found {len(set(labels))}.")
    return given, labels


def _answer(model: TextModel, text: str) -> Json:
    """The label of a text by the final weights, and what each word adds to its lead over the second best."""
    why = model.explain(text)
    words = [{"word": one.feature, "value": one.value, "adds": one.contribution} for one in why.contributions]
    return {"label": why.label, "against": why.against, "score": why.score, "bias": why.bias, "words": words}
