"""Explanations in the three forms in which they can be had, whatever they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from linnet.core.types import Json
from linnet.explain import Strong
from linnet.tasks.second_look.why import SecondLook


@dataclass(frozen=True)
class Explained:
    """Some examples explained, or the model itself where there are none."""

    found: Sequence[Any]
    """For each example an explanation, or a list of them."""
    strongest: Mapping[str, Sequence[Strong]]
    """The strongest features of the model by label, where they are to be shown."""
    page_of: Callable[[Explained, str, int], str]
    """A page with this title of examples, with so many reasons for each."""
    show: Callable[[Any, int], Any]
    """One explanation for the terminal, with so many reasons."""
    looks: Sequence[SecondLook | None] = ()
    """Why a reranker chose each output, where the model has one."""

    def page(self, title: str, top: int) -> str:
        """One self-contained HTML page."""
        from linnet.report.page import document, strongest_features

        return self.page_of(self, title, top) if self.found else document(title, strongest_features(self.strongest))

    def as_dict(self) -> dict[str, Json]:
        """Plain values, for JSON."""
        plain = [[asdict(part) for part in one] if isinstance(one, list) else asdict(one) for one in self.found]
        named = {label: [item._asdict() for item in items] for label, items in self.strongest.items()}
        looks = [None if look is None else asdict(look) for look in self.looks]
        return (
            {"explanations": plain}
            | ({"strongest": named} if named else {})
            | ({"second_looks": looks} if looks else {})
        )

    def shown(self, top: int) -> list[Any]:
        """Parts for the terminal."""
        if not self.found and self.strongest:
            from linnet.report.terminal import strongest

            return [strongest(self.strongest)]
        return [part for one, look in zip_longest(self.found, self.looks) for part in self._parts(one, look, top)]

    def _parts(self, one: Any, look: SecondLook | None, top: int) -> list[Any]:
        if look is None:
            return [self.show(one, top)]
        from linnet.tasks.second_look.terminal import second_look

        return [self.show(one, top), second_look(look, top)]
