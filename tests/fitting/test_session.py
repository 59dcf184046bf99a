"""One example at a time, for every task: a break changes no bit, and what was taken back was never there."""

import itertools

import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.fitting import session as module
from linnet.fitting.session import Session
from linnet.learners import LEARNERS
from linnet.model.base import parts_of_model

RNG = np.random.default_rng(0)
WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]


def text(n=6):
    return [str(word) for word in RNG.choice(WORDS, n)]


def texts(n):
    for _ in range(n):
        words = text()
        yield " ".join(words), words[0][0]


def sets(n):
    for _ in range(n):
        words = text()
        yield " ".join(words), sorted({words[0][0], words[1][0]})


def paths(n):
    for _ in range(n):
        words = text()
        yield " ".join(words), f"{words[0][0]}/{words[0][1]}"


def ratings(n):
    for i, (words, label) in enumerate(texts(n)):
        yield words, str("bdfgk".index(label) % 3) if i > 2 else str(i)


def tags(n):
    for _ in range(n):
        words = text(int(RNG.integers(1, 7)))
        yield words, [word[:2].upper() for word in words]


def spans(n):
    for _ in range(n):
        words = text(int(RNG.integers(2, 7)))
        yield words, ["B-" + word[0] if word[1] in "aeo" else "O" for word in words]


def keeps(n):
    for i, (words, _) in enumerate(tags(n)):
        yield words, [int(word[1] in "aei") if i else i for i, word in enumerate(words)]


def trees(n):
    for _ in range(n):
        words = text(int(RNG.integers(2, 7)))
        heads = [0, *(int(RNG.integers(1, m)) for m in range(2, len(words) + 1))]
        tokens = [(word, word[1].upper(), word[2].upper()) for word in words]
        yield tokens, [(head, "root" if head == 0 else word[:2]) for word, head in zip(words, heads, strict=True)]


def brackets(n):
    for _ in range(n):
        words = text(int(RNG.integers(3, 6)))
        first, *others = (f"({word[1].upper()} {word})" for word in words)
        yield words, f"(S (N{words[0][0]} {first}) (V{words[1][0]} {' '.join(others)}))"


def links(n):
    for _ in range(n):
        words = text(int(RNG.integers(1, 5)))
        yield (words, [word[::-1] for word in words]), [(i, i) for i in range(len(words))]


def lists(n):
    for _ in range(n):
        candidates = [" ".join(text(3)) for _ in range(4)]
        yield candidates, [float(sum(c in "ae" for c in one)) + i / 8 for i, one in enumerate(candidates)]


DATA = {
    "labels": (texts, {"features": "words:1-2 tfidf"}),
    "labelset": (sets, {"features": "words:1"}),
    "ranking": (sets, {"features": "words:1"}),
    "hierarchy": (paths, {"features": "words:1 bm25"}),
    "ordinal": (ratings, {"features": "words:1"}),
    "tag": (tags, {"features": "w[-1..1] suffix:1-2 w[-1]|w y[-1]|lower"}),
    "tag, of second order": (tags, {"features": "w suffix:1 y[-2]|y[-1]"}),
    "tag, spans": (spans, {"features": "ner-fast"}),
    "compress": (keeps, {}),
    "parse": (trees, {}),
    "brackets": (brackets, {}),
    "align": (links, {"features": "model1 alike dist s.common|t.common"}),
    "rerank": (lists, {}),
}
BEGINS = 5


def data_of(name, n):
    global RNG
    RNG = np.random.default_rng(len(name))
    make, settings = DATA[name]
    return list(make(n)), dict(settings)


def task_of(name):
    from dataclasses import replace

    from linnet.tasks import named

    task = named(name.partition(",")[0])
    return replace(task, tags="given") if task.name in ("parse", "brackets") else task


def begun(name, examples, settings, **more):
    X, Y = zip(*examples[:BEGINS], strict=True)
    return Session.begin(task_of(name), X, Y, **settings, **more)


def bits(session):
    header, arrays = parts_of_model(session.model())
    state, numbers = session._work.state()
    return header, arrays | {f"state.{key}": array for key, array in state.items()}, numbers


def same(one, other):
    (header, arrays, numbers), (header_2, arrays_2, numbers_2) = bits(one), bits(other)
    assert header == header_2
    assert numbers == numbers_2
    assert list(arrays) == list(arrays_2)
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, arrays_2[name], err_msg=name)


@pytest.mark.parametrize("name", DATA)
def test_a_break_changes_no_bit(name, tmp_path):
    examples, settings = data_of(name, 40)
    whole, broken = begun(name, examples, settings), begun(name, examples, settings)
    for i, example in enumerate(examples[BEGINS:]):
        whole.learn(*example)
        broken.learn(*example)
        if i == 15:
            broken.save(tmp_path / "half.linnet")
            broken = linnet.load(tmp_path / "half.linnet").session()
            assert broken.said == ""
    same(whole, broken)


