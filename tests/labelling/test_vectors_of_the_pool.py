"""What labelling learns from texts without labels: n-grams at once, vectors and topics of the whole pool in the background."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import linnet
from linnet.errors import UsageError
from linnet.features import SparseRows
from linnet.labelling import refitted
from linnet.labelling.export import export
from linnet.labelling.inputs import TextInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.labelling.refitted import Refitted
from linnet.training.judge import Judge

GOOD = ("fine", "grand", "lovely", "superb", "moving", "witty", "tender", "bright")
BAD = ("dull", "poor", "dreary", "awful", "clumsy", "stale", "tedious", "flat")
NEITHER = ("film", "story", "the", "a", "scene", "plot", "cast", "and", "of", "it")
NGRAMS = "words:1-2 chars:3-5 start:1-3*0.5 skip:1-3*0.5 shapes:1-3*0.5 punct presence tfidf min=2"
VECTORS = f"{NGRAMS} vectors:200*0.7 topics:100*0.7"


def texts(n: int) -> list[str]:
    """Texts in which good words stand beside good ones, and bad ones beside bad ones."""
    rng = np.random.default_rng(1)
    return [" ".join(rng.permutation([*rng.choice((GOOD, BAD)[i % 2], 3), *rng.choice(NEITHER, 5)])) for i in range(n)]


def right(text: str) -> str:
    return "pos" if set(GOOD) & set(text.split()) else "neg"


def begun(path, n: int = 300, **how) -> Labelling:
    pool = Pool.of(TextInputs.of(texts(n)))
    return Labelling(pool, KINDS["labels"], path, labels=["neg", "pos"], **how)


def answered(labelling: Labelling, rows) -> None:
    for row in rows:
        labelling.answer(row, [right(labelling.pool.text(row))])


@pytest.fixture
def gate(monkeypatch):
    """Keep vectors from being learned until the event is set."""
    opened = threading.Event()

    class Slow(Judge):
        def __init__(self, task, table, spec):
            if "vectors" in spec:
                opened.wait(60)
            super().__init__(task, table, spec)

    monkeypatch.setattr(refitted, "Judge", Slow)
    yield opened
    opened.set()


def test_the_first_answers_are_learned_from_ngrams_and_all_of_them_from_vectors_later(tmp_path, gate):
    labelling = begun(tmp_path / "a")
    rows = [int(row) for row in labelling.queue.rest[:12]]
    answered(labelling, rows)
    early = labelling.belief()
    assert labelling.learner.features == NGRAMS
    assert early is labelling.belief()
    gate.set()
    labelling.learner.wait()
    late = labelling.belief()  # There was no answer since, and yet it is learned anew.
    assert labelling.learner.features == VECTORS
    assert (late.scores != early.scores).any()
    at_once = begun(tmp_path / "b")
    at_once.learner.wait()
    answered(at_once, rows)
    np.testing.assert_array_equal(at_once.belief().scores, late.scores)


def test_the_next_text_is_shown_while_vectors_are_learned(tmp_path, gate):
    labelling = begun(tmp_path / "a")
    for _ in range(20):
        shown = labelling.next()
        labelling.answer(shown.row, [right(shown.text)])
    assert labelling.next() is not None
    assert labelling.learner.features == NGRAMS


def test_two_answers_tell_more_with_vectors_than_without(tmp_path):
    labelling = begun(tmp_path / "a", 600)
    rows = labelling.queue.rest.tolist()
    answered(labelling, rows[:2])

    def accuracy() -> float:
        guesses = labelling.belief().guesses(rows)
        return np.mean([guess == (right(labelling.pool.text(row)),) for row, guess in zip(rows, guesses, strict=True)])

    labelling.learner.wait()
    assert accuracy() > 0.99
    labelling.learner = Refitted(labelling.pool.inputs.table, labelling.kind, NGRAMS, {})
    assert accuracy() < 0.9


def test_all_points_of_the_learning_curve_have_the_same_features(tmp_path, gate):
    labelling = begun(tmp_path / "a")
    answered(labelling, [int(row) for row in labelling.queue.rest[:20]])
    course = labelling.learner.course(labelling.labels, labelling.learned(), [10, 20])
    first = next(course)
    gate.set()
    labelling.learner.wait()
    second = next(course)
    alone = begun(tmp_path / "b", features=NGRAMS)
    for belief, n in ((first, 10), (second, 20)):
        answers = dict(list(labelling.learned().items())[:n])
        np.testing.assert_array_equal(belief.scores, alone.learner.learn(alone.labels, answers).scores)


def test_features_that_are_named_are_the_only_ones(tmp_path):
    labelling = begun(tmp_path / "a", features="words:1")
    labelling.learner.wait()
    answered(labelling, [int(row) for row in labelling.queue.rest[:12]])
    assert labelling.belief() is not None
    assert labelling.learner.features == "words:1"


def test_what_goes_wrong_in_the_background_is_said(tmp_path, monkeypatch):
    class Failing(Judge):
        def __init__(self, task, table, spec):
            if "vectors" in spec:
                raise MemoryError("no memory for vectors")
            super().__init__(task, table, spec)

    monkeypatch.setattr(refitted, "Judge", Failing)
    labelling = begun(tmp_path / "a")
    labelling.learner.wait()
    with pytest.raises(UsageError, match="no memory for vectors.*--features"):
        labelling.next()


def test_very_large_pools_have_no_vectors_and_no_very_rare_ngrams(monkeypatch):
    table = TextInputs.of(texts(300)).table
    monkeypatch.setattr(refitted, "_MOST", 299)
    monkeypatch.setattr(refitted, "_RARE", 100)
    learner = Refitted(table, KINDS["labels"], None, {})
    learner.wait()
    assert learner.features == NGRAMS.replace("min=2", "min=3")


@pytest.mark.parametrize("features", [None, "words:1"])
def test_the_model_has_the_features_of_the_page_and_learns_from_the_other_texts(tmp_path, features):
    labelling = begun(tmp_path / "a", features=features)
    answered(labelling, [int(row) for row in (*labelling.queue.rest[:40], *labelling.queue.held[:10])])
    export(labelling, tmp_path / "out.linnet")
    model = linnet.load(tmp_path / "out.linnet")
    assert str(model.features.spec) == (features or VECTORS)
    assert model.report["unlabelled"]["examples"] == 240 - 40  # None of the 60 texts that are held out is among them.
    held = labelling.held()
    assert model.predict([labelling.pool.text(row) for row in held]) == [label for (label,) in held.values()]


def test_a_model_of_a_pool_that_is_answered_as_a_whole(tmp_path):
    labelling = begun(tmp_path / "a", 40, held_out=0)
    answered(labelling, range(40))
    export(labelling, tmp_path / "out.linnet")
    model = linnet.load(tmp_path / "out.linnet")
    assert str(model.features.spec) == NGRAMS
    assert "unlabelled" not in model.report


@pytest.mark.parametrize(
    ("task", "names", "seed_words"),
    [
        ("labels", {"pos": ["pos"], "neg": ["neg"]}, {"pos": ["fine", "grand"], "neg": ["dull"]}),
        ("ordinal", {"pos": ["2"], "neg": ["1"]}, {}),
        ("hierarchy", {"pos": ["film/good"], "neg": ["film/bad/dull"]}, {"film/good": ["fine"]}),
        ("labelset", {"pos": ["film", "good"], "neg": ["film"]}, {}),
        ("ranking", {"pos": ["good"], "neg": ["bad"]}, {}),
    ],
)
def test_every_task_over_texts_learns_from_vectors(tmp_path, task, names, seed_words):
    pool = Pool.of(TextInputs.of(texts(300)))
    labels = sorted({label for some in names.values() for label in some})
    labelling = Labelling(pool, KINDS[task], tmp_path / "a", labels=labels, seed_words=seed_words)
    labelling.learner.wait()
    for _ in range(40):
        shown = labelling.next()
        labelling.answer(shown.row, names[right(shown.text)])
    assert labelling.learner.features == VECTORS
    assert labelling.accuracy().share == 1
    export(labelling, tmp_path / "out.linnet")
    model = linnet.load(tmp_path / "out.linnet")
    assert "vectors:200*0.7 topics:100*0.7" in str(model.features.spec)
    assert model.report["unlabelled"]["examples"] == 240 - 32


def test_rows_are_taken_and_followed_by_others():
    rows = SparseRows(np.array([0, 2, 2, 3]), np.array([4, 1, 0], np.uint32), np.array([1, 2, 3], np.float32))
    some = rows.take(np.array([2, 0, 1]))
    assert [part.tolist() for part in some] == [[0, 1, 3, 3], [0, 4, 1], [3, 1, 2]]
    both = some.followed_by(rows)
    assert [part.tolist() for part in both] == [[0, 1, 3, 3, 5, 5, 6], [0, 4, 1, 4, 1, 0], [3, 1, 2, 1, 2, 3]]
    assert [part.tolist() for part in rows.take(np.zeros(0, np.int64))] == [[0], [], []]
