"""Compressions of sentences on the command line."""

from __future__ import annotations

from functools import partial
from typing import Any

from linnet import io
from linnet.errors import UsageError
from linnet.tasks.commands import Answers, Data
from linnet.tasks.sentences.best_json import write_best
from linnet.tasks.tag.commands import explain, facts, gold

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """The words that stay, a sentence on each line; into .jsonl the same sentences again with `keep`. With --top a line of
    JSON for each sentence, with its best compressions and their scores."""
    data.only_sentences()
    if answers.proba:
        raise UsageError("the model compresses: --proba is for labels and tags. Leave it out.")
    batches = model.batches(data.source, data.format)
    if answers.top is not None:
        write_best(batches, answers.output, partial(model.keep_k_best, k=answers.top), lambda words: {"words": words})
        return
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in batches:
            kept = model.keep(batch)
            if answers.output is not None and answers.output.endswith(".jsonl"):
                writer.write(batch, kept.astype(int).astype(str))
            else:
                writer.write_lines(" ".join(words) for words in model.words(batch, kept))


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.compress.terminal import compression_report

    report = model.evaluate(gold(data))
    return report, compression_report(report)
