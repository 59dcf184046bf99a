"""The command `linnet explain`."""

from __future__ import annotations

import os
import re
import shlex

from linnet import io
from linnet.cli.console import print_json, say, show
from linnet.core.budget import within
from linnet.errors import UsageError
from linnet.io.bytes.source import nearest
from linnet.model.base import Model
from linnet.tasks import load, named
from linnet.tasks.commands import Data

_WITH_EXTENSION = re.compile(r"\S*[^\s./]\.[A-Za-z][A-Za-z0-9]{0,9}")
"""A word that ends as names of files do: in a dot, a letter, and at most nine further letters or digits."""


def run(
    *,
    model: str,
    what: list[str] | None,
    text: str | None,
    html: str | None,
    top: int,
    seconds: float | None,
    sample: int | None,
    seed: int,
    as_json: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
) -> None:
    data, words = _data_or_text(what or [], text, Data([], format, text_col, None, encoding, delimiter, say))
    loaded = load(model)
    loaded.verify()
    if sample is not None:
        _show_sample(loaded, sample, seed, as_json)
        return
    with within(seconds):
        explained = named(loaded.task).commands.explain(loaded, data, words, top)
    if html is not None:
        with io.atomic(html) as file:
            file.write(explained.page(f"Why: {os.path.basename(model)}", top).encode())
        say(f"wrote {html}")
    if as_json:
        print_json(explained.as_dict())
    elif html is None:
        for i, part in enumerate(explained.shown(top)):
            if i:
                show()
            show(part)


def _show_sample(model: Model, n: int, seed: int, as_json: bool) -> None:
    """Print documents that the model makes up, each under its label."""
    from rich.padding import Padding
    from rich.text import Text

    documents = [{"label": label, "text": text} for label, text in model.sample(n, seed)]
    if as_json:
        print_json({"documents": documents})
        return
    for i, document in enumerate(documents):
        if i:
            show()
        show(Text(document["label"], "bold"))
        show(Padding(Text(document["text"]), (0, 0, 0, 2)))


def _data_or_text(what: list[str], text: str | None, data: Data) -> tuple[Data | None, str]:
    """What to explain: data if all arguments are files or look like files, otherwise the arguments as one text."""
    if text is not None:
        if what:
            raise UsageError(f"there are two texts or files to explain, --text and {what[0]!r}. Leave out one of them.")
        return None, text
    if not what or not all(item == "-" or os.path.exists(item) or _looks_like_a_file(item) for item in what):
        return None, " ".join(what)
    for item in what:
        if item != "-" and not os.path.exists(item):
            raise UsageError(
                f"there is no file {item!r}.{nearest(item)} To explain a text that looks like the name of a file, use "
                f"--text {shlex.quote(item)}."
            )
    return data._replace(paths=what), ""


def _looks_like_a_file(word: str) -> bool:
    """Whether a word has an extension, or the name of a folder before it.

    >>> [_looks_like_a_file(word) for word in ("new.csv", "old/new.csv", "./new")]
    [True, True, True]
    >>> [_looks_like_a_file(word) for word in ("film.", "3.5", "and/or", "dull...", "a new.csv")]
    [False, False, False, False, False]
    """
    folder = os.path.dirname(word)
    return _WITH_EXTENSION.fullmatch(word) is not None or (len(word.split()) == 1 and os.path.isdir(folder))
