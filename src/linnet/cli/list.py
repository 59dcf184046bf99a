"""The command `linnet list`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from linnet import io
from linnet.cli.console import show
from linnet.errors import UsageError
from linnet.features import GRAMMAR
from linnet.features.kinds import KINDS
from linnet.features.token_spec import TOKEN_GRAMMAR
from linnet.features.word_attributes import WORD_ATTRIBUTES
from linnet.io.pairs.formats import pair_formats
from linnet.learners import LEARNERS, Option
from linnet.learners.preset import BIAS, ONLINE
from linnet.losses import LOSSES
from linnet.steps import STEPS
from linnet.structures import STRUCTURES
from linnet.tasks import TASKS, named
from linnet.tasks.align.features import LINK_GRAMMAR
from linnet.tasks.brackets.spans import SPAN_GRAMMAR
from linnet.tasks.compress.features import PAIR_GRAMMAR
from linnet.tasks.parse.arcs import ARC_GRAMMAR
from linnet.tasks.rerank.features import CANDIDATE_GRAMMAR
from linnet.tasks.tag.presets import PRESETS
from linnet.training import auto as search
from linnet.training.job import AUTO


def run(*, what: str | None) -> None:
    sections = {
        "tasks": {name: _task(name) for name in TASKS},
        "learners": {name: _learner(name) for name in LEARNERS}
        | {AUTO: f"{search.SUMMARY}\n{_options(search.OPTIONS)}"}
        | {"(all online)": _options(ONLINE), "(all but counts and networks)": _options(BIAS)},
        "losses": LOSSES,
        "steps": STEPS,
        "structures": STRUCTURES,
        "features": GRAMMAR | {kind.typed: kind.summary for kind in KINDS.values()} | CANDIDATE_GRAMMAR,
        "token-features": TOKEN_GRAMMAR | _summaries(WORD_ATTRIBUTES) | PAIR_GRAMMAR,
        "arc-features": ARC_GRAMMAR,
        "span-features": SPAN_GRAMMAR,
        "link-features": LINK_GRAMMAR,
        "tag-presets": _summaries(PRESETS),
        "formats": _joined(pair_formats(), io.text_formats(), io.sentence_formats(), io.list_formats()),
    }
    if what is not None and what not in sections:
        raise UsageError(f"there is no list of {what!r}. There are: {', '.join(sections)}.")
    for title, entries in sections.items():
        if what not in (None, title):
            continue
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column()
        for name, meaning in entries.items():
            table.add_row(Text(name), Text(meaning))
        if what is None:
            show(Text(title, "underline"))
        show(table)
        if what is None:
            show()


def _summaries(things: Mapping[str, Any]) -> dict[str, str]:
    return {name: thing.summary for name, thing in things.items()}


def _joined(*formats: Mapping[str, str]) -> dict[str, str]:
    """The description of each format, with a line for each kind of data that it is for."""
    names = dict.fromkeys(name for some in formats for name in some)
    return {name: "\n".join(some[name] for some in formats if name in some) for name in names}


def _task(name: str) -> str:
    """The description of a task, with a line for each of its settings."""
    task = named(name)
    return "\n".join([task.description, *(f"  {key}=: {meaning}" for key, meaning in task.settings.items())])


def _learner(name: str) -> str:
    preset = LEARNERS[name]
    own = {key: option for key, option in preset.options.items() if key not in {**ONLINE, **BIAS}}
    online = "" if preset.one_pass or preset.needs_all else "; online"
    aliases = LEARNERS.also_called(name)
    called = [f"  also called {', '.join(aliases)}"] if aliases else []
    return "\n".join([f"{preset.summary}{online}", *called, *([_options(own)] if own else [])])


def _options(options: Mapping[str, Option]) -> str:
    return "\n".join(f"  {key}={option.default}: {option.help}{_range(option)}" for key, option in options.items())


def _range(option: Option) -> str:
    return f" ({option.range})" if option.range else ""
