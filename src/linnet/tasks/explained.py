"""Explanations of any task in three forms: as an HTML page, as plain values for JSON, and for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from linnet.core.budget import left_out
from linnet.core.types import Json
from linnet.explain import Strong

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linnet.tasks.second_look.why import SecondLook


@dataclass(frozen=True)
class Explained:
    """Explanations of some examples, or of the model itself where there are no examples."""

    found: Sequence[Any]
    """For each example an explanation, or a list of explanations."""
    strongest_of: Callable[[], Mapping[str, Sequence[Strong]]]
    """A function that finds the strongest features of the model, keyed by label; `dict`, which finds none, where they
    are not to be shown."""
    page_of: Callable[[Explained, str, int], str]
    """A function that makes an HTML page from the explanations, a title, and the number of reasons to show for each."""
    show: Callable[[Any, int], RenderableType]
    """A function that makes one explanation ready for the terminal, with this number of reasons."""
    looks: Sequence[SecondLook | None] = ()
    """Why the reranker chose each output, if the model has a reranker."""
    plain: Callable[[Any], Json] = asdict
    """A function that makes plain values of one explanation, for JSON; by default, field by field."""
    left_out: str = field(default_factory=left_out)
    """A sentence on what there was no time for; "" where all was explained."""

    @cached_property
    def strongest(self) -> Mapping[str, Sequence[Strong]]:
        """The strongest features of the model by label, which are looked for when they are asked for."""
        return self.strongest_of()

    def page(self, title: str, top: int) -> str:
        """The explanations as one HTML page that needs no other files."""
        from linnet.report.page import document, strongest_features

        if not self.found:
            return document(title, strongest_features(self.strongest))
        page = self.page_of(self, title, top)
        note = f"</h1>\n<p class=dim>{escape(self.left_out)}.</p>" if self.left_out else "</h1>"
        return page.replace("</h1>", note, 1)

    def as_dict(self) -> dict[str, Json]:
        """The explanations as plain values, for JSON."""
        plain = [[asdict(part) for part in one] if isinstance(one, list) else self.plain(one) for one in self.found]
        named = {label: [item._asdict() for item in items] for label, items in self.strongest.items()}
        looks = [None if look is None else asdict(look) for look in self.looks]
        return (
            {"explanations": plain}
            | ({"strongest": named} if named else {})
            | ({"second_looks": looks} if looks else {})
            | ({"left_out": self.left_out} if self.left_out else {})
        )

    def shown(self, top: int) -> list[RenderableType]:
        """The explanations as parts that the terminal shows one after the other."""
        if not self.found and self.strongest:
            from linnet.report.terminal import strongest

            return [strongest(self.strongest)]
        parts = [part for one, look in zip_longest(self.found, self.looks) for part in self._parts(one, look, top)]
        if self.left_out:
            from rich.text import Text

            parts.append(Text(f"{self.left_out}.", "dim"))
        return parts

    def _parts(self, one: Any, look: SecondLook | None, top: int) -> list[RenderableType]:
        if look is None:
            return [self.show(one, top)]
        from linnet.tasks.second_look.terminal import second_look

        return [self.show(one, top), second_look(look, top)]
