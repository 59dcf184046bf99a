"""Smaller models: which weights leave, what is left of the file, and that what is left is explained exactly."""

import os
from dataclasses import replace

import numpy as np
import pytest

import linnet
from linnet.errors import UsageError
from linnet.model.compacting import agreement, bytes_of, rounded

POSITIVE = ["good", "fine", "great", "warm", "bright"]
NEGATIVE = ["bad", "dull", "poor", "cold", "grey"]


def reviews(n, seed=0):
    """Texts of rare and frequent words, of which ten tell the label."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for i in range(n):
        side = (POSITIVE, NEGATIVE)[i % 2]
        others = [f"w{k}" for k in np.minimum(rng.zipf(1.3, 12), 3000)]
        texts.append(" ".join([*rng.choice(side, 2), *others]))
        labels.append(("pos", "neg")[i % 2])
    return texts, labels


@pytest.fixture(scope="module")
def data():
    return reviews(400)


@pytest.fixture(scope="module")
def new():
    return reviews(200, seed=1)[0]


@pytest.fixture(scope="module")
def model(data):
    return linnet.train(*data)


@pytest.fixture(scope="module")
def tagger():
    rng = np.random.default_rng(0)
    words = [[f"{'nv'[k % 2]}{k}" for k in rng.integers(0, 60, 6)] for _ in range(150)]
    return linnet.train((words, [[word[0].upper() for word in some] for some in words]), task="tag"), words


def file_size(model, tmp_path):
    path = tmp_path / "m.linnet"
    model.save(path)
    return os.path.getsize(path)


def saved(model, tmp_path):
    file_size(model, tmp_path)
    return linnet.load(tmp_path / "m.linnet")


@pytest.mark.parametrize("eight_bit", [False, True])
@pytest.mark.parametrize("share", [70, 40, 25])
def test_the_file_is_as_small_as_it_should_be_and_no_smaller(model, tmp_path, share, eight_bit):
    whole = file_size(model, tmp_path)
    small = model.compact(size=f"{share}%", eight_bit=eight_bit)
    found = file_size(small, tmp_path)
    everything = file_size(model.compact(eight_bit=eight_bit), tmp_path)
    assert min(share / 100 * whole - 1500, everything) <= found <= share / 100 * whole
    assert small.features.n_features < model.features.n_features


def test_the_words_that_tell_the_label_are_left(model, new):
    small = model.compact(size="25%")
    assert set(POSITIVE + NEGATIVE) <= set(small.features.names())
    assert small.predict(new) == model.predict(new)


@pytest.mark.parametrize("eight_bit", [False, True])
def test_what_is_left_is_saved_and_explained_exactly(model, new, tmp_path, eight_bit):
    small = model.compact(size="40%", eight_bit=eight_bit)
    again = saved(small, tmp_path)
    assert np.array_equal(again.scores(new), small.scores(new))
    for text in new[:10]:
        scores = dict(zip(again.labels, again.scores([text])[0], strict=True))
        why = again.explain(text, "pos", "neg")
        total = why.bias + sum(one.contribution for one in why.contributions)
        assert total == pytest.approx(why.score, abs=1e-9)
        assert total == pytest.approx(scores["pos"] - scores["neg"], abs=1e-4)


def test_eight_bits_leave_255_values_and_the_bias(model):
    small = model.compact(eight_bit=True)
    W = np.asarray(small.weights[0])
    assert len(np.unique(W[1:])) <= 255
    assert np.array_equal(W[0], model.weights[0][0])


def test_rounding_is_relative():
    rng = np.random.default_rng(0)
    w = rng.standard_normal(100_000).astype(np.float32) ** 3
    near = rounded(w)
    assert len(np.unique(near)) <= 255
    # A cell at w is 2 sqrt(w max) / 127 wide, and its mean lies in it.
    assert (np.abs(near - w) <= 2 * np.sqrt(np.abs(w) * np.abs(w).max()) / 127 + np.abs(w).max() / 127**2).all()
    assert near.sum(dtype=np.float64) == pytest.approx(w.sum(dtype=np.float64), abs=0.5)


def test_answers_are_kept(model, new, tmp_path):
    wanted = model.predict(new)
    small = model.compact(keep=0.95, dev=new)
    same = np.mean([a == b for a, b in zip(small.predict(new), wanted, strict=True)])
    assert same >= 0.95
    assert small.provenance["compacted"][-1]["same"] == pytest.approx(same)
    assert file_size(small, tmp_path) < 0.5 * file_size(model, tmp_path)


def test_what_all_labels_share_is_taken_off_and_decides_nothing(data, new):
    bayes = linnet.train(*data, learner="naive-bayes", features="words:1")
    small = bayes.compact()
    assert np.abs(small.scores(new) - bayes.scores(new)).max() > 1
    assert np.allclose(small.predict_proba(new), bayes.predict_proba(new), atol=1e-4)
    for ask in (lambda: small.joint(new), small.sample):
        with pytest.raises(UsageError, match="made smaller by `compact`"):
            ask()


def test_impossible_outputs_are_refused(data):
    bayes = linnet.train(*data, learner="naive-bayes", features="words:1", options={"alpha": 0})
    with pytest.raises(UsageError, match="alpha above 0"):
        bayes.compact(size="50%")


def test_three_words_in_a_row_keep_their_parts(data, new):
    model = linnet.train(*data, features="words:1-3 min=2")
    once = model.compact(size="60%")
    twice = once.compact(size="60%")
    names = set(model.features.names())
    assert set(twice.features.names()) < set(once.features.names()) < names
    trigrams = [name for name in twice.features.names() if name.count(" ") == 2]
    for name in trigrams:
        row = twice.features.transform([name])
        assert name in {twice.features.name(j) for j in row.indices.tolist()}


def test_hashes_stay_but_their_weights_leave(data, tmp_path):
    model = linnet.train(*data, features="words:1-2 hash=12")
    small = model.compact(size="85%")
    assert small.features.n_features == model.features.n_features
    assert np.count_nonzero(small.weights[0]) < np.count_nonzero(model.weights[0])
    assert saved(small, tmp_path).predict(data[0]) == small.predict(data[0])


def in_compressed_rows(model):
    """The same model, with its weights as the three arrays that models of many labels have; the row of the bias is full."""
    W = np.asarray(model.weights[0])[:, : len(model.labels)]
    there = W != 0
    there[0] = True
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.uint64)
    return replace(model, weights=(indptr, np.nonzero(there)[1].astype(np.uint32), W[there]))


@pytest.mark.parametrize("eight_bit", [False, True])
def test_weights_in_compressed_rows(tmp_path, eight_bit):
    texts = [f"a{i} b{i % 7} c" for i in range(600)]
    full = linnet.train(texts, [f"l{i // 10}" for i in range(600)], learner="perceptron", features="words:1")
    model = in_compressed_rows(full)
    small = model.compact(size="70%", eight_bit=eight_bit)
    again = saved(small, tmp_path)
    assert len(small.weights[2]) < len(model.weights[2])
    assert again.features.n_features < model.features.n_features
    assert np.array_equal(again.scores(texts[:5]), small.scores(texts[:5]))
    assert len(small.weights) == 3
    before = {name: j for j, name in enumerate(model.features.names())}
    for j, name in enumerate(small.features.names()):
        kept = small.W[0][1 + j]
        assert np.allclose(kept[kept != 0], model.W[0][1 + before[name]][kept != 0], rtol=0.05)


@pytest.mark.parametrize("eight_bit", [False, True])
def test_taggers(tagger, tmp_path, eight_bit):
    model, words = tagger
    small = model.compact(size="50%", eight_bit=eight_bit)
    assert file_size(small, tmp_path) <= 0.5 * file_size(model, tmp_path)
    again = saved(small, tmp_path)
    assert again.features.n_features < model.features.n_features
    assert again.predict(words) == small.predict(words) == model.predict(words)


@pytest.mark.parametrize("eight_bit", [False, True])
def test_tags_of_a_small_tagger_are_explained_exactly(tagger, tmp_path, eight_bit):
    """Contributions are sums over the weights that the file has, and the nearest other tagging is that of the two best."""
    model, words = tagger
    again = saved(model.compact(size="50%", eight_bit=eight_bit), tmp_path)
    for sentence in words[:20]:
        found = again.explain(sentence)
        for one in found:
            assert one.score == pytest.approx(sum(part.contribution for part in one.contributions), abs=1e-5)
        first, second = again.answers([sentence], top=2).to_pylist()[0]["best"]
        assert [one.tag for one in found] == first["tags"]
        assert min(one.score for one in found) == pytest.approx(first["score"] - second["score"], abs=1e-4)


TREE = "1\t{0}\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\t{1}\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\t{2}\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def test_parsers_and_the_taggers_inside_them(tmp_path):
    rng = np.random.default_rng(0)
    trees = [TREE.format(f"d{a}", f"n{b}", f"v{c}") for a, b, c in rng.integers(0, 40, (60, 3))]
    (tmp_path / "trees.conllu").write_text("".join(trees))
    model = linnet.train(tmp_path / "trees.conllu", task="parse", options={"tags": "own"}, epochs=2)
    small = model.compact(size="50%", eight_bit=True)
    assert file_size(small, tmp_path) <= 0.5 * file_size(model, tmp_path)
    inner, small_inner = model.models_in(model.features), small.models_in(small.features)
    assert list(inner) == list(small_inner)
    name = next(iter(inner))
    assert small_inner[name].features.n_features < inner[name].features.n_features
    assert small.features.arcs.n_features("arcs") < model.features.arcs.n_features("arcs")
    assert small.evaluate(tmp_path / "trees.conllu").las == model.evaluate(tmp_path / "trees.conllu").las == 1.0
    again = saved(small, tmp_path)
    assert again.predict([["d1", "n2", "v3"]]) == small.predict([["d1", "n2", "v3"]])
    for sentence in (["d1", "n2", "v3"], ["d8", "n1", "v0"], ["v1", "d3", "n4"]):
        for arc in again.explain(sentence).arcs:
            assert arc.score == pytest.approx(sum(part.contribution for part in arc.contributions), abs=1e-5)
            assert arc.score > 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"size": "5 apples"}, "expected a size such as 5MB, 300KB or 25%, found '5 apples'"),
        ({"size": 0}, "expected a size"),
        ({"size": "1KB"}, "cannot have 1,000 bytes: without any weight of a feature it has"),
        ({"size": "50%", "keep": 0.9, "dev": ["a"]}, "not both"),
        ({"keep": 0.9}, "give both `keep` and the data"),
        ({"dev": ["a"]}, "give both `keep` and the data"),
        ({"keep": 2, "dev": ["a"]}, "above 0 and at most 1, found 2"),
    ],
)
def test_what_cannot_be_is_said(model, asked, said):
    with pytest.raises(UsageError, match=said):
        model.compact(**asked)


def test_other_scorers_are_refused(data):
    with pytest.raises(UsageError, match="no weight for each feature"):
        linnet.train(*data, learner="kernel-perceptron").compact(size="50%")


def test_sizes():
    assert [bytes_of(text, 800) for text in ("5MB", "0.5 kb", "2GB", "12.5%", 77, "77")] == [
        5_000_000,
        500,
        2_000_000_000,
        100,
        77,
        77,
    ]


def test_agreement_counts_tokens(tagger):
    model, words = tagger
    ours = model.answers(words[:2])
    assert agreement(ours, ours) == (12, 12)
    assert agreement(ours, model.answers([words[0], words[0]]))[1] == 12
