"""Which column holds the text and which the label: named by the user, known from training, or found by the usual names."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from linnet.errors import DataError, UsageError
from linnet.io.texts.contract import Request
from linnet.limits import COLUMNS

TEXT = (
    *("text", "document", "content", "sentence", "review", "body", "message", "comment", "tweet", "post", "utterance"),
    *("question", "query", "description", "headline", "title", "summary", "texts", "sentences", "reviews", "comments"),
    *("review_text", "review_body", "comment_text", "full_text", "raw_text", "clean_text"),
)
LABEL = (
    *(
        "label",
        "class",
        "category",
        "target",
        "sentiment",
        "topic",
        "intent",
        "emotion",
        "stance",
        "polarity",
        "rating",
    ),
    *("stars", "y"),
)
LABELS = ("labels", "topics", "categories", "classes", "tags", *LABEL)
_LISTED = 12
_NUMBER = r"[-+]?\d+(\.\d+)?"
_ALIKE = 0.7  # a similarity at which "txt" is like "text", but "exact" is not like "target"
_MOST_USUAL = 8
"""How many of the usual names, the first ones, a name of a column may be taken for a misspelling of. `post` is not
among them, so that `pos` is not taken for it."""
_LEAST_WORDS = 4
"""The mean number of words of a value from which on a column is taken for running text."""
_LEAST_LETTERS = 12
"""The mean number of letters of a value from which on a column without any value in ASCII is taken for running text:
some scripts put no blanks between words, so words cannot be counted there."""
_MOST_WORDS = 3
"""The mean number of words up to which the values of a column may be labels."""
_ROWS_PER_LABEL = 2
"""How often the values of a column are there on average, at least, if they are labels."""

Sample = Callable[[], Sequence[Sequence[object]]]
"""A function that gives some rows of a file, for a message that suggests columns."""


class Columns(NamedTuple):
    text: str | None
    """The column of the texts; None where none is needed."""
    label: str | None


class NoColumnError(DataError):
    """Raised where data have no column of the texts, or none of the labels."""

    def __init__(self, message: str, source: str, line: int | None, missing: str, names: Sequence[str]) -> None:
        """missing: which column there is not, "text" or "label". names: those of the columns that there are."""
        super().__init__(message, source, line)
        self.missing, self.names = missing, names


def no_sample() -> Sequence[Sequence[object]]:
    """The sample of a file of which no rows are at hand."""
    return ()


def find(
    names: Sequence[str],
    request: Request,
    source: str,
    line: int | None = None,
    sample: Sample = no_sample,
    advice: str = "",
) -> Columns:
    """The columns of the text and of the label that a request means, among the names of a file. Raise NoColumnError
    where one is missing, and DataError where two columns have its name.

    sample: rows of the file, from which a message suggests columns where none has a usual name.
    advice: what else to do then, for the message.
    """
    if len(names) > COLUMNS.most:
        raise DataError(
            f"found {len(names):,} columns, at most {COLUMNS.most:,} can be read. Leave out those that are not needed.",
            source,
            line,
        )
    if request.text_col is not None and request.text_col == request.label_col:
        raise UsageError(f"text and label both name the column '{request.text_col}'. Name two different columns.")
    taken = (request.text_col, request.label_col)
    known_texts = (*request.text_names, *TEXT) if request.needs_text else ()
    text = request.text_col or usual(known_texts, names, taken)
    known = (*request.label_names, *(LABELS if request.several else LABEL))
    label = request.label_col or usual(known, names, (*taken, text))
    demanded = request.labelled or request.label_col is not None
    missing = [
        *([("text", text)] if (request.needs_text if text is None else text not in names) else []),
        *([("label", label)] if demanded and (label is None or label not in names) else []),
    ]
    if missing:
        suggestion = _suggestion([kind for kind, _ in missing], names, sample)
        is_like_one = _nearest(TEXT[:_MOST_USUAL], names) is not None
        if missing == [("text", None)] and demanded and not suggestion and not is_like_one:
            advice = _as_features([name for name in names if name != label], names, sample) + advice
        message = _missing(*missing[0], names, suggestion, advice)
        raise NoColumnError(message, source, line, missing[0][0], names)
    for used in (text, label):
        if used is not None and names.count(used) > 1:
            raise DataError(f"found the column '{used}' twice. Rename one of the two.", source, line)
    return Columns(text, label)


def usual(known: Sequence[str], names: Sequence[str], taken: Sequence[str | None] = ()) -> str | None:
    """The first known name that a file has, in whatever case, spelled as the file does.

    >>> usual(TEXT, ["ID", "Title", "Review"])
    'Review'
    """
    spelled = {_plain(name): name for name in reversed(names) if name not in taken}
    return next((spelled[name] for name in map(_plain, known) if name in spelled), None)


def distinct(names: Sequence[str]) -> list[str]:
    """Names for columns, all different: a further column of the same name has a number appended to it.

    >>> distinct(["", "text", "x", "x", "x", ""])
    ['', 'text', 'x', 'x_2', 'x_3', 'column_2']
    """
    given, found, numbers = set(names), dict[str, None](), Counter[str]()
    for name in names:
        new = name
        while new in found or (new != name and new in given):
            numbers[name] += 1
            new = f"{name or 'column'}_{1 + numbers[name]}"
        found[new] = None
    return list(found)


def listed(names: Sequence[str]) -> str:
    """Names for a message, quoted: the first twelve, and how many more there are."""
    shown = ", ".join(f"'{name}'" for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def naming(what: str, option: str) -> str:
    """A sentence that says how to name a column, on the command line and in Python.

    >>> naming("label column", "label")
    'Name the label column: --label-col on the command line, label= in Python.'
    """
    return f"Name the {what}: --{option}-col on the command line, {option}= in Python."


def suggested(names: Sequence[str], rows: Sequence[Sequence[object]]) -> dict[str, str]:
    """The columns that are clearly the `text` and the `label`, by what some rows have in them: the only one with running text,
    and the only one with a few short values that return.

    >>> rows = [["7", "a fine film to see", "up"], ["8", "a bad film to see", "down"]] * 3
    >>> suggested(["id", "what they wrote", "verdict"], [[f"{i}", *row[1:]] for i, row in enumerate(rows)])
    {'text': 'what they wrote', 'label': 'verdict'}
    """
    columns = {name: [str(value) for value in column if value is not None] for name, column in _by_name(names, rows)}
    texts = [name for name, values in columns.items() if _is_running_text(values)]
    labels = [name for name, values in columns.items() if name not in texts and _is_label(values)]
    found = {"text": texts, "label": labels}
    return {kind: some[0] for kind, some in found.items() if len(some) == 1}


def _by_name(names: Sequence[str], rows: Sequence[Sequence[object]]) -> list[tuple[str, tuple[object, ...]]]:
    whole = [row for row in rows if len(row) == len(names)]
    return list(zip(names, zip(*whole, strict=True), strict=True)) if whole else []


def _is_running_text(values: Sequence[str]) -> bool:
    if not values:
        return False
    words, letters = (sum(map(len, some)) / len(values) for some in (map(str.split, values), values))
    return words >= _LEAST_WORDS or (letters >= _LEAST_LETTERS and not any(value.isascii() for value in values))


def _is_label(values: Sequence[str]) -> bool:
    different = set(values)
    is_short = sum(len(value.split()) for value in different) <= _MOST_WORDS * len(different)
    return is_short and len(different) >= 2 and len(different) * _ROWS_PER_LABEL <= len(values)


def _suggestion(kinds: Sequence[str], names: Sequence[str], sample: Sample) -> str:
    """The options that name the columns that are missing, as far as these are clear."""
    found = suggested(names, sample())
    from shlex import quote

    return " ".join(f"--{kind}-col {quote(found[kind])}" for kind in kinds if kind in found)


def _as_features(columns: Sequence[str], names: Sequence[str], sample: Sample) -> str:
    """A sentence, with a space before it, on how to learn from these columns without any text; empty where no rows show what is
    in them."""
    values = dict(_by_name(names, sample()))
    specs = [f"{_kind_of(values[name])}:{name.replace(' ', '_')}" for name in columns if name and name in values]
    return f' To learn from other columns alone, name them: --features "{" ".join(specs[:_LISTED])}".' if specs else ""


def _kind_of(values: Sequence[object]) -> str:
    """The feature that suits a column: `number` if all its values are numbers, else `column`."""
    return "number" if values and all(re.fullmatch(_NUMBER, str(value).strip()) for value in values) else "column"


def _missing(kind: str, wanted: str | None, names: Sequence[str], suggestion: str, advice: str) -> str:
    if wanted is None and suggestion:
        return f"found no {kind} column among {listed(names)}. Pass {suggestion}"
    usually = TEXT if kind == "text" else LABEL
    near = _nearest([wanted] if wanted is not None else usually[:_MOST_USUAL], names)
    hint = f" Did you mean '{near}'?" if near is not None else ""
    if wanted is not None:
        return f"expected a column '{wanted}', found {listed(names)}.{hint} {naming(f'{kind} column', kind)}"
    return f"found no {kind} column among {listed(names)}.{hint} {naming(f'{kind} column', kind)}{advice}"


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
