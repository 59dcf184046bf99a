"""Words that speak for labels: with labels and without, for every learner, and what is refused."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import linnet
from linnet import DataError, UsageError
from linnet.features.table import Table
from linnet.tasks.texts.lexicon import spoken_for

GOOD = ["fine", "grand", "lovely", "superb", "moving", "witty", "tender", "bright"]
BAD = ["dull", "poor", "dreary", "awful", "clumsy", "stale", "tedious", "flat"]
NEITHER = ["film", "story", "the", "a", "scene", "plot", "cast", "and", "of", "it"]
LEXICON = {"good": GOOD[:3], "bad": [*BAD[:3], "unheard"]}


def texts(n, seed):
    """Short reviews. Words that speak for the same label stand near each other."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        words = [*rng.choice((GOOD, BAD)[i % 2], 3), *rng.choice(NEITHER, 5)]
        yield " ".join(rng.permutation(words)), ("good", "bad")[i % 2]


POOL = [text for text, _ in texts(600, 1)]
TEST = list(texts(200, 2))
FEW = [("a witty film", "good"), ("the moving story", "good"), ("a stale film", "bad"), ("the flat story", "bad")] * 5


def accuracy(model):
    return np.mean([a == b for a, (_, b) in zip(model.predict([x for x, _ in TEST]), TEST, strict=True)])


@pytest.fixture(scope="module")
def bare():
    """A model that was made without a single label."""
    return linnet.train(POOL, lexicon=LEXICON)


def test_no_label_is_needed(bare):
    assert bare.labels == ("bad", "good")
    assert bare.provenance["examples"] == 0
    assert accuracy(bare) > 0.9
    assert bare.predict(["superb witty scene", "stale tedious plot"]) == ["good", "bad"]
    assert bare.report["lexicon"]["examples"] > 6


def test_its_explanation_sums_to_the_score(bare):
    why = bare.explain(TEST[0][0])
    scores = dict(zip(bare.labels, bare.scores([TEST[0][0]])[0].tolist(), strict=True))
    assert why.score == pytest.approx(scores[why.label] - scores[why.against], rel=1e-4)
    assert why.bias + sum(item.contribution for item in why.contributions) == pytest.approx(why.score)


def test_the_same_words_give_the_same_bits(bare):
    again = linnet.train({"text": POOL}, lexicon=LEXICON, threads=1)
    np.testing.assert_array_equal(again.V, bare.V)


def test_words_are_examples_of_their_weight():
    table = Table.from_texts(["fine grand film", "dull film", "a film", "fine"])
    found = spoken_for({"fine": 1, "grand": 1, "dull": 0, "unheard": 0}, table, None)
    assert dict(zip(found.texts.to_pylist(), found.y.tolist(), strict=True)) == {"fine": 1, "grand": 1, "dull": 0}
    # There is one such word in a text in the mean, and both labels weigh the same: 3 / (2 * 2) for each of two words.
    weights = dict(zip(found.texts.to_pylist(), found.weights.tolist(), strict=True))
    assert weights == pytest.approx({"fine": 0.75, "grand": 0.75, "dull": 1.5})


def test_texts_without_labels_that_words_speak_for_clearly_are_examples():
    labelled = Table.from_texts(["fine"])
    unlabelled = Table.from_texts(
        ["fine grand fine", "dull dull", "fine dull", "a film", "dull and a long story of it", "fine"]
    )
    found = spoken_for({"fine": 1, "grand": 1, "dull": 0}, labelled, unlabelled)
    # votes for dull and for fine, grand, over their means 3/7 and 5/7, by the root of the number of distinct words
    votes = np.array([[0, 1], [0, 2], [1, 0], [1, 1], [0, 0], [1, 0], [0, 1]])
    share = votes / votes.mean(axis=0)
    ahead = np.abs(share[:, 0] - share[:, 1]) / np.sqrt([1, 2, 1, 2, 2, 7, 1])
    half = np.sort(np.argsort(-ahead, kind="stable")[:3])
    expected = [unlabelled.text[int(i) - 1].as_py() for i in half if i > 0]
    assert found.texts.to_pylist()[3:] == expected
    assert found.y[3:].tolist() == [int(share[i, 1] > share[i, 0]) for i in half if i > 0]
    assert found.weights[3:].mean() == pytest.approx(0.1)


@pytest.mark.parametrize("learner", ["nb-svm", "logistic", "averaged-mira", "perceptron", "naive-bayes", "arow"])
def test_every_learner_learns_from_words(learner):
    few = [("a witty film", "good"), ("the stale story", "bad")] * 10 + [("superb cast", "good"), ("awful cast", "bad")]
    words = {"good": ["superb"], "bad": ["awful"]}
    alone = linnet.train(few[:20], learner=learner, features="words:1")
    told = linnet.train(few, lexicon=words, learner=learner, features="words:1")
    w = {name: k for k, name in enumerate(told.features.names())}
    good = told.labels.index("good")
    assert told.V[1 + w["superb"], good] > told.V[1 + w["superb"], 1 - good]
    assert told.V[1 + w["awful"], 1 - good] > told.V[1 + w["awful"], good]
    assert told.predict(["superb"]) == ["good"]
    assert "lexicon" not in alone.report


