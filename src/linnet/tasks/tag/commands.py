"""Tags of tokens on the command line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

from linnet import io
from linnet.core.arrow import texts
from linnet.errors import UsageError
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import repeated_sentences
from linnet.tasks.sentences.best_json import write_best
from linnet.tasks.sentences.explained import of_sentences

probable = "crf"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    data.only_sentences()
    if answers.proba and answers.top is not None:
        raise UsageError("for tags --top has whole sequences and --proba single tags. Leave one of them out.")
    batches = model.batches(data.source, data.format)
    if answers.top is not None:
        write_best(batches, answers.output, partial(model.tag_k_best, k=answers.top), lambda tags: {"tags": tags})
        return
    with io.SentenceWriter.open(answers.output) as writer:
        for batch in batches:
            if answers.proba:
                writer.write(*_with_proba(model, batch))
            else:
                writer.write(batch, model.tag(batch))


def _with_proba(model: Any, batch: Any) -> tuple[Any, list[str]]:
    """The same sentences in columns, with the tag behind those that there are, and its probability as the last."""
    tags, p = model.tag_with_proba(batch)
    columns = batch.columns | {"predicted tag": texts(tags)}
    return replace(batch, columns=columns, frame=None), [f"{share:.4f}" for share in p.tolist()]


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.tag.terminal import tags_report

    report = model.evaluate(gold(data))
    return report, tags_report(report)


def gold(data: Data) -> Any:
    data.only_sentences()
    return io.read_sentences(data.source, format=data.format, label_col=data.label_col)


def explain(model: Any, data: Data | None, text: str, top: int) -> Any:
    """Every token of the first sentences."""
    from linnet.tasks.tag.page import tags_page
    from linnet.tasks.tag.terminal import tag_explanations

    return of_sentences(model, data, text, top, tags_page, tag_explanations)


def facts(data: Data) -> dict[str, Any]:
    """What a person should know before training; places are sentences of the data, from 1."""
    from linnet.structures.schemes import convert, scheme_of

    sentences = gold(data)
    tags = [] if sentences.tags is None else sentences.tags.to_pylist()
    scheme = scheme_of(tags)
    problems = repeated_sentences(sentences)
    repaired = convert(tags, sentences.starts, "bioes")[1] if scheme else 0
    if repaired:
        problems.append(f"{repaired} tags that the scheme does not allow, such as an I- that follows nothing")
    return {
        "source": sentences.source,
        "sentences": len(sentences),
        "tokens": sentences.n_tokens,
        "columns": ", ".join(sentences.columns),
        "scheme": scheme or "none",
        "tags": dict(Counter(tags).most_common()),
        "problems": problems,
    }
