"""Why a tag: contributions that sum to the difference of the scores, against enumeration."""

import itertools

import numpy as np
import pytest

import linnet
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.structures.chain import Chain
from linnet.structures.trigrams import TrigramChain
from linnet.tasks.tag.why import explain_tags

T, L = 4, 3


class Names:
    def name(self, feature):
        return f"f{feature}"

    def pair_name(self, feature):
        return f"g{feature}"


def rows(rng, places, n_features):
    """Two features at each place."""
    indptr = np.arange(0, 2 * places + 1, 2)
    return Block(
        indptr,
        rng.integers(0, n_features, 2 * places).astype(np.uint32),
        np.ones(2 * places, np.float32),
        np.array([0, places], np.int64),
    )


def shared():
    return Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def sentence(seed, observed, order, padded):
    rng = np.random.default_rng(seed)
    blocks = [rows(rng, T, 6), rows(rng, T - 1, 5) if observed else shared()] + [shared()] * (order - 1)
    sizes = (7, 6 if observed else 1, 1)
    weights = [padded(rng.normal(size=(sizes[g], L ** (g + 1)))) for g in range(1 + order)]
    legal = rng.random((L, L)) < 0.8
    ends = {"starts": np.array([True, False, True]), "ends": np.array([True, True, False])}
    return tuple(blocks), Predictor(
        (Chain, TrigramChain)[order - 1](L, legal=legal, observed=observed, **ends), weights
    )


def scores(blocks, predictor, order):
    theta = predictor.scores(blocks)
    observed = len(theta[1]) == T - 1
    found = {}
    for y in itertools.product(range(L), repeat=T):
        if predictor.gen.allows(np.array(y, np.int32)):
            found[y] = sum(theta[0][t, c] for t, c in enumerate(y))
            for t in range(1, T):
                found[y] += theta[1][t - 1 if observed else 0, y[t - 1] * L + y[t]]
                if t > 1 and order == 2:
                    found[y] += theta[2][0, (y[t - 1] * L + y[t - 2]) * L + y[t]]
    return found


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("observed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_the_score_is_the_distance_to_the_best_with_another_tag(seed, observed, order, padded):
    blocks, predictor = sentence(seed, observed, order, padded)
    all_scores = scores(blocks, predictor, order)
    if not all_scores:
        pytest.skip("no sequence is legal")
    best = max(all_scores, key=all_scores.get)
    for t, found in enumerate(explain_tags("abcd", blocks, Names(), predictor, "xyz")):
        assert found.tag == "xyz"[best[t]]
        rivals = {y: s for y, s in all_scores.items() if y[t] != best[t]}
        if rivals:
            other = max(rivals, key=rivals.get)
            assert found.against == "xyz"[other[t]]
            assert found.score == pytest.approx(all_scores[best] - rivals[other], abs=1e-4)
        else:
            assert (found.against, found.score) == ("", 0)
        assert found.score == pytest.approx(sum(part.contribution for part in found.contributions))


def test_a_model_explains_its_tags(tmp_path):
    (tmp_path / "t.conll").write_text("the DT\ndog NN\nbarks VB\n\nAnn NNP\nbarks VB\n\n" * 5)
    model = linnet.train(tmp_path / "t.conll", features="w w[-1]")
    found = model.explain(["the", "dog", "barks"])
    assert [item.tag for item in found] == ["DT", "NN", "VB"]
    assert all(item.score > 0 for item in found)
    assert found[2].contributions[0].what in ("w=barks", "w[-1]=dog", "VB after NN", "bias")
    assert model.explain([]) == []


def test_a_sentence_that_is_too_long_to_explain_is_refused(tmp_path):
    (tmp_path / "t.conll").write_text("the DT\ndog NN\nbarks VB\n\n" * 5)
    model = linnet.train(tmp_path / "t.conll", features="w")
    assert len(model.explain(["dog"] * 300)) == 300
    with pytest.raises(
        linnet.DataError, match="a sentence has 2,001 tokens, and sentences of at most 2,000 are explained"
    ):
        model.explain(["dog"] * 2001)


def test_what_is_seen_at_a_pair_of_tags_is_named(tmp_path):
    (tmp_path / "t.conll").write_text("the DT\ndog NN\nbarks VB\n\nAnn NNP\nbarks VB\n\n" * 5)
    model = linnet.train(tmp_path / "t.conll", features="w y[-1]|lower[-1]")
    whats = {part.what for part in model.explain(["the", "dog"])[1].contributions}
    assert {"w=dog", "NN after DT", "NN after DT at lower[-1]=the"} <= whats
    assert any(what.startswith("not ") and what.endswith(" at lower[-1]=the") for what in whats)
