"""What answers of sentences share: their tokens, values for each token, and the best outputs with their scores, as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Array, Output
from linnet.errors import UsageError
from linnet.io.sentences.sentences import Sentences

Best = Sequence[Sequence[tuple[Output, float]]]
"""For each example its best outputs with their scores, the best first."""


def check_one(proba: bool, top: int | None, of: str, whole: str, single: str) -> None:
    """UsageError where both are asked for: probabilities are of parts, the best outputs are whole."""
    if proba and top is not None:
        raise UsageError(f"for {of} --top has whole {whole} and --proba single {single}. Leave one of them out.")


def check_no_proba(proba: bool, does: str) -> None:
    """UsageError where probabilities are asked for that there are not."""
    if proba:
        raise UsageError(f"the model {does}: --proba is for labels and tags. Leave it out.")


def tokens(sentences: Sentences) -> pa.Array:
    """The words of each sentence."""
    return arrow.lists(sentences.columns["w"], sentences.starts)


def numbers_of_tokens(values: Array, starts: npt.NDArray[np.int64]) -> pa.Array:
    """A number for each token, sentence by sentence."""
    return arrow.lists(arrow.numbers(values), starts)


def best(found: Best, fields: Callable[[Sequence[Output]], Mapping[str, pa.Array]]) -> pa.Array:
    """The best outputs of each example, in columns that `fields` makes of all outputs, with their scores.

    >>> best([[(["N"], 2.0), (["V"], 1.0)], []], lambda tags: {"tags": arrow.text_lists(tags)}).to_pylist()
    [[{'tags': ['N'], 'score': 2.0}, {'tags': ['V'], 'score': 1.0}], []]
    """
    outputs = [output for some in found for output, _ in some]
    scores = np.array([score for some in found for _, score in some], np.float64)
    return arrow.lists(arrow.structs({**fields(outputs), "score": arrow.numbers(scores)}), arrow.starts_of(found))
