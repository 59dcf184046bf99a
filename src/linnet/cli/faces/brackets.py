"""Constituent trees on the command line."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from linnet import io
from linnet.cli.faces import Answers, Data
from linnet.cli.faces.tag import repeated_sentences
from linnet.errors import UsageError
from linnet.explain.brackets import BracketExplanation

_MOST_SENTENCES = 5
probable = "none"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """A tree on each line; with --top a line of JSON for each sentence, with its best trees and their scores."""
    data.only_sentences()
    if answers.proba:
        raise UsageError("the model brackets sentences: --proba is for labels and tags. Leave it out, or ask for --top.")
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in model.batches(data.source, data.format):
            if answers.top is None:
                writer.write_lines(model.lines(*model.bracket(batch)))
            else:
                writer.write_lines(_best(model, batch, answers.top))


def _best(model: Any, batch: Any, top: int) -> list[str]:
    tagged, found = model.bracket_k_best(batch, top)
    lines = []
    for i, best in enumerate(found):
        one, _ = tagged.part([i])
        trees = [{"tree": model.lines(one, bits)[0], "score": score} for bits, score in best]
        lines.append(json.dumps({"tokens": one.columns["w"].to_pylist(), "best": trees}, ensure_ascii=False))
    return lines


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.report.brackets import brackets_report

    report = model.evaluate(_gold(data))
    return report, brackets_report(report)


def _gold(data: Data) -> Any:
    data.only_sentences()
    return io.read_sentences(data.source, format=data.format, label_col=data.label_col or "tree")
