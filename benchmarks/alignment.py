"""Word alignment on the English-French Hansards: AER, precision and recall beside Dice and the models of IBM.

The data are align-en-fr.jsonl, 447 pairs with sure and possible links (Och and Ney 2000), and hansards-en-fr-
unaligned.jsonl, pairs without links, in the folder named by LINNET_DATA. A third of the pairs is to learn from, the rest to
test, in several orders of them. Features, learner, C and the cost of missing a link are the defaults; they were chosen by
cross-validation inside the third of the first order. Translations of words are learned from the pairs without links and
from the text, not the links, of the 447, as is usual; a row shows what it is without that text. What has no weights of its
own is matched one to one where its score is above a threshold, which is the best one for the third to learn from.
"""

from __future__ import annotations

from typing import Any

import datasets
from measure import job
from report import Table

SEEDS = (10, 11, 12, 13, 14)
"""The seeds of numpy's default_rng, whose permutations give the orders of the pairs."""
MODELS = {"Dice": "dice", "IBM Model 1": "model1", "IBM Model 2": "model2", "HMM": "hmm"}
WAYS: dict[str, dict[str, Any]] = {
    "linnet": {},
    "linnet, one to many": {"search": "one-to-many"},
    "linnet, itg": {"search": "itg"},
}
UNSEEN = "linnet, without the text of the 447"


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    given = {
        "gold": str(datasets.file_path("align-en-fr.jsonl")),
        "text": str(datasets.file_path("hansards-en-fr-unaligned.jsonl")),
        "seeds": SEEDS[:1] if quick else SEEDS,
        "few": 200 if quick else 0,
    }
    found = job("alignment:aligned", **given)
    rows = []
    for way, reports in found["reports"].items():
        aers = [100 * report["aer"] for report in reports]
        mean = {name: 100 * sum(report[name] for report in reports) / len(reports) for name in ("precision", "recall")}
        each = " ".join(f"{aer:.1f}" for aer in aers)
        rows.append([way, f"{sum(aers) / len(aers):.2f}", each, *(f"{mean[name]:.1f}" for name in mean)])
    title = f"Hansards, learned from {found['training']} pairs, tested on {found['test']}"
    return [Table(title, ["", "AER", "of each split", "precision", "recall"], rows, "", found)]


def aligned(gold: str, text: str, seeds: list[int], few: int) -> dict[str, Any]:
    import numpy as np

    from linnet.io.pairs.formats import read_pairs
    from linnet.io.pairs.pairs import Pairs, join
    from linnet.tasks.align.task import AlignTask

    pairs, parallel = read_pairs(gold), read_pairs(text, labelled=False)
    if few:
        parallel = parallel.part(np.arange(few))
    everything = join([parallel, Pairs(pairs.source, pairs.target, None)])
    reports: dict[str, list[dict[str, float]]] = {}
    tasks = {way: AlignTask(**options) for way, options in WAYS.items()}
    known: dict[Any, Any] = {}
    others: dict[Any, Any] = {}
    for seed in seeds:
        order = np.random.default_rng(seed).permutation(len(pairs))
        third = len(order) // 3
        training, test = (pairs.part(part) for part in (order[:third], order[third:]))
        for way, name in MODELS.items():
            reports.setdefault(way, []).append(_by_score(name, everything, training, test, known).as_dict())
        for way, task in tasks.items():
            reports.setdefault(way, []).append(_linnet(task, everything, known, training, test).as_dict())
        reports.setdefault(UNSEEN, []).append(_linnet(AlignTask(), parallel, others, training, test).as_dict())
    return {"reports": reports, "training": len(training), "test": len(test)}


def _linnet(task: Any, text: Any, known: dict[Any, Any], training: Any, test: Any) -> Any:
    """Learn and align, with translations that were learned from this text; they are learned once for all orders."""
    from dataclasses import replace

    from linnet.fitting.fitting import Recipe
    from linnet.tasks.align.features import AlignmentFeatures
    from linnet.tasks.align.translation import learn_translations

    gold = task.read(training, {})
    plan = task.plan(None, gold)
    for letters, names in AlignmentFeatures(plan.features).models.items():
        wanted = letters, tuple(sorted(names))
        if wanted not in known:
            known[wanted] = learn_translations(text, *wanted)
    ready = replace(task, parallel="-")
    ready.known.update(known)
    return Recipe(ready, plan).learn(gold).evaluate(test)


def _by_score(name: str, text: Any, training: Any, test: Any, known: dict[Any, Any]) -> Any:
    """Link tokens one to one where the score of a translation model is above a threshold."""
    import numpy as np

    from linnet.core.blocks import Block
    from linnet.core.predictor import Predictor
    from linnet.io.pairs.pairs import flags_of
    from linnet.structures.matching import Matching
    from linnet.tasks.align.measures import evaluate_alignments
    from linnet.tasks.align.translation import Grid, learn_translations

    if name not in known:
        known[name] = learn_translations(text, 0, [name])

    def report(pairs: Any, threshold: float) -> Any:
        score, n = known[name].score(name, Grid(pairs)), int(pairs.places[-1])
        m = pairs.target.n_tokens
        links = Block(np.arange(n + 1), np.zeros(n, np.uint32), score, pairs.places)
        none = Block(np.zeros(m + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32), pairs.target.starts)
        weights = [np.array([[0], [1]], np.float32), np.array([[threshold]], np.float32)]
        y_hat, _ = Predictor(Matching(), weights).argmax((links, none))
        return evaluate_alignments(flags_of(pairs), y_hat, pairs.places)

    thresholds = np.arange(0.025, 1, 0.025).tolist()
    best = min(thresholds, key=lambda threshold: report(training, threshold).aer)
    return report(test, best)


if __name__ == "__main__":
    from run import main

    main(["alignment"])
