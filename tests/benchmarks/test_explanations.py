"""Explanations of every task say the truth: a quick version of benchmarks/explanations.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from task_models import TASKS, examples, trained

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module("explanations")
    for name in ("explanations", "sessions", "bits", "datasets", "errors"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("task", TASKS)
def test_reasons_sum_to_the_difference_of_scores_and_removals_hold(script, task):
    found = script.checked(trained(task), examples(task, seed=1)[0], 60)
    assert found.outputs == 60
    assert found.bits <= 1, "no more is lost than the last bit of a float64"
    assert found.compiled < 2e-6
    assert found.wrong == []
    is_text = task in ("labels", "labelset", "ranking", "hierarchy", "ordinal")
    assert len(found.removals) + found.none == (6 if is_text else 0)


def test_a_sum_that_is_wrong_is_found(script):
    model = trained("labels")
    (decided,) = model.decisions(["the old dog"])
    found, this, that = script.Found(), {0: 0}, {0: 1}
    script.compare(model, decided, "the old dog", this, that, decided.reasons(this, that)[1:], found)
    assert found.bits > 1000
