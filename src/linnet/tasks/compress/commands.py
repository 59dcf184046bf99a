"""What the commands do for compressions of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from linnet import io
from linnet.core.arrow import flat
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.sentences.explaining import explained_sentences
from linnet.tasks.sentences.rows import fills_frame, write_rows
from linnet.tasks.tag.commands import facts, gold

if TYPE_CHECKING:
    from linnet.tasks.compress.model import CompressModel
    from linnet.tasks.explained import Explained

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

probable = "crf"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Any, answers: pa.Table, asked: Asked) -> None:
    """Write the words that are kept, a sentence on each line. JSON lines have the sentences with `keep`, or the best
    compressions."""
    if asked.as_json and asked.top is None and fills_frame(batch, asked):
        file.write(batch, ["1" if keep else "0" for keep in flat(answers["keep"])])
    elif asked.as_json or asked.top is not None:
        write_rows(file, answers)
    else:
        file.write_lines(" ".join(words) for words in answers["words"].to_pylist())


def evaluate(model: CompressModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.compress.terminal import compression_report
    from linnet.tasks.wrong_decisions import wrong_in_words

    sentences = gold(data)
    report = model.evaluate(sentences)
    return Evaluated(report, compression_report(report), lambda: wrong_in_words(model, sentences))


def explain(model: CompressModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain every token of the first sentences of data, or of a text."""
    from linnet.tasks.compress.page import compression_page
    from linnet.tasks.compress.terminal import compression_explanation

    return explained_sentences(
        model, data, text, top, lambda all, title, n: compression_page(title, all.found, n), compression_explanation
    )