@pytest.mark.parametrize("name", DATA)
def test_what_was_taken_back_was_never_there(name, monkeypatch):
    """Also where so much is taken back that it goes behind the points that are kept."""
    monkeypatch.setattr(module, "_EVERY", 6)
    monkeypatch.setattr(module, "_KEPT", 2)
    examples, settings = data_of(name, 35)
    with_mistakes, without = begun(name, examples, settings), begun(name, examples, settings)
    for i, example in enumerate(examples[BEGINS:]):
        with_mistakes.learn(*example)
        without.learn(*example)
        if i % 10 == 5:
            with_mistakes.learn(*examples[(7 * i) % len(examples)])
            with_mistakes.undo()
    with_mistakes.learn(*examples[3])
    with_mistakes.undo()
    same(with_mistakes, without)
    for _ in range(25):
        with_mistakes.undo()
        without.undo()
    assert with_mistakes.n_lessons == 5
    same(with_mistakes, without)


@pytest.mark.parametrize("name", DATA)
def test_a_session_learns(name):
    """After some passes most of what it was taught is right, as it is after training."""
    examples, settings = data_of(name, 30)
    session = begun(name, examples, settings)
    for _, (x, y) in itertools.product(range(6), examples):
        session.learn(x, y)
    model = session.model()
    gold = task_of(name).read(tuple(map(list, zip(*examples, strict=True))), {}, session._work.known)
    task = session._work.task
    predictor = model._predictors[0]
    counts = task.counts(gold, *model.decided(predictor, task.blocks(model.features, gold), model.probabilistic))
    assert counts.wrong(counts.score) < 0.35, counts.score


@pytest.mark.parametrize("name", [name for name in LEARNERS if not LEARNERS[name].needs_all])
def test_every_online_learner_over_labels_and_over_tags(name, tmp_path):
    for task in ("labels", "tag"):
        examples, settings = data_of(task, 40)
        sessions = [begun(task, examples, settings, learner=name) for _ in range(2)]
        for i, example in enumerate(examples[BEGINS:]):
            for session in sessions:
                session.learn(*example)
            if i == 15:
                sessions[1].save(tmp_path / "half.linnet")
                sessions[1] = linnet.load(tmp_path / "half.linnet").session()
            if i == 25:
                sessions[1].learn(*examples[0])
                sessions[1].undo()
        same(*sessions)


@pytest.mark.parametrize(
    "name", ["labels", "labelset", "hierarchy", "tag", "tag, of second order", "parse", "brackets"]
)
def test_labels_that_come_up_later_are_as_if_they_had_been_there(name):
    """A learner of known labels gives each of them a zero weight until it meets it; so does one that does not know them yet."""
    examples, settings = data_of(name, 50)
    late = begun(name, examples, settings, learner="perceptron")
    before = len(late.labels)
    for example in examples[BEGINS:]:
        late.learn(*example)
    assert len(late.labels) > before
    for _, (x, y) in itertools.product(range(2), examples):
        late.learn(x, y)
    right = [late.predict(x) == y for x, y in examples if name not in ("parse", "brackets")]
    assert np.mean(right or [1]) > 0.5


def test_a_batch_is_its_examples_in_their_order():
    examples, _ = data_of("labels", 30)
    one, several = (begun("labels", examples, {"features": "words:1"}) for _ in range(2))
    for example in examples[BEGINS:]:
        one.learn(*example)
    several.learn(*zip(*examples[BEGINS:], strict=True))
    np.testing.assert_array_equal(one.model().weights[0], several.model().weights[0])
    assert several.n_lessons == 1


def test_a_model_is_not_changed_by_its_session():
    examples, _ = data_of("labels", 40)
    X, Y = map(list, zip(*examples, strict=True))
    model = linnet.train((X, Y), features="words:1-2", learner="averaged-mira")
    header, arrays = parts_of_model(model)
    session = model.session()
    snapshot = session.model()
    taken = parts_of_model(snapshot)
    for x, y in examples[:10]:
        session.learn(f"{x} unheard of", y)
    session.learn("something else", "new")
    again = parts_of_model(model)
    assert again[0] == header
    assert all(np.array_equal(arrays[name], again[1][name]) for name in arrays)
    assert parts_of_model(snapshot)[0] == taken[0]
    assert session.model().labels == (*model.labels, "new")
    assert session.model().features.n_features > model.features.n_features
    assert snapshot.predict(X) == model.predict(X)


@pytest.mark.parametrize("name", [name for name in LEARNERS if LEARNERS[name].linear])
def test_every_linear_model_is_taught_from_its_weights(name):
    """One lesson corrects a mistake, whatever learned the model."""
    examples, _ = data_of("labels", 40)
    X, Y = map(list, zip(*examples, strict=True))
    model = linnet.train((X, Y), features="words:1", learner=name)
    session = model.session()
    assert session.said.startswith("goes on from the weights alone, by")
    assert session.predict(X) == model.predict(X)
    for _ in range(20):
        session.learn("zebra", "b")
    assert session.predict("zebra") == "b"
    assert model.update(["zebra"] * 20, ["b"] * 20).predict(["zebra"]) == ["b"]


