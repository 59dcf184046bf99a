"""What the commands do for dependency trees."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.fitting.registry import TASKS
from linnet.io.formats import FileOptions
from linnet.io.sentences.conllu import FOREST, TREE
from linnet.tasks import configured
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.parse.lines import conllu_lines, tree_rows
from linnet.tasks.problems import repeated_sentences
from linnet.tasks.sentences.explaining import explained_sentences
from linnet.tasks.sentences.prose import refuse_text_col
from linnet.tasks.sentences.rows import write_rows

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.tasks.parse.model import ParseModel

probable = "crf"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Any, answers: pa.Table, asked: Asked) -> None:
    """Write CoNLL-U: the lines from which the sentences were read with the predicted trees in them, or new lines; JSON lines if
    the file name asks for them, and for the best trees."""
    if asked.as_json or asked.top is not None:
        write_rows(file, answers)
    elif batch.frame is not None and not asked.proba:
        file.write(batch, tree_rows(batch, answers))
    else:
        file.write_lines(conllu_lines(batch, answers))


def evaluate(model: ParseModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.parse.terminal import trees_report
    from linnet.tasks.wrong_decisions import wrong_in_words

    sentences = gold(data, TREE if model.details["one_root"] else FOREST)
    report = model.evaluate(sentences)
    return Evaluated(report, trees_report(report), lambda: wrong_in_words(model, sentences))


def gold(data: Data, column: str) -> Any:
    """Read the sentences of data with their trees."""
    refuse_text_col(data.text_col)
    how: FileOptions = {**data.how, "format": data.format or "conllu"}
    return io.read_sentences(data.source, label_col=column, **how)


def explain(model: ParseModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain every token of the first sentences of data, or of a text."""
    from linnet.tasks.parse.page import trees_page
    from linnet.tasks.parse.terminal import tree_explanation

    return explained_sentences(
        model, data, text, top, lambda all, title, n: trees_page(title, all.found, n, all.looks), tree_explanation
    )


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name sentences of the data, counted from 1."""
    task, _ = configured(TASKS.named("parse"), {"roots": "any", "wrong": "skip"})
    found = task.read(data.source, data.how)
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
            *([f"{found.details['left out']} sentences that are too long"] if found.details["left out"] else []),
            *([f"{int((roots > 1).sum())} sentences with more than one root"] if (roots > 1).any() else []),
            *repeated_sentences(found.sentences),
        ],
    }
