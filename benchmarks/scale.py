"""What a trillion tokens cost to score and to learn from: measured rates, multiplied out, as the tables of docs/scale.md.

    python benchmarks/scale.py [--tokens 1e12] [--price 0.04] [--score 8e6] ...     # the tables, for other rates and sizes
    python benchmarks/scale.py --measure                                          # measures the rates on this machine

Rates are tokens (runs of letters and digits) in a second of CPU time of one core. They are measured on imdb, with words 1-2:
each is the difference between two runs that differ in the number of texts or of epochs, so that starting does not count. The
number of features grows as a power of the number of tokens (Heaps' law), fitted to growing parts of the training file.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulate_cluster import table


@dataclass(frozen=True)
class Rates:
    """What was measured, on one core of the machine that docs/scale.md names."""

    score: float = 6.6e6
    """Tokens a second from a file of texts to a file of labels, by `linnet predict`."""
    read: float = 4.8e6
    """Tokens a second from a file to rows of features whose vocabulary grows, when a model is trained."""
    learn: float = 45e6
    """Tokens a second in an epoch of averaged MIRA over rows that are there."""
    once: float = 5.2e6
    """Tokens a second by `linnet train --once`, reading included."""
    merge: float = 0.83e6
    """Features a second when models are merged."""
    heaps: float = 16.6
    """K of K tokens^power, the number of features of words 1-2."""
    power: float = 0.731
    bytes_per_token: float = 5.47
    """The bytes of a token in a file, blanks and marks included."""
    price: float = 0.04
    """An assumption, not measured: dollars for an hour of a core."""
    driver: float = 1.9e-7
    """Seconds of the driver for each row of weights that a shard sends, measured by simulate_cluster.py --calibrate."""
    network: float = 1.25e9
    """An assumption: bytes a second into and out of the driver, 10 Gbit/s."""
    per_feature: float = 92.0
    """Bytes of memory for each feature while it is learned: its name in its tables, and two weights with their averages."""


CORES = (16, 96, 1000)
"""The numbers of cores that the tables show."""
PARTS = 1000
"""The parts of the data that learn apart, and whose models are merged."""
SIZES = ((1e9, "1 billion"), (1e11, "100 billion"), (1e12, "1 trillion"))


def features(rates: Rates, tokens: float) -> float:
    return rates.heaps * tokens**rates.power


def costs(rates: Rates, tokens: float, epochs: int = 5) -> Iterator[list[str]]:
    """The rows of the table of costs: what is done, core hours, dollars, and how long it takes on one core, and on several if
    it can be spread over them."""
    learn = tokens / rates.read + epochs * tokens / rates.learn
    merge = PARTS * features(rates, tokens / PARTS) / rates.merge
    for what, seconds, spread in (
        ("score every text", tokens / rates.score, True),
        ("learn in one pass, from a stream", tokens / rates.once, False),
        (f"learn in {epochs} epochs on one machine", learn, False),
        (f"learn {PARTS:,} parts, each in {epochs} epochs", learn, True),
        (f"merge the {PARTS:,} models", merge, False),
    ):
        hours = seconds / 3600
        times = [_hours(hours / cores) if spread else "" for cores in CORES]
        yield [what, f"{hours:,.0f}", f"{hours * rates.price:,.2f}", _hours(hours), *times]


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{60 * hours:.1f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


def sizes(rates: Rates) -> Iterator[list[str]]:
    """The rows of the table of sizes: text, features if all are kept, and the memory of these."""
    for tokens, name in SIZES:
        n = features(rates, tokens)
        yield [
            name,
            f"{tokens * rates.bytes_per_token / 1e9:,.0f}",
            f"{n / 1e6:,.0f} million",
            f"{n * rates.per_feature / 1e9:,.0f}",
            f"{n * 8 / 1e9:,.1f}",
        ]


ROW = 8 + 16
"""Bytes of a row of weights for two labels, to a worker, and back with its sum for the average."""
HASHED = 1 << 22
"""The rows that `hash=22` leaves."""


def mixing(rates: Rates, tokens: float) -> Iterator[list[str]]:
    """The rows of the table of what the driver has to do in an epoch over shards."""
    for shards in (16, 1000, 4000, 16_000):
        every = features(rates, tokens / shards)
        found = [f"{shards:,}", f"{tokens / shards / 1e6:,.0f}"]
        for rows in (every, min(every, HASHED)):
            sent = rows * shards * ROW
            found += [
                f"{rows / 1e6:,.1f}",
                _hours(sent / rates.network / 3600),
                _hours(rows * shards * rates.driver / 3600),
            ]
        yield found


def tables(rates: Rates, tokens: float) -> str:
    head = ["", "core hours", "dollars", "1 core", *(f"{cores:,} cores" for cores in CORES)]
    first = table(head, list(costs(rates, tokens)))
    head = [
        "tokens",
        "text, GB",
        "features of words 1-2, all kept",
        "memory to learn them, GB",
        "two weights of each, GB",
    ]
    second = table(head, list(sizes(rates)))
    head = ["shards", "million tokens of a shard"]
    head += ["million features of a shard", "network of the driver", "its sums"]
    head += ["with hash=22, million", "network", "sums"]
    return f"{first}\n\n{second}\n\n{table(head, list(mixing(rates, tokens)))}"


def measured() -> dict[str, float]:
    """The rates of this machine."""
    import datasets
    from measure import job, say

    name = datasets.available(["imdb"])[0]

    def run(what: str, **how: Any) -> dict[str, float]:
        say(f"  {what} {how}")
        return job(f"scale:{what}", name=name, **how)

    few, many = 2000, 20_000
    small, large = (run("scored", texts=n) for n in (few, many))
    more = large["tokens"] - small["tokens"]
    a, b = (run("learned", texts=n, epochs=1) for n in (few, many))
    c = run("learned", texts=many, epochs=11)
    once = [run("streamed", texts=n) for n in (few, many)]
    growth = run("grown", texts=25_000)
    return {
        "score": more / (large["cpu"] - small["cpu"]),
        "read": more / (b["cpu"] - a["cpu"] - (c["cpu"] - b["cpu"]) / 10 * (1 - few / many)),
        "learn": 10 * large["tokens"] / (c["cpu"] - b["cpu"]),
        "once": more / (once[1]["cpu"] - once[0]["cpu"]),
        "bytes_per_token": large["bytes"] / large["tokens"],
        **{key: growth[key] for key in ("heaps", "power", "merge", "per_feature")},
    }


def _texts(name: str, n: int) -> tuple[str, dict[str, float]]:
    """A file with the first n texts of a training part, and what it holds."""
    import re

    import datasets

    path = datasets.plain(name, "train", n)
    with path.open(encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    tokens = sum(len(re.findall(r"\w+", text)) for text in texts)
    return str(path), {"tokens": tokens, "bytes": sum(len(text.encode()) for text in texts)}


def scored(name: str, texts: int) -> dict[str, float]:
    import tempfile
    from pathlib import Path

    from measure import spawn
    from peers import linnet_command

    model = _model(name)
    path, facts = _texts(name, texts)
    with tempfile.TemporaryDirectory() as folder:
        usage = spawn([linnet_command(), "predict", model, path, "-o", Path(folder, "labels.parquet"), "--quiet"])
    return {**facts, "cpu": usage.cpu}


def _model(name: str) -> str:
    """A model of the training part, trained once."""
    import datasets
    import linnet

    path = datasets.cache() / f"scale-{linnet.__version__}-{name}.linnet"
    if not path.exists():
        linnet.train(_texts(name, 25_000)[0], task="labels", features="words:1-2", learner="averaged-mira").save(path)
    return str(path)


def learned(name: str, texts: int, epochs: int) -> dict[str, float]:
    import linnet
    from measure import section

    path, facts = _texts(name, texts)
    with section() as took:
        linnet.train(path, task="labels", features="words:1-2", learner="averaged-mira", epochs=epochs)
    return {**facts, "cpu": took["cpu"]}


def streamed(name: str, texts: int) -> dict[str, float]:
    import tempfile
    from pathlib import Path

    from measure import spawn
    from peers import linnet_command

    path, facts = _texts(name, texts)
    how = ["--task", "labels", "--features", "words:1-2", "--learner", "averaged-perceptron", "--once", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        usage = spawn([linnet_command(), "train", path, "-o", Path(folder, "m.linnet"), *how])
    return {**facts, "cpu": usage.cpu}


def grown(name: str, texts: int) -> dict[str, float]:
    """How features grow with tokens, what they take in memory, and how fast two models of them are merged."""
    import linnet
    from linnet.features.text import TextFeatures
    from measure import cpu_seconds, exponent, section

    path, _ = _texts(name, texts)
    with open(path, encoding="utf-8") as file:
        all_texts = [json.loads(line)["text"] for line in file]
    points = []
    for share in (16, 8, 4, 2, 1):
        some = all_texts[: len(all_texts) // share]
        found = TextFeatures("words:1-2")
        found.fit_transform(some)
        points.append((sum(len(text.split()) for text in some), found.n_features))
    power = exponent([x for x, _ in points], [y for _, y in points])
    how = {"task": "labels", "features": "words:1-2", "learner": "averaged-mira", "epochs": 1}
    half = len(all_texts) // 2
    labels = [str(k % 2) for k in range(half)]
    one, other = (linnet.train(some, labels, **how) for some in (all_texts[:half], all_texts[half : 2 * half]))
    began = cpu_seconds()
    both = one.merge(other)
    merge = (one.features.n_features + other.features.n_features) / (cpu_seconds() - began)
    with section() as took:
        vocabulary = TextFeatures("words:1-2")
        for k in range(0, len(all_texts), 1000):
            vocabulary.partial_fit_transform(all_texts[k : k + 1000])
    names = 1e6 * took["above_mb"] / vocabulary.n_features
    weights = 2 * 4 * both.weights[0].shape[1]  # w and its average, while it is learned
    tokens, n = points[-1]
    return {"heaps": n / tokens**power, "power": power, "merge": merge, "per_feature": names + weights}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for field in dataclasses.fields(Rates):
        name = "--" + field.name.replace("_", "-")
        parser.add_argument(name, type=float, default=field.default, help=f"{field.default:g} by default")
    parser.add_argument("--tokens", type=float, default=1e12, help="1e12 by default")
    parser.add_argument("--measure", action="store_true", help="measure the rates on this machine instead")
    asked = vars(parser.parse_args())
    tokens, measure = asked.pop("tokens"), asked.pop("measure")
    if measure:
        found = measured()
        print(json.dumps(found, indent=2))
        asked |= found
    print(tables(Rates(**asked), tokens))


if __name__ == "__main__":
    main()