def test_it_helps_few_labels():
    alone, told = linnet.train(FEW, unlabelled=POOL), linnet.train(FEW, unlabelled=POOL, lexicon=LEXICON)
    assert accuracy(told) >= accuracy(alone)
    assert told.report["expected"]["n"] == 20
    assert told.report["counts"] == [10, 10]


def test_ratings_and_hierarchies_take_words():
    rated = [(text, 5 if label == "good" else 1) for text, label in FEW]
    model = linnet.train(rated, task="ordinal", lexicon={5: ["fine"], 1: ["poor"]}, unlabelled=POOL)
    assert model.predict(["superb lovely", "awful poor"]) == [5, 1]
    deep = [(text, f"film/{label}") for text, label in FEW]
    model = linnet.train(deep, task="hierarchy", lexicon={"film/good": ["fine"], "film/bad": ["poor"]}, unlabelled=POOL)
    assert model.predict(["superb lovely"]) == ["film/good"]


@pytest.mark.parametrize(
    ("lexicon", "said"),
    [
        (
            {"goood": ["fine"], "bad": ["dull"]},
            r"words for the label 'goood', but the labels are: bad, good. Did you mean 'good'",
        ),
        ({"good": [], "bad": ["dull"]}, r"the list of words for the label 'good' is empty"),
        ({"good": ["fine", "odd"], "bad": ["Odd"]}, r"the word 'odd' speaks for 'good' and for 'bad'"),
        ({"good": "none.txt"}, r"none.txt: cannot be read: No such file or directory"),
    ],
)
def test_wrong_words_are_refused(lexicon, said):
    with pytest.raises(linnet.LinnetError, match=said):
        linnet.train(FEW, lexicon=lexicon)


def test_words_of_another_language_are_refused():
    with pytest.raises(DataError, match="none of the words that speak for labels stands in these texts"):
        linnet.train(FEW, lexicon={"good": ["schön"], "bad": ["hässlich"]})


def test_one_label_is_too_few_without_labelled_texts():
    with pytest.raises(
        DataError, match="words for 'good' alone; learning needs at least two labels. Give words for another"
    ):
        linnet.train(POOL, lexicon={"good": GOOD})


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"memory": "rows"}, "memory=rows"),
        ({"shards": 2}, "shards"),
        ({"keep_support": True}, "support=keep"),
        ({"features": "words:1 column:genre"}, "no column 'genre'"),
    ],
)
def test_what_does_not_go_with_words_is_refused(how, said):
    table = pa.table({"text": [x for x, _ in FEW], "label": [y for _, y in FEW], "genre": ["x"] * len(FEW)})
    with pytest.raises(UsageError, match=said):
        linnet.train(table, lexicon={"good": ["witty"], "bad": ["stale"]}, **how)


def test_tags_take_no_words(tmp_path):
    path = tmp_path / "tags.conll"
    path.write_text("the DT\nfilm NN\n\n" * 4)
    with pytest.raises(UsageError, match="for texts with one label; this is task 'tag'"):
        linnet.train(path, lexicon={"DT": ["the"]})


def run(*arguments, folder):
    command = [sys.executable, "-m", "linnet", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_command_line(tmp_path, bare):
    (tmp_path / "pool.txt").write_text("\n".join(POOL) + "\n")
    for label, words in LEXICON.items():
        (tmp_path / f"{label}.txt").write_text("; words\n" + "\n".join(words) + "\n")
    words = ("--lexicon", "good=good.txt", "--lexicon", "bad=bad.txt")
    done = run("train", "pool.txt", "-o", "m.linnet", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "words and texts whose labels the lexicon says" in done.stderr
    np.testing.assert_array_equal(linnet.load(tmp_path / "m.linnet").V, bare.V)
    again = run("reproduce", "m.linnet", folder=tmp_path)
    assert again.stdout.strip() == "linnet train pool.txt --lexicon good=good.txt --lexicon bad=bad.txt -o m.linnet"
    (tmp_path / "few.jsonl").write_text("".join(json.dumps({"text": x, "label": y}) + "\n" for x, y in FEW))
    done = run("train", "few.jsonl", "-o", "f.linnet", "--unlabelled", "pool.txt", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for wrong, said in ((["good"], "expected --lexicon LABEL=FILE"), (["good=good.txt", "good=bad.txt"], "two files")):
        done = run(
            "train",
            "few.jsonl",
            "-o",
            "x.linnet",
            *(part for one in wrong for part in ("--lexicon", one)),
            folder=tmp_path,
        )
        assert done.returncode == 2
        assert said in done.stderr
    (tmp_path / "good.txt").write_text("; nothing\n")
    done = run("train", "few.jsonl", "-o", "x.linnet", *words, folder=tmp_path)
    assert "the word list 'good.txt' for the label 'good' is empty" in done.stderr
