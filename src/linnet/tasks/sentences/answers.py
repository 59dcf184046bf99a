"""Columns of answers that tasks over sentences share: tokens, numbers of tokens, and the best outputs with their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Array, Output
from linnet.errors import DataError, UsageError
from linnet.io.sentences.sentences import Sentences

Best = Sequence[Sequence[tuple[Output, float]]]
"""The best outputs of each example with their scores, the best first."""


def check_one(proba: bool, top: int | None, of: str, whole: str, single: str) -> None:
    """Raise UsageError if both are asked for, as probabilities are of parts, and the best outputs are whole."""
    if proba and top is not None:
        raise UsageError(
            f"for {of}, --top gives whole {whole}, and --proba gives probabilities of {single}. Leave one of them out."
        )


def check_no_proba(proba: bool, does: str) -> None:
    """Raise UsageError if probabilities are asked for, which the task does not have."""
    if proba:
        raise UsageError(f"a model that {does} sentences has no probabilities. Leave out --proba.")


def tokens(sentences: Sentences) -> pa.Array:
    """The words of each sentence."""
    return arrow.lists(sentences.columns["w"], sentences.starts)


def numbers_of_tokens(values: Array, starts: npt.NDArray[np.int64]) -> pa.Array:
    """A number for each token, sentence by sentence."""
    return arrow.lists(arrow.numbers(values), starts)


def best(found: Best, fields: Callable[[Sequence[Output]], Mapping[str, pa.Array]]) -> pa.Array:
    """The best outputs of each example with their scores. `fields` makes the columns of all outputs.

    >>> best([[(["N"], 2.0), (["V"], 1.0)], []], lambda tags: {"tags": arrow.text_lists(tags)}).to_pylist()
    [[{'tags': ['N'], 'score': 2.0}, {'tags': ['V'], 'score': 1.0}], []]
    """
    outputs = [output for some in found for output, _ in some]
    scores = np.array([score for some in found for _, score in some], np.float64)
    return arrow.lists(arrow.structs({**fields(outputs), "score": arrow.numbers(scores)}), arrow.starts_of(found))


def check_explained(sentences: Sentences, most: int) -> None:
    """Raise DataError where a sentence has more than `most` tokens. For the explanation of each token its whole sentence is
    decoded once more, so that the time grows with the square of its length, or faster."""
    longest = int(np.diff(sentences.starts).max(initial=0))
    if longest > most:
        raise DataError(
            f"a sentence has {longest:,} tokens, and sentences of at most {most:,} are explained. Split it.",
            sentences.source,
        )
