"""From trees in brackets to trees of new sentences, in Python and on the command line."""

import json
from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest

import linnet
from linnet import io
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Known
from linnet.learners import Examples, Learning, learner
from linnet.structures.bits import restored, spans_of
from linnet.tasks.brackets.measures import evaluate_brackets
from linnet.tasks.brackets.model import BracketsModel
from linnet.tasks.brackets.task import BracketsTask
from linnet.tasks.sentences.gold import as_sentences


def trees(n=80, seed=0):
    """Subjects of one word to three, verbs with and without objects, prepositional phrases that belong to the verb."""
    rng = np.random.default_rng(seed)

    def one(*choices):
        return choices[rng.integers(len(choices))]

    def noun_phrase():
        noun = one("(NN dog)", "(NN cat)", "(NN man)", "(NN park)")
        return one(f"(NP (DT the) {noun})", f"(NP (DT a) (JJ old) {noun})", "(NP (PRP it))")

    def clause():
        tail = one("", f" (PP (IN in) {noun_phrase()})")
        verb = one(f"(VBD saw) {noun_phrase()}", "(VBD barked)", "(VBD slept)")
        return f"(S {noun_phrase()} (VP {verb}{tail}))"

    said = "(S (NP (PRP it)) (VP (VBD said) (SBAR {})))"
    return [f"( {clause() if rng.integers(3) else said.format(clause())} )" for _ in range(n)]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("brackets") / "train.mrg"
    path.write_text("\n".join(trees()))
    return path


@pytest.fixture(scope="module")
def model(path):
    return linnet.train(path, epochs=8)


@pytest.fixture(scope="module")
def given(path):
    return linnet.train(path, epochs=8, options={"tags": "given"})


SENTENCE = "it said the old cat saw a dog in the park".split()
TREE = (
    "( (S (NP (PRP it)) (VP (VBD said) (SBAR (S (NP (DT the) (JJ old) (NN cat)) "
    "(VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (DT the) (NN park)))))))))"
)


def test_the_task_is_guessed_and_learned(model, path):
    assert isinstance(model, BracketsModel)
    assert model.labels == ("(none)", "NP", "PP", "S", "SBAR+S", "VP")
    report = model.evaluate(io.read_sentences(path, label_col="tree"))
    assert (report.f1, report.exact) == (1, 1)


def test_a_new_sentence_gets_its_tree(model, given):
    assert model.predict([SENTENCE, []]) == [TREE, "()"]
    tags = "PRP VBD DT JJ NN VBD DT NN IN DT NN".split()
    assert given.predict([list(zip(SENTENCE, tags, strict=True))]) == [TREE]


FEW = ["( (S (NP (PRP it)) (VP (VBD ran))))", "( (S (VP (VB go))))", "( (S (VP (VB go) (NP (NP (NN home))))))"]


@pytest.fixture(scope="module")
def crf(tmp_path_factory):
    path = tmp_path_factory.mktemp("crf") / "few.mrg"
    path.write_text("\n".join(FEW * 3))
    return linnet.train(path, learner="crf", epochs=2, options={"tags": "given"})


@pytest.mark.parametrize("words", [["go"], ["it", "ran"], ["go", "home"], ["it", "ran", "home"]])
def test_probabilities_are_those_of_all_trees(crf, words):
    """p(bracket) is the sum of p(y) over all y whose tree has it, as often as it has been said."""
    assert crf.labels == ("(none)", "NP", "NP+NP", "S", "S+VP", "VP")
    tags = {"it": "PRP", "ran": "VBD", "go": "VB", "home": "NN"}
    sentences = as_sentences([[(word, tags[word]) for word in words]], crf.features.columns)
    n = len(words)
    n_trees = len(crf.labels) ** (2 * n - 1) * [1, 1, 2][n - 1]
    with crf._predictor() as predictor:
        ((rows, scores),) = predictor.kbest(crf.features.blocks(sentences), n_trees)
    assert len(rows) == n_trees
    p = np.exp(scores - scores.max())
    p /= p.sum()
    having = [Counter(spans_of(restored(y, n, crf.labels))) for y in rows]
    _, bits, (found,) = crf.bracket_with_proba(sentences)
    assert bits == crf.bracket(sentences)[1]
    assert [(one.label, one.first, one.last) for one in found] == [tuple(span) for span in spans_of(bits)]
    seen = Counter()
    for one, span in zip(found, spans_of(bits), strict=True):
        seen[span] += 1
        expected = sum(share for share, spans in zip(p, having, strict=True) if spans[span] >= seen[span])
        assert one.probability == pytest.approx(expected, abs=1e-5)


