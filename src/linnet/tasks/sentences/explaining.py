"""Explaining the first sentences of data, for any task over sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from linnet.tasks.commands import Data
from linnet.tasks.explained import Explained

if TYPE_CHECKING:
    from rich.console import RenderableType

# The number of sentences of a file that are explained, and of reasons that are shown for each token.
_MOST_SENTENCES, MOST_REASONS = 5, 4


def explained_sentences(
    model: Any,
    data: Data | None,
    text: str,
    top: int,
    page_of: Callable[[Explained, str, int], str],
    show: Callable[[Any, int], RenderableType],
) -> Explained:
    """Explain the first sentences of data, or those of a text, or the model itself where neither is given."""
    if data is None and not text:
        return Explained([], lambda: model.strongest(top), page_of, show)
    batches = (
        iter([model.typed([text])]) if data is None else model.batches(data.source, text=data.text_col, **data.how)
    )
    first = next(batches).first(_MOST_SENTENCES)
    looks = [] if model.reranker is None else model.second_looks(first)
    return Explained(
        model.explain_sentences(first), dict, page_of, lambda one, n: show(one, min(n, MOST_REASONS)), looks
    )
