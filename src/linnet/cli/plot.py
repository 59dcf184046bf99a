"""The command `linnet plot`."""

from __future__ import annotations

import os

from linnet.cli.console import drawing_progress, parse_settings, say
from linnet.cli.inspect import is_model
from linnet.core.types import Setting
from linnet.errors import UsageError, meant
from linnet.io.bytes.source import nearest
from linnet.report.pictures import Picture, check_format

LOSSES = "losses"
"""The word that asks for the picture of the losses."""
_FILES = ("format", "encoding", "delimiter", "text_col", "label_col")
_KINDS = {
    "losses": ("the losses", ()),
    "learning": ("how a model was learned", ()),
    "plane": ("points", ("x", "y", "learners", "epochs", "raw", "seed", "settings", *_FILES)),
    "sizes": ("bias and variance", ("sizes", "learners", "features", "seeds", "seed", "settings", "task", *_FILES)),
}
"""The kinds of pictures: what each shows, and the options that it has."""


def run(*, what: str, output: str, **options: Setting) -> None:
    check_format(output)
    given = {name: value for name, value in options.items() if value not in (None, False)}
    kind = _kind(what, given)
    shown, known = _KINDS[kind]
    for name in given:
        if name not in known:
            raise UsageError(f"a picture of {shown} has no option {_typed(name)}. Leave it out.")
    picture = _drawn(kind, what, given)
    for sentence in picture.said:
        say(sentence)
    picture.save(output, force=True)  # Where it may be written was looked at before.
    say(f"wrote {output}")


def _kind(what: str, given: dict[str, Setting]) -> str:
    """The kind of picture that is asked for."""
    if what == LOSSES:
        return "losses"
    if what != "-" and not os.path.exists(what):
        raise UsageError(
            f"expected the word losses, a model or data, but there is no file {what!r}.{meant(what, [LOSSES]) or nearest(what)}"
        )
    if "format" not in given and is_model(what):
        return "learning"
    if "sizes" in given:
        return "sizes"
    if "x" not in given or "y" not in given:
        raise UsageError(
            "expected what to draw of the data: --x and --y, each a column of numbers or a word of the texts, for points; or "
            "--sizes for bias and variance."
        )
    return "plane"


def _drawn(kind: str, what: str, given: dict[str, Setting]) -> Picture:
    from linnet import plot

    if kind == "losses":
        return plot.losses()
    if kind == "learning":
        return plot.learning(what)
    how = {
        name.removesuffix("_col"): value
        for name, value in given.items()
        if name not in ("sizes", "learners", "settings")
    }
    how["options"] = parse_settings(given.get("settings", []))
    if "learners" in given:
        names = [name.strip() for name in given["learners"].split(",")]
        how["learners"] = names[0] if len(names) == 1 else names
    if kind == "plane":
        return plot.plane(what, **how)
    with drawing_progress() as progress:
        return plot.sizes(what, **how, progress=progress)


def _typed(name: str) -> str:
    """An option as users type it."""
    return "--set" if name == "settings" else f"--{name.replace('_', '-')}"
