"""The tables of docs/scale.md are what the scripts print."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def scripts():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import scale
        import simulate_cluster

        yield scale, simulate_cluster
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
        for name in ("scale", "simulate_cluster"):
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def page():
    return (ROOT / "docs/scale.md").read_text(encoding="utf-8")


def test_the_page_has_the_tables_of_costs(scripts, page):
    scale, _ = scripts
    for table in scale.tables(scale.Rates(), 1e12).split("\n\n"):
        assert table in page


def test_the_page_has_the_tables_of_the_simulation(scripts, page):
    _, simulation = scripts
    usual = simulation.Cluster()
    for cluster, workers, shards, failures in (
        (usual, [10, 30, 100, 300, 1000], [1], [0.1]),
        (replace(usual, driver=0.004), [1000], [1, 4, 16], [0, 0.1, 1]),
    ):
        assert simulation.table(simulation.HEAD, list(simulation.rows(cluster, workers, shards, failures, 0))) in page


def test_costs_are_tokens_by_rates(scripts):
    # 3,600 tokens at one a second are an hour; 5 epochs at ten a second half an hour more, behind an hour of reading.
    scale, _ = scripts
    rates = scale.Rates(score=1, read=1, learn=10, once=2, merge=1, heaps=3.6, power=1, price=2)
    found = {row[0]: row[1:4] for row in scale.costs(rates, 3600)}
    assert found == {
        "score every text": ["1", "2.00", "1.0 h"],
        "learn in one pass, from a stream": ["0", "1.00", "30.0 min"],
        "learn in 5 epochs on one machine": ["2", "3.00", "1.5 h"],
        "learn 1,000 parts, each in 5 epochs": ["2", "3.00", "1.5 h"],
        "merge the 1,000 models": ["4", "7.20", "3.6 h"],
    }


def test_what_the_driver_does_in_an_epoch(scripts):
    # 1,600 tokens in 16 shards: 100 features each, 24 bytes for each row, ten rows a second.
    scale, _ = scripts
    rates = scale.Rates(heaps=1, power=1, network=24, driver=0.1)
    first = next(scale.mixing(rates, 1600))
    assert first == ["16", "0", "0.0", "26.7 min", "2.7 min", "0.0", "26.7 min", "2.7 min"]