def test_long_sentences_have_the_probabilities_of_their_parts(crf):
    short = linnet.train(crf.provenance["data"], learner="crf", epochs=2, options={"tags": "given", "longest": 2})
    tokens = [("it", "PRP"), ("ran", "VBD"), ("go", "VB"), ("home", "NN")]
    whole, *parts = (
        short.bracket_with_proba(as_sentences(X, ("w", "tag")))[2] for X in ([[], tokens], [tokens[:2]], [tokens[2:]])
    )
    assert whole[0] == []
    first, second = ([(one.label, one.first, one.last, round(one.probability, 5)) for one in part[0]] for part in parts)
    moved = [(label, a + 2, b + 2, p) for label, a, b, p in second]
    assert [(one.label, one.first, one.last, round(one.probability, 5)) for one in whole[1]] == first + moved


def test_probabilities_on_the_command_line(crf, tmp_path, capsys):
    from linnet.cli.main import main

    (tmp_path / "new.mrg").write_text("\n".join(FEW))
    crf.save(tmp_path / "crf.linnet")
    predict = ["predict", str(tmp_path / "crf.linnet"), str(tmp_path / "new.mrg"), "--proba"]
    with pytest.raises(SystemExit):
        main(predict)
    lines = list(map(json.loads, capsys.readouterr().out.splitlines()))
    _, _, found = crf.bracket_with_proba(io.read_sentences(tmp_path / "new.mrg", label_col="tree"))
    assert [line["tree"] for line in lines] == crf.predict(
        [[("it", "PRP"), ("ran", "VBD")], [("go", "VB")], [("go", "VB"), ("home", "NN")]]
    )
    assert [line["tokens"] for line in lines] == [["it", "ran"], ["go"], ["go", "home"]]
    assert [line["brackets"] for line in lines] == [
        [asdict(one) | {"probability": round(one.probability, 4)} for one in brackets] for brackets in found
    ]
    with pytest.raises(SystemExit):
        main([*predict, "--top", "2"])
    assert "for trees, --top gives whole trees, and --proba gives probabilities of brackets" in capsys.readouterr().err


def test_only_crfs_have_probabilities(model):
    with pytest.raises(UsageError, match="the scores of learner 'averaged-mira' are not probabilities"):
        model.bracket_with_proba(as_sentences([SENTENCE], ("w",)))


def test_what_was_saved_predicts_the_same(model, tmp_path):
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    new = [line.replace("(", " ( ").split() for line in trees(20, 1)]
    words = [[part.rstrip(")") for part in line if part.endswith(")") and part.strip("()")] for line in new]
    assert again.predict(words) == model.predict(words)
    assert repr(again) == repr(model)


def test_tags_that_are_needed_are_asked_for(given):
    with pytest.raises(UsageError, match=r"needs the column 'tag', which is missing\. Give it trees \(\.mrg\)"):
        list(given.bracket(io.read_sentences(given.provenance["data"])))


def test_the_best_trees(model):
    data = as_sentences([SENTENCE], ("w",))
    _, ((*best,),) = model.bracket_k_best(data, 5)
    scores = [score for _, score in best]
    assert len({tuple(bits) for bits, _ in best}) == len(best) == 5
    assert scores == sorted(scores, reverse=True)
    assert best[0][0] == model.bracket(data)[1]


