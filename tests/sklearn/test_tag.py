"""SequenceTagger: what sklearn-crfsuite's CRF takes, and templates over words."""

import itertools
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from linnet.errors import DataError, UsageError
from linnet.features.attributes import AttributeFeatures
from linnet.learners import Learning
from linnet.sklearn import SequenceTagger

WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps", "here"], ["the", "cat", "barks"], ["dogs", "sleep"]]
TAGS = [["D", "N", "V"], ["D", "N", "V", "A"], ["D", "N", "V"], ["N", "V"]]


def attributes(sentence):
    return [
        {"w": word, "first": t == 0, "suffix": {"1": word[-1]}, "length": len(word) / 10}
        for t, word in enumerate(sentence)
    ]


DICTS = [attributes(sentence) for sentence in WORDS]


def test_attributes_are_read_as_python_crfsuite_reads_them():
    features = AttributeFeatures()
    X = [[{"w": "a", "yes": True, "no": False, "n": 2.5, "in": ["x", "y"], "p": {"q": "r", "s": 3}}, ["w:a", "z"], {}]]
    rows = features.fit_transform(X)
    assert features.attributes == ["w:a", "yes", "n", "in:x", "in:y", "p:q:r", "p:s", "z"]
    assert rows.indptr.tolist() == [0, 7, 9, 9]
    assert rows.indices.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 7]
    assert rows.values.tolist() == [1, 1, 2.5, 1, 1, 1, 3, 1, 1]


def test_attributes_are_those_of_python_crfsuite_itself():
    pycrfsuite = pytest.importorskip("pycrfsuite")
    token = {"w": "a", "yes": True, "no": False, "n": 2.5, "in": ["x", "y"], "p": {"q": "r", "s": 3}}
    theirs = {name: value for name, value in pycrfsuite.ItemSequence([token]).items()[0].items() if value}
    features = AttributeFeatures()
    rows = features.fit_transform([[token]])
    assert dict(zip(features.attributes, rows.values.tolist(), strict=True)) == theirs


def test_rare_attributes_are_left_out_and_unknown_ones_passed_over():
    features = AttributeFeatures(min_freq=2)
    rows = features.fit_transform([[["a", "b"], ["c", "b"]], [["a"]]])
    assert features.attributes == ["a", "b"]
    assert (rows.indptr.tolist(), rows.indices.tolist()) == ([0, 2, 3, 4], [0, 1, 1, 0])
    rows = features.transform([[["c", "b", "d"]], [["c"]]])
    assert (rows.indptr.tolist(), rows.indices.tolist()) == ([0, 1, 1], [1])


def test_a_value_that_is_no_attribute_is_refused():
    with pytest.raises(DataError, match="as the value of attribute 'w', found None"):
        SequenceTagger().fit([[{"w": None}, {"w": "a"}]], [["D", "N"]])
    with pytest.raises(DataError, match="For words, say what to look at in them"):
        SequenceTagger().fit(WORDS, TAGS)


@pytest.mark.parametrize("algorithm", [None, "lbfgs", "l2sgd", "ap", "pa"])
def test_every_algorithm_learns_dicts(algorithm):
    tagger = SequenceTagger(algorithm=algorithm, max_iterations=30, all_possible_transitions=True).fit(DICTS, TAGS)
    assert tagger.predict(DICTS) == TAGS
    assert tagger.predict_single(DICTS[1]) == TAGS[1]
    assert tagger.score(DICTS, TAGS) == 1
    assert tagger.classes_ == ["A", "D", "N", "V"]


def test_the_score_is_the_share_of_tokens():
    tagger = SequenceTagger(features="w").fit(WORDS, TAGS)
    wrong = [["N", "N", "V"], *TAGS[1:]]
    assert tagger.score(WORDS, wrong) == pytest.approx(11 / 12)


