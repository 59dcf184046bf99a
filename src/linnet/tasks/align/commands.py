"""Word alignments on the command line."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.io.pairs.formats import BETWEEN, as_json, as_pharaoh, read_pairs
from linnet.io.pairs.pairs import Link, Pairs, flags_of, links_of, pairs_of
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import problem
from linnet.tasks.sentences.best_json import write_best
from linnet.tasks.sentences.explained import Explained

_MOST_PAIRS = 5
probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """The links of each pair on a line, 0-0 1-2; into .jsonl the tokens and the links. With --top a line of JSON for each
    pair, with its best alignments and their scores."""
    data.only_sentences()
    if answers.proba:
        raise UsageError("the model aligns: --proba is for labels and tags. Leave it out.")
    if answers.top is not None:
        batches = model.batches(data.source, data.format)
        write_best(batches, answers.output, partial(model.align_k_best, k=answers.top), _plain, _tokens)
        return
    as_lines = answers.output is None or not answers.output.endswith((".jsonl", ".ndjson"))
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in model.batches(data.source, data.format):
            found = links_of(model.align(batch), batch)
            if as_lines:
                writer.write_lines(map(as_pharaoh, found))
            else:
                writer.write_lines(map(as_json, batch.words(), found))


def _plain(links: list[Link]) -> dict[str, Any]:
    return {"links": [list(link) for link in links]}


def _tokens(batch: Pairs) -> list[dict[str, Any]]:
    return [{"source": source, "target": target} for source, target in batch.words()]


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.align.terminal import alignment_report

    data.only_sentences()
    report = model.evaluate(read_pairs(data.source, format=data.format))
    return report, alignment_report(report)


def explain(model: Any, data: Data | None, text: str, top: int) -> Any:
    """Every target token of the first pairs, or of `source ||| target`."""
    from linnet.tasks.align.page import alignments_page
    from linnet.tasks.align.terminal import alignment_explanation
    from linnet.tasks.labels import commands as labels

    if data is None and not text:
        return labels.Explained([], model.strongest(top))
    if data is None:
        pairs = _pair(text)
    else:
        batch = next(model.batches(data.source, data.format))
        pairs = batch.part(np.arange(min(len(batch), _MOST_PAIRS)))
    return Explained(model.explain_pairs(pairs), alignments_page, alignment_explanation)


def _pair(text: str) -> Pairs:
    fields = [field.split() for field in text.split(BETWEEN)]
    if len(fields) != 2 or not all(fields):
        raise UsageError(f"expected the tokens of both sentences, 'source {BETWEEN} target', found {text!r:.60}.")
    return pairs_of([(fields[0], fields[1])], None)


def facts(data: Data) -> dict[str, Any]:
    """What a person should know before training; places are pairs of the data, from 1."""
    found = read_pairs(data.source, format=data.format, labelled=False)
    y = flags_of(found)
    first: dict[Any, int] = {}
    repeated = [
        row
        for row, (source, target) in enumerate(found.words(), 1)
        if first.setdefault((*source, None, *target), row) != row
    ]
    return {
        "source": found.name,
        "pairs": len(found),
        "source tokens": found.source.n_tokens,
        "target tokens": found.target.n_tokens,
        "sure links": int((y == 1).sum()),
        "links that are only possible": int((y == 2).sum()),
        "problems": problem(repeated, "pairs that were there before"),
    }
