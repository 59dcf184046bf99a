"""linnet explain"""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

from linnet import io
from linnet.cli.console import print_json, say, show
from linnet.report import html as pages
from linnet.report import terminal
from linnet.tasks import load

_MOST_TEXTS = 5


def run(
    *,
    model: str,
    what: list[str] | None,
    html: str | None,
    top: int,
    as_json: bool,
    format: str | None,
    text_col: str | None,
) -> None:
    loaded = load(model)
    results = []
    if what:
        if loaded.task in ("tag", "compress"):
            _explain_tags(loaded, f"Why: {os.path.basename(model)}", what, html, top, as_json, format)
            return
        results = [loaded.explain(text) for text in _texts(what, format, text_col)]
    best = loaded.strongest(top)
    if html is not None:
        with io.atomic(html) as file:
            file.write(pages.page(f"Why: {os.path.basename(model)}", results, best, top).encode())
        say(f"wrote {html}")
    if as_json:
        named = {label: [item._asdict() for item in items] for label, items in best.items()}
        print_json({"explanations": [asdict(result) for result in results], "strongest": named})
    elif html is None:
        for result in results:
            show(terminal.explanation(result, top))
            show()
        if not results:
            show(terminal.strongest(best))


def _explain_tags(
    model: Any, title: str, what: list[str], html: str | None, top: int, as_json: bool, format: str | None
) -> None:
    """Every token of the first sentences of a file, or of a text."""
    from linnet.report.sequences import tag_explanations
    from linnet.report.tags_html import tags_page
    from linnet.tasks.tag import from_text

    if _are_files(what):
        data = next(model.batches(what if len(what) > 1 else what[0], format))
    else:
        data = from_text([" ".join(what)])
    sentences = model.explain_sentences(data.first(_MOST_TEXTS))
    if html is not None:
        with io.atomic(html) as file:
            file.write(tags_page(title, sentences, top).encode())
        say(f"wrote {html}")
    if as_json:
        print_json({"explanations": [[asdict(token) for token in sentence] for sentence in sentences]})
        return
    for sentence in sentences if html is None else []:
        show(tag_explanations(sentence, min(top, 4)))
        show()


def _are_files(what: list[str]) -> bool:
    return all(os.path.exists(item) or item == "-" for item in what)


def _texts(what: list[str], format: str | None, text_col: str | None) -> list[str]:
    """Words that name files are data; any others are a text."""
    if not what:
        return []
    if _are_files(what):
        for batch in io.read_batches(
            what if len(what) > 1 else what[0], format=format, text_col=text_col, labelled=False
        ):
            texts: list[str] = batch.text.slice(0, _MOST_TEXTS).to_pylist()
            if texts:
                return texts
        return []
    return [" ".join(what)]
