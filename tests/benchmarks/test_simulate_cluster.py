"""The cluster on paper, against cases that are known in closed form."""

import math
import statistics
import sys
from dataclasses import replace
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def simulation():
    sys.path.insert(0, str(FOLDER))
    try:
        import simulate_cluster

        yield simulate_cluster
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("simulate_cluster", None)


@pytest.fixture
def calm(simulation):
    """A cluster without noise, stragglers, failures and work for the driver."""
    return simulation.Cluster(workers=3, shards=7, work=0.07, noise=0, stragglers=0, failures=0, driver=0, resend=0)


def test_without_chance_workers_go_in_rounds(simulation, calm):
    # 7 shards of 10 seconds for 3 workers: three rounds.
    found = simulation.outcome(calm, epochs=2)
    assert found == simulation.Outcome(30, pytest.approx(7 / 9), 0, 0, 0)


def test_an_epoch_waits_for_its_straggler(simulation, calm):
    one_each = replace(calm, shards=3, work=0.03, stragglers=1, slow=4)
    assert simulation.outcome(one_each).seconds == 40
    more = replace(calm, workers=100, shards=100, work=1, stragglers=0.5, slow=4)
    assert simulation.outcome(more).seconds == 40


def test_the_driver_sends_and_adds_up_one_after_the_other(simulation, calm):
    # Without work for the workers the epoch is what the driver does; with it, a last result waits to be added.
    assert simulation.outcome(replace(calm, work=1e-9, driver=0.5)).seconds == pytest.approx(7 * 0.5)
    assert simulation.outcome(replace(calm, shards=1, work=0.01, driver=0.5)).seconds == pytest.approx(10.5)


def test_the_longest_of_exponential_tasks(simulation, calm):
    # The largest of n exponential times with mean t has the mean t (1 + 1/2 + ... + 1/n).
    cluster = replace(calm, workers=20, shards=20, work=0.2, exponential=True)
    expected = 10 * sum(1 / k for k in range(1, 21))
    seconds = statistics.fmean(one.seconds for one in simulation.simulated(cluster, 4000))
    assert seconds == pytest.approx(expected, rel=0.02)


def test_one_worker_that_fails(simulation, calm):
    # A task of t seconds that begins anew after failures at rate f, each followed by a restart of r seconds, takes
    # (exp(f t) - 1) (1/f + r) seconds on average, with exp(f t) - 1 failures. What is neither work nor restart is lost.
    t, per_hour, r = 100, 36, 20
    cluster = replace(calm, workers=1, shards=1, work=t / 1000, failures=per_hour, restart=r)
    found = simulation.simulated(cluster, 20_000, seed=1)
    failures = math.exp(per_hour / 3600 * t) - 1
    expected = failures * (3600 / per_hour + r)
    assert statistics.fmean(one.seconds for one in found) == pytest.approx(expected, rel=0.03)
    assert statistics.fmean(one.failures for one in found) == pytest.approx(failures, rel=0.03)
    assert statistics.fmean(one.lost for one in found) == pytest.approx(expected - t - failures * r, rel=0.03)
    assert {one.done for one in found} == {t}


def test_a_lost_shard_goes_to_a_free_worker(simulation, calm):
    # Two workers, one shard: while the first one restarts for an hour, the second one does the shard.
    cluster = replace(calm, workers=2, shards=1, work=0.1, failures=18, restart=3600)
    found = simulation.simulated(cluster, 500)
    once = [one for one in found if one.failures == 1]
    assert len(once) > 50
    assert max(one.seconds for one in once) < 200


def test_the_same_seed_is_the_same_cluster(simulation):
    cluster = simulation.Cluster(workers=50, shards=200, work=20, failures=1)
    assert simulation.simulated(cluster, 3, seed=5) == simulation.simulated(cluster, 3, seed=5)
    assert simulation.simulated(cluster, 3, seed=5) != simulation.simulated(cluster, 3, seed=6)
    less, more = (simulation.outcome(replace(cluster, failures=rate)) for rate in (0, 30))
    assert (less.lost, less.failures) == (0, 0)
    assert more.seconds > less.seconds
    assert more.lost > 0.01


def test_the_table_has_a_row_for_each_case(simulation):
    cluster = simulation.Cluster(workers=10, work=1)
    body = list(simulation.rows(cluster, [10, 20], [1, 4], [0], seed=0))
    assert [row[:4] for row in body] == [
        ["10", "1", "0", "100.0"],
        ["10", "4", "0", "25.0"],
        ["20", "1", "0", "50.0"],
        ["20", "4", "0", "12.5"],
    ]
    assert simulation.table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
