"""The errors of a model, decision by decision, each with the reasons for it: what pages of evaluations show of every task.

An output is made of decisions (model/decisions.py): tags, heads, links, labels. A decision that differs from the gold
output is an error. How bad it is says the difference of two scores: that of the output that was found, less that of the
best output in which this decision is right. The features of that difference are the reasons for the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linnet.errors import UsageError
from linnet.fitting.contract import Known
from linnet.fitting.registry import TASKS
from linnet.model.decisions import Decided, Decision, OfWords
from linnet.report.errors import Errors, ShownError, plain_text
from linnet.report.printable import visible
from linnet.report.reasons import why

if TYPE_CHECKING:
    from linnet.core.types import Data
    from linnet.model.base import Model
    from linnet.tasks.texts.gold import Found
    from linnet.tasks.texts.model import TextModel

_MOST_EXAMPLES = 1000
_MOST_ERRORS = 300
"""The number of examples that are looked at, and of errors among them that are kept, at most."""
_REASONS = 10
"""The number of reasons of an error that are shown."""
_AROUND = 30
"""The number of words that are shown before and after the words that an error is about."""
_SAYS = (
    "Decisions that are wrong, those first of which the model was most sure. The number is how much less the best "
    "output that has the right value scores than the output that was found. Some of the right values may be wrong themselves."
)


class _Example(NamedTuple):
    """An example of the data, with its number from 1."""

    number: int
    decided: Decided
    allowed: Sequence[Sequence[int]]
    """For each decision the choices that are right; none where that is not known."""
    shown: Callable[[int], str]
    """A function that writes the example as HTML, with what the decision of this number is about marked."""


def wrong_in_words(
    model: Model, data: Data, unit: str = "sentence", spelled: Mapping[str, str] = MappingProxyType({})
) -> Errors:
    """The errors of a model of sentences or of pairs of them.

    data: what was evaluated, as the task reads it. unit: what an example is called. spelled: other names for values of
    decisions; values of the same name are not confused.
    """
    if not model.is_linear or "reranker" in model.parts:
        return Errors()  # There are no reasons, or those of another model.
    gold: Any = TASKS.named(model.task).read(data, {}, Known(model.labels, model.details))
    return _errors(_sentences(model, gold), len(gold), unit, spelled)


def _sentences(model: Model, gold: Any) -> Iterator[_Example]:
    for i in range(len(gold)):
        one = gold.part(np.array([i]))
        (decided,) = model.decisions(one.examples)
        assert isinstance(decided, OfWords)
        yield _Example(i + 1, decided, decided.allowed(one.right), partial(_marked, decided))


def _marked(decided: OfWords, number: int) -> str:
    """The words of an example, with those marked that a decision is about."""
    words, at = decided.place(number)
    begin, end = max(0, at.start - _AROUND), min(len(words), at.stop + _AROUND)
    shown = [escape(visible(word)) for word in words]
    parts = [*shown[begin : at.start], f"<mark>{' '.join(shown[at.start : at.stop])}</mark>", *shown[at.stop : end]]
    return f"{'… ' if begin else ''}{' '.join(parts)}{' …' if end < len(words) else ''}"


def wrong_in_texts(model: TextModel, found: Found) -> Errors:
    """The errors of a model of texts. found: the texts with their labels, as the model reads them."""
    if not model.is_linear:
        return Errors()
    return _errors(_texts(model, found), len(found.table), "row", {})


def _texts(model: TextModel, found: Found) -> Iterator[_Example]:
    rows = range(len(found.table)) if found.row_numbers is None else found.row_numbers.tolist()
    for i, (row, given) in enumerate(zip(rows, found.labels, strict=True)):
        table = found.table.slice(i, 1)
        (decided,) = model.decisions(table)
        labels = {given} if isinstance(given, str) else set(given)
        yield _Example(row + 1, decided, _allowed(decided.decisions(), labels), partial(_text, table.text[0].as_py()))


def _text(text: str, number: int) -> str:
    """A text as HTML, of which every decision is about the whole."""
    return plain_text(text)


def _allowed(decisions: Sequence[Decision], labels: set[str]) -> list[Sequence[int]]:
    """The right choices of the label of a text, or of each label that it may have or not."""
    if len(decisions) == 1 and decisions[0].choices != ("no", "yes"):
        return [[k for k, choice in enumerate(decisions[0].choices) if choice in labels]]
    return [[int(one.about in labels)] for one in decisions]


def wrong_choices(examples: Iterable[tuple[Decided, Sequence[int], str]], n: int) -> Errors:
    """The errors among lists of which one is chosen. examples: the decision, the right choices and a text of each of the n
    lists."""
    made = (_Example(i, decided, [right], partial(_text, text)) for i, (decided, right, text) in enumerate(examples, 1))
    return _errors(made, n, "list", {})


def _errors(examples: Iterator[_Example], n: int, unit: str, spelled: Mapping[str, str]) -> Errors:
    """The errors of the first examples, the worst first, with a sentence that says how many examples were looked at."""
    found: list[ShownError] = []
    looked_at = out_of_reach = 0
    for one in examples:
        if looked_at == _MOST_EXAMPLES or len(found) >= _MOST_ERRORS:
            break
        looked_at += 1
        for number, (decision, right) in enumerate(zip(one.decided.decisions(), one.allowed, strict=True)):
            names = [spelled.get(choice, choice) for choice in decision.choices]
            if not right or names[decision.value] in (names[k] for k in right):
                continue
            error = _error(one, number, decision, right[0], names)
            if error is None:
                out_of_reach += 1
            else:
                found.append(error)
    found.sort(key=lambda error: -error.ahead)
    says = _SAYS + (f" These are among the first {looked_at:,} of {n:,} examples." if looked_at < n else "")
    if out_of_reach:
        says += f" {out_of_reach:,} more have a right value that no output of the model can have."
    return Errors(found, says, unit)


def _error(one: _Example, number: int, decision: Decision, right: int, names: Sequence[str]) -> ShownError | None:
    """A wrong decision with its reasons; None where no output of the model has the right value."""
    try:
        reasons = one.decided.reasons({}, {number: right})
    except UsageError:
        return None
    ahead = sum(contribution for *_, contribution in reasons)
    because = why([reason for reason in reasons if reason[2]], _REASONS)
    text = f"{one.shown(number)}<div class=because>{because}</div>"
    whole = len(one.allowed) == 1 and not isinstance(one.decided, OfWords)
    about = "" if whole else decision.about
    return ShownError(one.number, names[right], names[decision.value], ahead, None, text, about)
