"""From sentences with `keep` to shorter sentences, in Python and on the command line."""

import json
import re

import numpy as np
import pytest
from rich.console import Console

import linnet
from linnet import io
from linnet.errors import DataError, UsageError
from linnet.tasks.compress.model import CompressModel
from linnet.tasks.compress.page import compression_page
from linnet.tasks.compress.terminal import compression_explanation

SENTENCES = [
    ("the very old dog barks loudly .", "1001101"),
    ("the very young cat sleeps soundly .", "1001101"),
    ("a very big dog sleeps .", "100111"),
    ("the cat barks loudly today .", "111001"),
    ("a dog sleeps today .", "11101"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("compress") / "train.jsonl"
    lines = [
        {"id": k, "tokens": text.split(), "keep": [int(c) for c in keep]} for k, (text, keep) in enumerate(SENTENCES)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def model(path):
    return linnet.train(path, epochs=20)


def test_the_task_is_guessed_and_learned(model):
    assert isinstance(model, CompressModel)
    assert model.labels == ("drop", "keep")
    found = model.predict([text.split() for text, _ in SENTENCES])
    for words, (text, keep) in zip(found, SENTENCES, strict=True):
        assert words == [word for word, flag in zip(text.split(), keep, strict=True) if flag == "1"]
    assert model.details["rate"] == pytest.approx(20 / 31)


def test_a_new_sentence_gets_shorter(model):
    assert model.predict(["the very old cat sleeps loudly .".split(), []]) == ["the cat sleeps .".split(), []]


@pytest.mark.parametrize(
    ("given", "n"), [({"rate": 0.5}, 4), ({"most": 0.3}, 2), ({"least": 0.9}, 6), ({"rate": 0}, 0)]
)
def test_a_budget_is_kept(model, given, n):
    # Shares of 7 words: 3.5 is 4, 2.1 is 2, 6.3 is 6.
    words = SENTENCES[0][0].split()
    found = model.predict([words], **given)[0]
    assert len(found) == n
    it = iter(words)
    assert all(word in it for word in found)


def test_a_budget_that_cannot_be_is_refused(model):
    with pytest.raises(UsageError, match="expected shares with 0 <= least <= most <= 1, found 0.8 and 0.2"):
        model.predict([["a"]], least=0.8, most=0.2)


def test_a_saved_model_is_the_same(model, tmp_path):
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    words = [text.split() for text, _ in SENTENCES]
    assert again.predict(words, most=0.4) == model.predict(words, most=0.4)
    assert again.sizes(again.features, again._gen) == model.sizes(model.features, model._gen)


def test_evaluation_is_that_of_the_gold(model, path):
    report = model.evaluate(io.read_sentences(path))
    assert (report.token_f1, report.accuracy) == (1, 1)
    assert report.rate == report.gold_rate == pytest.approx(20 / 31)
    half = model.evaluate(io.read_sentences(path), most=0.5)
    assert half.rate <= 0.55
    assert half.token_f1 < 1


@pytest.mark.parametrize("learner", ["perceptron", "averaged-perceptron", "mira", "averaged-mira", "crf", "logistic"])
def test_every_learner_compresses(path, learner):
    options = {"eta": 0.1} if learner == "logistic" else {}
    model = linnet.train(path, learner=learner, epochs=30, options=options)
    assert model.evaluate(io.read_sentences(path)).accuracy > 0.95


def test_contributions_sum_to_the_difference(model):
    words = SENTENCES[0][0].split()
    found = model.explain(words)
    assert [token.tag for token in found] == [("drop", "keep")[int(c)] for c in SENTENCES[0][1]]
    for token in found:
        assert token.score == pytest.approx(sum(part.contribution for part in token.contributions))
        assert token.score > 0
        assert {token.tag, token.against} == {"drop", "keep"}
    assert any(" _ " in part.what for part in found[1].contributions)


def test_the_score_of_an_explanation_is_that_of_the_two_best(model):
    """Against the enumeration of all compressions, scored by the model's own tables."""
    from itertools import product

    from linnet.tasks.compress.model import blocks_of
    from linnet.tasks.sentences.gold import as_sentences

    words = "the old dog sleeps .".split()
    with model._predictor() as predictor:
        emit, pairs = predictor.scores(blocks_of(model.features, as_sentences([words], ("w",))))
    left, right = model._gen.pairs(5)
    place = {key: k for k, key in enumerate(zip(left.tolist(), right.tolist(), strict=True))}

    def score(y):
        kept = [0, *(t + 1 for t in range(5) if y[t]), 6]
        return sum(emit[t, k] for t, k in enumerate(y)) + sum(
            pairs[place[i, j], 0] for i, j in zip(kept, kept[1:], strict=False)
        )

    outputs = {y: float(score(y)) for y in product((0, 1), repeat=5)}
    for t, token in enumerate(model.explain(words)):
        best = max(outputs, key=outputs.__getitem__)
        other = max((y for y in outputs if y[t] != best[t]), key=outputs.__getitem__)
        assert token.score == pytest.approx(outputs[best] - outputs[other], abs=1e-3)


def test_a_held_out_part_is_of_whole_sentences(path):
    model = linnet.train(path, dev=0.4, epochs=3)
    assert model.provenance["held_out"] == 2


def test_data_that_teach_nothing_are_refused(tmp_path):
    one = tmp_path / "one.jsonl"
    one.write_text('{"tokens": ["a", "b"], "keep": [1, 1]}\n')
    with pytest.raises(DataError, match="expected kept and dropped tokens to learn from, found only one of the two"):
        linnet.train(one)
    one.write_text('{"tokens": ["a", "b"], "keep": [0, 1]}\n')
    with pytest.raises(UsageError, match="class weights are for labels"):
        linnet.train(one, class_weight="balanced")


def test_tags_that_are_no_keep_are_refused(tmp_path):
    path = tmp_path / "tags.jsonl"
    path.write_text('{"tokens": ["a", "b"], "tags": ["DT", "1"]}\n')
    with pytest.raises(DataError, match="expected 1 for tokens that are kept and 0 for others, found 'DT'"):
        linnet.train(path, task="compress", label="tags")


def test_what_is_kept_can_also_be_tagged(path):
    model = linnet.train(path, task="tag", epochs=20)
    assert model.task == "tag"
    assert model.labels == ("0", "1")


def test_the_command_line(path, tmp_path, capsys):
    from linnet.cli.main import app

    def run(*arguments):
        app(args=[str(argument) for argument in arguments], standalone_mode=False)
        return capsys.readouterr()

    model = tmp_path / "m.linnet"
    assert (
        "5 examples, task compress, 2 labels: keep 20, drop 11" in run("train", path, "-o", model, "--epochs", 20).err
    )
    assert run("predict", model, path).out.splitlines()[0] == "the dog barks ."
    run("predict", model, path, "-o", tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[3])["keep"] == [1, 1, 1, 0, 0, 1]
    (tmp_path / "prose.txt").write_text("The cat barks loudly today. A very old dog sleeps.\n")
    assert len(run("predict", model, tmp_path / "prose.txt").out.splitlines()) == 2
    assert json.loads(run("evaluate", model, path, "--json").out)["token_f1"] == 1
    assert "F1 100.00" in run("evaluate", model, path).out
    assert json.loads(run("inspect", path, "--json").out)["tags"] == {"1": 20, "0": 11}
    assert json.loads(run("inspect", model, "--json").out)["task"] == "compress"
    assert "drop" in run("explain", model, path).out
    run("train", path, "-o", tmp_path / "crf.linnet", "--learner", "crf", "--epochs", 1)
    with pytest.raises(UsageError, match="a model that compresses sentences has no probabilities"):
        run("predict", tmp_path / "crf.linnet", path, "--proba")
    first = json.loads(run("predict", model, path, "--top", 2).out.splitlines()[0])
    assert " ".join(first["best"][0]["words"]) == "the dog barks ."
    assert first["best"][1]["words"] != first["best"][0]["words"]
    assert first["best"][0]["score"] > first["best"][1]["score"]
    assert np.isfinite(json.loads(run("explain", model, path, "--json").out)["explanations"][0][0]["score"])


def test_dropped_words_are_struck_out(model):
    words = SENTENCES[0][0].split()
    found = model.explain(words)
    dropped = [token.word for token in found if token.tag == "drop"]
    assert dropped == ["very", "old", "loudly"]
    html = compression_page("t", [found])
    shown = html[html.index("<p class=kept dir=auto>") : html.index("</p>", html.index("<p class=kept dir=auto>"))]
    assert re.findall(r"<del><a [^>]*>([^<]*)</a></del>", shown) == dropped
    assert f"{len(words) - 3} of {len(words)} tokens kept" in html
    console = Console(width=100, color_system="standard", force_terminal=True)
    with console.capture() as capture:
        console.print(compression_explanation(found))
    first = capture.get().splitlines()[0]
    assert re.findall(r"\x1b\[2;9m(\w+)\x1b\[0m", first) == dropped


def test_a_sentence_that_is_too_long_to_explain_is_refused():
    model = linnet.train([["a", "very", "fine", "film"]] * 4, [[1, 0, 1, 1]] * 4, task="compress", epochs=1)
    with pytest.raises(
        linnet.DataError, match="a sentence has 1,001 tokens, and sentences of at most 1,000 are explained"
    ):
        model.explain(["film"] * 1001)
