"""What `--rerank 20` gains on the chunks of CoNLL-2000 and on the trees of EWT, with given tags and with tags of its own.

The sets are conll2000-{train,test}.txt and ewt-{train,dev,test}.conllu, plain or gzipped, in the folder named by LINNET_DATA.
Of one model, its own best output, the one that the second model chooses among the 20 best, and the best one that is among
them. p is by McNemar's test where sentences are right or wrong, else by the paired bootstrap. What was chosen was chosen on
the training part of CoNLL-2000 and the dev part of EWT.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import datasets
from report import Table

K = 20
QUICK = 200
EPOCHS = 8


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result. With `quick`, it learns from few sentences."""
    chunks = {"features": "chunk-fast"}
    trees = [
        {"options": {"tags": tags, "order": 1 if quick else 2}, "epochs": 2 if quick else EPOCHS, "tol": 0}
        for tags in ("given", "own")
    ]
    return [
        *looked("tag", "conll2000", "txt", ("test",), chunks, quick),
        *(table for how in trees for table in looked("parse", "ewt", "conllu", ("dev", "test"), how, quick)),
    ]


def looked(task: str, name: str, ending: str, parts: tuple[str, ...], how: dict[str, Any], quick: bool) -> list[Table]:
    """A table for each part of a set."""
    import linnet
    from linnet.tasks import configured, named

    kind, _ = configured(named(task), how.get("options", {}))
    train = sentences(task, name, "train", ending, quick)
    gold = kind.read(train, {})
    model = linnet.train(train, task=task, rerank=K, **how)
    held = ((part, kind.read(sentences(task, name, part, ending, quick), {}, gold)) for part in parts)
    tags = f", {how['options']['tags']} tags" if "options" in how else ""
    return [table(f"{name}, {part}{tags}", kind, model, gold) for part, gold in held]


def sentences(task: str, name: str, part: str, ending: str, quick: bool) -> Any:
    from linnet import io
    from linnet.io.sentences.conllu import TREE

    path = str(datasets.file_path(f"{name}-{part}.{ending}"))
    whole = io.read_sentences(path, label_col=TREE if task == "parse" else None, framed=False)
    return whole.first(QUICK) if quick else whole


def table(title: str, task: Any, model: Any, gold: Any) -> Table:
    from linnet.evaluate.significance import differences

    sentences = model.completed(gold.sentences)
    found = [rows for rows, _ in model.candidates(sentences, K)]
    chosen = np.concatenate([rows[0] for rows, _ in model.reranked(sentences, 1)])
    systems = {
        "the model alone": measured(task, gold, np.concatenate([rows[0] for rows in found])),
        "reranked": measured(task, gold, chosen),
        f"the best of {K}": measured(task, gold, nearest(task, gold, found)),
    }
    alone = systems["the model alone"]
    rows, details = [], {}
    for name, own in systems.items():
        row, detail = [name], {}
        for measure, (right, total) in own.items():
            score = 100 * right.sum() / total.sum()
            both = np.stack([alone[measure][0], right]), np.stack([alone[measure][1], total])
            p = float(differences(*both)[0, 1])
            row += [f"{score:.2f}", f"{p:.4f}" if name == "reranked" else ""]
            detail[measure] = {"score": score, "p": p}
        rows.append(row)
        details[name] = detail
    headings = [heading for measure in alone for heading in (f"{measure} %", "p")]
    return Table(f"{title}: {len(gold):,} sentences", ["", *headings], rows, details=details)


Measures = dict[str, tuple[Any, Any]]


def measured(task: Any, gold: Any, y_hat: Any) -> Measures:
    """The number of right decisions in each sentence, and the number of all."""
    counts = task.counts(gold, y_hat, gold.y_at)
    at, ones = gold.y_at[:-1], np.ones(len(gold))
    if task.name == "tag":
        whole = np.logical_and.reduceat(gold.y == y_hat, at).astype(float)
        return {"sentences right": (whole, ones), counts.measure: (counts.right, counts.total)}
    R = len(gold.labels)
    heads = np.where(gold.truth >= 0, gold.truth // R, -1 - gold.truth) == y_hat // R
    right = np.add.reduceat(heads, at).astype(float)
    whole = np.logical_and.reduceat(heads, at).astype(float)
    return {
        "UAS": (right, counts.total),
        counts.measure: (counts.right, counts.total),
        "sentences with all heads right": (whole, ones),
    }


def nearest(task: Any, gold: Any, found: list[Any]) -> Any:
    """The best candidate of each sentence by the measure of the task."""
    n = [len(rows) for rows in found]
    each = gold.part(np.repeat(np.arange(len(gold)), n))
    counts = task.counts(each, np.concatenate([rows.ravel() for rows in found]), each.y_at)
    wrong = np.split(counts.total - counts.right, np.cumsum(n)[:-1])
    return np.concatenate([rows[int(np.argmin(own))] for rows, own in zip(found, wrong, strict=True)])


if __name__ == "__main__":
    from run import main

    main(["second_look"])
