"""Taggers that learn from sentences without tags, too."""

import json

import numpy as np
import pytest

import linnet

NOUNS = ["dog", "cat", "horse", "bird", "cow", "fox", "owl", "hen"]
VERBS = ["sees", "likes", "hears", "bites", "follows", "meets", "licks", "calls"]


def toy(n, seed, nouns, verbs):
    """Sentences such as: the dog sees a cat, or: the dog barks now; with their tags."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        noun, verb, other = str(rng.choice(nouns)), str(rng.choice(verbs)), str(rng.choice(nouns))
        if i % 2:
            yield ["the", noun, verb, "a", other], ["D", "N", "V", "D", "N"]
        else:
            yield ["now", verb, "the", noun], ["A", "V", "D", "N"]


FEW = [*zip(*toy(12, 0, NOUNS[:2], VERBS[:2]), strict=True)]
POOL = [words for words, _ in toy(400, 1, NOUNS, VERBS)]
TEST = [*zip(*toy(60, 2, NOUNS[3:], VERBS[3:]), strict=True)]
SPEC = "w like-amb vector-cluster:4[-1..1]"


def trained(**how):
    return linnet.train(*FEW, task="tag", **{"unlabelled": POOL, "epochs": 5, **how})


@pytest.fixture(scope="module")
def taught():
    return trained()


def test_words_that_no_tag_has_are_learned_from_like_words(taught):
    words = [[noun] for noun in NOUNS[3:]] + [[verb] for verb in VERBS[3:]]
    right = [["N"]] * 5 + [["V"]] * 5
    assert trained(features="w like-amb").predict(words) == right
    assert linnet.train(*FEW, task="tag", features="w like-amb", epochs=5).predict(words) != right
    assert taught.evaluate(*TEST).token_accuracy == 1


def test_it_is_said(taught):
    assert taught.report["unlabelled"]["examples"] == 400
    assert "vector-cluster:128[-1..1]" in taught.features.spec
    assert "vector-cluster" not in linnet.train(*FEW, task="tag", epochs=1).features.spec


def test_features_of_ones_own_are_kept():
    model = trained(features=SPEC)
    assert model.features.spec == SPEC
    assert model.evaluate(*TEST).token_accuracy == 1


def test_an_explanation_names_the_cluster_and_sums_to_the_score(taught):
    (why,) = trained(features=SPEC).explain(["fox"])
    assert sum(part.contribution for part in why.contributions) == pytest.approx(why.score, abs=1e-9)
    named = [part.what for part in why.contributions if "vector-cluster:4=" in part.what]
    assert len(named) == 1
    assert set(named[0].partition("=")[2].split(",")) <= set(NOUNS)


def test_a_saved_model_gives_the_same_probabilities(taught, tmp_path):
    taught.save(tmp_path / "few.linnet")
    again = linnet.load(tmp_path / "few.linnet")
    for ours, theirs in zip(taught.predict_proba(TEST[0]), again.predict_proba(TEST[0]), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_change_a_bit(taught, threads):
    again = trained(threads=threads)
    for ours, theirs in zip(taught.weights, again.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_files_tables_and_sentences_are_the_same(taught, tmp_path):
    conll, tagged, prose, lines = (tmp_path / f"pool.{end}" for end in ("conll", "bio", "txt", "jsonl"))
    conll.write_text("\n\n".join("\n".join(words) for words in POOL) + "\n")
    tagged.write_text("\n\n".join("\n".join(f"{word} X" for word in words) for words in POOL) + "\n")
    prose.write_text("\n".join(" ".join(words) for words in POOL) + "\n")
    lines.write_text("".join(json.dumps({"tokens": words}) + "\n" for words in POOL))
    texts = [" ".join(words) for words in POOL]
    for pool in (conll, str(tagged), [prose], lines, {"tokens": POOL}, texts, iter(POOL)):
        again = trained(unlabelled=pool)
        np.testing.assert_array_equal(again.weights[0], taught.weights[0])


def test_several_files_are_joined(tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.conll"]
    paths[0].write_text("\n".join(" ".join(words) for words in POOL[:200]) + "\n")
    paths[1].write_text("\n\n".join("\n".join(words) for words in POOL[200:]) + "\n")
    assert trained(unlabelled=paths, features=SPEC).report["unlabelled"]["examples"] == 400


@pytest.mark.parametrize("learner", ["averaged-perceptron", "svm", "naive-bayes", "feedforward"])
def test_other_learners_learn_from_like_words_too(learner):
    assert trained(features=SPEC, learner=learner).evaluate(*TEST).token_accuracy > 0.95


def test_without_the_columns_that_are_looked_at_nobody_is_taught():
    """Words alone are enough for clusters, but the tags of sentences without other columns cannot be predicted."""
    X = [[(word, word[-1]) for word in words] for words in FEW[0]]
    test = [[(word, word[-1]) for word in words] for words in TEST[0]]
    alone = linnet.train(X, FEW[1], task="tag", epochs=5, unlabelled=POOL)
    assert alone.evaluate(test, TEST[1]).token_accuracy > 0.9
    pool = [[(word, word[-1]) for word in words] for words in POOL]
    both = linnet.train(X, FEW[1], task="tag", epochs=5, unlabelled=pool)
    assert both.features.n_features > alone.features.n_features


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"memory": "rows"}, "memory=rows"),
        ({"unlabelled": "nowhere.txt"}, "nowhere.txt"),
        ({"unlabelled": []}, "found no words"),
        ({"features": "vector-cluster:1"}, "vector-cluster:N"),
    ],
)
def test_what_cannot_be_is_refused(how, said):
    with pytest.raises(linnet.LinnetError, match=said):
        trained(**how)
