"""Chunking of CoNLL-2000 with the template of CRF++ (words and tags in a window of two): linnet, CRFsuite, Wapiti.

Three questions. What is one pass over the training data, features being ready? It is the difference between 1 and 1 + E passes,
as in `learn`: an epoch of an averaged perceptron, an epoch of linnet's CRF or an iteration of the others' L-BFGS, each of
which takes the gradient at every sentence once; with the 22 labels of the file, and with the 42 that mark the ends of chunks.
Of linnet's own L-BFGS it is one evaluation of the objective and its gradient, by one thread.
How many tokens a second are tagged, from a file in columns to tags, the model being there? And what does it take from a file
to a model, and what is its F1? There linnet runs as a command, with the same template and with no option at all.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from measure import Run, compete, job, section, spawn
from report import Column, Table, contest_table

PASSES = 5
PASS_COLUMNS = (
    Column("s a pass", "pass_s", ".3f"),
    Column("1,000 tokens/s", "ktokens", ".0f"),
    Column("peak MB", "process_mb", ".0f"),
)
TAG_COLUMNS = (Column("1,000 tokens/s", "ktokens", ".0f"), Column("CPU s", "cpu", ".2f"))
MODEL_COLUMNS = (
    Column("CPU s", "cpu", ".1f"),
    Column("wall s", "wall", ".1f"),
    Column("peak MB", "peak_mb", ".0f"),
    Column("model MB", "model_mb", ".1f"),
    Column("F1", "f1"),
)
PASS_RIVALS = {
    "linnet / this": {
        "crfsuite averaged perceptron": "linnet averaged-perceptron",
        "crfsuite L-BFGS": "linnet crf",
        "wapiti L-BFGS": "linnet crf",
    },
    "linnet crf, all at once / this": {
        "crfsuite L-BFGS": "linnet crf, all at once",
        "wapiti L-BFGS": "linnet crf, all at once",
    },
}


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    paths = job("chunks:prepare", limit=300 if quick else None)
    tables = [_passes(paths["train"], "the labels of the file", quick, rounds)]
    tables.append(_passes(paths["train-bioes"], "labels that mark the ends of chunks", quick, rounds))
    with tempfile.TemporaryDirectory() as folder:
        tables.append(_models(paths, Path(folder), quick, rounds))
        tables.append(_tagging(paths, Path(folder), rounds))
    return tables


def _passes(path: str, title: str, quick: bool, rounds: int) -> Table:
    given: dict[str, Any] = {"path": path, "passes": 2 if quick else PASSES}
    contestants = {f"linnet {name}": partial(job, "tagging:linnet_pass", learner=name, **given) for name in LEARNERS}
    contestants["linnet crf, all at once"] = partial(job, "tagging:linnet_gradient", **given)
    contestants["crfsuite averaged perceptron"] = partial(
        job, "tagging:crfsuite_pass", algorithm="averaged-perceptron", options={"epsilon": 0.0}, **given
    )
    contestants["crfsuite L-BFGS"] = partial(job, "tagging:crfsuite_pass", algorithm="lbfgs", options={}, **given)
    contestants["wapiti L-BFGS"] = partial(job, "tagging:wapiti_pass", path=path, passes=1)  # It is slow.
    return contest_table(f"one pass, {title}", compete(contestants, rounds), PASS_COLUMNS, "pass_s", PASS_RIVALS)


def _models(paths: dict[str, str], folder: Path, quick: bool, rounds: int) -> Table:
    from chunks import linnet_spec

    few = 3 if quick else None
    same = ["--features", linnet_spec(), "--learner"]
    contestants = {
        "linnet crf, same features": partial(_command, paths, folder / "crf.linnet", [*same, "crf"]),
        "linnet perceptron, same features": partial(
            _command, paths, folder / "perceptron.linnet", [*same, "averaged-perceptron"]
        ),
        "linnet, no option": partial(_command, paths, folder / "linnet.linnet", []),
        "crfsuite L-BFGS, 100": partial(_peer, "crfsuite", paths, folder / "lbfgs", algorithm="lbfgs", n=few or 100),
        "crfsuite averaged perceptron, 50": partial(
            _peer, "crfsuite", paths, folder / "perceptron", algorithm="averaged-perceptron", n=few or 50
        ),
        "wapiti sgd-l1, 20": partial(_peer, "wapiti", paths, folder / "wapiti", n=few or 20),
    }
    return contest_table("file to model", compete(contestants, rounds), MODEL_COLUMNS)


def _tagging(paths: dict[str, str], folder: Path, rounds: int) -> Table:
    """Measure the speed of tagging, with the models that were learned last."""
    contestants = {
        f"linnet, {what}": partial(
            job, "tagging:linnet_tags", model=str(folder / f"{name}.linnet"), path=paths["untagged"]
        )
        for what, name in (("same features", "crf"), ("no option", "linnet"))
    }
    for tool, name in (("crfsuite", "lbfgs"), ("wapiti", "wapiti")):
        if (folder / name).exists():
            contestants[tool] = partial(job, f"tagging:{tool}_tags", model=str(folder / name), path=paths["untagged"])
    return contest_table("file to tags", compete(contestants, rounds), TAG_COLUMNS)


def _command(paths: dict[str, str], model: Path, options: list[str]) -> Run:
    from peers import linnet_command

    usage = spawn([linnet_command(), "train", paths["train"], "-o", model, *options])
    return usage.as_run() | _outcome("linnet", paths, model)


def _peer(tool: str, paths: dict[str, str], model: Path, **options: Any) -> Run:
    return job(f"tagging:{tool}_model", path=paths["train"], model=str(model), **options) | _outcome(tool, paths, model)


def _outcome(tool: str, paths: dict[str, str], model: Path) -> Run:
    scored = job("tagging:score", tool=tool, model=str(model), path=paths["test"])
    return {"model_mb": model.stat().st_size / 1e6, "f1": scored["f1"]}


# The functions below run in processes of their own.

LEARNERS = ("averaged-perceptron", "crf")


def linnet_pass(path: str, learner: str, passes: int) -> Run:
    from linnet.learners import Learning
    from linnet.learners import learner as preset

    gen, n_features, examples = _linnet_examples(path)
    taken: dict[int, Run] = {}
    for n in (1, 1, 1 + passes):
        learning = Learning(preset(learner), {}, gen, n_features)
        with section() as taken[n]:
            learning.run(examples, epochs=n, tol=0.0)
    return _a_pass(taken, len(examples.y), gen.outcomes[0])


def linnet_gradient(path: str, passes: int) -> Run:
    """Compute the loss and its gradient over all sentences, at the weights of one online epoch."""
    import numpy as np

    from linnet.core.loops.batch import Batch
    from linnet.learners import Learning
    from linnet.learners import learner as preset

    gen, n_features, examples = _linnet_examples(path)
    crf = preset("crf")
    weights = Learning(crf, {}, gen, n_features).run(examples, epochs=1, take=True).weights
    batch = Batch(gen, crf.loss(crf.checked({"by": "lbfgs"})), weights, [np.zeros(w.shape) for w in weights])
    order = np.arange(len(examples))
    taken: dict[int, Run] = {}
    for n in (1, 1, 1 + passes):
        with section() as taken[n]:
            for _ in range(n):
                batch.run(examples.blocks, examples.y, examples.y_at, order)
    return _a_pass(taken, len(examples.y), gen.outcomes[0])


def _linnet_examples(path: str) -> tuple[Any, tuple[int, int], Any]:
    """The chain over the labels of a file, the number of features of its blocks, and the examples."""
    import numpy as np

    from chunks import linnet_spec
    from linnet import io
    from linnet.core.blocks import Block
    from linnet.features.tokens import TokenFeatures
    from linnet.learners import Examples
    from linnet.structures.chain import Chain

    data = io.read_sentences(path)
    tags = data.tags.dictionary_encode()
    y = tags.indices.to_numpy().astype(np.int32)
    features = TokenFeatures(linnet_spec(), tuple(data.columns))
    rows = features.fit_transform(data.columns, data.starts)
    no_features = Block(np.zeros(len(data) + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
    examples = Examples((Block(*rows, data.starts), no_features), y, data.starts)
    return Chain(len(tags.dictionary)), (features.n_features, 0), examples


def crfsuite_pass(path: str, algorithm: str, options: dict[str, float], passes: int) -> Run:
    trainer, n_tokens, labels = _crfsuite_trainer(path, algorithm)
    taken: dict[int, Run] = {}
    with tempfile.TemporaryDirectory() as folder:
        for n in (1, 1, 1 + passes):
            trainer.set_params(options | {"max_iterations": n})
            with section() as taken[n]:
                trainer.train(str(Path(folder, "model")))
    return _a_pass(taken, n_tokens, len(labels))


def wapiti_pass(path: str, passes: int) -> Run:
    taken: dict[int, Run] = {}
    for n in (1, 1 + passes):
        model, n_tokens, labels = _wapiti_trainer(path, algo="l-bfgs", maxiter=n, rho1=0.0, rho2=1.0)
        with section() as taken[n]:
            model.train()
        del model
    return _a_pass(taken, n_tokens, len(labels))


def _a_pass(taken: dict[int, Run], n_tokens: int, n_labels: int) -> Run:
    first, *_, all_ = taken.items()
    seconds = (all_[1]["cpu"] - first[1]["cpu"]) / (all_[0] - first[0])
    return all_[1] | {
        "pass_s": seconds,
        "ktokens": n_tokens / seconds / 1e3,
        "process_mb": max(run["peak_mb"] for run in taken.values()),
        "labels": n_labels,
    }


def crfsuite_model(path: str, model: str, algorithm: str, n: int) -> None:
    trainer, _, _ = _crfsuite_trainer(path, algorithm)
    trainer.set_params({"max_iterations": n})
    trainer.train(model)


def wapiti_model(path: str, model: str, n: int) -> None:
    learned, _, _ = _wapiti_trainer(path, algo="sgd-l1", maxiter=n)
    learned.train()
    learned.save(model)


def _crfsuite_trainer(path: str, algorithm: str) -> tuple[Any, int, set[str]]:
    import pycrfsuite

    from chunks import crfsuite_features, sentences

    trainer = pycrfsuite.Trainer(algorithm=algorithm, verbose=False)
    n_tokens, labels = 0, set()
    for sentence in sentences(path):
        tags = [token[2] for token in sentence]
        trainer.append(crfsuite_features(sentence), tags)
        n_tokens += len(tags)
        labels.update(tags)
    return trainer, n_tokens, labels


def _wapiti_trainer(path: str, **options: Any) -> tuple[Any, int, set[str]]:
    from wapiti.api import Model

    from chunks import sentences, wapiti_patterns

    model = Model(patterns=wapiti_patterns(), nthread=1, **options)
    n_tokens, labels = 0, set()
    for sentence in sentences(path):
        model.add_training_sequence("\n".join(" ".join(token) for token in sentence))
        n_tokens += len(sentence)
        labels.update(token[2] for token in sentence)
    return model, n_tokens, labels


def linnet_tags(model: str, path: str) -> Run:
    from linnet.tasks import load

    learned = load(model)
    learned.predict([[("a", "DT")]])  # The tables of the model are filled when it is first used.
    with section() as taken:
        tags = [tag for batch in learned.batches(path) for tag in learned.tag(batch)]
    return taken | {"ktokens": len(tags) / taken["cpu"] / 1e3}


def crfsuite_tags(model: str, path: str) -> Run:
    import pycrfsuite

    from chunks import crfsuite_features, sentences

    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    with section() as taken:
        tags = [tag for sentence in sentences(path) for tag in tagger.tag(crfsuite_features(sentence))]
    return taken | {"ktokens": len(tags) / taken["cpu"] / 1e3}


def wapiti_tags(model: str, path: str) -> Run:
    from wapiti.api import Model

    from chunks import sentences

    learned = Model(model=model, nthread=1)
    with section() as taken:
        tags = []
        for sentence in sentences(path):
            tags += learned.label_sequence("\n".join(" ".join(token) for token in sentence)).decode().split()
    return taken | {"ktokens": len(tags) / taken["cpu"] / 1e3}


def score(tool: str, model: str, path: str) -> Run:
    """The F1 of a tagged file with chunks."""
    from chunks import crfsuite_features, f1, sentences

    gold = list(sentences(path))
    if tool == "linnet":
        from linnet.tasks import load

        found = load(model).predict([[tuple(token[:2]) for token in sentence] for sentence in gold])
    elif tool == "crfsuite":
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        found = [tagger.tag(crfsuite_features(sentence)) for sentence in gold]
    else:
        from wapiti.api import Model

        learned = Model(model=model, nthread=1)
        lines = ("\n".join(" ".join(token[:2]) for token in sentence) for sentence in gold)
        found = [learned.label_sequence(text).decode().split() for text in lines]
    return {"f1": f1([[token[2] for token in sentence] for sentence in gold], found)}


if __name__ == "__main__":
    from run import main

    main(["tagging"])
