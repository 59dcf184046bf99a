"""What the commands do for tags."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from linnet import io
from linnet.core.arrow import flat, texts
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.problems import repeated_sentences, spelled_alike
from linnet.tasks.sentences.explaining import explained_sentences
from linnet.tasks.sentences.prose import refuse_text_col
from linnet.tasks.sentences.rows import fills_frame, write_rows

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.tasks.tag.model import TagModel

probable = "crf"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Any, answers: pa.Table, asked: Asked) -> None:
    """Write sentences with their tags: in the lines from which they were read, or in columns; JSON lines if the file name asks
    for them, and for the best sequences."""
    if asked.top is not None or (asked.as_json and not fills_frame(batch, asked)):
        write_rows(file, answers)
    elif asked.proba:
        file.write(_with_tags(batch, answers), [f"{p:.4f}" for p in flat(answers["probabilities"])])
    else:
        file.write(batch, flat(answers["tags"]))


def _with_tags(batch: Any, answers: pa.Table) -> Any:
    """The sentences with the predicted tags as their last column."""
    return replace(batch, columns=batch.columns | {"predicted tag": texts(flat(answers["tags"]))}, frame=None)


def evaluate(model: TagModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.tag.terminal import tags_report
    from linnet.tasks.wrong_decisions import wrong_in_words

    sentences = gold(data)
    report = model.evaluate(sentences)
    return Evaluated(
        report, tags_report(report), lambda: wrong_in_words(model, sentences, spelled=model.spelled_labels)
    )


def gold(data: Data) -> Any:
    """Read the sentences of data with their tags."""
    refuse_text_col(data.text_col)
    return io.read_sentences(data.source, label_col=data.label_col, **data.how)


def explain(model: Any, data: Data | None, text: str, top: int) -> Explained:
    """Explain every token of the first sentences of data, or of a text."""
    from linnet.tasks.tag.page import tags_page
    from linnet.tasks.tag.terminal import tag_explanations

    return explained_sentences(
        model, data, text, top, lambda all, title, n: tags_page(title, all.found, n, all.looks), tag_explanations
    )


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name sentences of the data, counted from 1."""
    from linnet.structures.schemes import convert, scheme_of

    sentences = gold(data)
    tags = [] if sentences.tags is None else sentences.tags.to_pylist()
    scheme = scheme_of(tags)
    problems = [*spelled_alike(Counter(tags)), *repeated_sentences(sentences)]
    repaired = convert(tags, sentences.starts, "bioes")[1] if scheme else 0
    if repaired:
        problems.append(f"{repaired:,} tags that the scheme does not allow, such as an I- that continues nothing")
    return {
        "source": sentences.source,
        "sentences": len(sentences),
        "tokens": sentences.n_tokens,
        "columns": ", ".join(sentences.columns),
        "scheme": scheme or "none",
        "tags": dict(Counter(tags).most_common()),
        "problems": problems,
    }
