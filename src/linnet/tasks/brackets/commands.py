"""Constituent trees on the command line."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import repeated_sentences
from linnet.tasks.sentences.best_json import tokens
from linnet.tasks.sentences.explained import of_sentences

probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """A tree on each line. With --top or --proba a line of JSON for each sentence: its best trees and their scores, or its tree
    and the probability of each bracket."""
    data.only_sentences()
    if answers.proba and answers.top is not None:
        raise UsageError("for trees --top has whole trees and --proba single brackets. Leave one of them out.")
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in model.batches(data.source, data.format):
            if answers.proba:
                writer.write_lines(_with_proba(model, batch))
            elif answers.top is None:
                writer.write_lines(model.lines(*model.bracket(batch)))
            else:
                writer.write_lines(_best(model, batch, answers.top))


def _with_proba(model: Any, batch: Any) -> list[str]:
    tagged, bits, found = model.bracket_with_proba(batch)
    lines = []
    for given, tree, brackets in zip(tokens(tagged), model.lines(tagged, bits), found, strict=True):
        plain = [asdict(one) | {"probability": round(one.probability, 4)} for one in brackets]
        lines.append(json.dumps({**given, "tree": tree, "brackets": plain}, ensure_ascii=False))
    return lines


def _best(model: Any, batch: Any, top: int) -> list[str]:
    tagged, found = model.bracket_k_best(batch, top)
    lines = []
    for i, best in enumerate(found):
        one, _ = tagged.part(np.array([i]))
        trees = [{"tree": model.lines(one, bits)[0], "score": score} for bits, score in best]
        lines.append(json.dumps({"tokens": one.columns["w"].to_pylist(), "best": trees}, ensure_ascii=False))
    return lines


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.brackets.terminal import brackets_report

    report = model.evaluate(_gold(data))
    return report, brackets_report(report)


def _gold(data: Data) -> Any:
    from linnet.tasks.brackets.gold import column_of

    data.only_sentences()
    column = data.label_col or column_of(data.source, data.format)
    return io.read_sentences(data.source, format=data.format, label_col=column)


def explain(model: Any, data: Data | None, text: str, top: int) -> Any:
    """Every constituent of the first sentences."""
    from linnet.tasks.brackets.page import brackets_page
    from linnet.tasks.brackets.terminal import brackets_explanation

    return of_sentences(model, data, text, top, brackets_page, brackets_explanation)


def facts(data: Data) -> dict[str, Any]:
    """What a person should know before training; places are sentences of the data, from 1."""
    from linnet.structures.bits import spans_of

    sentences = _gold(data)
    bits = sentences.tags.to_pylist()
    labels = Counter(span.label for a, b in pairwise(sentences.starts.tolist()) for span in spans_of(bits[a:b]))
    return {
        "source": sentences.source,
        "sentences": len(sentences),
        "tokens": sentences.n_tokens,
        "columns": ", ".join(sentences.columns),
        "brackets": dict(labels.most_common()),
        "problems": repeated_sentences(sentences),
    }
