"""Features of texts as a whole: vectors of words, and topics."""

import numpy as np
import pytest

from linnet import UsageError
from linnet.features.table import Table
from linnet.features.text import TextFeatures

SPEC = "words:1-2 vectors:6*0.7 topics:4*0.5 min=2"


@pytest.fixture(scope="module")
def texts():
    """Sentences about two things, each in words of its own."""
    rng = np.random.default_rng(2)
    things = (["cat", "dog", "fur", "paw", "tail", "vet"], ["car", "road", "wheel", "brake", "petrol", "garage"])
    return [" ".join(rng.choice(things[i % 2], 5)) for i in range(200)]


@pytest.fixture(scope="module")
def fitted(texts):
    features = TextFeatures(SPEC)
    return features, features.fit_transform(texts)


def dense(features, rows):
    full = np.zeros((len(rows), features.n_features))
    for i in range(len(rows)):
        at = slice(rows.indptr[i], rows.indptr[i + 1])
        full[i, rows.indices[at]] = rows.values[at]
    return full


def test_a_vector_is_as_long_as_its_weight(fitted):
    features, rows = fitted
    full = dense(features, rows)
    for (first, part), weight in zip(features.vectors(), (0.7, 0.5), strict=True):
        length = np.linalg.norm(full[:, first : first + len(part.names)], axis=1)
        np.testing.assert_allclose(length, weight, atol=1e-5)


def test_texts_about_the_same_thing_are_alike(fitted):
    features, rows = fitted
    full = dense(features, rows)
    for first, part in features.vectors():
        z = full[:, first : first + len(part.names)]
        like = z @ z.T
        same = (np.arange(200)[:, None] - np.arange(200)) % 2 == 0
        assert like[same].mean() > like[~same].mean() + 0.1


def test_they_are_learned_from_texts_without_labels_too(texts):
    features = TextFeatures(SPEC)
    rows = features.fit_transform(texts[:2], Table.from_texts(texts[2:]))
    other = TextFeatures(SPEC)
    whole = other.fit_transform(texts)
    assert features.names() == other.names()
    np.testing.assert_array_equal(dense(features, rows), dense(other, whole)[:2])


def test_the_order_of_the_texts_does_not_matter(texts):
    rng = np.random.default_rng(6)
    some = [" ".join(rng.choice([f"w{k}" for k in range(40)], 8)) + " " + text for text in texts]
    order = rng.permutation(len(some))
    likeness = []
    for given in (some, [some[i] for i in order]):
        features = TextFeatures(SPEC)
        features.fit_transform(given)
        full = dense(features, features.transform(some))
        for first, part in features.vectors():
            z = full[:, first : first + len(part.names)]
            likeness.append(z @ z.T)
    np.testing.assert_allclose(likeness[0], likeness[2], atol=0.01)
    np.testing.assert_allclose(likeness[1], likeness[3], atol=0.01)


def test_rows_are_made_some_at_a_time(fitted, texts, monkeypatch):
    features, _ = fitted
    at_once = features.transform(texts)
    monkeypatch.setattr("linnet.features.kinds._AT_A_TIME", 7)
    for ours, theirs in zip(features.transform(texts), at_once, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_model_file_gives_them_back_to_the_bit(fitted, texts):
    features, _ = fitted
    again = TextFeatures.from_arrays(features.header(), features.arrays())
    for ours, theirs in zip(features.transform(texts), again.transform(texts), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (lambda a: a.update({"columns.0.levels": a["columns.0.levels"][:, :3].copy()}), "mean"),
        (lambda a: a.update({"columns.0.levels": a["columns.0.levels"][:-1]}), "units"),
        (lambda a: a.update({"columns.0.units": a["columns.0.units"].astype(np.float64)}), "units"),
        (lambda a: a.update({"columns.0.units": np.full_like(a["columns.0.units"], np.nan)}), "units"),
        (lambda a: a.update({"columns.0.row_of": a["columns.0.row_of"] + np.uint32(1)}), "row_of"),
        (lambda a: a.update({"columns.0.row_of": a["columns.0.row_of"][:-1]}), "row_of"),
        (lambda a: a.update({"columns.0.labelled": a["columns.0.labelled"] + np.uint8(1)}), "labelled"),
        (lambda a: a.update({"columns.1.more": np.zeros(3, np.float32)}), "more"),
        (lambda a: a.pop("columns.1.mean"), "mean"),
    ],
)
def test_forged_arrays_are_refused(fitted, spoil, wrong):
    features, _ = fitted
    arrays = features.arrays()
    spoil(arrays)
    with pytest.raises(ValueError, match=wrong):
        TextFeatures.from_arrays(features.header(), arrays)


def test_texts_without_a_known_word_have_a_vector_of_the_mean(fitted):
    features, _ = fitted
    (first, part), _ = features.vectors()
    row = dense(features, features.transform(["something else"]))[0]
    assert np.isfinite(row).all()
    mean = part._mean[: len(part.names)]
    np.testing.assert_allclose(row[first : first + len(part.names)], -0.7 * mean / np.linalg.norm(mean), atol=1e-5)


@pytest.mark.parametrize(
    "spec", ["words:1 vectors", "words:1 vectors:0", "words:1 topics:many", "words:1 vectors:99999"]
)
def test_a_number_of_directions_is_needed(spec):
    with pytest.raises(UsageError, match=r"vectors|topics"):
        TextFeatures(spec)
