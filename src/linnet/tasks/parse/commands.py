"""Dependency trees on the command line."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.io.sentences.conllu import FOREST, TREE
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import repeated_sentences
from linnet.tasks.sentences.best_json import write_best
from linnet.tasks.sentences.explained import of_sentences

probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    data.only_sentences()
    if answers.proba and answers.top is not None:
        raise UsageError("for trees --top has whole trees and --proba single arcs. Leave one of them out.")
    batches = model.batches(data.source, data.format)
    if answers.top is not None:
        write_best(batches, answers.output, partial(model.parse_k_best, k=answers.top), _plain)
        return
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in batches:
            if answers.proba:
                tagged, y_hat, p = model.parse_with_proba(batch)
                misc = [f"p={share:.4f}" for share in p.tolist()]
                writer.write_lines(_lines(model, tagged, y_hat, misc))
                continue
            tagged, y_hat = model.parse(batch)
            if batch.frame is not None:
                writer.write(batch, model.rows(tagged, model.arcs(y_hat)))
            else:
                writer.write_lines(_lines(model, tagged, y_hat, ["_"] * batch.n_tokens))


def _lines(model: Any, tagged: Any, y_hat: Any, misc: list[str]) -> Any:
    """CoNLL-U of sentences that come from no such file."""
    words = tagged.columns["w"].to_pylist()
    lemmas = tagged.columns["lemma"].to_pylist() if "lemma" in tagged.columns else [""] * len(words)
    rows = model.rows(tagged, model.arcs(y_hat))
    for a, b in pairwise(tagged.starts.tolist()):
        for i in range(a, b):
            yield f"{i - a + 1}\t{words[i]}\t{lemmas[i] or '_'}\t{rows[i]}\t_\t{misc[i]}"
        yield ""


def _plain(arcs: Any) -> dict[str, Any]:
    return {"heads": [arc.head for arc in arcs], "relations": [arc.relation for arc in arcs]}


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.parse.terminal import trees_report

    report = model.evaluate(gold(data, TREE if model.details["one_root"] else FOREST))
    return report, trees_report(report)


def gold(data: Data, column: str) -> Any:
    data.only_sentences()
    return io.read_sentences(data.source, format=data.format or "conllu", label_col=column)


def explain(model: Any, data: Data | None, text: str, top: int) -> Any:
    """Every token of the first sentences."""
    from linnet.tasks.parse.page import trees_page
    from linnet.tasks.parse.terminal import tree_explanation

    return of_sentences(model, data, text, top, trees_page, tree_explanation)


def facts(data: Data) -> dict[str, Any]:
    """What a person should know before training; places are sentences of the data, from 1."""
    from linnet.tasks.parse.task import ParseTask

    found = ParseTask(roots="any", wrong="skip").read(data.source, {"format": data.format})
    roots = np.add.reduceat(found.heads == 0, found.y_at[:-1])
    relations = [found.labels[k % len(found.labels)] for k in found.truth.tolist()]
    return {
        "source": found.source,
        "sentences": len(found),
        "tokens": found.sentences.n_tokens,
        "columns": ", ".join(found.sentences.columns),
        "crossing arcs": f"{100 * found.details['crossing']:.2f}%",
        "relations": dict(Counter(relations).most_common()),
        "problems": [
            *([f"{found.details['skipped']} sentences whose heads are no tree"] if found.details["skipped"] else []),
            *([f"{int((roots > 1).sum())} sentences with more than one root"] if (roots > 1).any() else []),
            *repeated_sentences(found.sentences),
        ],
    }
