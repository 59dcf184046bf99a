"""The engine of labelling without a browser: the queue, the learner, undo, progress, review and export."""

from __future__ import annotations

import json

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.labelling.export import export, table
from linnet.labelling.inputs import TextInputs
from linnet.labelling.kinds import KINDS, kind_of
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.labelling.review import agreement, doubts

GOOD, BAD = ("good", "fine", "great", "lovely"), ("bad", "dull", "poor", "awful")


def texts(n: int = 200) -> list[str]:
    rng = np.random.default_rng(1)
    found = []
    for i in range(n):
        word = (GOOD if i % 2 else BAD)[rng.integers(4)]
        found.append(f"a {word} film number {i} with w{rng.integers(30)} and w{rng.integers(30)}")
    return found


def right(text: str) -> str:
    return "pos" if any(word in text.split() for word in GOOD) else "neg"


def pool(n: int = 200) -> Pool:
    return Pool.of(TextInputs.of(texts(n)))


def begun(tmp_path, **how) -> Labelling:
    how = {"labels": ["neg", "pos"], "features": "words:1", **how}
    return Labelling(how.pop("pool", None) or pool(), KINDS[how.pop("task", "labels")], tmp_path / "j.journal", **how)


def answered(labelling: Labelling, n: int, by: str = "") -> list:
    shown = []
    for _ in range(n):
        one = labelling.next(by)
        shown.append(one)
        labelling.answer(one.row, [right(one.text)], by)
    return shown


def test_every_text_is_asked_for_once(tmp_path):
    labelling = begun(tmp_path, pool=pool(60))
    shown = answered(labelling, 60)
    assert sorted(one.row for one in shown) == list(range(60))
    assert labelling.next() is None


def test_every_fifth_text_is_held_out_and_never_learned_from(tmp_path):
    labelling = begun(tmp_path)
    shown = answered(labelling, 50)
    assert [one.why == "held-out" for one in shown] == [i % 5 == 4 for i in range(50)]
    held = {one.row for one in shown[4::5]}
    assert set(labelling.held()) == held
    assert not held & set(labelling.learned())
    assert len(labelling.learned()) == 40


def test_the_least_sure_text_is_asked_for(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, 21)
    belief = labelling.belief()
    left = [row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None]
    shown = labelling.next()
    assert shown.why == "uncertain"
    assert belief.margin[shown.row] == min(belief.margin[row] for row in left)
    scores = np.sort(belief.scores[shown.row])
    assert belief.margin[shown.row] == pytest.approx(scores[1] - scores[0])


def test_what_was_skipped_does_not_come_back_but_for_others(tmp_path):
    labelling = begun(tmp_path, pool=pool(20))
    first = labelling.next("anna").row
    labelling.skip(first, "anna")
    rows = [one.row for one in answered(labelling, 19, "anna")]
    assert first not in rows
    assert labelling.next("anna") is None
    assert first in [one.row for one in answered(labelling, 4, "ben")]


def test_undo_takes_back_all_and_leaves_what_was_before(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, 12)
    before, scores = labelling.next(), labelling.belief().scores.copy()
    answered(labelling, 3)
    labelling.skip(labelling.next().row)
    labelling.note(7, "odd")
    for _ in range(5):
        last = labelling.undo()
    assert last == before.row
    assert labelling.next() == before
    assert (labelling.belief().scores == scores).all()
    for _ in range(12):
        labelling.undo()
    with pytest.raises(UsageError, match="nothing to take back"):
        labelling.undo()
    assert labelling.belief() is None


def test_the_state_is_what_replaying_the_journal_gives(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, 30)
    labelling.undo()
    labelling.note(3, "a note")
    again = begun(tmp_path)
    assert again.state == labelling.state
    assert again.next() == labelling.next()
    assert again.accuracy() == labelling.accuracy()


def test_other_data_and_other_tasks_are_refused(tmp_path):
    answered(begun(tmp_path), 3)
    with pytest.raises(DataError, match="about other texts"):
        begun(tmp_path, pool=pool(199))
    with pytest.raises(DataError, match="for task 'labels', not 'labelset'"):
        begun(tmp_path, task="labelset")


def test_a_journal_with_an_answer_that_is_none_is_refused(tmp_path):
    labelling = begun(tmp_path)
    labelling.answer(0, ["pos"], id="a")
    labelling.journal.close()
    path = tmp_path / "j.journal"
    kept = path.read_bytes()
    for labels, found in (("[]", 0), ('["neg", "pos"]', 2)):
        path.write_bytes(kept.replace(b'["pos"]', labels.encode()))
        with pytest.raises(
            DataError, match=f"j.journal:2: the line is no event: expected one label for a text, found {found}"
        ):
            begun(tmp_path)