def test_explanations_sum_to_the_difference(model):
    data = as_sentences([SENTENCE], ("w",))
    tagged = model.features.tagged(data)
    blocks = model.features.blocks(tagged)
    (tree,) = model.explain_sentences(data)
    assert [(one.first, one.last, one.label) for one in tree.brackets][:4] == [
        (0, 10, "S"),
        (0, 0, "NP"),
        (1, 10, "VP"),
        (2, 10, "SBAR+S"),
    ]
    predictor = Predictor(model._gen, list(model.weights))
    ((y, (best,)),) = predictor.kbest(blocks, 1)
    for one in tree.brackets:
        place = one.last * (one.last + 1) // 2 + one.first
        forced = np.full(y.shape[1], -1, np.int32)
        forced[place] = -2 - y[0, place]
        ((other, (second,)),) = predictor.kbest(blocks, 1, forced)
        assert one.score == pytest.approx(best - second, abs=1e-3)
        assert sum(part.contribution for part in one.contributions) == pytest.approx(one.score)
        assert one.against == (model.labels[other[0, place] - 1] if other[0, place] > 1 else "")
    assert model.explain(SENTENCE) == tree


@pytest.mark.parametrize("branch", ["left", "right"])
@pytest.mark.parametrize("name", ["averaged-perceptron", "averaged-mira", "crf"])
def test_learners_and_branches(path, branch, name):
    model = linnet.train(path, learner=name, epochs=8, options={"tags": "given", "branch": branch})
    assert model.evaluate(io.read_sentences(path, label_col="tree")).f1 > 0.99


def test_counts_are_those_of_the_report(path):
    task = BracketsTask(tags="given")
    gold = task.read(path, {})
    rng = np.random.default_rng(0)
    features, blocks = task.fit("i.tag|j.tag", gold)
    gen, _ = task.weighted(features, gold, None)
    weights = [
        rng.normal(size=(n + 1, 8 if k > 1 else 1)).astype(np.float32)
        for n, k in zip(task.model.sizes(features, gen).n_features, gen.outcomes, strict=True)
    ]
    y_hat, at = Predictor(gen, weights).argmax(blocks)
    counts = task.counts(gold, y_hat, at)
    sentences = io.read_sentences(path, label_col="tree")
    model = BracketsModel(features, gold.labels, tuple(weights), "averaged-perceptron")
    report = evaluate_brackets(
        sentences.tags.to_pylist(), model.bracket(sentences)[1], sentences.columns["tag"].to_pylist(), sentences.starts
    )
    assert counts.measure == "F1"
    assert 0 < counts.score < 1
    assert counts.score == pytest.approx(report.f1)


def test_a_part_is_a_part(path):
    task = BracketsTask(tags="given")
    gold = task.read(path, {})
    rows = np.array([7, 2, 30])
    part = gold.part(rows)
    for k, i in enumerate(rows.tolist()):
        assert part.y[part.y_at[k] : part.y_at[k + 1]].tolist() == gold.y[gold.y_at[i] : gold.y_at[i + 1]].tolist()
        assert part.texts()[k] == gold.texts()[i]
    assert len(part.bits) == part.sentences.n_tokens


def test_lazy_features_teach_what_features_in_memory_teach(path):
    from linnet.core.blocks import Block

    task = BracketsTask(tags="given")
    gold = task.read(path, {})
    features, lazy = task.fit("i.tag|j.tag|dist b.tag|j.tag[1] k.tag[-1]|k.tag i.w[-1]", gold)
    weights = []
    for blocks in (lazy, tuple(Block(*block.arrays()) for block in lazy)):
        gen, _ = task.weighted(features, gold, None)
        examples = Examples(blocks, gold.y, gold.y_at)
        learning = Learning(learner("averaged-perceptron"), {}, gen, task.model.sizes(features, gen).n_features)
        weights.append(learning.run(examples, epochs=2, tol=0).weights)
    assert all(np.array_equal(a, b) for a, b in zip(*weights, strict=True))


def test_long_sentences_are_left_out_and_bracketed_in_parts(path):
    sizes = np.diff(io.read_sentences(path).starts)
    model = linnet.train(path, epochs=8, options={"tags": "given", "longest": 8})
    assert model.details["left out"] == np.sum(sizes > 8) > 0
    assert model.provenance["examples"] == np.sum(sizes <= 8)
    assert model.evaluate(io.read_sentences(path, label_col="tree")).f1 < 1
    tags = "PRP VBD DT JJ NN VBD DT NN IN DT NN".split()
    (tree,) = model.predict([list(zip(SENTENCE, tags, strict=True))])
    halves = model.predict([list(zip(SENTENCE, tags, strict=True))[a:b] for a, b in ((0, 5), (5, 11))])
    assert tree == f"{halves[0][:-1]}{halves[1][1:]}"
    with pytest.raises(UsageError, match="expected longest to be a number of words, found 0"):
        BracketsTask(longest=0)


