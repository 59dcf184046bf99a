"""Tagging from files and from Python: the same learners, another structure."""

import numpy as np
import pytest

import linnet
import linnet.training.checkpoint
from linnet import io
from linnet.errors import DataError, UsageError
from linnet.learners import LEARNERS
from linnet.tasks import guess, named
from linnet.tasks.sentences.gold import as_sentences
from linnet.tasks.tag.model import TagModel
from linnet.tasks.tag.task import _costs

TAGGERS = list(LEARNERS)
WORDS = {"DT": ["the", "a"], "NN": ["dog", "cat", "end"], "VB": ["sees", "eats"], "NNP": ["Ann", "Bob"]}
PATTERNS = (["DT", "NN", "VB", "NNP"], ["NNP", "VB", "DT", "NN"], ["NNP", "NNP", "VB", "DT", "NN"])
CHUNK = {"DT": "B-NP", "NN": "I-NP", "VB": "B-VP", "NNP": "B-NP"}


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        tags = PATTERNS[rng.integers(len(PATTERNS))]
        yield [(str(rng.choice(WORDS[tag])), tag, _chunk(tags, t)) for t, tag in enumerate(tags)]


def _chunk(tags, t):
    return "I-NP" if tags[t] == "NNP" and t and tags[t - 1] == "NNP" else CHUNK[tags[t]]


def text_of(rows, columns=slice(None)):
    return "\n\n".join("\n".join(" ".join(token[columns]) for token in sentence) for sentence in rows) + "\n"


@pytest.fixture
def conll(tmp_path):
    (tmp_path / "train.txt").write_text(text_of(sentences()))
    (tmp_path / "test.txt").write_text(text_of(sentences(20, seed=1)))
    return tmp_path


def trained(path, name, **given):
    """A model; where the learner cannot have such outputs or features, its sentence says why it is skipped."""
    try:
        return linnet.train(path, learner=name, **given)
    except UsageError as error:
        if not str(error).startswith(f"learner {name!r} "):
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("name", TAGGERS)
def test_every_learner_learns_a_chain(conll, name):
    model = trained(conll / "train.txt", name)
    assert isinstance(model, TagModel)
    report = model.evaluate(io.read_sentences(conll / "test.txt"))
    assert report.token_accuracy == 1
    assert report.f1 == 1


