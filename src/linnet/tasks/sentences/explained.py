"""Explanations of sentences in the three forms in which they can be had, whatever they are of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from linnet.tasks.commands import Data
from linnet.tasks.second_look.why import SecondLook

_MOST_SENTENCES, _MOST_REASONS = 5, 4


@dataclass(frozen=True)
class Explained:
    found: Sequence[Any]
    page_of: Callable[..., str]
    show: Callable[[Any, int], Any]
    """One of them, for the terminal."""
    looks: Sequence[SecondLook | None] = ()
    """Of a model with a reranker, for each of them why it was chosen."""

    def page(self, title: str, top: int) -> str:
        return self.page_of(title, self.found, top, *([self.looks] if self.looks else []))

    def as_dict(self) -> dict[str, Any]:
        plain = [[asdict(part) for part in one] if isinstance(one, list) else asdict(one) for one in self.found]
        looks = [None if look is None else asdict(look) for look in self.looks]
        return {"explanations": plain} | ({"second_looks": looks} if looks else {})

    def shown(self, top: int) -> list[Any]:
        from linnet.tasks.second_look.terminal import second_look

        parts = []
        for one, look in zip_longest(self.found, self.looks):
            parts += [self.show(one, min(top, _MOST_REASONS)), *([] if look is None else [second_look(look, top)])]
        return parts


def of_sentences(
    model: Any,
    data: Data | None,
    text: str,
    top: int,
    page_of: Callable[..., str],
    show: Callable[[Any, int], Any],
) -> Any:
    """The first sentences of data, or those of a text; the model itself where there is neither."""
    from linnet.tasks.labels import commands as labels
    from linnet.tasks.sentences.prose import from_text

    if data is None and not text:
        return labels.Explained([], model.strongest(top))
    sentences = from_text([text]) if data is None else next(model.batches(data.source, data.format))
    first = sentences.first(_MOST_SENTENCES)
    looks = [] if model.reranker is None else model.second_looks(first)
    return Explained(model.explain_sentences(first), page_of, show, looks)
