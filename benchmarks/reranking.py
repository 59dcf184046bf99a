"""Translations from Czech in the order in which people put them: 559 lists of 5 to 11, by cross-validation over sentences.

    with the reference      x is the reference: linnet's default features beside sentence BLEU (sacrebleu)
    without                 x is not known: beside the BLEU of each candidate to the others of its list (pooled), and length

Ranks are the costs, and of ties nothing is asked. Candidates come in a random order, since the file has them by rank. Right
are pairs of candidates with different ranks; p is by the paired bootstrap over sentences, against the best row without
learning.
The default features and C were chosen on the first half of the sentences, so those of the second half are shown by themselves.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

import datasets
from report import Table

SET = "mt-ranking-cs-en"
FOLDS = 5
QUICK_LISTS = 40


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    with datasets.opened(datasets.file_path(f"{SET}.jsonl")) as file:
        rows = [json.loads(line) for line in file][: QUICK_LISTS if quick else None]
    lists = lists_of(rows)
    unknown = replace(lists, lists=[replace(one, x="") for one in lists.lists])
    tables = []
    for title, known, plain in (
        ("with the reference", lists, {"BLEU": bleu(lists), "length": length(lists)}),
        ("without the reference", unknown, {"pooled BLEU": pooled_bleu(lists), "length": length(lists)}),
    ):
        learned = {f"linnet, {loss}": held_out(known, loss) for loss in (("pairs",) if quick else ("pairs", "list"))}
        tables.append(table(f"{SET}, {title}", lists, plain, learned))
    return tables


def lists_of(rows: list[dict[str, Any]]) -> Any:
    """The lists of the data set, in which a higher rank is better."""
    from linnet.tasks.rerank.gold import as_lists

    rng = np.random.default_rng(0)
    found = []
    for row in rows:
        order = rng.permutation(len(row["rank"])).tolist()
        candidates = [{"text": row["hypotheses"][c], "cost": -row["rank"][c]} for c in order]
        found.append({"source": row["reference"], "candidates": candidates})
    return as_lists(found)


def held_out(lists: Any, loss: str) -> list[Any]:
    """The scores of the candidates of each list, by a model that has not seen it."""
    import linnet

    fold = np.random.default_rng(0).permutation(len(lists)) % FOLDS
    scores: list[Any] = [None] * len(lists)
    for k in range(FOLDS):
        seen, held = np.flatnonzero(fold != k).tolist(), np.flatnonzero(fold == k).tolist()
        model = linnet.train(lists.part(seen), task="rerank", options={"loss": loss})
        for i, of_list in zip(held, model.scores(lists.part(held)), strict=True):
            scores[i] = of_list
    return scores


def length(lists: Any) -> list[list[float]]:
    return [[float(len(c.text.split())) for c in one.candidates] for one in lists.lists]


def bleu(lists: Any) -> list[list[float]]:
    return [[_bleu(c.text, [one.x]) for c in one.candidates] for one in lists.lists]


def pooled_bleu(lists: Any) -> list[list[float]]:
    """The BLEU of each candidate against all other candidates."""
    texts = [[c.text for c in one.candidates] for one in lists.lists]
    return [[_bleu(own, one[:i] + one[i + 1 :]) for i, own in enumerate(one)] for one in texts]


def _bleu(text: str, references: list[str]) -> float:
    from sacrebleu.metrics.bleu import BLEU

    return float(BLEU(effective_order=True).sentence_score(text, references).score)


def table(title: str, lists: Any, plain: dict[str, Any], learned: dict[str, Any]) -> Table:
    from linnet.evaluate.significance import differences
    from linnet.tasks.rerank.measures import evaluate_candidates, pairs_of

    costs = lists.split(lists.costs)
    half = (len(costs) + 1) // 2
    systems = plain | learned
    pairs = {name: pairs_of(costs, scores) for name, scores in systems.items()}
    best = max(plain, key=lambda name: pairs[name][:, 0].sum())
    rows, details = [], {}
    for name, scores in systems.items():
        report, second = (evaluate_candidates(costs[a:], scores[a:]) for a in (0, half))
        both = np.stack([pairs[best], pairs[name]])
        p = float(differences(both[:, :, 0], both[:, :, 1])[0, 1]) if name != best else None
        details[name] = report.as_dict() | {"p": p, "second_half": second.as_dict()}
        shown = (100 * report.pairwise_accuracy, 100 * second.pairwise_accuracy)
        numbers = [f"{value:.2f}" for value in shown] + [f"{report.tau:.4f}", f"{-report.mean_cost:.3f}"]
        rows.append([name, *numbers, "" if p is None else f"{p:.4f}"])
    headings = ["", "pairs right %", "of the second half %", "Kendall's tau", "mean rank chosen", f"p against {best}"]
    return Table(title, headings, rows, details=details)


if __name__ == "__main__":
    from run import main

    main(["reranking"])