def test_tags_of_lists_of_words(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2 w[-1]")
    assert model.predict([["the", "dog", "sees", "Ann"], [], ["Bob"]]) == [
        ["B-NP", "I-NP", "B-VP", "B-NP"],
        [],
        ["B-NP"],
    ]
    assert model.features.columns == ("w",)


def test_many_sentences_are_tagged_as_each_of_them(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2 w[-1]|w y[-1]|w")
    rows = [[token[0] for token in sentence] for sentence in sentences(300, seed=2)]
    forced = [["B-NP"] + [None] * (len(row) - 1) if i % 3 else None for i, row in enumerate(rows)]
    assert model.predict(rows) == [model.predict([row])[0] for row in rows]
    assert model.predict(rows, forced) == [
        model.predict([row], [tags])[0] for row, tags in zip(rows, forced, strict=True)
    ]
    for found, row in zip(model.predict_proba(rows), rows, strict=True):
        np.testing.assert_array_equal(found, model.predict_proba([row])[0])
    assert model.predict_k_best(rows, 2) == [model.predict_k_best([row], 2)[0] for row in rows]


def test_columns_by_name(conll):
    model = linnet.train(conll / "train.txt", features="col2[-1..1]")
    assert model.predict([[("unseen", "DT"), ("words", "NN")]]) == [["B-NP", "I-NP"]]
    with pytest.raises(DataError, match=r"^expected 2 values for each token \(w, col2\), found \('dog',\)"):
        model.predict([["dog"]])


def test_a_model_file_keeps_all(conll):
    model = linnet.train(conll / "train.txt")
    model.save(conll / "m.linnet")
    again = linnet.load(conll / "m.linnet")
    data = io.read_sentences(conll / "test.txt", labelled=False)
    assert again.tag(data) == model.tag(data)
    assert again.labels == model.labels == ("B-NP", "E-NP", "S-NP", "S-VP")
    assert again.details == model.details == {"scheme": "bio", "repaired": 0}
    assert again.features.names() == model.features.names()


@pytest.mark.parametrize("spec", ["w y[-1]|w", "w y[-1]|lower[-1] y[-1]|suffix:1"])
@pytest.mark.parametrize("name", LEARNERS)
def test_tags_in_templates(conll, spec, name):
    model = trained(conll / "train.txt", name, features=spec)
    if LEARNERS[name].linear:
        assert model.weights[1].shape == (1 + model.features.n_pair_features, 16)
    assert model.features.n_pair_features > 5
    data = io.read_sentences(conll / "test.txt")
    assert model.evaluate(data).token_accuracy == 1
    model.save(conll / "m.linnet")
    assert linnet.load(conll / "m.linnet").tag(data) == model.tag(data)


def test_second_order_sees_two_tags_back(tmp_path):
    """The third tag repeats the first, and no word tells: first order can do no better than guess."""
    lines = ["a X\nu U\nv X\n\n", "b Y\nu U\nv Y\n\n"] * 20
    (tmp_path / "t.conll").write_text("".join(lines))
    second = linnet.train(tmp_path / "t.conll", features="w y[-2]|y[-1]")
    assert [block.shape for block in second.weights] == [(5, 4), (1, 16), (1, 32)]
    assert second.predict([["a", "u", "v"], ["b", "u", "v"]]) == [["X", "U", "X"], ["Y", "U", "Y"]]
    second.save(tmp_path / "m.linnet")
    assert linnet.load(tmp_path / "m.linnet").predict([["b", "u", "v"]]) == [["Y", "U", "Y"]]
    first = linnet.train(tmp_path / "t.conll", features="w")
    assert len({tags[2] for tags in first.predict([["a", "u", "v"], ["b", "u", "v"]])}) == 1


def test_second_order_has_a_limit(tmp_path):
    (tmp_path / "t.conll").write_text("".join(f"w{k} T{k}\n" for k in range(101)))
    with pytest.raises(UsageError, match=r"^y\[-2\]\|y\[-1\] is for at most 100 tags, found 101"):
        linnet.train(tmp_path / "t.conll", features="w y[-2]|y[-1]")


def test_forced_tags(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2")
    words = [["the", "dog", "sees", "Ann"], ["Bob"]]
    assert model.predict(words, [None, ["S-VP"]]) == [["B-NP", "I-NP", "B-VP", "B-NP"], ["B-VP"]]
    assert model.predict(words, [["S-NP", None, None, "S-VP"], None])[0][::3] == ["B-NP", "B-VP"]
    with pytest.raises(UsageError, match="^sentence 2: no legal sequence of tags has all of the forced ones"):
        model.predict(words, [None, ["E-NP"]])
    with pytest.raises(UsageError, match="^the model has no label 'I-NP'. It has: B-NP, E-NP, S-NP, S-VP"):
        model.predict(words, [None, ["I-NP"]])
    with pytest.raises(UsageError, match="^sentence 1: expected 4 forced tags, one for each token or None, found 1"):
        model.predict(words, [[None], None])
    with pytest.raises(UsageError, match="^expected forced tags, or None, for each of 2 sentences, found 1"):
        model.predict(words, [None])


def test_probabilities_of_tags(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2", epochs=1)
    first, empty = model.predict_proba([["the", "dog"], []])
    assert (first.shape, empty.shape) == ((2, 4), (0, 4))
    np.testing.assert_allclose(first.sum(axis=1), 1, atol=1e-5)
    data = io.read_sentences(conll / "test.txt", labelled=False)
    tags, p = model.tag_with_proba(data)
    assert tags == model.tag(data)
    table = np.concatenate(model.predict_proba([["the", "dog"]]))
    words = as_sentences([["the", "dog"]], ("w",))
    # B-NP of the file is B-NP or S-NP of the model
    assert model.tag_with_proba(words)[1].tolist() == pytest.approx([table[0, [0, 2]].sum(), table[1, 1]])
    assert (p > 0.2).all()
    with pytest.raises(UsageError, match="^the scores of learner 'mira' are not probabilities. Train with 'crf'"):
        linnet.train(conll / "train.txt", learner="mira").predict_proba([["the"]])


def test_k_best_sequences(conll):
    model = linnet.train(conll / "train.txt", features="w suffix:1-2")
    (best,) = model.predict_k_best([["the", "dog", "sees"]], 3)
    assert best[0][0] == model.predict([["the", "dog", "sees"]])[0]
    assert len({tuple(tags) for tags, _ in best}) == 3
    assert best[0][1] > best[1][1] > best[2][1]
    assert model.predict_k_best([["Bob"], []], 9)[1] == [([], 0.0)]
    assert len(model.predict_k_best([["Bob"]], 9)[0]) == 2  # one token is a span by itself


def test_nothing_illegal_comes_out(conll):
    model = linnet.train(conll / "train.txt", features="w", epochs=1)
    rng = np.random.default_rng(0)
    words = [[str(rng.choice(["zz", "dog", "Ann", "eats"])) for _ in range(rng.integers(1, 9))] for _ in range(200)]
    for tags in model.predict(words):
        for before, tag in zip(["O", *tags], tags, strict=False):
            assert not tag.startswith("I-") or before[2:] == tag[2:]


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [("bio", ["B-X", "I-X", "B-X", "O"]), ("iob1", ["I-X", "I-X", "B-X", "O"]), ("bioes", ["B-X", "E-X", "S-X", "O"])],
)
def test_tags_come_out_as_they_went_in(tmp_path, scheme, tags):
    lines = "".join(f"{word} {tag}\n" for word, tag in zip("abcd", tags, strict=True))
    (tmp_path / "s.conll").write_text(
        (lines + "\n") * 9 + "d O\n\na " + ("I-X" if scheme == "iob1" else "S-X" if scheme == "bioes" else "B-X") + "\n"
    )
    model = linnet.train(tmp_path / "s.conll", features="w w[-1] w[1]")
    assert model.details == {"scheme": scheme, "repaired": 0}
    assert model.predict([list("abcd")]) == [tags]


def test_what_no_scheme_allows_is_repaired(tmp_path):
    (tmp_path / "s.conll").write_text("a B-X\nb I-X\n\nc O\nd I-Y\n\n" * 5)
    model = linnet.train(tmp_path / "s.conll", features="w")
    assert model.details == {"scheme": "bio", "repaired": 5}
    assert model.predict([["c", "d"]]) == [["O", "B-Y"]]


def test_held_out_sentences_stop_learning(conll):
    model = linnet.train(conll / "train.txt", dev=0.2, epochs=9, options={"runs": 1})
    assert model.provenance["held_out"] == 12
    assert model.report["trial"]["epochs"][0]["dev"] is not None
    assert model.report["best"] == model.report["trial"]["best"] < 9


def test_interrupted_and_resumed(conll, monkeypatch):
    monkeypatch.setattr(linnet.training.checkpoint, "_WORTH_KEEPING", 0.0)
    whole = linnet.train(conll / "train.txt", epochs=4, tol=0.0)

    def progress(seen):
        if seen.epoch == 3:
            raise KeyboardInterrupt

    linnet.train(conll / "train.txt", epochs=4, tol=0.0, checkpoint=conll / "part", progress=progress)
    resumed = linnet.train(conll / "train.txt", epochs=4, tol=0.0, checkpoint=conll / "part", resume=True)
    assert all(np.array_equal(a, b) for a, b in zip(resumed.weights, whole.weights, strict=True))


def test_prose_is_cut_into_sentences(conll):
    (conll / "prose.txt").write_text("Ann sees the dog. The cat eats.\n\nBob sees Ann.\n")
    model = linnet.train(conll / "train.txt", features="w suffix:1-2")
    batches = list(model.batches(conll / "prose.txt"))
    assert [len(batch) for batch in batches] == [3]
    assert batches[0].columns["w"].to_pylist()[:5] == ["Ann", "sees", "the", "dog", "."]


@pytest.mark.parametrize(
    ("name", "content", "task"),
    [
        ("a.conll", "the DT\n", "tag"),
        ("a.txt", "the DT\ndog NN\n\nAnn NNP\n", "tag"),
        ("a.jsonl", '{"tokens": ["a", "b"], "tags": ["x", "y"]}\n', "tag"),
        ("a.jsonl", '{"text": "a tokens", "label": "x"}\n{"text": "b", "label": "y"}\n', "labels"),
        ("a.csv", "text,label\na,x\nb,y\n", "labels"),
        ("a.txt", "__label__x a good film\n__label__y a bad film\n", "labels"),
    ],
)
def test_the_task_is_guessed(tmp_path, name, content, task):
    (tmp_path / name).write_text(content)
    assert guess(tmp_path / name, {}).name == task


def test_what_does_not_go_with_tags(conll):
    with pytest.raises(UsageError, match="^expected the costs of tags to be balanced, hamming, spans or tag=weight"):
        linnet.train(conll / "train.txt", class_weight="blanced")
    with pytest.raises(UsageError, match="^weight for 'B-PP', but the labels are B-NP, E-NP, S-NP, S-VP."):
        linnet.train(conll / "train.txt", class_weight={"B-PP": 2})
    with pytest.raises(UsageError, match="^sentences of tokens have no text column"):
        linnet.train(conll / "train.txt", text="w")
    with pytest.raises(UsageError, match="^there is no task 'sing'. There are: labels, labelset, "):
        linnet.train(conll / "train.txt", task="sing")
    (conll / "one.conll").write_text("a X\nb X\n")
    with pytest.raises(DataError, match="expected at least two different tags to learn from, found 'X' alone"):
        linnet.train(conll / "one.conll")


def test_chunking_real_text(shared_data):
    model = linnet.train(shared_data / "conll2000-train.txt.gz", epochs=2)
    report = model.evaluate(io.read_sentences(shared_data / "conll2000-test.txt.gz"))
    assert report.f1 > 0.925


@pytest.mark.parametrize("weight", ["balanced", {"B": 0.2}])
def test_what_is_costly_to_miss_is_missed_less(tmp_path, weight):
    """Nine of ten times the word is a B, and B wins by its margin: by less, if it costs less to miss a B."""
    path = tmp_path / "rare.conll"
    path.write_text("x B\n\n" * 9 + "x A\n\n")
    options = {"features": "w", "learner": "svm", "options": {"C": 0.1}}
    plain, weighted = linnet.train(path, **options), linnet.train(path, class_weight=weight, **options)
    margin, costly = (float(m.weights[0][:, 0].sum() - m.weights[0][:, 1].sum()) for m in (plain, weighted))
    assert margin < costly


def test_weights_of_tags_go_by_their_names_in_the_file(conll):
    task = named("tag")
    gold = task.read(str(conll / "train.txt"), {})
    assert gold.labels == ("B-NP", "E-NP", "S-NP", "S-VP")
    assert _costs(gold, {"B-NP": 3.0})[:, 3].tolist() == [3, 1, 3, 0]
    assert _costs(gold, {"S-NP": 3.0})[:, 3].tolist() == [1, 1, 3, 0]
    assert _costs(gold, "spans")[:, 3].tolist() == [2, 2, 2, 0]


def test_sentences_are_explained_as_they_are_tagged(tmp_path):
    """Whether Rosa is a name is seen in the sentence behind it."""
    rest = ".\tY\n\n" * 900
    path = tmp_path / "near.conll"
    path.write_text(f"Rosa\tX\nsees\tY\n\na\tY\nrosa\tZ\n\n{rest}Rosa\tN\nsees\tY\n\nso\tY\nRosa\tN\n")
    model = linnet.train(path, features="w|near w", learner="perceptron", epochs=20)
    sentences = io.read_sentences(path)
    explained = [token.tag for sentence in model.explain_sentences(sentences) for token in sentence]
    assert explained == model.tag(sentences) == sentences.tags.to_pylist()
