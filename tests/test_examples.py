"""The structures in examples/ are right by enumeration, learn what they are for, are short. The task has test_own_task.py."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import linnet
from linnet.structures.checks import check_structure

FOLDER = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_they_are_short(path):
    """A structure is under 100 lines, a task with all that belongs to it under 200."""
    code = path.read_text(encoding="utf-8")
    assert len(code.splitlines()) < (200 if "TASKS.add" in code else 100)


@pytest.mark.parametrize("learner", ["averaged-perceptron", "averaged-mira", "svm", "crf"])
def test_hyphenation(learner, tmp_path):
    made = example("hyphenation")
    check_structure(made.Syllables, ["a", "mar", "pluma"], outputs=made.all_outputs)
    X, Y = made.data()
    model = linnet.learn(made.Syllables, X[:100], Y[:100], learner=learner)
    report = model.evaluate(X[100:], Y[100:])
    assert report.accuracy > 0.85
    assert model.predict(["ventana", "cocina", "lento"]) == [(3, 5, 7), (2, 4, 6), (3, 5)]
    model.save(tmp_path / "words.linnet")
    assert linnet.load(tmp_path / "words.linnet", structure=made.Syllables).predict(X) == model.predict(X)


def test_seating():
    made = example("seating")
    X, Y = made.data(130)
    check_structure(made.Seating, X[:1], n=3)
    model = linnet.learn(made.Seating, X[:100], Y[:100], epochs=10)
    report = model.evaluate(X[100:], Y[100:])
    assert report.accuracy > 0.5  # by chance 1/120
    assert report.mean_cost < 2  # by chance 4 of 5 guests are on a wrong seat
    best = model.predict_k(X[100:], 5)
    assert np.mean([y in [output for output, _ in found] for y, found in zip(Y[100:], best, strict=True)]) > 0.8
    weight = dict(zip(model.features.blocks[1].attributes, model.weights[1][1:, 0].tolist(), strict=True))
    assert weight["child+parent"] > 0 > weight["rival+rival"]
