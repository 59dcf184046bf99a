"""Lists of candidates on the command line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linnet import io
from linnet.errors import UsageError
from linnet.explain import Strong
from linnet.io.lists.lists import Lists
from linnet.io.lists.reading import as_json, as_nbest
from linnet.tasks.commands import Answers, Data
from linnet.tasks.problems import problem
from linnet.tasks.rerank.model import in_order
from linnet.tasks.rerank.why import CandidateExplanation

_MOST_LISTS = 5
probable = "logistic, without loss=pairs"
takes: tuple[str, ...] = ()


def predict(model: Any, data: Data, answers: Answers) -> None:
    """The best candidate of each list on a line; with --top lists of Moses; into .jsonl the lists in their new order."""
    _no_texts(data)
    as_objects = answers.output is not None and answers.output.endswith(".jsonl")
    if answers.proba and not as_objects:
        raise UsageError("probabilities of candidates are written as JSON lines. Name a file: -o FILE.jsonl.")
    number = 0
    with io.SentenceWriter.open(answers.output) as writer:
        for lists in model.batches(data.source, data.format):
            lines = []
            of_lists = model.predict_proba(lists) if answers.proba else model.scores(lists)
            for one, scores in zip(lists.lists, of_lists, strict=True):
                order = in_order(scores)[: answers.top]
                if as_objects:
                    lines.append(as_json(one, order, scores.tolist(), "probability" if answers.proba else "score"))
                elif answers.top is not None:
                    lines.append(as_nbest(one, number, order, scores.tolist()))
                else:
                    lines.append(" ".join(one.candidates[order[0]].text.split()))
                number += 1
            writer.write_lines(lines)


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.rerank.terminal import candidates_report

    _no_texts(data)
    report = model.evaluate(io.read_lists(data.source, format=data.format, cost=data.label_col))
    return report, candidates_report(report)


@dataclass(frozen=True)
class Explained:
    results: list[CandidateExplanation]
    strongest: dict[str, list[Strong]]

    def page(self, title: str, top: int) -> str:
        raise UsageError("candidates are explained in the terminal or with --json. Leave out --html.")

    def as_dict(self) -> dict[str, Any]:
        named = {label: [item._asdict() for item in items] for label, items in self.strongest.items()}
        return {"explanations": [asdict(result) for result in self.results], "strongest": named}

    def shown(self, top: int) -> list[Any]:
        from linnet.report.terminal import strongest
        from linnet.tasks.rerank.terminal import candidate_explanation

        return [candidate_explanation(result, top) for result in self.results] or [strongest(self.strongest)]


def explain(model: Any, data: Data | None, text: str, top: int) -> Explained:
    """The best candidate against the second, of the first lists."""
    if data is None and text:
        raise UsageError("a text has no candidates. Name a file of lists.")
    some: Any = next(iter(model.batches(data.source, data.format))) if data is not None else Lists([], "")
    found = [model.explain(some.part([i])) for i in range(min(len(some), _MOST_LISTS))]
    return Explained(found, model.strongest(top))


def facts(data: Data) -> dict[str, Any]:
    lists = io.read_lists(data.source, format=data.format, cost=data.label_col)
    sizes = np.diff(lists.at)
    costs = lists.split(lists.costs)
    known = bool(len(costs)) and not any(np.isnan(one).any() for one in costs)
    problems = [] if known else ["candidates without a cost, so there is nothing to learn from: --label-col NAME"]
    problems += problem([i for i, n in enumerate(sizes.tolist(), 1) if n == 1], "lists with one candidate only")
    if known:
        same = [i for i, one in enumerate(costs, 1) if len(one) > 1 and one.min() == one.max()]
        problems += problem(same, "lists in which all candidates cost the same")
    return {
        "source": lists.source,
        "lists": len(lists),
        "candidates": int(sizes.sum()),
        "candidates_per_list": {"least": int(sizes.min()), "mean": float(sizes.mean()), "most": int(sizes.max())},
        "numbers": sorted({name for candidate in lists.candidates for name in candidate.numbers}),
        "features": len({name for candidate in lists.candidates for name in candidate.features}),
        "problems": problems,
    }


def _no_texts(data: Data) -> None:
    if data.text_col is not None:
        raise UsageError("the texts of candidates are under 'text'. Leave out --text-col.")
