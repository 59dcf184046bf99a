"""A cluster on paper: learning from shards by up to thousands of workers, with stragglers and failures, as discrete events.

    python benchmarks/simulate_cluster.py [--workers 1000 ...] [--shards-per-worker 1 4 ...] [--failures 0 0.1 ...] [--seed 0]
    python benchmarks/simulate_cluster.py --calibrate [--shards 8]      # measures the constants by real training

An epoch goes as linnet's does (docs/cluster.md). The driver sends each shard what it begins with, a free worker takes the next
shard, and the driver adds the results up in the order of the shards, each as soon as it and all before it are there. When the
last one is added, the next epoch begins. The time of a task is

    seconds of a shard x noise x (slow if the worker is a straggler in this epoch)

with noise of mean 1 from a log-normal distribution. A worker fails at random times, so that its task is lost; it is back
after a while, and the shard is sent to the next free worker. Efficiency is the least time of all workers together in which the
work can be done, divided by the time that they took; lost is the share of what was done that was done in vain.

The usual constants are an epoch over a trillion tokens with 2^22 features, at the speed of workers and of the driver that
--calibrate measured (imdb, words 1-2, averaged MIRA, Dask on two cores). Stragglers and failures are assumptions, to be
replaced by those of a real cluster.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import statistics
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product


@dataclass(frozen=True)
class Cluster:
    """What is simulated. Times are in seconds, and rates of failure are for each worker and hour."""

    workers: int = 1000
    shards: int = 4000
    work: float = 79.0
    """The time of all shards together, on one worker that is alone, in thousands of seconds: what an epoch has to do."""
    noise: float = 0.1
    """The standard deviation of the logarithm of the time of a task."""
    stragglers: float = 0.02
    """The share of workers that are slow in an epoch."""
    slow: float = 3.0
    """How many times as long a straggler needs."""
    failures: float = 0.001
    restart: float = 60.0
    """The time until a worker that failed is back."""
    driver: float = 0.8
    """The time of the driver for each shard: to send, to receive and to add up what it has learned."""
    resend: float = 3.0
    """The time to bring a shard to another worker."""
    exponential: bool = False
    """Whether times of tasks are exponential, not log-normal. It is for tests: such epochs are known in closed form."""

    @property
    def task(self) -> float:
        """The time of one shard on a worker."""
        return 1000 * self.work / self.shards


@dataclass(frozen=True)
class Epoch:
    """How one epoch went."""

    seconds: float
    done: float
    """The seconds of work that count."""
    lost: float
    """The seconds of work that was done in vain."""
    failures: int
    driver: float
    """The seconds in which the driver was busy."""


def simulated(cluster: Cluster, epochs: int, seed: int = 0) -> list[Epoch]:
    """Simulate some epochs, one after the other."""
    rng = random.Random(seed)
    return [_epoch(cluster, rng) for _ in range(epochs)]


def _epoch(cluster: Cluster, rng: random.Random) -> Epoch:
    """One epoch, from the moment at which the driver begins to send. Failures have no memory, so that each epoch can begin with
    new times of them."""
    fresh, again = deque(range(cluster.shards)), list[tuple[float, int]]()
    slow = [cluster.slow if rng.random() < cluster.stragglers else 1.0 for _ in range(cluster.workers)]
    fails = [_next_failure(cluster, rng, 0.0) for _ in range(cluster.workers)]
    sent = [(k + 1) * cluster.driver / 2 for k in range(cluster.shards)]  # Half of the driver's work is to send.
    free = [(0.0, w) for w in range(cluster.workers)]
    ended: dict[int, float] = {}
    done = lost = 0.0
    failures = 0
    while fresh or again:
        now, w = heapq.heappop(free)
        # As with Dask, what has to be done again comes first; a worker that finds nothing else waits for the next failure.
        if again and (again[0][0] <= now or not fresh):
            since, k = heapq.heappop(again)
            begin = max(now, since) + cluster.resend
        else:
            k = fresh.popleft()
            begin = max(now, sent[k])
        while fails[w] <= begin:  # It failed while it had nothing to do.
            failures += 1
            begin = max(begin, fails[w] + cluster.restart)
            fails[w] = _next_failure(cluster, rng, fails[w] + cluster.restart)
        seconds = _seconds(cluster, rng) * slow[w]
        if fails[w] < begin + seconds:
            failures += 1
            lost += fails[w] - begin
            heapq.heappush(again, (fails[w], k))
            heapq.heappush(free, (fails[w] + cluster.restart, w))
            fails[w] = _next_failure(cluster, rng, fails[w] + cluster.restart)
        else:
            done += seconds
            ended[k] = begin + seconds
            heapq.heappush(free, (begin + seconds, w))
    at = cluster.shards * cluster.driver / 2
    for k in range(cluster.shards):
        at = max(at, ended[k]) + cluster.driver / 2
    return Epoch(at, done, lost, failures, cluster.shards * cluster.driver)


def _seconds(cluster: Cluster, rng: random.Random) -> float:
    if cluster.exponential:
        return rng.expovariate(1 / cluster.task)
    if cluster.noise == 0:
        return cluster.task
    return cluster.task * rng.lognormvariate(-(cluster.noise**2) / 2, cluster.noise)


def _next_failure(cluster: Cluster, rng: random.Random, now: float) -> float:
    return now + rng.expovariate(cluster.failures / 3600) if cluster.failures else float("inf")


@dataclass(frozen=True)
class Outcome:
    """Means over epochs."""

    seconds: float
    efficiency: float
    lost: float
    failures: float
    driver: float
    """The share of the time in which the driver was busy."""


def outcome(cluster: Cluster, epochs: int = 5, seed: int = 0) -> Outcome:
    found = simulated(cluster, epochs, seed)
    seconds = sum(one.seconds for one in found)
    done, lost = sum(one.done for one in found), sum(one.lost for one in found)
    return Outcome(
        seconds / epochs,
        1000 * cluster.work * epochs / (cluster.workers * seconds),
        lost / (done + lost),
        statistics.fmean(one.failures for one in found),
        sum(one.driver for one in found) / seconds,
    )


def rows(
    cluster: Cluster, workers: Sequence[int], per_worker: Sequence[float], failures: Sequence[float], seed: int
) -> Iterator[list[str]]:
    """A row for each number of workers, each rate of failures, and each number of shards for each worker."""
    for n, rate, many in product(workers, failures, per_worker):
        one = replace(cluster, workers=n, shards=max(1, round(many * n)), failures=rate)
        found = outcome(one, seed=seed)
        yield [
            f"{n:,}",
            f"{many:g}",
            f"{rate:g}",
            f"{one.task:,.1f}",
            f"{found.seconds:,.0f}",
            f"{100 * found.efficiency:.0f}",
            f"{100 * found.lost:.1f}",
            f"{found.failures:.1f}",
            f"{100 * found.driver:.0f}",
        ]


HEAD = [
    "workers",
    "shards for each worker",
    "failures for each worker and hour",
    "seconds of a shard",
    "seconds of an epoch",
    "efficiency, %",
    "work lost, %",
    "failures in an epoch",
    "driver busy, %",
]


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def calibrated(shards: int, workers: int) -> dict[str, float]:
    """What a task of a worker and the driver cost, by real trainings with Dask. The CPU times of two runs are compared, which
    differ in the number of epochs, so that starting, reading and making features do not count."""
    import datasets
    from measure import job

    name = datasets.available(["imdb"])[0]
    path = str(datasets.plain(name, "train", None))
    few, many = (
        job("simulate_cluster:trained", path=path, shards=shards, workers=workers, epochs=epochs) for epochs in (2, 12)
    )
    passes = 10 * shards
    rows = job("simulate_cluster:rows_of_a_shard", path=path, shards=shards)["rows"]
    driver = (many["of_driver"] - few["of_driver"]) / passes
    return {
        "examples": few["examples"],
        "tokens": few["tokens"],
        "features": few["features"],
        "task, CPU s": (many["of_workers"] - few["of_workers"]) / passes,
        "rows of a shard": rows,
        "driver for each shard, CPU s": driver,
        "driver for each row, CPU s": driver / rows,
        "tokens a second in a pass": 10 * few["tokens"] / (many["of_workers"] - few["of_workers"]),
    }


def rows_of_a_shard(path: str, shards: int) -> dict[str, float]:
    """The mean number of features that a shard has."""
    import numpy as np

    from linnet.features.text import TextFeatures

    with open(path, encoding="utf-8") as file:
        found = TextFeatures("words:1-2").fit_transform([json.loads(line)["text"] for line in file])
    row = np.repeat(np.arange(len(found)), np.diff(found.indptr))
    return {"rows": float(np.mean([len(np.unique(found.indices[row % shards == k])) for k in range(shards)]))}


def trained(path: str, shards: int, workers: int, epochs: int) -> dict[str, float]:
    """Train by workers of Dask; return the CPU time of the driver and of all workers."""
    import resource

    import linnet

    how = {"learner": "averaged-mira", "features": "words:1-2"}
    model = linnet.train(path, task="labels", epochs=epochs, shards=shards, cluster=f"local:{workers}", **how)
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    with open(path, encoding="utf-8") as file:
        tokens = sum(len(json.loads(line)["text"].split()) for line in file)
    return {
        "of_driver": own.ru_utime + own.ru_stime,
        "of_workers": children.ru_utime + children.ru_stime,
        "examples": model.provenance["examples"],
        "tokens": tokens,
        "features": model.features.n_features,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    usual = Cluster()
    for name, text in (
        ("work", "what an epoch has to do, in thousands of seconds of one worker"),
        ("noise", "the standard deviation of the logarithm of the time of a task"),
        ("stragglers", "the share of workers that are slow in an epoch"),
        ("slow", "how many times as long a straggler needs"),
        ("restart", "seconds until a worker that failed is back"),
        ("driver", "seconds of the driver for each shard"),
        ("resend", "seconds to bring a shard to another worker"),
    ):
        value = getattr(usual, name)
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"{text}; {value:g} by default")
    parser.add_argument("--workers", type=int, nargs="*", default=[1000])
    parser.add_argument("--shards-per-worker", type=float, nargs="*", default=[1, 4, 16])
    parser.add_argument("--failures", type=float, nargs="*", default=[0, 0.1, 1])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--calibrate", action="store_true", help="measure the constants by training with Dask")
    parser.add_argument("--shards", type=int, default=8, help="shards for --calibrate")
    asked = vars(parser.parse_args())
    if asked.pop("calibrate"):
        print(json.dumps(calibrated(asked["shards"], 2), indent=2))
        return
    varied = [asked.pop(name) for name in ("workers", "shards_per_worker", "failures", "seed")]
    asked.pop("shards")
    print(table(HEAD, list(rows(replace(usual, **asked), *varied))))


if __name__ == "__main__":
    main()
