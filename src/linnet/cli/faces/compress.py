"""Compressions of sentences on the command line."""

from __future__ import annotations

from typing import Any

from linnet import io
from linnet.cli.faces import Answers, Data
from linnet.cli.faces.tag import explain, facts, gold
from linnet.errors import UsageError

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """The words that stay, a sentence on each line; into .jsonl the same sentences again with `keep`."""
    data.only_sentences()
    if answers.proba or answers.top is not None:
        raise UsageError("the model compresses: --proba and --top are for labels and tags. Leave them out.")
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in model.batches(data.source, data.format):
            kept = model.keep(batch)
            if answers.output is not None and answers.output.endswith(".jsonl"):
                writer.write(batch, kept.astype(int).astype(str))
            else:
                writer.write_lines(" ".join(words) for words in model.words(batch, kept))


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.report.compression import compression_report

    report = model.evaluate(gold(data))
    return report, compression_report(report)
