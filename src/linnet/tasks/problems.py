"""Problems of gold data, in the same words for all tasks and commands: `linnet inspect` shows all of them.

`problems_of` finds the problems of gold examples that a task has read, and `problems_in` those of texts and outputs as they
are in a file, which a task may refuse to read. Both name rows of the data from 1, and cut long lists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.fitting.contract import Gold, Task
from linnet.tasks.equal_texts import Parts, blank_texts, encoded, equal_to_earlier

if TYPE_CHECKING:
    from linnet.io.sentences.sentences import Sentences
    from linnet.io.texts.dataset import Dataset

Rows = npt.NDArray[np.int64]

_MOST_ROWS = 5
_MOST_NAMES = 10
_MOST_GROUPS = 3
_FEWEST = 5
"""The number of examples that a label should have."""
_SKEW = 10
"""How many times the examples of the rarest label the most frequent one may have."""
_NEARLY = 0.8
"""If there are more different labels than this share of the rows, the column does not seem to hold labels."""
_ENOUGH_ROWS = 20
"""The number of rows from which on that can be told."""


def problems_of(task: Task, gold: Gold, known: Sequence[str] | None = None) -> list[str]:
    """The problems of gold examples of a task, the gravest first: each a sentence with counts and the first rows. `known` are
    the labels of the model that goes on with these examples, which may be few, or all of one label."""
    from linnet.tasks.sentences.gold import GoldSentences
    from linnet.tasks.texts.gold import Texts

    y = gold.y.tolist()
    alone = len(y) == len(gold) and bool(np.all(np.diff(gold.y_at) == 1))
    outputs: list[Hashable] = y if alone else [tuple(y[a:b]) for a, b in pairwise(gold.y_at.tolist())]
    what = "text" if isinstance(gold, Texts) else "sentence" if isinstance(gold, GoldSentences) else "example"
    if known is not None:
        rows = gold.row_numbers if isinstance(gold, Texts) else None
        alike = spelled_alike(dict.fromkeys(gold.labels))
        texts = gold.parts if isinstance(gold, Texts) else encoded(gold.texts())
        again = repeated(texts, outputs, what, rows)
        return [*new_labels(known, gold.labels), *alike, *again]
    if not isinstance(gold, Texts):
        return repeated(encoded(gold.texts()), outputs, what)
    number_of = Counter(y if task.per_place is not False else np.delete(gold.y, gold.y_at[:-1]).tolist())
    counts = Counter({gold.labels[k]: n for k, n in number_of.items() if k >= 0})
    return problems_in(
        gold.parts if gold.has_text else None,
        outputs,
        counts,
        several=task.per_place is False,
        rows=gold.row_numbers,
    )


def problems_in(
    texts: Parts | None,
    outputs: Sequence[Hashable],
    labels: Counter[str],
    *,
    several: bool = False,
    rows: Rows | None = None,
) -> list[str]:
    """The problems of texts with their outputs, as `problems_of` finds them; `labels` are counted, and a text may have
    `several`.

    texts: None where there are only other columns, which may well be the same in many rows.
    rows: the number of each text in the data, from 0, where rows of the data were left out.
    """
    one = [] if several else [*one_label(labels), *nearly_all_differ(len(labels), len(outputs))]
    return [
        *one,
        *spelled_alike(labels),
        *([] if texts is None else repeated(texts, outputs, "text", rows)),
        *rare_labels(labels),
        *([] if several else skewed(labels)),
    ]


def problem(rows: Sequence[int], one: str, several: str) -> list[str]:
    """A list with one sentence that names the first rows with a problem; an empty list where there are none.

    >>> problem([3], "empty text", "empty texts"), problem([3, 5, 8, 9, 11, 12, 14], "empty text", "empty texts")
    (['1 empty text: row 3'], ['7 empty texts: rows 3, 5, 8, 9, 11 and 2 more'])
    """
    if not rows:
        return []
    named = listed(list(map(str, rows)), _MOST_ROWS)
    return [f"1 {one}: row {named}" if len(rows) == 1 else f"{len(rows):,} {several}: rows {named}"]


def listed(names: Sequence[str], most: int = _MOST_NAMES) -> str:
    """The first names with commas between them, and how many more there are.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"], 2)
    ('a, b', 'a, b and 2 more')
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def new_labels(known: Sequence[str], labels: Sequence[str]) -> list[str]:
    """A list with one sentence on labels that a model did not have before; an empty list where there are none.

    >>> new_labels(["pos", "neg"], ["pos", "neg", "mixed"])
    ["1 label that the model did not have: 'mixed'"]
    """
    new = sorted(set(labels) - set(known))
    names = "label" if len(new) == 1 else "labels"
    return [f"{len(new):,} {names} that the model did not have: {listed(list(map(repr, new)))}"] if new else []


def one_label(labels: Counter[str]) -> list[str]:
    """A list with one sentence where all texts have the same label; else an empty list."""
    return (
        [f"every row has the label {next(iter(labels))!r}, so there is nothing to tell apart"]
        if len(labels) == 1
        else []
    )


