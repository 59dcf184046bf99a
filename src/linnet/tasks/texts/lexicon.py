"""Words that speak for a label, which people know before any text has one: `--lexicon positive=words.txt`.

They become examples, which every learner can learn from, and which weigh less than texts that a person has labelled:

- each word that stands in the texts, as a text by itself. Its weight is 1 over the mean number of such words in a text,
as a word is only one of so many that speak in a text; - texts without labels for which they speak clearly. With c_y the
number of words of a text that speak for the label y, and mean(c_y) over all texts, the label with the most c_y /
mean(c_y) is that of the text. How far it is ahead, over the root of the number of words of the text, says how clearly:
the clearer half of the texts is taken.

All labels weigh the same, whatever the lengths of their lists.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core.arrow import numbers
from linnet.core.types import F32, I32, I64, Data, Label
from linnet.errors import DataError, UsageError, meant
from linnet.features.columns import as_text
from linnet.features.rows import SparseRows
from linnet.features.spec import read_words
from linnet.features.table import Column, Table
from linnet.features.text import TextFeatures
from linnet.fitting.contract import Columns
from linnet.io.python_values import Rows
from linnet.io.texts.columns import LABEL, TEXT, usual
from linnet.tasks.defaults import is_pair
from linnet.tasks.texts.label_types import spelled
from linnet.tasks.texts.tables import as_table

Words: TypeAlias = Mapping[Label, "str | os.PathLike[str] | Iterable[str]"]
"""For each label a file of words, one on a line, or the words themselves."""

WEIGHT = 0.1
"""The mean weight of texts that words speak for; a text that a person has labelled weighs 1."""
_SHARE = 0.5
"""The share that is taken of the texts without labels that words speak for."""


@dataclass(frozen=True)
class Spoken:
    """Examples that words make: texts, the numbers of their labels, and their weights."""

    texts: pa.Array
    y: I32
    weights: F32


def words_of(lexicon: Words | None) -> dict[str, tuple[str, ...]] | None:
    """The words of each label; None where there is no lexicon. Raise UsageError where a label has no words, or a word speaks
    for two labels."""
    if lexicon is None:
        return None
    found = {spelled(label): _read(spelled(label), words) for label, words in lexicon.items()}
    label_of: dict[str, str] = {}
    for label, words in found.items():
        for word in words:
            other = label_of.setdefault(word, label)
            if other != label:
                raise UsageError(f"the word {word!r} speaks for {other!r} and for {label!r}. Leave it out of one list.")
    return found


def _read(label: str, words: str | os.PathLike[str] | Iterable[str]) -> tuple[str, ...]:
    if isinstance(words, str | os.PathLike):
        where = f"the word list {os.fspath(words)!r}"
        found = read_words(os.fspath(words))
    else:
        where = "the list of words"
        found = tuple(dict.fromkeys(word.strip().lower() for word in words))
    if not any(found):
        raise UsageError(f"{where} for the label {label!r} is empty. Write one word on each line, or leave it out.")
    return found


def numbered(words: Mapping[str, Sequence[str]], labels: Sequence[str]) -> dict[str, int]:
    """The number of the label that each word speaks for. Raise UsageError for a label that there is not."""
    for label in words:
        if label not in labels:
            known = ", ".join(labels[:20])
            raise UsageError(
                f"there are words for the label {label!r}, but the labels are: {known}.{meant(label, labels)}"
            )
    return {word: labels.index(label) for label, some in words.items() for word in some}


def spoken_for(label_of: Mapping[str, int], labelled: Table, unlabelled: Table | None) -> Spoken:
    """The examples that words make, given the number of the label of each word. Entries of more than one word are never
    found. Raise DataError where no text has any of the words."""
    text = TextFeatures("words:1 punct presence")
    rows = text.fit_transform(labelled if unlabelled is None else labelled.followed_by(unlabelled))
    names = text.names()
    of_feature = np.array([label_of.get(name, -1) for name in names], np.int64)
    there = np.flatnonzero(of_feature >= 0)
    if not len(there):
        raise DataError("none of the words that speak for labels stands in these texts. Are they of the same language?")
    y = of_feature[there].astype(np.int32)
    in_a_text = np.count_nonzero(of_feature[rows.indices] >= 0) / len(rows)
    words, weights = as_text([names[j] for j in there]), _balanced(y) / np.float32(max(in_a_text, 1))
    if unlabelled is None:
        return Spoken(words, y, weights)
    clear, of_text = _clear(rows, of_feature)
    without = clear >= len(labelled)
    clear, of_text = clear[without] - len(labelled), of_text[without]
    texts = pa.chunked_array([*_chunks(words), *_chunks(unlabelled.text.take(numbers(clear)))], words.type)
    whole = np.concatenate([weights, np.float32(WEIGHT) * _balanced(of_text)])
    return Spoken(texts, np.concatenate([y, of_text]), whole)


def _clear(rows: SparseRows, of_feature: I64) -> tuple[I64, I32]:
    """The clearer half of the texts that words speak for, in their order, and the number of the label of each."""
    size = np.diff(rows.indptr)
    row = np.repeat(np.arange(len(size)), size)
    label = of_feature[rows.indices]
    votes = np.stack(
        [np.bincount(row[label == y], minlength=len(size)) for y in range(int(of_feature.max()) + 1)], axis=1
    )
    share = votes / np.maximum(votes.mean(axis=0), 1e-9)
    ranked = np.sort(share, axis=1)
    ahead = (ranked[:, -1] - (ranked[:, -2] if ranked.shape[1] > 1 else 0)) / np.sqrt(np.maximum(size, 1))
    order = np.argsort(-ahead, kind="stable")
    chosen = np.sort(order[: round(_SHARE * np.count_nonzero(ahead))])
    return chosen, share[chosen].argmax(axis=1).astype(np.int32)


def _balanced(y: I32) -> F32:
    """Weights of examples whose mean is 1, so that all labels that have any weigh the same."""
    n = np.bincount(y)
    weights: F32 = (len(y) / (max(int((n > 0).sum()), 1) * n[y])).astype(np.float32)
    return weights


def _chunks(column: Column) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def texts_alone(data: Data) -> Data:
    """A list of strings as rows with texts and without labels, unless all of them are the names of files. Other data
    are returned as they are."""
    is_texts = isinstance(data, list | tuple) and bool(data) and all(isinstance(text, str) for text in data)
    return {"text": list(data)} if is_texts and not all(map(os.path.isfile, data)) else data


def without_labels(data: Data, columns: Columns) -> Table | None:
    """The texts of data that have no labels at all; None where data have labels."""
    if columns.get("label_col") is not None or is_pair(data):
        return None
    if isinstance(data, Rows):
        is_labelled = usual(LABEL, data.names) is not None
        return None if is_labelled else as_table(data, columns.get("text_col") or usual(TEXT, data.names))
    if not isinstance(data, str | os.PathLike | list | tuple):
        return None
    how: Columns = {name: columns.get(name) for name in ("text_col", "format", "encoding", "delimiter", "note")}
    how = {**how, "number_lists": columns.get("number_lists", ())}
    if next(io.read_batches(data, labelled=False, **how)).labels is not None:
        return None
    return as_table(io.read(data, labelled=False, **how))
