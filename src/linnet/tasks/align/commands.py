"""What the commands do for word alignments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.io.pairs.formats import as_json, as_pharaoh, read_pairs
from linnet.io.pairs.pairs import Link, Pairs, flags_of
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.problems import problem
from linnet.tasks.sentences.explaining import MOST_REASONS
from linnet.tasks.sentences.prose import refuse_text_col

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.tasks.align.model import AlignModel

_MOST_PAIRS = 5
"""The number of pairs of a file that are explained."""
probable = "crf"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Pairs, answers: pa.Table, asked: Asked) -> None:
    """Write the links of each pair on a line, such as 0-0 1-2. JSON lines have the tokens and the links in the form in which
    they are read, or the best alignments."""
    if asked.top is not None:
        file.write_lines(map(_best_json, answers.to_pylist()))
    elif asked.as_json:
        file.write_lines(map(as_json, batch.words(), map(_links, answers["links"].to_pylist())))
    else:
        file.write_lines(as_pharaoh(_links(links)) for links in answers["links"].to_pylist())


def _links(links: list[dict[str, int]]) -> list[Link]:
    return [(link["source"], link["target"]) for link in links]


def _best_json(pair: dict[str, Json]) -> str:
    found = [{"links": _links(one["links"]), "score": one["score"]} for one in pair["best"]]
    return json.dumps({**pair, "best": found}, ensure_ascii=False)


def evaluate(model: AlignModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.align.terminal import alignment_report
    from linnet.tasks.wrong_decisions import wrong_in_words

    refuse_text_col(data.text_col)
    pairs = read_pairs(data.source, **data.how)
    report = model.evaluate(pairs)
    return Evaluated(report, alignment_report(report), lambda: wrong_in_words(model, pairs, "pair"))


def explain(model: AlignModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain every target token of the first pairs, or of a text `source ||| target`."""
    from linnet.tasks.align.page import alignments_page
    from linnet.tasks.align.terminal import alignment_explanation

    return Explained(
        model.explain_pairs(_first(model, data, text)) if data is not None or text else [],
        dict if data is not None or text else lambda: model.strongest(top),
        lambda all, title, n: alignments_page(title, all.found, n),
        lambda one, n: alignment_explanation(one, min(n, MOST_REASONS)),
    )


def _first(model: AlignModel, data: Data | None, text: str) -> Pairs:
    if data is None:
        return model.typed([text])
    batch: Pairs = next(model.batches(data.source, text=data.text_col, **data.how))
    return batch.part(np.arange(min(len(batch), _MOST_PAIRS)))


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name pairs of the data, counted from 1."""
    found = read_pairs(data.source, labelled=False, **data.how)
    y = flags_of(found)
    first: dict[Any, int] = {}
    repeated = [
        row
        for row, (source, target) in enumerate(found.words(), 1)
        if first.setdefault((*source, None, *target), row) != row
    ]
    return {
        "source": found.name,
        "pairs": len(found),
        "source tokens": found.source.n_tokens,
        "target tokens": found.target.n_tokens,
        "sure links": int((y == 1).sum()),
        "links that are only possible": int((y == 2).sum()),
        "problems": problem(repeated, "pair that repeats an earlier one", "pairs that repeat an earlier one"),
    }
