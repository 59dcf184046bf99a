"""A column of tokens that is made of others: `marker`, the small word that leads a token in.

Universal Dependencies make a preposition or a conjunction a child of the word that it leads in, so that an arc between two
words of content does not show it: in "a talk on Monday", Monday hangs on talk, and it is "on" that says how.

The marker of a token is the nearest such word before it, with nothing but words of a phrase between them. Where something else
comes first, it is the tag of that, "<VERB"; where the sentence begins, "<s>"; where it is too far away, "<far>".

>>> columns = {"w": pa.array(["talks", "on", "a", "Monday"]), "upos": pa.array(["VERB", "ADP", "DET", "PROPN"])}
>>> with_marker(columns, np.array([0, 4]))["marker"].to_pylist()
['<s>', '<VERB', 'on', 'on']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

MARKER = "marker"
_MADE_OF = ("w", "upos")
_SMALL = ("ADP", "SCONJ", "CCONJ", "PART")
_OF_PHRASES = ("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADV", "PRON", "AUX", "SYM", "X", "INTJ")
_FAR = 7

Columns = Mapping[str, pa.LargeStringArray]


def without_marker(names: Sequence[str]) -> tuple[str, ...]:
    """The columns that those of these names are made of."""
    made_of = _MADE_OF if MARKER in names else ()
    return tuple(dict.fromkeys(name for name in (*names, *made_of) if name != MARKER))


def with_marker(columns: Columns, starts: npt.NDArray[np.int64]) -> dict[str, pa.LargeStringArray]:
    """These columns and the marker; sentence i is tokens starts[i]:starts[i + 1]."""
    words, tags = (columns[name].cast(pa.large_string()) for name in _MADE_OF)
    i = np.arange(len(tags))
    stops = np.flatnonzero(~_is_one_of(tags, _OF_PHRASES))
    before = np.concatenate([[-1], stops])[np.searchsorted(stops, i)]
    outside = before < np.repeat(starts[:-1], np.diff(starts))
    shown = pc.if_else(_is_one_of(tags, _SMALL), pc.utf8_lower(words), _joined("<", tags)).take(
        pa.array(before.clip(0))
    )
    near = pc.if_else(i - before > _FAR, _text("<far>"), shown)
    return {**columns, MARKER: pc.if_else(outside, _text("<s>"), near)}


def _is_one_of(tags: pa.LargeStringArray, which: Sequence[str]) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = pc.is_in(tags, pa.array(which, pa.large_string())).to_numpy(zero_copy_only=False)
    return found


def _joined(sign: str, tags: pa.LargeStringArray) -> pa.LargeStringArray:
    return pc.binary_join_element_wise(_text(sign), tags, _text(""))


def _text(value: str) -> pa.LargeStringScalar:
    return pa.scalar(value, pa.large_string())