def test_lists_of_attributes_are_dicts_of_ones():
    lists = [[[f"w:{word}", "bias"] for word in sentence] for sentence in WORDS]
    dicts = [[{"w": word, "bias": 1.0} for word in sentence] for sentence in WORDS]
    a, b = (SequenceTagger(max_iterations=3).fit(X, TAGS) for X in (lists, dicts))
    assert a.state_features_ == b.state_features_


def test_templates_make_the_same_model_as_the_attributes_they_stand_for():
    dicts = [[{"w": word, "suffix:1": word[-1]} for word in sentence] for sentence in WORDS]
    a = SequenceTagger(max_iterations=3).fit(dicts, TAGS)
    b = SequenceTagger(max_iterations=3, features="w suffix:1").fit(WORDS, TAGS)
    theirs = {(name.replace("=", ":"), tag): weight for (name, tag), weight in b.state_features_.items()}
    assert a.state_features_ == theirs
    assert a.transition_features_ == b.transition_features_


def of_token(sentence, t):
    return attributes(sentence)[t]


def test_a_function_makes_the_same_model_as_the_dicts_that_it_gives():
    dicts = SequenceTagger().fit(DICTS, TAGS)
    function = pickle.loads(pickle.dumps(SequenceTagger(features=of_token).fit(WORDS, TAGS)))
    assert function.state_features_ == dicts.state_features_
    assert function.predict(WORDS[:2]) == dicts.predict(DICTS[:2])


def test_tuples_have_columns():
    X = [[(word, "cap" if word == "the" else "no") for word in sentence] for sentence in WORDS]
    tagger = SequenceTagger(features="w col2[-1]|col2").fit(X, TAGS)
    assert "col2[-1]|col2=cap|no" in tagger.attributes_
    assert tagger.predict(X) == TAGS
    with pytest.raises(DataError, match="expected 2 strings for each token, found 'dog'"):
        tagger.predict([["dog"]])


def test_marginals_and_scores_are_those_of_the_weights():
    """By enumeration, from state_features_, transition_features_ and intercept_ alone."""
    tagger = SequenceTagger(features="w suffix:1", max_iterations=3).fit(WORDS, TAGS)
    words = ["the", "cat", "sleep"]
    state, pairs, bias = tagger.state_features_, tagger.transition_features_, tagger.intercept_

    def score(y):
        total = sum(bias[tag] for tag in y) + sum(pairs[pair] for pair in itertools.pairwise(y))
        for word, tag in zip(words, y, strict=True):
            total += state.get((f"w={word}", tag), 0) + state.get((f"suffix:1={word[-1]}", tag), 0)
        return total

    outputs = list(itertools.product(tagger.classes_, repeat=3))
    p = np.exp([score(y) for y in outputs])
    p /= p.sum()
    assert tagger.predict_single(words) == list(outputs[int(np.argmax(p))])
    for t, found in enumerate(tagger.predict_marginals_single(words)):
        for tag in tagger.classes_:
            expected = sum(share for y, share in zip(outputs, p, strict=True) if y[t] == tag)
            assert found[tag] == pytest.approx(expected, abs=1e-5)


def test_c2_is_crfsuites_objective():
    # sum of losses + c2 ||w||^2 = n (mean loss + lam / 2 ||w||^2) with lam = 2 c2 / n, and n = 4 sentences
    a = SequenceTagger(features="w", c2=0.3, max_iterations=4).fit(WORDS, TAGS)
    b = SequenceTagger(features="w", learner="crf", options={"lam": 0.15}, max_iterations=4).fit(WORDS, TAGS)
    assert a.state_features_ == b.state_features_


