"""The column `marker`, which is computed from others: the small word that leads a token in.

Universal Dependencies make a preposition or a conjunction a child of the word that it leads in, so that an arc between two
words of content does not show it: in "a talk on Monday", the head of Monday is talk, and it is "on" that says how.

The marker of a token is the nearest such word before it, with nothing but words of a phrase between them. If another word
comes first, the marker is the tag of that word, such as "<VERB"; if the sentence begins first, "<s>"; if the nearest such word
is too far away, "<far>".

>>> columns = {"w": arrow.texts(["talks", "on", "a", "Monday"]), "upos": arrow.texts(["VERB", "ADP", "DET", "PROPN"])}
>>> with_marker(columns, np.array([0, 4]))["marker"].to_pylist()
['<s>', '<VERB', 'on', 'on']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from linnet.core import arrow

MARKER = "marker"
_MADE_OF = ("w", "upos")
_SMALL = ("ADP", "SCONJ", "CCONJ", "PART")
_OF_PHRASES = ("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADV", "PRON", "AUX", "SYM", "X", "INTJ")
_FAR = 7
"""The largest distance, in tokens, of a marker from its token."""

Columns = Mapping[str, pa.LargeStringArray]


def without_marker(names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns, with `marker` replaced by the columns from which it is computed."""
    made_of = _MADE_OF if MARKER in names else ()
    return tuple(dict.fromkeys(name for name in (*names, *made_of) if name != MARKER))


def with_marker(columns: Columns, starts: npt.NDArray[np.int64]) -> dict[str, pa.LargeStringArray]:
    """The columns with `marker` added; sentence i has the tokens starts[i]:starts[i + 1]."""
    words, tags = (columns[name] for name in _MADE_OF)
    n = len(tags)
    stops = np.flatnonzero(~arrow.flags(pc.is_in(tags, arrow.texts(_OF_PHRASES))))
    before = np.concatenate([[-1], stops])[np.searchsorted(stops, np.arange(n))]
    outside = before < np.repeat(starts[:-1], np.diff(starts))
    far = np.arange(n) - before > _FAR
    tag = pc.binary_join_element_wise(arrow.text("<"), tags, arrow.text(""))
    shown = pc.if_else(pc.is_in(tags, arrow.texts(_SMALL)), pc.utf8_lower(words), tag)
    values = pa.concat_arrays([shown, arrow.texts(["<s>", "<far>"])])
    return {**columns, MARKER: values.take(arrow.numbers(np.where(outside, n, np.where(far, n + 1, before))))}