def test_brackets_in_a_column(tmp_path):
    (tmp_path / "a.conll").write_text(
        "the DT (S(NP*\ndog NN *)\nbarks VBZ (VP*))\n\nit PRP (S(NP*)\nbarks VBZ (VP*))\n\n"
    )
    model = linnet.train(tmp_path / "a.conll", task="brackets", label="3", features="i.w j.w k.w")
    assert model.predict([["the", "dog", "barks"]]) == ["( (S (NP (X the) (X dog)) (VP (X barks))))"]


def test_labels_that_were_not_there_are_wrong(path, tmp_path):
    (tmp_path / "dev.mrg").write_text("( (S (NP (PRP it)) (XP (VBD slept))))\n" + trees(1, 5)[0])
    task = BracketsTask(tags="given")
    gold = task.read(path, {})
    dev = task.read(tmp_path / "dev.mrg", {}, Known(gold.labels, gold.details))
    assert dev.y[:3].tolist() == [1 + gold.labels.index("NP"), 1 + gold.labels.index("S"), -1]


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (
            "( (A+B (X a)))",
            {},
            "a.mrg: sentence 1: the label 'A+B' contains '+', which linnet uses to join labels. Rename it.",
        ),
        ("( (X a))", {}, "a.mrg: expected trees with labelled brackets, found none to learn from."),
        ("( (S (X a)))", {"tags": "mine"}, "expected tags=own or given, found 'mine'."),
        ("( (S (X a)))", {"branch": "lft"}, "expected branch=left or right, found 'lft'. Did you mean 'left'?"),
    ],
)
def test_what_is_refused(tmp_path, monkeypatch, content, options, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mrg").write_text(content)
    with pytest.raises((DataError, UsageError)) as caught:
        linnet.train("a.mrg", options=options)
    assert str(caught.value) == sentence


def test_bits_that_are_no_tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.conll").write_text("a X (S*)\n\nb X (S*\n\n")
    with pytest.raises(DataError) as caught:
        linnet.train("a.conll", task="brackets")
    assert str(caught.value) == "a.conll: the brackets of sentence 2 do not form a tree: one bracket is never closed."


def test_on_the_command_line(path, tmp_path, capsys, monkeypatch):
    from linnet.cli.main import app

    def run(*arguments):
        with pytest.raises(SystemExit) as done:
            app([str(one) for one in arguments])
        assert done.value.code in (0, None)
        return capsys.readouterr().out

    out = tmp_path / "m.linnet"
    run("train", path, "-o", out, "--epochs", "8")
    assert json.loads(run("evaluate", out, path, "--json"))["f1"] == 1
    assert "F1 100.00" in run("evaluate", out, path)
    (tmp_path / "new.txt").write_text(" ".join(SENTENCE))
    assert run("predict", out, tmp_path / "new.txt") == f"{TREE}\n"
    best = json.loads(run("predict", out, tmp_path / "new.txt", "--top", "2"))
    assert best["tokens"] == SENTENCE
    assert best["best"][0]["tree"] == TREE
    shown = run("explain", out, " ".join(SENTENCE))
    assert "S ┬ NP ─ PRP it" in shown
    assert json.loads(run("explain", out, "it slept", "--json"))["explanations"][0]["brackets"][0]["label"] == "S"
    assert "NP" in run("explain", out)
    run("explain", out, "it slept", "--html", tmp_path / "why.html")
    assert "<svg" in (tmp_path / "why.html").read_text()
    assert "brackets" in run("inspect", path)
    assert "F1" in run(
        "compare", path, "--learners", "averaged-perceptron,mira", "--folds", "2", "--html", tmp_path / "c.html"
    )


def test_sentences_that_are_parsed_in_parts_are_not_explained(model):
    words = ["the"] * 151
    assert len(model.predict([words])) == 1
    for look in (lambda: model.explain(words), lambda: model.decisions([words])):
        with pytest.raises(
            DataError, match="a sentence has 151 words, and trees of at most 150 are explained. Split it"
        ):
            look()
