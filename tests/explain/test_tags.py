"""Why a tag: contributions that sum to the difference of the scores, against enumeration."""

import itertools

import numpy as np
import pytest

import linnet
from linnet.explain.tags import explain_tags
from linnet.features.text import SparseRows


def sentence(seed, n_tokens=4, L=3):
    rng = np.random.default_rng(seed)
    indptr = np.arange(0, 2 * n_tokens + 1, 2)
    rows = SparseRows(indptr, rng.integers(0, 6, 2 * n_tokens).astype(np.uint32), np.ones(2 * n_tokens, np.float32))
    weights = [rng.normal(size=(7, L)).astype(np.float32), rng.normal(size=(1, L * L)).astype(np.float32)]
    legal = (rng.random((L, L)) < 0.8, np.array([True, False, True]), np.array([True, True, False]))
    return rows, weights, legal


def scores(rows, weights, legal, L=3):
    n = len(rows.indptr) - 1
    emit = [weights[0][0] + sum(weights[0][1 + rows.indices[k]] for k in (2 * t, 2 * t + 1)) for t in range(n)]
    trans = weights[1].reshape(L, L)
    follows, first, last = legal
    found = {}
    for y in itertools.product(range(L), repeat=n):
        if first[y[0]] and last[y[-1]] and all(follows[a, c] for a, c in itertools.pairwise(y)):
            found[y] = sum(emit[t][c] for t, c in enumerate(y)) + sum(trans[a, c] for a, c in itertools.pairwise(y))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_score_is_the_distance_to_the_best_with_another_tag(seed):
    rows, weights, legal = sentence(seed)
    all_scores = scores(rows, weights, legal)
    if not all_scores:
        pytest.skip("no sequence is legal")
    best = max(all_scores, key=all_scores.get)
    names = [f"f{j}" for j in rows.indices]
    for t, found in enumerate(explain_tags("abcd", rows, names, weights, "xyz", legal)):
        assert found.tag == "xyz"[best[t]]
        rivals = {y: s for y, s in all_scores.items() if y[t] != best[t]}
        if rivals:
            other = max(rivals, key=rivals.get)
            assert found.against == "xyz"[other[t]]
            assert found.score == pytest.approx(all_scores[best] - rivals[other], abs=1e-4)
        assert found.score == pytest.approx(sum(part.contribution for part in found.contributions))


def test_a_model_explains_its_tags(tmp_path):
    (tmp_path / "t.conll").write_text("the DT\ndog NN\nbarks VB\n\nAnn NNP\nbarks VB\n\n" * 5)
    model = linnet.train(tmp_path / "t.conll", features="w w[-1]")
    found = model.explain(["the", "dog", "barks"])
    assert [item.tag for item in found] == ["DT", "NN", "VB"]
    assert all(item.score > 0 for item in found)
    assert found[2].contributions[0].what in ("w=barks", "w[-1]=dog", "VB after NN", "bias")
    assert model.explain([]) == []
