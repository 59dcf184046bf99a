"""A second look at the k best outputs: learned with the model, kept in its file, and asked whenever it predicts."""

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from treebank import conllu

import linnet
from linnet import io
from linnet.errors import DataError, UsageError
from linnet.io.sentences.conllu import TREE
from linnet.sklearn import DependencyParser, SequenceTagger
from linnet.tasks.sentences.gold import as_sentences

LONG = ("x", "y")


def agreeing(n, seed):
    """The last word is of the kind of the first, with a span of any length between them, over which no chain can see."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        kind = str(rng.choice(["P", "Q"]))
        inside = rng.choice(LONG, rng.integers(2, 5)).tolist()
        yield [kind.lower(), *inside, "z"], [f"B-{kind}", "B-X", *["I-X"] * (len(inside) - 1), f"B-{kind}"]


def text_of(sentences):
    return "\n".join("".join(f"{w} {t}\n" for w, t in zip(*one, strict=True)) for one in sentences)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reranking")
    (folder / "train.conll").write_text(text_of(agreeing(120, 0)))
    (folder / "test.conll").write_text(text_of(agreeing(40, 1)))
    (folder / "train.conllu").write_text(conllu(60))
    (folder / "test.conllu").write_text(conllu(20, 1))
    return folder


def tagger(folder, **given):
    return linnet.train(folder / "train.conll", features="w", epochs=5, **given)


@pytest.fixture(scope="module")
def reranked(folder):
    return tagger(folder, rerank=4)


@pytest.fixture(scope="module", params=["own", "given"])
def parser(folder, request):
    return linnet.train(folder / "train.conllu", task="parse", epochs=3, rerank=5, options={"tags": request.param})


def test_it_sees_what_a_chain_does_not(folder, reranked):
    test = io.read_sentences(folder / "test.conll")
    assert tagger(folder).evaluate(test).sentence_accuracy < 0.7
    assert reranked.evaluate(test).sentence_accuracy == 1


def test_a_model_file_has_it(folder, reranked, tmp_path):
    reranked.save(tmp_path / "a.linnet")
    again = linnet.load(tmp_path / "a.linnet")
    assert again.reranker.details["k"] == 4
    test = io.read_sentences(folder / "test.conll")
    assert again.tag(test) == reranked.tag(test)
    plain = tagger(folder)
    assert plain.reranker is None
    np.testing.assert_array_equal(again.candidates(test, 3)[0][0], plain.candidates(test, 3)[0][0])


def test_the_best_of_the_best_come_first(reranked):
    words = ["q", "x", "y", "z"]
    (found,) = reranked.predict_k_best([words], 3)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert found[0][0] == reranked.predict([words])[0] == ["B-Q", "B-X", "I-X", "B-Q"]
    assert len(reranked.predict_k_best([words], 9)[0]) == 9


def test_probabilities_are_of_what_was_chosen(reranked):
    sentences = as_sentences([["p", "x", "y", "z"]], ("w",))
    tags, p = reranked.tag_with_proba(sentences)
    assert tags == reranked.tag(sentences)
    assert p[-1] < 0.7  # the chain itself does not know


def test_forced_tags_are_kept(reranked):
    words = ["p", "x", "y", "z"]
    forced = [None, None, None, "S-Q"]
    assert reranked.predict([words], [forced])[0][-1] == "B-Q"
    with pytest.raises(UsageError, match="no legal sequence of tags has all of the forced ones"):
        reranked.predict([words], [["I-X", None, None, None]])


def test_no_sentences(reranked, parser):
    assert reranked.predict([]) == []
    assert parser.predict([]) == []


def test_trees(folder, parser, tmp_path):
    gold = io.read_sentences(folder / "test.conllu", label_col=TREE)
    assert parser.evaluate(gold).las > 0.95
    parser.save(tmp_path / "a.linnet")
    again = linnet.load(tmp_path / "a.linnet")
    tagged, y_hat = again.parse(gold)
    assert np.array_equal(y_hat, parser.parse(gold)[1])
    best = again.parse_k_best(gold, 3)
    assert [arc for found in best for arc in found[0][0]] == again.arcs(y_hat)
    R = len(again.labels)
    for rows, _ in again.candidates(tagged, 5):
        assert len({tuple(row) for row in (rows // R).tolist()}) == len(rows)


def test_what_is_explained_is_what_is_predicted(folder, reranked):
    test = io.read_sentences(folder / "test.conll")
    found = reranked.explain_sentences(test)
    y = np.array([reranked.labels.index(token.tag) for one in found for token in one], np.int32)
    assert reranked._written(y, test.starts) == reranked.tag(test)
    first = tagger(folder).explain_sentences(test)
    ahead = [[token.score >= 0 for token in one] for one in found]
    same = [[a.tag for a in one] == [a.tag for a in other] for one, other in zip(found, first, strict=True)]
    assert 0 < sum(same) < len(test)
    assert [all(one) for one in ahead] == same  # what the first model would not have chosen is behind in its own eyes


def test_explained_trees_are_the_predicted_ones(folder, parser):
    test = io.read_sentences(folder / "test.conllu", label_col=TREE)
    arcs = [(arc.head, arc.relation) for arc in parser.arcs(parser.parse(test)[1])]
    found = [(arc.head, arc.relation) for tree in parser.explain_sentences(test) for arc in tree.arcs]
    assert found == arcs


@pytest.mark.parametrize("kind", ["tags", "trees"])
def test_why_it_was_chosen(folder, reranked, parser, kind):
    model = reranked if kind == "tags" else parser
    test = io.read_sentences(
        folder / f"test.conll{'u' * (kind == 'trees')}", label_col=TREE if kind == "trees" else None
    )
    complete = model.completed(test)
    best = model.candidates(complete, model.reranker.details["k"])
    scores = model.reranker.scores(model.lists(complete, best))
    looks = model.second_looks(test)
    assert len(looks) == len(test)
    for i, look in enumerate(looks):
        assert look.candidates == len(best[i][0])
        assert look.candidate == int(np.argmax(scores[i]))
        assert look.against == (int(np.argsort(-scores[i])[1]) if look.candidate == 0 else 0)
        difference = scores[i][look.candidate] - scores[i][look.against]
        assert sum(part.contribution for part in look.contributions) == pytest.approx(difference, abs=1e-4)
        assert look.score == pytest.approx(difference, abs=1e-4)
        sentence, _ = complete.part(np.array([i]))
        chosen, against = (model.described(sentence, best[i][0][c]) for c in (look.candidate, look.against))
        words = sentence.columns["w"].to_pylist()
        assert [(one.word, one.chosen, one.against) for one in look.changes] == [
            (w, a, b) for w, a, b in zip(words, chosen, against, strict=True) if a != b
        ]


def test_features_of_the_other_alone_are_said_not_to_be_there(reranked):
    look = reranked.second_look(["p", "x", "y", "z"])
    assert [(one.word, one.chosen, one.against) for one in look.changes] == [("z", "S-P", "S-Q")]
    found = {part.what: part.contribution for part in look.contributions}
    assert found["P X P"] > 0
    assert found["not P X Q"] > 0
    assert found["score of the first model"] < 0


def test_no_second_look_without_a_reranker_or_a_choice(folder, reranked):
    assert tagger(folder).second_look(["p", "x", "y", "z"]) is None
    assert reranked.second_looks(as_sentences([[]], ("w",))) == [None]


@pytest.mark.parametrize("kind", ["tags", "trees"])
def test_explain_shows_why_it_was_chosen(folder, reranked, parser, kind, tmp_path, capfd):
    from linnet.cli.main import app

    model = reranked if kind == "tags" else parser
    path, page, data = tmp_path / "a.linnet", tmp_path / "a.html", folder / f"test.conll{'u' * (kind == 'trees')}"
    model.save(path)
    app(["explain", str(path), str(data)], standalone_mode=False)
    shown = " ".join(capfd.readouterr().out.split())
    assert shown.count(f"A second look at the {model.reranker.details['k']} best of the first model chose number") == 5
    app(["explain", str(path), str(data), "--json"], standalone_mode=False)
    found = json.loads(capfd.readouterr().out)
    assert len(found["second_looks"]) == len(found["explanations"]) == 5
    for look in found["second_looks"]:
        total = sum(part["contribution"] for part in look["contributions"])
        assert total == pytest.approx(look["score"], abs=1e-9)
    app(["explain", str(path), str(data), "--html", str(page)], standalone_mode=False)
    assert page.read_text().count("<div class=look>") == 5


def test_ctrl_c_leaves_the_model_without_it(folder):
    def interrupt(progress):
        """When another model is begun."""
        if epochs and epochs[-1] > progress.epoch:
            raise KeyboardInterrupt
        epochs.append(progress.epoch)

    epochs = []
    model = tagger(folder, rerank=4, progress=interrupt)
    assert model.reranker is None
    assert model.report["stopped"] == "interrupted before it could rerank"
    assert len(model.report["epochs"]) == 5


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"rerank": 1}, UsageError, "expected rerank to be at least 2, the number of outputs to choose from, found 1."),
        ({"rerank": 0}, UsageError, "expected rerank to be at least 2, the number of outputs to choose from, found 0."),
        ({"rerank": 3, "few": 1}, DataError, "found one sentence, but rerank holds sentences out"),
        (
            {"rerank": 3, "task": "labels"},
            UsageError,
            "rerank is for tags and dependency trees, not for task 'labels'.",
        ),
    ],
)
def test_what_cannot_be_reranked(folder, tmp_path, how, error, message):
    data = folder / "train.conll"
    if how.pop("few", None):
        data = tmp_path / "one.conll"
        data.write_text(text_of(agreeing(1, 0)))
    if how.get("task") == "labels":
        data = (["good", "bad"], ["+", "-"])
    with pytest.raises(error, match=message):
        linnet.train(data, **how)


def test_scikit_learn():
    X = [[("We", "PRON"), ("like", "VERB"), ("tea", "NOUN")], [("You", "PRON"), ("drink", "VERB"), ("it", "PRON")]] * 3
    y = [[(2, "nsubj"), (0, "root"), (2, "obj")]] * 6
    parser = DependencyParser(columns=("w", "upos"), tags="given", prune=0, rerank=3).fit(X, y)
    assert parser.predict(X) == y
    assert parser.model_.reranker.details["k"] == 3


def test_scikit_learn_taggers_are_those_of_train(folder):
    X, y = zip(*agreeing(120, 0), strict=True)
    how = {"learner": "crf", "features": "w"}
    expected = linnet.train(folder / "train.conll", epochs=5, rerank=4, **how)
    tagger = SequenceTagger(max_iterations=5, rerank=4, **how).fit(X, y)
    X_test, y_test = zip(*agreeing(40, 1), strict=True)
    assert tagger.predict(X_test) == expected.predict(X_test)
    assert tagger.score(X_test, y_test) == 1
    assert tagger.model_.reranker.details["k"] == 4
    np.testing.assert_array_equal(tagger.model_.reranker.weights[0], expected.reranker.weights[0])
    p = dict(zip(expected.labels, expected.predict_proba(X_test)[0][0].tolist(), strict=True))
    assert tagger.predict_marginals(X_test)[0][0] == p
    assert (tagger.classes_, tagger.n_iter_) == (list(expected.labels), 5)
    assert set(tagger.attributes_) == {"w=p", "w=q", "w=x", "w=y", "w=z"}
    again = pickle.loads(pickle.dumps(tagger))
    assert again.predict(X_test) == tagger.predict(X_test)
    assert again.state_features_ == tagger.state_features_
    assert again.set_params(rerank=None).fit(X, y).model_.reranker is None


def test_scikit_learn_taggers_rerank_words_only():
    for how in ({}, {"features": "w", "min_freq": 2}):
        with pytest.raises(UsageError, match="rerank looks at words"):
            SequenceTagger(rerank=3, **how).fit([[{"w": "a"}, {"w": "b", "n": 1}]] * 2, [["A", "B"]] * 2)


def test_the_report_of_training_says_so(folder, capfd):
    from linnet.cli.main import app

    app(["train", str(folder / "train.conll"), "-o", str(folder / "a.linnet"), "--rerank", "4"], standalone_mode=False)
    assert "a second model chooses among the 4 best outputs by" in capfd.readouterr().err
    out = folder / "best.jsonl"
    app(
        ["predict", str(folder / "a.linnet"), str(folder / "test.conll"), "--top", "2", "-o", str(out)],
        standalone_mode=False,
    )
    assert len(json.loads(out.read_text().splitlines()[0])["best"]) == 2


def test_the_order_of_hashes_changes_no_bit(folder, tmp_path):
    """Python orders sets by a seed of its own, which differs from run to run."""
    code = "import sys, linnet; linnet.train(sys.argv[1], features='w', epochs=2, rerank=4).save(sys.argv[2])"
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code, str(folder / "train.conll"), str(tmp_path / seed)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    one, other = (linnet.load(tmp_path / seed) for seed in ("1", "2"))
    assert one.reranker.features.header() == other.reranker.features.header()
    np.testing.assert_array_equal(one.reranker.weights[0], other.reranker.weights[0])


def test_a_session_keeps_the_reranker(reranked, folder):
    """It goes on choosing among the best outputs of a model that has learned more."""
    words, tags = map(list, zip(*agreeing(20, 2), strict=True))
    session = reranked.session()
    assert session.predict(words) == reranked.predict(words)
    session.learn(words[0], tags[0])
    assert session.model().reranker is reranked.reranker
    assert linnet.train((words, tags), start=reranked).reranker is reranked.reranker