def nearly_all_differ(n_labels: int, n_rows: int) -> list[str]:
    """A list with one sentence where nearly every row has a label of its own, so that the column does not hold labels; else an
    empty list."""
    if n_rows < _ENOUGH_ROWS or n_labels <= _NEARLY * n_rows:
        return []
    return [
        f"the label column has {n_labels:,} different values in {n_rows:,} rows, so it does not seem to hold labels: name the "
        "column that does (--label-col, or label= in Python)"
    ]


def spelled_alike(labels: Iterable[str]) -> list[str]:
    """A list with a sentence for each group of labels that differ only in case, or in blanks at their ends, with their counts
    if there are some.

    >>> spelled_alike(Counter({"pos": 480, "POS": 2, "neg": 9}))
    ["labels that differ only in case or blanks: 'pos' (480), 'POS' (2). Make them one if they mean the same"]
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        groups[" ".join(label.casefold().split())].append(label)
    counts = labels if isinstance(labels, Counter) else Counter[str]()
    alike = [group for group in groups.values() if len(group) > 1]
    found = []
    for group in alike[:_MOST_GROUPS]:
        often = sorted(group, key=lambda name: (-counts[name], name))
        names = [f"{name!r} ({counts[name]:,})" if counts else repr(name) for name in often]
        found.append(f"labels that differ only in case or blanks: {listed(names)}. Make them one if they mean the same")
    if len(alike) > _MOST_GROUPS:
        more = len(alike) - _MOST_GROUPS
        found.append(f"{more:,} more {'group' if more == 1 else 'groups'} of labels that differ only in case or blanks")
    return found


def repeated(texts: Parts, outputs: Sequence[Hashable], what: str, rows: Rows | None = None) -> list[str]:
    """Problems of texts: texts that are empty, that are repeated, and that are repeated with another output."""
    blank = blank_texts(texts)
    first = equal_to_earlier(texts)
    for row in blank:
        first.pop(row, None)
    differing = [row for row, before in first.items() if outputs and outputs[row] != outputs[before]]
    empty, again, contradicting = (
        [(row if rows is None else int(rows[row])) + 1 for row in some] for some in (blank, first, differing)
    )
    earlier = "that repeats an earlier one", "that repeat an earlier one"
    return [
        *problem(empty, f"empty {what}", f"empty {what}s"),
        *problem(again, f"{what} {earlier[0]}", f"{what}s {earlier[1]}"),
        *problem(contradicting, f"{what} {earlier[0]} with another label", f"{what}s {earlier[1]} with other labels"),
    ]


def repeated_sentences(sentences: Sentences) -> list[str]:
    """Problems of sentences: those with the same words as an earlier one, and those of them with other tags."""
    tags = [] if sentences.tags is None else sentences.tags.to_pylist()
    outputs = [tuple(tags[a:b]) for a, b in pairwise(sentences.starts.tolist())] if tags else []
    return repeated(encoded(sentences.texts()), outputs, "sentence")


def rare_labels(labels: Counter[str]) -> list[str]:
    """A list with one sentence on labels that few texts have; an empty list where there are none."""
    rare = sorted(label for label, n in labels.items() if n < _FEWEST)
    names = "label" if len(rare) == 1 else "labels"
    return [f"{len(rare):,} {names} with fewer than {_FEWEST} examples: {listed(rare)}"] if rare else []


def skewed(labels: Counter[str]) -> list[str]:
    """A list with one sentence where the most frequent label has many times the examples of the rarest; else an empty list."""
    if not labels or max(labels.values()) <= _SKEW * min(labels.values()):
        return []
    (most, n), (least, m) = labels.most_common()[0], labels.most_common()[-1]
    return [
        f"the label {most!r} has {n:,} examples, more than {_SKEW} times those of {least!r} ({m:,}): look at macro F1 beside "
        "accuracy, and try --set class-weight=balanced"
    ]


def lengths_of(texts: Sequence[str]) -> dict[str, float]:
    """The numbers of words per text: least, median, mean and most."""
    lengths = np.array([len(text.split()) for text in texts])
    parts = {"least": lengths.min(), "median": np.median(lengths), "mean": lengths.mean(), "most": lengths.max()}
    return {name: float(value) for name, value in parts.items()}


def facts_of(dataset: Dataset, labels: Counter[str], problems: Sequence[str], **more: Json) -> dict[str, Json]:
    """Facts about texts with the number of texts of each label; `more` facts follow the labels."""
    texts = dataset.text.to_pylist()
    return {
        "source": dataset.source,
        "rows": len(texts),
        "text_column": dataset.text_col,
        "label_column": dataset.label_col,
        "other_columns": [] if dataset.columns is None else dataset.columns.column_names,
        "labels": dict(labels.most_common()),
        **more,
        "words_per_text": lengths_of(texts),
        "problems": list(problems),
    }
