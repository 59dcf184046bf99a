"""The best outputs of sentences and of pairs of them, as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

from linnet import io


def tokens(batch: Any) -> list[dict[str, Any]]:
    """What a line says of each sentence beside its best outputs."""
    words = batch.columns["w"].to_pylist()
    return [{"tokens": words[a:b]} for a, b in pairwise(batch.starts.tolist())]


def write_best(
    batches: Iterable[Any],
    output: str | None,
    best_of: Callable[[Any], list[list[tuple[Any, float]]]],
    plain: Callable[[Any], dict[str, Any]],
    given: Callable[[Any], list[dict[str, Any]]] = tokens,
) -> None:
    """A line for each sentence: what is given, and its best outputs, as plain values, with their scores."""
    with ExitStack() as stack:
        file = sys.stdout.buffer if output is None or output == "-" else stack.enter_context(io.atomic(output))
        for batch in batches:
            for example, best in zip(given(batch), best_of(batch), strict=True):
                found = [{**plain(one), "score": score} for one, score in best]
                file.write(json.dumps({**example, "best": found}, ensure_ascii=False).encode() + b"\n")
