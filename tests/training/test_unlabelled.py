"""Training with texts that nobody has labelled."""

import json

import numpy as np
import pytest

import linnet

GOOD = ["fine", "grand", "lovely", "superb", "moving", "witty", "tender", "bright"]
BAD = ["dull", "poor", "dreary", "awful", "clumsy", "stale", "tedious", "flat"]
NEITHER = ["film", "story", "the", "a", "scene", "plot", "cast", "and", "of", "it"]


def texts(n, seed):
    """Short reviews. Words that speak for the same label stand near each other."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        words = [*rng.choice((GOOD, BAD)[i % 2], 3), *rng.choice(NEITHER, 5)]
        yield " ".join(rng.permutation(words)), ("good", "bad")[i % 2]


POOL = [text for text, _ in texts(600, 1)]
TEST = list(texts(200, 2))
FEW = [("a fine film", "good"), ("the grand story", "good"), ("a dull film", "bad"), ("the poor story", "bad")] * 5


def accuracy(model):
    return np.mean(
        [label == right for label, (_, right) in zip(model.predict([x for x, _ in TEST]), TEST, strict=True)]
    )


@pytest.fixture(scope="module")
def taught():
    return linnet.train(FEW, unlabelled=POOL)


def test_words_that_no_label_has_are_learned_from_their_neighbours(taught):
    alone = linnet.train(FEW)
    assert accuracy(alone) < 0.8
    assert accuracy(taught) > 0.95
    assert taught.predict(["superb witty scene", "stale tedious plot"]) == ["good", "bad"]


def test_it_is_said(taught):
    assert str(taught.features.spec).endswith("vectors:200*0.7 topics:100*0.7")
    assert taught.report["unlabelled"] == {"examples": 600}


def test_the_estimate_is_of_teacher_and_student(taught):
    assert taught.report["expected"]["n"] == 20
    assert taught.has_probabilities


def test_an_explanation_sums_to_the_score(taught):
    for text, _ in TEST[:20]:
        why = taught.explain(text)
        scores = dict(zip(taught.labels, taught.scores([text])[0].tolist(), strict=True))
        difference = scores[why.label] - scores[why.against]
        assert why.score == pytest.approx(difference, abs=1e-5)
        assert why.bias + sum(item.contribution for item in why.contributions) == pytest.approx(why.score, abs=1e-9)
        of_words = sum(word.contribution for word in why.words)
        assert why.bias + of_words + why.elsewhere == pytest.approx(why.score, abs=1e-9)


def test_an_explanation_names_the_words_of_vectors(taught):
    why = taught.explain("superb scene")
    found = {item.feature: item for item in why.contributions}
    assert found["vectors=superb"].contribution > 0
    assert found["vectors=superb"].spans == ((0, 6),)
    assert not any("#" in item.feature for item in why.contributions)


def test_the_strongest_features_are_words(taught):
    strongest = taught.strongest(5)
    assert [len(best) for best in strongest.values()] == [5, 5]
    assert not any("#" in item.feature for best in strongest.values() for item in best)


def test_a_saved_model_gives_the_same_scores(taught, tmp_path):
    taught.save(tmp_path / "few.linnet")
    again = linnet.load(tmp_path / "few.linnet")
    inputs = [text for text, _ in TEST]
    np.testing.assert_array_equal(taught.scores(inputs), again.scores(inputs))


def test_the_same_data_give_the_same_bits(taught):
    again = linnet.train(FEW, unlabelled=POOL)
    for ours, theirs in zip(taught.weights, again.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_files_tables_and_texts_are_the_same(taught, tmp_path):
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in POOL))
    for pool in (path, str(path), [str(path)], {"text": POOL}):
        model = linnet.train(FEW, unlabelled=pool)
        np.testing.assert_array_equal(model.weights[0], taught.weights[0])


@pytest.mark.parametrize("learner", ["logistic", "svm", "averaged-mira"])
def test_other_learners_have_students_too(learner):
    assert accuracy(linnet.train(FEW, unlabelled=POOL, learner=learner)) > 0.9


def test_features_of_ones_own_need_no_vectors():
    model = linnet.train(FEW, unlabelled=POOL, features="words:1")
    assert model.report["unlabelled"] == {"examples": 600}
    assert not any("#" in name for name in model.features.names())


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"task": "labelset"}, "texts with one label"),
        ({"memory": "rows"}, "memory=rows"),
        ({"learner": "naive-bayes"}, "no story of how vectors"),
        ({"unlabelled": "nowhere.txt"}, "nowhere.txt"),
    ],
)
def test_what_cannot_be_is_refused(how, said):
    with pytest.raises(linnet.LinnetError, match=said):
        linnet.train(FEW, **{"unlabelled": POOL, **how})