def test_nb_svm_is_taught_by_mira():
    examples, _ = data_of("labels", 40)
    model = linnet.train(tuple(map(list, zip(*examples, strict=True))), features="words:1")
    assert (model.learner, model.session().said) == ("nb-svm", "goes on from the weights alone, by 'mira'")
    session = model.session()
    session.learn("zebra", "k")
    assert session.predict("zebra") == "k"
    assert session.model().learner == "mira"


def test_a_model_goes_on_from_its_state_under_any_name_of_its_learner():
    data = ["a good film", "a dull film"], ["+", "-"]
    model = linnet.train(data, learner="averaged-mira", features="words:1", keep_state=True)
    ours, theirs = (Session.from_model(model, learner=name) for name in ("Averaged_MIRA", None))
    for session in (ours, theirs):
        session.learn(["a fine film"], ["+"])
    assert [w.tobytes() for w in ours.model().weights] == [w.tobytes() for w in theirs.model().weights]


def test_what_fails_leaves_no_trace():
    examples, settings = data_of("tag", 20)
    session, other = (begun("tag", examples, settings) for _ in range(2))
    session.learn(["an", "unknown", "word"], ["X", "Y", "Z"])
    other.learn(["an", "unknown", "word"], ["X", "Y", "Z"])
    with pytest.raises(DataError, match="sentence 0 has 2 tokens, but 1 tags"):
        session.learn(["two", "more"], ["X"])
    same(session, other)


def test_there_is_nothing_to_take_back():
    examples, settings = data_of("labels", 10)
    with pytest.raises(UsageError, match="there is no lesson to take back"):
        begun("labels", examples, settings).undo()
    with pytest.raises(UsageError, match="at least 0, found -1"):
        begun("labels", examples, settings).undo(-1)


def test_a_new_rating_is_refused():
    examples, settings = data_of("ordinal", 10)
    session = begun("ordinal", examples, settings)
    with pytest.raises(
        DataError, match="the rating '9' is new to the model, which has: 0, 1, 2. Train again with all ratings"
    ):
        session.learn("text", "9")


def test_what_has_no_weights_needs_its_state():
    examples, _ = data_of("labels", 20)
    model = linnet.train(tuple(map(list, zip(*examples, strict=True))), features="words:1", learner="feedforward")
    with pytest.raises(UsageError, match="can go on only from the state of its learning"):
        model.session()


def test_a_sentence_alone_does_not_say_what_tags_mean():
    """O is the name of a tag here, and not of what is outside of spans."""
    session = Session.begin("tag", [["a", "b"], ["c", "d"]], [["A", "E"], ["I", "O"]], features="w")
    session.learn(["d"], ["O"])
    session.learn(["a", "d"], ["A", "O"])
    assert session.predict(["a", "d"]) == ["A", "O"]
    assert session.model().details["scheme"] is None


class Span(linnet.Structure):
    """The one stretch of tokens that is asked for: what is inside, where it begins and where it ends."""

    outcomes = (1, 1, 1)

    def features(self, tokens):
        edges = [{"before": a, "w": w} for a, w in zip(["<s>", *tokens], tokens, strict=False)]
        return [[{"w": w} for w in tokens], edges, edges]

    def mu(self, y):
        first, last = y
        return [*((0, t, 0) for t in range(first, last + 1)), (1, first, 0), (2, last, 0)]

    def outputs(self, places):
        return [(first, last) for first in range(places[0]) for last in range(first, places[0])]


def test_a_structure_of_ones_own(tmp_path):
    rng = np.random.default_rng(0)
    X = [[str(w) for w in rng.choice(WORDS, rng.integers(2, 6))] for _ in range(60)]
    Y = [(0, max(i for i, w in enumerate(x) if w[0] in "bdf" or i == 0)) for x in X]
    model = linnet.learn(Span, X[:5], Y[:5], learner="averaged-perceptron", epochs=1)
    whole, broken, undone = (model.session() for _ in range(3))
    for i, (x, y) in enumerate(zip(X[5:], Y[5:], strict=True)):
        for session in (whole, broken, undone):
            session.learn(x, y)
        if i == 20:
            broken.save(tmp_path / "half.linnet")
            broken = linnet.load(tmp_path / "half.linnet", structure=Span).session()
            undone.learn(X[0], Y[0])
            undone.undo()
    same(whole, broken)
    same(whole, undone)
    assert whole.predict(X[7]) == Y[7]
    assert whole.model().features.n_features > model.features.n_features


def test_naive_bayes_counts_places_beside_labels_that_grow():
    """For labels of a set, places are counted in a column behind those of the labels: it stays the last one."""
    texts = ["wheat corn", "gold mine", "corn gold", "oil", "oil wheat"]
    sets = [["grain"], ["metal"], ["grain", "metal"], ["energy"], ["energy", "grain"]]
    session = Session.begin("labelset", texts[:3], sets[:3], features="words:1", learner="naive-bayes")
    session.learn(texts[3:], sets[3:])
    whole = Session.begin("labelset", texts, sets, features="words:1", learner="naive-bayes")
    order = [session.labels.index(label) for label in whole.labels]
    np.testing.assert_allclose(session.model().V[:, order], whole.model().V, rtol=1e-6)
