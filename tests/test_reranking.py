"""A second look at the k best outputs: learned with the model, kept in its file, and asked whenever it predicts."""

import json

import numpy as np
import pytest
from treebank import conllu

import linnet
from linnet import io
from linnet.errors import DataError, UsageError
from linnet.io.conllu import TREE
from linnet.sklearn import DependencyParser
from linnet.tasks.sentences import as_sentences

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
    with pytest.raises(UsageError, match="no legal sequence of tags has those that are forced"):
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
        ({"rerank": 1}, UsageError, "expected rerank to be at least 2 outputs to choose from, found 1."),
        ({"rerank": 0}, UsageError, "expected rerank to be at least 2 outputs to choose from, found 0."),
        ({"rerank": 3, "few": 1}, DataError, "one sentence is too few for rerank"),
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


def test_the_report_of_training_says_so(folder, capfd):
    from linnet.cli.main import app

    app(["train", str(folder / "train.conll"), "-o", str(folder / "a.linnet"), "--rerank", "4"], standalone_mode=False)
    assert "chooses among the 4 best by" in capfd.readouterr().err
    out = folder / "best.jsonl"
    app(
        ["predict", str(folder / "a.linnet"), str(folder / "test.conll"), "--top", "2", "-o", str(out)],
        standalone_mode=False,
    )
    assert len(json.loads(out.read_text().splitlines()[0])["best"]) == 2
