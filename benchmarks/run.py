"""Run the benchmarks: `python benchmarks/run.py [names...] [--quick] [--json FILE]`."""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import sys
from pathlib import Path

from errors import MissingError
from measure import say
from report import as_json, machine, show

BENCHMARKS = (
    "vectorise",
    "learn",
    "optimum",
    "labels10k",
    "endtoend",
    "threads",
    "growth",
    "memory",
    "latency",
    "predicting",
    "accuracy",
    "unspaced",
    "compare",
    "pang2002",
    "tagging",
    "tags",
    "parsing",
    "alignment",
    "reuters",
    "trec_hierarchy",
    "constituents",
    "ratings",
    "costs",
    "reranking",
    "second_look",
    "suspects",
    "small_models",
    "large_models",
    "confidence",
    "few_examples",
    "few_labels",
    "few_tasks",
    "few_defaults",
    "few_sentences",
    "active_orders",
    "domain_shift",
    "lexicon",
    "limits",
    "damaged",
)
RESULTS = Path(__file__).with_name("results")


def main(names: list[str] | None = None) -> None:
    """Run the benchmarks that the command line names; a module that is run alone names itself."""
    parser = argparse.ArgumentParser(description="linnet and its peers on the same data, in the same run")
    if names is None:
        parser.add_argument("names", nargs="*", metavar="name", help=f"which: {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="small samples and one round: to see that it runs")
    parser.add_argument("--rounds", type=int, help="how often each contestant is measured")
    parser.add_argument("--json", type=Path, metavar="FILE", help="one file for all results")
    options = parser.parse_args()
    chosen = names or options.names or list(BENCHMARKS)
    for name in chosen:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")

    results, failed = {}, []
    for name in chosen:
        say(f"{name}:")
        rounds = {"rounds": 1} if options.quick else {}
        rounds |= {"rounds": options.rounds} if options.rounds else {}
        try:
            tables = importlib.import_module(name).run(quick=options.quick, **rounds)
        except MissingError as reason:
            say(f"{name} is left out: {reason}.")
            continue
        results[name] = [as_json(table) for table in tables]
        for table in tables:
            show(table)
            failed += [who for who in table.details.get("failed", {}) if who.startswith("linnet")]
        if options.json is None:
            _write(RESULTS / f"{name}-{datetime.date.today().isoformat()}.json", {name: results[name]}, options.quick)
    if options.json is not None:
        _write(options.json, results, options.quick)
    if failed:
        sys.exit(f"linnet failed in: {', '.join(failed)}")


def _write(path: Path, results: dict, quick: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "machine": machine(),
        "results": results,
    }
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    say(f"written: {path}")


if __name__ == "__main__":
    main()
