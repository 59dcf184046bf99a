"""Explanations of sentences in the three forms in which they can be had, whatever they are of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from linnet.cli.faces import Data

_MOST_SENTENCES, _MOST_REASONS = 5, 4


@dataclass(frozen=True)
class Explained:
    found: Sequence[Any]
    page_of: Callable[[str, Sequence[Any], int], str]
    show: Callable[[Any, int], Any]
    """One of them, for the terminal."""

    def page(self, title: str, top: int) -> str:
        return self.page_of(title, self.found, top)

    def as_dict(self) -> dict[str, Any]:
        plain = [[asdict(part) for part in one] if isinstance(one, list) else asdict(one) for one in self.found]
        return {"explanations": plain}

    def shown(self, top: int) -> list[Any]:
        return [self.show(one, min(top, _MOST_REASONS)) for one in self.found]


def of_sentences(
    model: Any,
    data: Data | None,
    text: str,
    top: int,
    page_of: Callable[[str, Sequence[Any], int], str],
    show: Callable[[Any, int], Any],
) -> Any:
    """The first sentences of data, or those of a text; the model itself where there is neither."""
    from linnet.cli.faces import labels
    from linnet.tasks.sentences import from_text

    if data is None and not text:
        return labels.Explained([], model.strongest(top))
    sentences = from_text([text]) if data is None else next(model.batches(data.source, data.format))
    return Explained(model.explain_sentences(sentences.first(_MOST_SENTENCES)), page_of, show)
