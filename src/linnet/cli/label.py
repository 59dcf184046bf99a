"""The command `linnet label`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.cli.console import say
from linnet.errors import UsageError
from linnet.io.formats import FileOptions

if TYPE_CHECKING:
    from linnet.labelling.labelling import Labelling


def run(
    *,
    data: list[str],
    journal: str,
    task: str,
    labels: str | None,
    spans: str | None,
    seed_words: list[str] | None,
    export: str | None,
    held_out: float,
    features: str | None,
    text_col: str | None,
    label_col: str | None,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    host: str,
    port: int,
) -> None:
    from linnet.labelling.export import export as write
    from linnet.labelling.kinds import kind_of
    from linnet.labelling.labelling import Labelling
    from linnet.labelling.pool import Pool

    kind = kind_of(task)
    how: FileOptions = {"format": format, "encoding": encoding, "delimiter": delimiter}
    pool = Pool.read(data, kind, text_col, label_col, **how)
    labelling = Labelling(
        pool,
        kind,
        journal,
        labels=[*_listed(labels or ""), *_tags_of_spans(_listed(spans or ""), task)],
        held_out=held_out,
        features=features,
        seed_words=dict(map(_words, seed_words or ())),
    )
    for note in labelling.journal.notes:
        say(note)
    if export is not None:
        write(labelling, export)
        say(f"wrote {export}")
        return
    _serve(labelling, host, port)


def _serve(labelling: Labelling, host: str, port: int) -> None:
    try:
        from linnet.web.access import Access, is_loopback
        from linnet.web.labelling import labelling_app
        from linnet.web.limits import Limits
        from linnet.web.server import run as serve
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the server needs the package {error.name!r}. Install it with linnet: pip install 'linnet[web]'."
        ) from None
    access = Access.on(host)
    limits = Limits(rate=Limits.rate if is_loopback(host) else Limits.rate_of_others)
    app = labelling_app(labelling, access, limits)
    serve(app, access, limits, host, port, lambda address: say(f"open {address} (Ctrl-C ends the server)"))


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _tags_of_spans(types: list[str], task: str) -> list[str]:
    """The tags that mark spans of these types."""
    if types and task != "tag":
        raise UsageError(f"--spans is for tags, not for task {task!r}. Add --task tag.")
    return ["O", *(f"{letter}-{one}" for one in types for letter in "BI")] if types else []


def _words(given: str) -> tuple[str, list[str]]:
    """A label and its words, from LABEL=WORD,WORD."""
    label, _, words = given.partition("=")
    found = _listed(words)
    if not label or not found:
        raise UsageError(f"expected --seed-words LABEL=WORD,WORD,..., found {given!r}.")
    return label, found
