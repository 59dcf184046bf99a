"""What the commands do for a task that says nothing of its own about them: all follows from the task and its model."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from linnet.core.types import Json
from linnet.fitting.contract import Gold, Known, Task
from linnet.tasks.commands import Asked, Data, Write
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.texts.why import Explanation

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linnet.tasks.usual_model import UsualModel

_MOST_EXAMPLES = 5
"""The number of examples of a file that are explained."""
_WIDE = 120
"""The number of characters in a line of a page."""


@dataclass(frozen=True)
class UsualCommands:
    """The commands of a task. A task of one's own derives from this class, and overrides what it does in another
    way."""

    task: Task

    probable: ClassVar[str] = "crf"
    takes: ClassVar[tuple[str, ...]] = ()

    @property
    def write(self) -> Write | None:
        """None: answers are a table. Another task has a method of this name that writes them as text."""
        return None

    def gold(self, data: Data, known: Known | None = None) -> Gold:
        """The gold examples of files."""
        gold: Gold = self.task.read(data.source, data.columns, known)
        return gold

    def evaluate(self, model: UsualModel, data: Data, asked: Asked) -> Evaluated:
        """The report of the model, and each of its numbers on a line."""
        from linnet.report.terminal import figures

        report = model.judged(self.gold(data, Known(model.labels, model.details)))
        return Evaluated(report, figures(report))

    def explain(self, model: Any, data: Data | None, text: str, top: int) -> Explained:
        """The first examples of data, or a text, as the model explains them; the model itself where there is neither."""
        found = [model.explain(x) for x in _first(model, data, text)]
        strongest = dict if found else lambda: model.strongest(top)
        return Explained(found, strongest, self.page, self.show, plain=self.plain)

    def page(self, explained: Explained, title: str, top: int) -> str:
        """A page with what the terminal shows of each example."""
        from linnet.report.page import document
        from linnet.report.shown import plain

        shown = (f"<pre>{escape(plain(self.show(one, top), _WIDE))}</pre>" for one in explained.found)
        return document(title, "\n".join(shown))

    def show(self, one: Any, top: int) -> RenderableType:
        """An explanation as it shows itself, or as Python writes it."""
        from rich.pretty import Pretty

        from linnet.report.shown import Shown

        return one.drawn() if isinstance(one, Shown) else Pretty(one, max_length=top)

    def plain(self, one: Any) -> Json:
        """An explanation as plain values, for JSON: that of a text as it says itself, any other field by field."""
        return one.as_dict() if isinstance(one, Explanation) else asdict(one)

    def facts(self, data: Data) -> dict[str, Json]:
        """How many examples there are, and how often each label."""
        gold = self.gold(data)
        counts = Counter(gold.labels[y] for y in gold.y.tolist() if 0 <= y < len(gold.labels))
        return {"source": gold.source, "examples": len(gold), "labels": dict(counts.most_common()), "problems": []}


def _first(model: Any, data: Data | None, text: str) -> list[Any]:
    if data is None:
        return [text] if text else []
    batches = model.batches(data.source, text=data.text_col, **data.how)
    return list(islice((x for batch in batches for x in batch), _MOST_EXAMPLES))
