"""Which column holds the text and which the label: found by the usual names, or named by the user."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from linnet.errors import DataError, UsageError
from linnet.io.texts.contract import Request

TEXT = ("text", "document", "content", "sentence", "review", "body", "message", "comment", "question", "title")
LABEL = ("label", "class", "category", "target", "sentiment", "topic", "y")
LABELS = ("labels", "topics", "categories", "classes", "tags", *LABEL)
_LISTED = 12
_ALIKE = 0.7  # a similarity at which "txt" is like "text", but "exact" is not like "target"


@dataclass(frozen=True)
class Columns:
    text: str
    label: str | None


def find(names: Sequence[str], request: Request, source: str, line: int | None = None) -> Columns:
    """The columns that a request means, among the names of a file."""
    if request.text_col is not None and request.text_col == request.label_col:
        raise UsageError(f"text and label both name the column '{request.text_col}'. Name two different columns.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"found the column '{twice}' twice. Rename one of the two.", source, line)
    taken = (request.text_col, request.label_col)
    text = request.text_col or usual(TEXT, names, taken)
    if text is None or text not in names:
        raise DataError(_missing("text", text, names), source, line)
    label = request.label_col or usual(LABELS if request.several else LABEL, names, taken)
    demanded = request.labelled or request.label_col is not None
    if demanded and (label is None or label not in names):
        raise DataError(_missing("label", label, names), source, line)
    return Columns(text, label)


def usual(known: Sequence[str], names: Sequence[str], taken: Sequence[str | None] = ()) -> str | None:
    """The first known name that a file has, in whatever case, spelled as the file does.

    >>> usual(TEXT, ["ID", "Title", "Review"])
    'Review'
    """
    spelled = {_plain(name): name for name in reversed(names) if name not in taken}
    return next((spelled[name] for name in known if name in spelled), None)


def listed(names: Sequence[str]) -> str:
    """Names for a message: quoted, and not more than fit in it."""
    shown = ", ".join(f"'{name}'" for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def naming(what: str, option: str) -> str:
    """A sentence that says how to name a column, on the command line and in Python.

    >>> naming("label column", "label")
    'Name the label column: --label-col on the command line, label= in Python.'
    """
    return f"Name the {what}: --{option}-col on the command line, {option}= in Python."


def _missing(kind: str, wanted: str | None, names: Sequence[str]) -> str:
    near = _nearest([wanted] if wanted is not None else TEXT if kind == "text" else LABEL, names)
    hint = f" Did you mean '{near}'?" if near is not None else ""
    if wanted is not None:
        return f"expected a column '{wanted}', found {listed(names)}.{hint} {naming(f'{kind} column', kind)}"
    return f"found no {kind} column among {listed(names)}.{hint} {naming(f'{kind} column', kind)}"


def _nearest(wanted: Sequence[str], names: Sequence[str]) -> str | None:
    """The name that is most like one of those wanted, if any is like one at all."""
    spelled = {_plain(name): name for name in reversed(names)}
    ranked = [
        (difflib.SequenceMatcher(None, want.casefold(), near).ratio(), near)
        for want in wanted
        for near in difflib.get_close_matches(want.casefold(), spelled, n=1, cutoff=_ALIKE)
    ]
    return spelled[max(ranked)[1]] if ranked else None


def _plain(name: str) -> str:
    return name.strip().casefold()
