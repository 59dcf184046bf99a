"""What the commands do for lists of candidates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.errors import UsageError
from linnet.io.lists.lists import Lists
from linnet.io.lists.reading import as_json, as_nbest
from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.explained import Explained
from linnet.tasks.problems import problem
from linnet.tasks.rerank.model import refuse_text_col

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.report.errors import Errors
    from linnet.tasks.rerank.model import RerankModel

_MOST_LISTS = 5
"""The number of lists of a file that are explained."""
probable = "logistic, without loss=pairs"
takes: tuple[str, ...] = ()


def write(file: io.SentenceWriter, batch: Lists, answers: pa.Table, asked: Asked) -> None:
    """Write the best candidate of each list on a line; with --top, n-best lists of Moses; as JSON lines, the lists in their new
    order."""
    if asked.proba and not asked.as_json:
        raise UsageError(
            "probabilities of candidates can be written as JSON lines only. Name the output: -o FILE.jsonl."
        )
    if asked.as_json or asked.top is not None:
        file.write_lines(_lists(batch, answers, asked))
    else:
        file.write_lines(" ".join(text.split()) for text in answers["text"].to_pylist())


def _lists(batch: Lists, answers: pa.Table, asked: Asked) -> Iterator[str]:
    name = "probability" if asked.proba else "score"
    order, scores = (answers[column].to_pylist() for column in answers.column_names[1:])
    for number, (one, mine, of_mine) in enumerate(zip(batch.lists, order, scores, strict=True), batch.first):
        yield as_json(one, mine, of_mine, name) if asked.as_json else as_nbest(one, number, mine, of_mine)


def evaluate(model: RerankModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.rerank.terminal import candidates_report

    refuse_text_col(data.text_col)
    lists = io.read_lists(data.source, cost=data.label_col, **data.how)
    report = model.evaluate(lists)
    return Evaluated(report, candidates_report(report), lambda: _wrong(model, lists))


def _wrong(model: RerankModel, lists: Lists) -> Errors:
    """The lists of which not one of the cheapest candidates was chosen."""
    from linnet.report.errors import Errors
    from linnet.tasks.rerank.gold import costs_of
    from linnet.tasks.wrong_decisions import wrong_choices

    if not model.is_linear:
        return Errors()
    costs = lists.split(costs_of(lists, str(model.details["better"])))
    cheapest = [np.flatnonzero(np.asarray(some) == np.min(some)).tolist() for some in costs]
    examples = zip(model.decisions(lists), cheapest, (one.x for one in lists.lists), strict=True)
    return wrong_choices(examples, len(lists))


def explain(model: RerankModel, data: Data | None, text: str, top: int) -> Explained:
    """Explain why the best candidate is better than the second, for the first lists of data."""
    from linnet.tasks.rerank.page import candidates_page
    from linnet.tasks.rerank.terminal import candidate_explanation

    some = _first(model, data, text)
    return Explained(
        [model.explain(some.part([i])) for i in range(min(len(some), _MOST_LISTS))],
        lambda: model.strongest(top),
        lambda all, title, n: candidates_page(title, all.found, all.strongest, n),
        candidate_explanation,
    )


def _first(model: RerankModel, data: Data | None, text: str) -> Lists:
    """The first lists of data, or the list that a text is; none where neither is given."""
    if data is not None:
        return next(model.batches(data.source, text=data.text_col, **data.how))
    return model.typed([text] if text else [])


def facts(data: Data) -> dict[str, Json]:
    """What a user should know about data before training. Problems name lists of the data, counted from 1."""
    lists = io.read_lists(data.source, cost=data.label_col, **data.how)
    sizes = np.diff(lists.at)
    costs = lists.split(lists.costs)
    known = bool(len(costs)) and not any(np.isnan(one).any() for one in costs)
    problems = (
        []
        if known
        else ["candidates without a cost, so there is nothing to learn from: name their cost with --label-col"]
    )
    single = [i for i, n in enumerate(sizes.tolist(), 1) if n == 1]
    problems += problem(single, "list with one candidate only", "lists with one candidate only")
    if known:
        same = [i for i, one in enumerate(costs, 1) if len(one) > 1 and one.min() == one.max()]
        problems += problem(
            same, "list in which all candidates cost the same", "lists in which all candidates cost the same"
        )
    return {
        "source": lists.source,
        "lists": len(lists),
        "candidates": int(sizes.sum()),
        "candidates_per_list": {"least": int(sizes.min()), "mean": float(sizes.mean()), "most": int(sizes.max())},
        "numbers": sorted({name for candidate in lists.candidates for name in candidate.numbers}),
        "features": len({name for candidate in lists.candidates for name in candidate.features}),
        "problems": problems,
    }