def test_lbfgs_has_crfsuites_penalties():
    # sum of losses + c1 ||w||_1 + c2 ||w||^2, over n = 4 sentences: l1 = c1 / n, lam = 2 c2 / n
    def weights(**given):
        return SequenceTagger(features="w", max_iterations=9, **given).fit(WORDS, TAGS).state_features_

    def by(**options):
        return weights(learner="crf", options={"by": "lbfgs", **options})

    assert weights(algorithm="lbfgs", c1=0.2, c2=0.3) == by(l1=0.05, lam=0.15)
    assert weights(c1=0.2) == weights(algorithm="lbfgs", c1=0.2) == by(l1=0.05, lam=0.5)
    assert weights(algorithm="lbfgs") == by(l1=0, lam=0.5)
    assert weights(c2=0.3) == weights(algorithm="l2sgd", c2=0.3) != by(l1=0, lam=0.15)
    assert len(weights(c1=0.8)) < len(weights(algorithm="lbfgs"))


def test_lbfgs_comes_to_the_optimum_of_its_objective():
    # Where no weight can be changed for the better: |d loss / d w_j + 2 c2 w_j| = c1 at w_j != 0. Of a weight at a tag in the
    # first sentence alone the derivative is its probability less whether it is right.
    X, y = [["a"], ["b"]], [["A"], ["B"]]
    tagger = SequenceTagger(features="w", algorithm="lbfgs", c1=0.1, c2=0.2).fit(X, y)
    p = tagger.predict_marginals_single(["a"])[0]["A"]
    w = tagger.state_features_["w=a", "A"]
    assert w > 0.1
    assert p - 1 + 2 * 0.2 * w == pytest.approx(-0.1, abs=2e-3)


def test_lbfgs_takes_at_most_100_passes_unless_told(monkeypatch):
    asked = []
    run = Learning.run
    monkeypatch.setattr(Learning, "run", lambda self, *a, **k: asked.append(k["epochs"]) or run(self, *a, **k))
    for given in ({"algorithm": "lbfgs"}, {"algorithm": "lbfgs", "max_iterations": 3}, {}):
        SequenceTagger(features="w", **given).fit(WORDS, TAGS)
    assert asked == [100, 3, None]


def test_pa_is_mira():
    def weights(**given):
        return SequenceTagger(features="w", max_iterations=2, **given).fit(WORDS, TAGS).state_features_

    assert weights(algorithm="pa", c=0.1) == weights(learner="averaged-mira", options={"C": 0.1})
    assert weights(algorithm="pa", averaging=False) == weights(learner="mira", options={"C": 1})
    assert weights(algorithm="pa", pa_type=0) == weights(learner="averaged-mira", options={"C": np.inf})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"algorithm": "arow"}, "there is no algorithm 'arow' in linnet. There are: lbfgs, l2sgd, ap, pa."),
        ({"algorithm": "l2sgd", "c1": 0.1}, "algorithm 'l2sgd' has no c1. Leave it out."),
        ({"algorithm": "ap", "c2": 1}, "algorithm 'ap' has no c2. Leave it out."),
        ({"c": 1}, "algorithm 'lbfgs' has no c. Leave it out."),
        ({"algorithm": "pa", "pa_type": 2}, "pa_type 2 is not in linnet. Use 0 or 1."),
        ({"all_possible_transitions": False}, "all_possible_transitions is always so. Leave it out."),
        ({"learner": "crf", "c2": 1}, "c2 is in CRFsuite's words, learner in linnet's. Leave one of them out."),
        (
            {"features": "w", "min_freq": 2},
            "min_freq is for attributes; with templates it has no meaning. Leave it out.",
        ),
        ({"learner": "crff"}, "unknown learner 'crff'. Did you mean 'crf'?"),
    ],
)
def test_what_has_no_equivalent_is_refused(given, sentence):
    with pytest.raises(UsageError) as error:
        SequenceTagger(**given).fit(DICTS if "features" not in given else WORDS, TAGS)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (WORDS, TAGS[:3], "expected as many lists of tags as sentences, found 3 and 4."),
        ([["a", "b"]], [["D"]], "sentence 0 has 2 tokens, but 1 tags."),
        ([["a", "b"]], [["D", "D"]], "expected at least two different tags, found 1."),
        ([], [], "expected sentences to learn from, found no token."),
    ],
)
def test_data_that_do_not_fit_are_refused(X, y, sentence):
    with pytest.raises(DataError) as error:
        SequenceTagger(features="w").fit(X, y)
    assert str(error.value) == sentence


