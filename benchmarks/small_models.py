"""Small models: size, accuracy on the test part and speed of models that `linnet compact` has made smaller.

Each model is trained on the training part, those of texts with no option, taggers and the parser for few epochs: how right they
are in full is in `tags` and `parsing`. Nothing is chosen by the test part: sizes are shares of the size of the whole model, and
how weights are ranked was chosen on a fifth of the training parts of imdb, 20news and trec. "The same" is the share of the
answers that are those of the whole model; seconds are CPU time of predicting the test part. Of chunks the F1 is shown, of parts
of speech the accuracy, of trees the LAS.
"""

from __future__ import annotations

from functools import partial

import datasets
from measure import compete, job
from report import Table

SETS = {
    "trec": ("labels", "trec-train.jsonl", "trec-test.jsonl"),
    "20news": ("labels", "20news-train.jsonl", "20news-test.jsonl"),
    "imdb": ("labels", "imdb-train.jsonl", "imdb-test.jsonl"),
    "chunks, CoNLL-2000": ("tag", "conll2000-train.txt", "conll2000-test.txt"),
    "parts of speech, EWT": ("tag", "ewt-train.conllu", "ewt-test.conllu"),
    "trees, EWT": ("parse", "ewt-train.conllu", "ewt-test.conllu"),
}
EPOCHS = {"tag": 5, "parse": 3}
SHARES = (100, 50, 25, 10)


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: sizes and accuracies are the same in each run."""
    names = [name for name, (_, train, _) in SETS.items() if datasets.has_file(train)][: 1 if quick else None]
    jobs = {
        f"linnet, {name}": partial(job, "small_models:measured", name=name, shares=SHARES[-1:] if quick else SHARES)
        for name in names
    }
    contest = compete(jobs, 1)
    rows = [
        [
            who.removeprefix("linnet, "),
            one["model"],
            f"{one['bytes'] / 1e6:.1f}",
            f"{one['features']:,}",
            f"{100 * one['right']:.2f}",
            f"{100 * one['same']:.2f}",
            f"{one['seconds']:.2f}",
        ]
        for who, (found,) in contest.runs.items()
        for one in found["models"]
    ]
    head = ["", "model", "MB", "features", "right, %", "the same, %", "predicting, s"]
    note = "\n".join(f"{who} is left out: {reason}" for who, reason in (contest.missing | contest.failed).items())
    return [Table("Models made smaller", head, rows, note, {"runs": contest.runs, "failed": contest.failed})]


def measured(name: str, shares: list[int]) -> dict[str, object]:
    """Figures of the whole model and of the smaller ones, each as it is read from its file."""
    import tempfile
    from pathlib import Path

    import linnet

    task, train, test = SETS[name]
    test_file = datasets.file_path(test)
    whole = linnet.train(datasets.file_path(train), task=task, epochs=EPOCHS.get(task))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.linnet")
        whole.save(path)
        asked = [("whole", None)]
        asked += [
            (f"{share}%{', 8 bits' if eight_bit else ''}", {"size": f"{share}%", "eight_bit": eight_bit})
            for share in shares
            for eight_bit in (False, True)
            if share < 100 or eight_bit
        ]
        wanted = None
        for called, how in asked:
            (whole if how is None else whole.compact(**how)).save(path)
            figures, answers = _figures(linnet.load(path), test_file, wanted)
            wanted = answers if wanted is None else wanted
            found.append({"model": called, "bytes": path.stat().st_size, **figures})
    return {"models": found}


def _figures(model: object, test: object, wanted: object) -> tuple[dict[str, float], object]:
    import time

    from linnet.model.compacting import agreement

    batches = list(model.batches(str(test)))
    list(map(model.answers, batches))
    began = time.process_time()
    answers = list(map(model.answers, batches))
    seconds = time.process_time() - began
    report = model.evaluate(test)
    measures = ("f1", "accuracy", "token_accuracy", "las")
    right = next(getattr(report, of) for of in measures if getattr(report, of, None))
    pairs = [agreement(ours, theirs) for ours, theirs in zip(answers, wanted or answers, strict=True)]
    same = sum(equal for equal, _ in pairs) / sum(total for _, total in pairs)
    figures = {"features": model.features.n_features, "right": right, "same": same, "seconds": seconds}
    return figures, answers


if __name__ == "__main__":
    from run import main

    main(["small_models"])
