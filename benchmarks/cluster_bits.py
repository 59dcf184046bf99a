"""One SHA-256 for each learner: here, on 1, 2 and 4 workers of Dask, and where a worker is killed in each epoch.

    python benchmarks/cluster_bits.py [--lines N] [--learners NAME[,KEY=VALUE...] ...] [--workers N ...]

Labels are learned from some texts of 20news, tags from the first sentences of CoNLL-2000, each from 8 shards in 3 epochs.
The hash is that of the model file. A line says "the same" where all hashes are, and otherwise lists them; the exit code is then
1.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datasets import file_path, opened
from errors import MissingError

LABELS = (
    "nb-svm",
    "svm",
    "svm,loss=multiclass-hinge",
    "naive-bayes",
    "perceptron",
    "averaged-perceptron",
    "mira",
    "averaged-mira",
    "pa",
    "arow",
    "scw",
    "pegasos",
    "logistic",
    "logistic,step=adagrad,dropout=0.2",
    "logistic,by=lbfgs",
    "logistic,by=dual",
)
TAGS = ("naive-bayes", "averaged-perceptron", "averaged-mira", "crf", "crf,by=lbfgs", "svm")
WORKERS = (1, 2, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--lines", type=int, default=600, help="the number of texts; of sentences there are half as many"
    )
    parser.add_argument("--learners", nargs="*", help="the learners of labels, with options after commas; no tags then")
    parser.add_argument("--workers", nargs="*", type=int, default=WORKERS, help="the numbers of workers, all unharmed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            texts, sentences = parts(folder, asked.lines)
        except MissingError as error:
            sys.exit(f"nothing can be learned: {error}")
        wanted = [("labels", texts, one) for one in asked.learners or LABELS]
        wanted += [] if asked.learners else [("tag", sentences, one) for one in TAGS]
        found: dict[str, list[str]] = {}
        for where, how in places(asked.workers):
            found[where] = [sha(folder, *one, **how) for one in wanted]
            same = sum(one == other for one, other in zip(found[where], found["here"], strict=True))
            print(f"{where}: {same} of {len(wanted)} hashes are those of one process", file=sys.stderr, flush=True)
        killed = [killed_sha(folder, *one) for one in wanted]
        found["killed workers"] = [one for one, _ in killed]
    different = 0
    for k, (task, _, learner) in enumerate(wanted):
        own = {where: shas[k] for where, shas in found.items()}
        same = len(set(own.values())) == 1
        different += not same
        told = "the same" if same else "  ".join(f"{where}: {sha[:12]}" for where, sha in own.items())
        told += f", a worker killed in epochs {', '.join(map(str, killed[k][1]))}"
        print(f"{task:7} {learner:36} {own['here'][:16]}   {told}")
    sys.exit(different > 0)


def places(workers: Sequence[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The places where all learners learn, and for each the arguments that say so."""
    yield "here", {}
    for n in workers:
        with cluster(n) as client:
            yield f"{n} workers", {"cluster": client}


def killed_sha(folder: Path, task: str, path: Path, learner: str) -> tuple[str, list[int]]:
    """The hash of the model file where a worker is killed in each epoch, and these epochs. Each learner has workers of its own,
    as those who watch over workers begin no others where many have died."""
    epochs: list[int] = []
    with cluster(2) as client:
        found = sha(folder, task, path, learner, cluster=client, progress=killing(client, epochs))
    print(f"{task} {learner}: a worker killed in epochs {epochs}, {found[:16]}", file=sys.stderr, flush=True)
    return found, epochs


def parts(folder: Path, lines: int) -> tuple[Path, Path]:
    """Files with so many texts, from all over the file, which is in the order of the labels; and with the first sentences."""
    texts, sentences = folder / "texts.jsonl", folder / "sentences.txt"
    with opened(file_path("20news-train.jsonl")) as file:
        every = file.readlines()
    texts.write_bytes(b"".join(every[:: max(1, len(every) // lines)]))
    with opened(file_path("conll2000-train.txt")) as file:
        sentences.write_bytes(b"\n\n".join(file.read().split(b"\n\n")[: lines // 2]) + b"\n")
    return texts, sentences


def sha(folder: Path, task: str, path: Path, learner: str, **how: Any) -> str:
    """The hash of the model file of one training."""
    import linnet

    name, *settings = learner.split(",")
    options = dict(setting.split("=") for setting in settings)
    where = folder / "model.linnet"
    linnet.train(path, task=task, learner=name, options=options, shards=8, epochs=3, estimate=False, **how).save(
        where, force=True
    )
    return hashlib.sha256(where.read_bytes()).hexdigest()


@contextmanager
def cluster(n: int) -> Iterator[Any]:
    """A client of n processes of this machine."""
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=n,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def killing(client: Any, epochs: list[int]) -> Callable[[Any], None]:
    """What kills a worker as soon as an epoch begins to be told of; `epochs` gets the numbers of these epochs."""

    def kill(progress: Any) -> None:
        if progress.epoch not in epochs:
            epochs.append(progress.epoch)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    return kill


if __name__ == "__main__":
    main()
