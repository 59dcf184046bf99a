"""Labelling of outputs with many parts, without a browser: what the engine has for every kind."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_up import keeps, parts_of_speech, sentences, spans

import linnet
from linnet.errors import DataError, UsageError
from linnet.labelling.export import export, table
from linnet.labelling.inputs import SentenceInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.labelling.review import agreement

BIO = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
RIGHT = {"spans": spans, "tags": parts_of_speech, "compress": keeps}
LABELS = {"spans": BIO, "tags": ["DET", "PROPN", "VERB", "X"], "compress": []}
TASK = {"spans": "tag", "tags": "tag", "compress": "compress"}
MEASURE = {"spans": "F1", "tags": "token accuracy", "compress": "token F1"}


def begun(path, what: str = "spans", n: int = 80, **how) -> Labelling:
    pool = Pool.of(SentenceInputs.of(sentences(n)))
    return Labelling(pool, KINDS[TASK[what]], path / "j.journal", labels=LABELS[what], **how)


def answered(labelling: Labelling, what: str, n: int, by: str = "") -> list:
    shown = []
    for _ in range(n):
        one = labelling.next(by)
        shown.append(one)
        labelling.answer(one.row, RIGHT[what](one.drawn), by)
    return shown


@pytest.mark.parametrize("what", RIGHT)
def test_the_model_learns_and_its_guesses_become_right(tmp_path, what):
    labelling = begun(tmp_path, what)
    shown = answered(labelling, what, 30)
    assert [one.why == "held-out" for one in shown] == [i % 5 == 4 for i in range(30)]
    assert all(one.guess is None for one in shown if one.why == "held-out")
    assert {one.why for one in shown} == {"held-out", "random", "uncertain"}
    assert len({one.row for one in shown}) == 30
    late = [(one.guess, RIGHT[what](one.drawn)) for one in shown[20:] if one.guess is not None]
    right = [tag == other for guess, wanted in late for tag, other in zip(guess, wanted, strict=True)]
    assert np.mean(right) > 0.8
    accuracy = labelling.accuracy()
    assert (accuracy.measure, accuracy.n) == (MEASURE[what], 6)
    assert 0.8 < accuracy.share <= 1
    assert accuracy.low < accuracy.share <= accuracy.high


def test_the_least_sure_example_is_asked_for(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 21)
    belief = labelling.belief()
    left = [row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None]
    shown = labelling.next()
    assert shown.why == "uncertain"
    assert belief.margin[shown.row] == min(belief.margin[row] for row in left)
    best = belief.model.answers(labelling.pool.inputs.part(np.array([shown.row])), top=2)["best"].to_pylist()[0]
    assert belief.margin[shown.row] == pytest.approx(best[0]["score"] - best[1]["score"], rel=1e-5)


def test_a_large_pool_is_ranked_a_part_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(type(KINDS["tag"]), "looks", 50)
    labelling = begun(tmp_path, n=60)
    looked = []
    for _ in range(15):
        answered(labelling, "spans", 1)
        belief = labelling.belief()
        looked.append(0 if belief is None else int(np.isfinite(belief.margin).sum()))
    steps = np.diff(looked[2:])
    assert 0 < looked[4] < 40, "not all are looked at at once"
    assert steps.min() >= 0
    assert looked[-1] == len(labelling.queue.rest), "all have been looked at in the end"


def test_undo_and_a_restart_give_the_same_model(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 20)
    before = [np.array(W) for W in labelling.belief().model.weights]
    answered(labelling, "spans", 4)
    for _ in range(4):
        labelling.undo()
    again = begun(tmp_path)
    for one in (labelling, again):
        assert all(np.array_equal(W, V) for W, V in zip(one.belief().model.weights, before, strict=True))
    assert again.state == labelling.state
    assert again.accuracy() == labelling.accuracy()
    for _ in range(20):
        labelling.undo()
    assert labelling.belief() is None


def test_the_rest_of_an_answer_is_found_again(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 20)
    row = next(row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None)
    guess = labelling.belief().guesses([row])[0]
    at = next(t for t, tag in enumerate(guess) if tag == "O")
    wanted = list(guess)
    wanted[at] = "B-LOC"
    found = labelling.again(row, wanted, [at])
    assert found[at] == "B-LOC"
    assert labelling.again(row, guess, list(range(len(guess)))) == guess
    wanted[at] = "B-NEW"
    assert labelling.again(row, wanted, [at]) == tuple(wanted), "what the model does not know stays as it is"
    held = int(labelling.queue.held[0])
    words = labelling.pool.inputs.shown(held)
    assert labelling.again(held, ["O"] * len(words), [0]) == ("O",) * len(words), "held-out answers are not swayed"


@pytest.mark.parametrize(
    ("what", "answer", "message"),
    [
        ("spans", ["O"], "expected a tag for each of"),
        ("spans", lambda words: ["I-PER", *["O"] * (len(words) - 1)], "'I-PER' that continues nothing"),
        ("spans", lambda words: ["PER", *["O"] * (len(words) - 1)], "expected tags of spans"),
        ("spans", lambda words: [1] * len(words), "expected tags that are strings"),
        ("tags", lambda words: [""] * len(words), "expected a label as one line"),
        ("compress", lambda words: ["stay"] * len(words), "expected keep or drop"),
    ],
)
def test_what_is_no_answer_is_refused(tmp_path, what, answer, message):
    labelling = begun(tmp_path, what)
    shown = labelling.next()
    with pytest.raises(UsageError, match=message):
        labelling.answer(shown.row, answer if isinstance(answer, list) else answer(shown.drawn))
    assert labelling.state.n == 0


def test_export_to_conll_to_jsonl_and_to_a_model(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 25, "anna")
    export(labelling, tmp_path / "out.conll")
    export(labelling, tmp_path / "out.jsonl")
    export(labelling, tmp_path / "out.linnet")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(lines) == 25
    assert all(line["tags"] == spans(line["tokens"]) and line["by"] == "anna" for line in lines)
    assert lines == table(labelling).to_pylist()
    model = linnet.load(tmp_path / "out.linnet")
    words = ["today", "Anna", "Emma", "ran", "in", "Graz"]
    assert model.predict([words]) == [spans(words)]
    for name in ("out.conll", "out.jsonl"):
        again = linnet.train(tmp_path / name, task="tag", features="w lower", learner="averaged-perceptron")
        assert set(again.labels) >= {"O", "S-LOC", "S-PER"}
    with pytest.raises(UsageError, match=r"ends in one of \.conll"):
        export(labelling, tmp_path / "out.csv")


def test_tags_of_the_data_count_as_answers(tmp_path):
    path = tmp_path / "news.conll"
    path.write_text("Anna I-PER\nsaw O\nGraz I-LOC\n\nBen _\nran _\n\n")
    pool = Pool.read([str(path)], KINDS["tag"], label="2")
    assert pool.given == {0: ("B-PER", "O", "B-LOC")}
    path = tmp_path / "news.jsonl"
    path.write_text(
        '{"tokens": ["Anna", "saw"], "tags": ["I-PER", "O"]}\n{"tokens": ["Ben", "ran"], "tags": ["", ""]}\n'
    )
    pool = Pool.read([str(path)], KINDS["tag"])
    assert pool.given == {0: ("B-PER", "O")}
    assert Labelling(pool, KINDS["tag"], tmp_path / "j").kind.facts(["B-PER", "O"]) == {
        "labels": ["PER"],
        "spans": True,
    }


def test_prose_is_cut_into_sentences(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text("Anna saw Graz. Ben ran home, fast.\n")
    pool = Pool.read([str(path)], KINDS["tag"])
    assert [pool.inputs.shown(row) for row in range(2)] == [
        ["Anna", "saw", "Graz", "."],
        ["Ben", "ran", "home", ",", "fast", "."],
    ]


def test_other_sentences_are_other_data(tmp_path):
    answered(begun(tmp_path), "spans", 2)
    with pytest.raises(DataError, match="about other texts"):
        begun(tmp_path, n=79)


def test_annotators_agree_on_tokens(tmp_path):
    labelling = begun(tmp_path)
    row = int(labelling.queue.held[0])
    right = spans(labelling.pool.inputs.shown(row))
    labelling.answer(row, right, "anna")
    labelling.answer(row, ["O"] * len(right), "ben")
    found = agreement(labelling)
    assert found.n == found.pairs[0].n == len(right)
    assert found.pairs[0].kappa == 0
    assert found.differ[0][0] == row


def test_the_curve_goes_along_with_the_answers(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 25)
    found = labelling.progress()
    assert [point.answers for point in found.curve] == [10, 20]
    assert found.curve[-1].held_out == labelling.accuracy()
    assert "5 held-out answers are too few" in found.advice
