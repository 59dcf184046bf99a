"""The recipe that reranks the best taggings: its features by hand, and all of it on a few sentences."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).parents[2] / "examples" / "rerank_chunks.py"


@pytest.fixture(scope="module")
def recipe():
    spec = importlib.util.spec_from_file_location("rerank_chunks", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_chunks(recipe):
    assert recipe.chunks(["B-NP", "I-NP", "O", "B-VP", "B-NP"]) == [
        ("NP", 0, 2),
        ("O", 2, 3),
        ("VP", 3, 4),
        ("NP", 4, 5),
    ]


def test_what_all_taggings_share_is_left_out(recipe):
    """Both have the same chunk first; they differ in whether the third word is one of its own."""
    words, others = ["a", "dog", "barks"], ["D", "N", "V"]
    gold = ["B-NP", "I-NP", "B-VP"]
    best = [(["B-NP", "I-NP", "I-NP"], 2.0), (gold, 1.0)]
    first, second = recipe.one_list(words, others, gold, best).candidates
    assert (first.cost, second.cost) == (3, 0)
    assert (first.numbers, second.text) == ({"score": 2.0}, "B-NP I-NP B-VP")
    assert first.features["NP 3 long"] == 1
    assert second.features["NP = D N"] == 1
    assert second.features["NP VP </s>"] == 1
    assert "<s> NP" not in first.features | second.features


def test_all_of_it(recipe, tmp_path, capsys):
    rng = np.random.default_rng(0)
    noun, verb = "the DT B-NP\n{} NN I-NP\n", "{} VBZ B-VP\n"
    for name, n in (("train", 60), ("test", 20)):
        rows = [
            noun.format(rng.choice(["dog", "cat"])) + verb.format(rng.choice(["barks", "eats"])) + ". . O\n\n"
            for _ in range(n)
        ]
        (tmp_path / f"{name}.conll").write_text("".join(rows))
    recipe.main(str(tmp_path / "train.conll"), str(tmp_path / "test.conll"))
    assert capsys.readouterr().out.splitlines() == [
        "the tagger alone: 100.00% of 20 sentences right",
        "reranked: 100.00% of 20 sentences right",
        "the best of 20: 100.00% of 20 sentences right",
    ]