def test_labels_of_the_data_count_as_answers(tmp_path):
    path = tmp_path / "films.csv"
    rows = [f'"{text}",{right(text) if i < 20 else ""}' for i, text in enumerate(texts(100))]
    path.write_text("text,label\n" + "\n".join(rows) + "\n")
    read = Pool.read([str(path)], KINDS["labels"])
    assert read.given == {i: (right(text),) for i, text in enumerate(texts(20))}
    labelling = begun(tmp_path, pool=read, labels=())
    assert labelling.labels == ("neg", "pos")
    assert labelling.next().row >= 20
    assert labelling.next().guess is not None


def test_labels_may_come_up_in_answers_but_ratings_not(tmp_path):
    labelling = begun(tmp_path, labels=())
    labelling.answer(0, ["new"])
    assert labelling.labels == ("new",)
    with pytest.raises(UsageError, match="one label"):
        labelling.answer(1, ["a", "b"])
    with pytest.raises(UsageError, match="expected a label as one line"):
        labelling.answer(1, ["a\nb"])
    (tmp_path / "r").mkdir()
    ratings = begun(tmp_path / "r", task="ordinal", labels=["1", "2", "3"])
    with pytest.raises(UsageError, match="no rating '7'"):
        ratings.answer(0, ["7"])
    (tmp_path / "none").mkdir()
    with pytest.raises(UsageError, match="Name them"):
        begun(tmp_path / "none", task="ordinal", labels=())


@pytest.mark.parametrize(
    ("task", "labels", "message"),
    [
        ("ordinal", ["low", "high"], "expected ratings that are numbers, as in --labels 1,2,3,4,5, found 'low'."),
        ("ordinal", ["1", "1.0", "2"], "the ratings '1' and '1.0' are the same number. Write it in one way."),
        ("hierarchy", ["sport/tennis", "sport"], "paths in a tree, such as sport/tennis, .*, found 'sport'"),
        ("compress", ["stay"], "a token can only be labelled keep or drop, not 'stay'. Leave out --labels."),
        ("align", ["sure"], "links have no labels. Leave out --labels."),
        ("rerank", ["best"], "candidates have no labels. Leave out --labels."),
    ],
)
def test_labels_that_cannot_be_are_refused_and_begin_no_journal(tmp_path, task, labels, message):
    with pytest.raises(UsageError, match=message):
        begun(tmp_path, task=task, labels=labels)
    assert not (tmp_path / "j.journal").exists()


@pytest.mark.parametrize(
    ("task", "answer", "message"),
    [
        ("labelset", ["pos", "pos"], "expected each label of a text once, found one twice."),
        ("labelset", ["pos,neg"], "labels of a set without commas, which stand between them, found 'pos,neg'."),
        ("hierarchy", ["sport"], "paths in a tree, such as sport/tennis, all with the same mark, found 'sport'."),
    ],
)
def test_labels_that_the_task_cannot_have_are_no_answer_and_stay_out(tmp_path, task, answer, message):
    labelling = begun(tmp_path, task=task, labels=())
    with pytest.raises(UsageError, match=message):
        labelling.answer(0, answer)
    assert labelling.answer(0, ["sport/tennis"])
    assert labelling.labels == ("sport/tennis",)


@pytest.mark.parametrize("share", [-0.1, 0.6])
def test_at_most_half_of_the_texts_are_held_out(tmp_path, share):
    with pytest.raises(UsageError, match=f"expected a share of held-out texts between 0 and 0.5, found {share}"):
        begun(tmp_path, held_out=share)


@pytest.mark.parametrize(("other", "alpha"), [("2", 1 - 780 / 20 / 999), ("3", 1 - 4 * 780 / 20 / 1040)])
def test_annotators_that_rate_almost_alike_agree_more_than_others(tmp_path, other, alpha):
    """Of 40 ratings 13 are 1; of the others 15 are 2 and 12 are 3, or 14 and 13: by squared differences, 2 * 999 / (40 * 39)
    and 2 * 1040 / (40 * 39) are expected by chance, and 1 / 20 and 4 / 20 are found."""
    ratings = begun(tmp_path, task="ordinal", labels=["1", "2", "3"])
    for row in range(20):
        rating = str(1 + row % 3)
        ratings.answer(row, [rating], "anna")
        ratings.answer(row, [other if row == 0 else rating], "ben")
    assert agreement(ratings).alpha == pytest.approx(alpha)


def test_ratings_and_label_sets_are_learned(tmp_path):
    ratings = begun(tmp_path, task="ordinal", labels=["1", "2"], pool=pool())
    for _ in range(60):
        one = ratings.next()
        ratings.answer(one.row, ["2" if right(one.text) == "pos" else "1"])
    assert ratings.accuracy().share > 0.9
    (tmp_path / "s").mkdir()
    sets = begun(tmp_path / "s", task="labelset", labels=["pos", "film"])
    for _ in range(60):
        one = sets.next()
        sets.answer(one.row, ["film", "pos"] if right(one.text) == "pos" else ["film"])
    assert sets.accuracy().share > 0.9
    assert sets.next().guess in {("pos", "film"), ("film",), ("film", "pos")}
    assert sets.learned() != {}