def test_a_perceptron_has_no_probabilities():
    tagger = SequenceTagger("ap", features="w").fit(WORDS, TAGS)
    with pytest.raises(UsageError, match="the scores of learner 'averaged-perceptron' are not probabilities"):
        tagger.predict_marginals(WORDS)


@pytest.mark.parametrize("given", [{}, {"features": "w[-1..1] suffix:1-2 amb"}])
def test_a_pickled_tagger_and_a_clone_are_the_same(given):
    X = WORDS if given else DICTS
    tagger = SequenceTagger(max_iterations=4, **given).fit(X, TAGS)
    copy = pickle.loads(pickle.dumps(tagger))
    assert copy.predict_marginals(X) == tagger.predict_marginals(X)
    assert copy.state_features_ == tagger.state_features_
    again = clone(tagger)
    assert not hasattr(again, "classes_")
    assert again.get_params() == tagger.get_params()
    assert again.fit(X, TAGS).state_features_ == tagger.state_features_


def test_a_dev_part_chooses_the_epoch(capsys):
    dev = (WORDS[:2], TAGS[:2])
    tagger = SequenceTagger(features="w", max_iterations=20, verbose=True).fit(WORDS, TAGS, *dev)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == tagger.n_iter_ < 20
    assert lines[-1].startswith(f"epoch {tagger.n_iter_}: loss ")
    assert "held out 100.00%" in lines[-1]


def test_cross_validation_takes_it():
    X, y = 6 * WORDS, 6 * TAGS
    assert cross_val_score(SequenceTagger(features="w"), X, y, cv=3).tolist() == [1, 1, 1]
    searched = SequenceTagger(features="w").set_params(algorithm="ap", max_iterations=2)
    assert searched.fit(X, y).n_iter_ <= 2


def test_sentences_without_tokens_have_no_tags():
    tagger = SequenceTagger(features="w").fit([*WORDS, []], [*TAGS, []])
    assert tagger.predict([[], ["the"], []]) == [[], ["D"], []]
    assert tagger.predict([]) == []


def test_it_is_as_good_as_crfsuite(shared_data):
    """Chunks: the first 1,000 sentences to learn from, the next 500 to compare on."""
    import gzip

    pycrfsuite = pytest.importorskip("pycrfsuite")
    path = shared_data / "conll2000-train.txt.gz"
    if not path.exists():
        pytest.skip("conll2000 is not here")
    with gzip.open(path, "rt") as file:
        sentences = [[line.split() for line in part.splitlines()] for part in file.read().split("\n\n")[:1500]]

    def dicts(sentence):
        return [
            {"w": w, "p": p, "p-1": sentence[t - 1][1] if t else "<", "p+1": [*sentence, ("", ">")][t + 1][1]}
            for t, (w, p, _) in enumerate(sentence)
        ]

    X, y = [dicts(s) for s in sentences], [[token[2] for token in s] for s in sentences]
    trainer = pycrfsuite.Trainer(verbose=False, params={"max_iterations": 50})
    for xs, ys in zip(X[:1000], y[:1000], strict=True):
        trainer.append(xs, ys)
    tagger = SequenceTagger(algorithm="lbfgs").fit(X[:1000], y[:1000])
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        theirs = pycrfsuite.Tagger()
        theirs.open(f"{folder}/model")
        pairs = [
            (a, b) for xs, ys in zip(X[1000:], y[1000:], strict=True) for a, b in zip(theirs.tag(xs), ys, strict=True)
        ]
        theirs.close()
    accuracy = sum(a == b for a, b in pairs) / len(pairs)
    assert tagger.score(X[1000:], y[1000:]) > accuracy - 0.005
    assert accuracy > 0.9
