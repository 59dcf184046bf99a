"""The best outputs of sentences, as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

from linnet import io


def write_best(
    batches: Iterable[Any],
    output: str | None,
    best_of: Callable[[Any], list[list[tuple[Any, float]]]],
    plain: Callable[[Any], dict[str, Any]],
) -> None:
    """A line for each sentence: its tokens, and its best outputs, as plain values, with their scores."""
    with ExitStack() as stack:
        file = sys.stdout.buffer if output is None or output == "-" else stack.enter_context(io.atomic(output))
        for batch in batches:
            words = batch.columns["w"].to_pylist()
            for (a, b), best in zip(pairwise(batch.starts.tolist()), best_of(batch), strict=True):
                found = [{**plain(one), "score": score} for one, score in best]
                line = json.dumps({"tokens": words[a:b], "best": found}, ensure_ascii=False)
                file.write(line.encode() + b"\n")