def test_seed_words_begin_with_texts_that_have_them(tmp_path):
    labelling = begun(tmp_path, seed_words={"pos": ["great"], "neg": ["awful", "dull"]})
    first = labelling.next()
    assert first.why == "seed-words"
    assert {"great", "awful", "dull"} & set(first.text.split())
    labelling.answer(first.row, [right(first.text)])
    second = labelling.next()
    assert right(second.text) != right(first.text)
    with pytest.raises(UsageError, match="seed words for 'posi'.*Did you mean 'pos'"):
        begun(tmp_path, seed_words={"posi": ["great"]})


def test_two_browsers_get_different_texts(tmp_path):
    labelling = begun(tmp_path)
    one, two = labelling.next("anna", "a"), labelling.next("ben", "b")
    assert one.row != two.row


def test_held_out_texts_are_asked_of_all_annotators(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, 50, "anna")
    answered(labelling, 50, "ben")
    found = agreement(labelling)
    assert found.annotators == {"anna": 50, "ben": 50}
    assert found.n == 10
    assert found.alpha == 1
    wrong = next(row for row in labelling.held())
    labelling.answer(wrong, ["pos" if right(labelling.pool.text(wrong)) == "neg" else "neg"], "ben")
    found = agreement(labelling)
    assert [row for row, _ in found.differ] == [wrong]
    assert found.pairs[0].n == 10
    assert found.pairs[0].kappa < 1


def test_progress_and_advice(tmp_path):
    labelling = begun(tmp_path, pool=pool(400))
    assert labelling.progress().curve == ()
    answered(labelling, 20)
    assert "too few to say" in labelling.progress().advice
    answered(labelling, 180)
    found = labelling.progress()
    assert [point.answers for point in found.curve] == [10, 20, 40, 80, 160]
    assert all(point.held_out.n == 40 for point in found.curve)
    assert found.curve[-1].held_out.share >= found.curve[0].held_out.share
    assert "from 80 to 160 answers" in found.advice


@pytest.mark.parametrize(
    ("words", "advice", "stop"),
    [
        (6, "by +0.0 points (between -0.7 and +0.7): twice as many would bring little. It is time to stop.", True),
        (60, ": more answers help. Go on.", False),
    ],
)
def test_the_learning_curve_says_whether_to_stop(tmp_path, words, advice, stop):
    """Even words are positive; no other word tells anything of them, so that each has to be seen once."""
    some = [f"word{i % words} number{i}" for i in range(600)]
    answers = {i: ("pos",) if i % words % 2 else ("neg",) for i in range(600)}
    given = {row: answers[row] for row in range(60 if stop else 50)}
    labelling = begun(tmp_path, pool=Pool.of(TextInputs.of(some), given), labels=(), held_out=0.5)
    for row in labelling.queue.held.tolist():
        labelling.answer(row, answers[row])
    found = labelling.progress()
    assert found.advice.endswith(advice)
    assert found.stop == stop


def test_a_mistake_among_the_answers_is_suspected(tmp_path):
    labelling = begun(tmp_path)
    with pytest.raises(UsageError, match="two labels"):
        doubts(labelling)
    labelling.answer(0, ["pos"])
    labelling.answer(1, ["neg"])
    with pytest.raises(UsageError, match="two labels with 5 texts or more each, found 0. Add examples."):
        doubts(labelling)
    labelling.undo()
    labelling.undo()
    answered(labelling, 100)
    row = next(iter(labelling.learned()))
    good = right(labelling.pool.text(row))
    labelling.answer(row, ["pos" if good == "neg" else "neg"])
    found = doubts(labelling)
    assert (found[0].row, found[0].suggested) == (row, good)


def test_export_as_tables_and_as_a_model(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, 40, "anna")
    labelling.note(labelling.state.answered()[0], "a, note")
    export(labelling, tmp_path / "out.csv")
    export(labelling, tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(lines) == 40
    assert all(line["label"] == right(line["text"]) for line in lines)
    assert sum(line["held_out"] for line in lines) == 8
    assert lines == table(labelling).to_pylist()
    assert linnet.train(tmp_path / "out.csv", features="words:1").labels == ("neg", "pos")
    export(labelling, tmp_path / "out.linnet")
    model = linnet.load(tmp_path / "out.linnet")
    assert model.predict(["a lovely film", "an awful film"]) == ["pos", "neg"]
    with pytest.raises(UsageError, match="ends in one of"):
        export(labelling, tmp_path / "out.docx")


def test_other_tasks_are_refused():
    with pytest.raises(UsageError, match=r"no labelling for task 'label'\..*Did you mean 'labels'"):
        kind_of("label")
