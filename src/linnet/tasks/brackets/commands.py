"""What the commands do for constituent trees."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from linnet import io
from linnet.io.texts.encoders import json_lines
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.problems import repeated_sentences
from linnet.tasks.sentences.explaining import explained_sentences
from linnet.tasks.sentences.prose import refuse_text_col
from linnet.tasks.sentences.rows import write_rows

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.tasks.brackets.model import BracketsModel

probable = "crf"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Any, answers: pa.Table, asked: Asked) -> None:
    """Write a tree on each line; JSON lines if the file name asks for them, and for the best trees or probabilities."""
    if asked.proba:
        file.write_lines(json_lines(_rounded(answers.to_pydict())))
    elif asked.as_json or asked.top is not None:
        write_rows(file, answers)
    else:
        file.write_lines(answers["tree"].to_pylist())


def _rounded(columns: dict[str, list[Json]]) -> dict[str, list[Json]]:
    """Columns with probabilities rounded to four digits, as people read them."""
    rounded = [
        [bracket | {"probability": round(bracket["probability"], 4)} for bracket in brackets]
        for brackets in columns["brackets"]
    ]
    return columns | {"brackets": rounded}


def evaluate(model: BracketsModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.brackets.terminal import brackets_report
    from linnet.tasks.wrong_decisions import wrong_in_words

    sentences = _gold(data)
    report = model.evaluate(sentences)
    return Evaluated(report, brackets_report(report), lambda: wrong_in_words(model, sentences))


def _gold(data: Data) -> Any:
    from linnet.tasks.brackets.gold import column_of

    refuse_text_col(data.text_col)
    column = data.label_col or column_of(data.source, data.how)
    return io.read_sentences(data.source, label_col=column, **data.how)


def explain(model: BracketsModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain every constituent of the first sentences of data, or of a text."""
    from linnet.tasks.brackets.page import brackets_page
    from linnet.tasks.brackets.terminal import brackets_explanation

    return explained_sentences(
        model, data, text, top, lambda all, title, n: brackets_page(title, all.found, n), brackets_explanation
    )


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name sentences of the data, counted from 1."""
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
