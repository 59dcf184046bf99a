"""A model: what it predicts, and files whose parts do not fit each other."""

import json
import math
import os
import stat
import struct
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import linnet
from linnet.errors import LinnetError, ModelError, UsageError
from linnet.features import TextFeatures
from linnet.model.file import read_model, write_model
from linnet.tasks.labels.model import LabelsModel

TEXTS = ["good film", "fine film", "bad film", "poor film"]
GOLD = ["+", "+", "-", "-"]


@pytest.fixture(scope="module")
def model():
    return linnet.train((TEXTS, GOLD), features="words:1 bm25", learner="logistic")


@pytest.fixture
def path(tmp_path, model):
    model.save(tmp_path / "m.linnet")
    return tmp_path / "m.linnet"


@pytest.fixture
def changed(path):
    """Change the header and the arrays of a good file, with all checksums right, and load it."""

    def change(header=lambda h: None, arrays=lambda a: None):
        own, found = read_model(path)
        own, found = json.loads(json.dumps(own)), {name: np.array(array) for name, array in found.items()}
        del own["arrays"]
        header(own)
        arrays(found)
        write_model(path, own, found)
        return linnet.load(path)

    return change


def by_hand(weights, labels, texts=("a b",)):
    """A model of given weights: a row for the bias, then one for each word of the texts."""
    features = TextFeatures("words:1")
    features.fit_transform(list(texts))
    return LabelsModel(features, tuple(labels), (np.array(weights, np.float32),), "logistic")


def test_scores_by_hand():
    model = by_hand([[0.5, 0], [1, 2], [-1, 0]], "xy")
    assert model.scores(["a", "a a b", "", "c"]).tolist() == [[1.5, 2], [1.5, 4], [0.5, 0], [0.5, 0]]
    assert model.predict(["a", "a a b", "", "c"]) == ["y", "y", "x", "x"]


def test_probabilities_by_hand():
    model = by_hand([[0, 0], [math.log(3), 0], [0, 0]], "xy")
    assert model.predict_proba(["a", "b"]) == pytest.approx(np.array([[0.75, 0.25], [0.5, 0.5]]))


def test_no_texts_have_no_labels(model):
    assert model.predict([]) == []
    assert model.scores([]).shape == (0, 2)


def test_many_texts_at_once_are_each_of_them_alone(model):
    texts = [f"{word} film {i}" for i in range(200) for word in ("good", "bad", "unseen")]
    assert model.predict(texts) == [model.predict([text])[0] for text in texts]
    assert np.array_equal(model.scores(texts), np.concatenate([model.scores([text]) for text in texts]))
    assert np.array_equal(model.predict_proba(texts), np.concatenate([model.predict_proba([text]) for text in texts]))


def test_threads_may_share_a_model(model):
    batches = [[f"{word} film" for word in ("good", "bad", "poor", "fine")[k:] * 300] for k in range(4)] * 4
    expected = [model.scores(batch).tolist() for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert [scores.tolist() for scores in pool.map(model.scores, batches)] == expected


def test_texts_from_arrow_and_numpy_are_predicted_alike(model):
    expected = model.predict(TEXTS)
    assert model.predict(np.array(TEXTS)) == model.predict(np.array(TEXTS, object)) == expected
    with pytest.raises(linnet.DataError) as caught:
        model.predict("good")
    assert str(caught.value) == "expected many texts, found a single string. Pass a list: [text]."


def test_a_label_that_the_model_does_not_have(model):
    for arguments in ({"label": "?"}, {"against": "?"}):
        with pytest.raises(UsageError) as caught:
            model.explain("good", **arguments)
        assert str(caught.value) == "the model has no label '?'. It has: +, -."


def test_a_loaded_model_is_the_same(model, path):
    again = linnet.load(path)
    assert np.array_equal(again.weights, model.weights)
    assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))
    assert (again.labels, dict(again.report), dict(again.provenance)) == (
        model.labels, dict(model.report), dict(model.provenance),
    )  # fmt: skip


def test_labels_and_words_in_any_script(tmp_path):
    model = linnet.train((["şehir İstanbul", "中文 字"], ["トルコ", 'ch"in\\a\n']), features="words:1")
    model.save(tmp_path / "m.linnet")
    assert linnet.load(tmp_path / "m.linnet").predict(["İSTANBUL", "字"]) == ["トルコ", 'ch"in\\a\n']


def test_the_header_is_json_that_any_reader_accepts(tmp_path):
    # RFC 8259 has no NaN and no Infinity; `moved` of a single epoch and C of the hard version are such.
    linnet.train((TEXTS, GOLD), features="words:1", learner="mira", epochs=1, options={"C": math.inf}).save(
        tmp_path / "m.linnet"
    )
    raw = (tmp_path / "m.linnet").read_bytes()
    table = json.loads(raw[8 : 8 + struct.unpack("<Q", raw[:8])[0]])

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    json.loads(table["__metadata__"]["linnet"], parse_constant=refuse)


def test_numbers_that_json_does_not_have_are_numbers_again_when_loaded(tmp_path):
    model = linnet.train((TEXTS, GOLD), features="words:1", learner="mira", epochs=1, options={"C": math.inf})
    model.save(tmp_path / "m.linnet")
    again = linnet.load(tmp_path / "m.linnet")
    assert again.options["C"] == math.inf
    assert math.isnan(again.report["epochs"][0]["moved"])


def test_a_changed_copy_loads_if_nothing_was_changed(changed, model):
    assert np.array_equal(changed().scores(TEXTS), model.scores(TEXTS))


def test_a_newer_schema_is_refused(path, changed):
    with pytest.raises(ModelError) as caught:
        changed(lambda h: h.update(schema=h["schema"] + 1, version="9.9"))
    assert str(caught.value) == f"{path}: the model was written by a newer linnet (9.9). Upgrade linnet to read it."


def test_an_older_schema_is_refused(path, changed):
    with pytest.raises(ModelError) as caught:
        changed(lambda h: h.update(schema=h["schema"] - 1, version="0.1"))
    why = "the model was written by an older linnet (0.1), which read text in another way. Train it again."
    assert str(caught.value) == f"{path}: {why}"


def test_a_task_of_the_future_is_refused(path, changed):
    with pytest.raises(ModelError) as caught:
        changed(lambda h: h.update(task="sing"))
    advice = "Name the file that adds it by --with or linnet.use, or upgrade linnet."
    assert str(caught.value) == f"{path}: this linnet has no task 'sing'. {advice}"


HEADERS = {
    "no labels": lambda h: h.pop("labels"),
    "labels that are a number": lambda h: h.update(labels=3),
    "more labels than weights": lambda h: h.update(labels=["a", "b", "c"]),
    "fewer labels than weights": lambda h: h.update(labels=["a"]),
    "no features": lambda h: h.pop("features"),
    "features that are nothing": lambda h: h.update(features=None),
    "a specification from elsewhere": lambda h: h["features"].update(spec="wurds"),
    "fewer features than weights": lambda h: h["features"].update(n_features=2),
    "more features than words": lambda h: h["features"].update(n_features=99),
    "no lexicons": lambda h: h["features"].pop("lexicons"),
    "a lexicon of a strange mode": lambda h: h["features"].update(lexicons=[["a", "b", ["c"]]]),
    "totals that are no numbers": lambda h: h["features"].update(totals="x"),
    "no learner": lambda h: h.pop("learner"),
}
ARRAYS = {
    "no weights": lambda a: a.pop("weights.0"),
    "weights of doubles": lambda a: a.update({"weights.0": a["weights.0"].astype(np.float64)}),
    "weights in a line": lambda a: a.update({"weights.0": a["weights.0"].ravel()}),
    "weights of fewer features": lambda a: a.update({"weights.0": a["weights.0"][:-1]}),
    "no weights at all": lambda a: a.update({"weights.0": a["weights.0"][:0]}),
    "no words": lambda a: a.pop("features.info"),
    "a pool cut short": lambda a: a.update({"features.pool": a["features.pool"][:2]}),
    "words of another type": lambda a: a.update({"features.info": a["features.info"].astype(np.float64)}),
}


@pytest.mark.parametrize("what", [*HEADERS, *ARRAYS])
def test_parts_that_do_not_fit_are_refused(path, changed, what):
    with pytest.raises(ModelError) as caught:
        changed(HEADERS.get(what, lambda h: None), ARRAYS.get(what, lambda a: None))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_fewer_document_frequencies_than_features_are_refused(changed):
    # They are read at the number of each feature: beyond their end lies other memory.
    with pytest.raises(ModelError):
        changed(arrays=lambda a: a.update({"features.df": a["features.df"][:2]}))


def test_document_frequencies_that_are_missing_are_refused(changed):
    with pytest.raises(ModelError):
        changed(arrays=lambda a: a.pop("features.df"))


def test_mean_lengths_that_are_missing_are_refused(changed):
    with pytest.raises(ModelError):
        changed(lambda h: h["features"].update(totals=[]))


@pytest.mark.parametrize("n", [-1, 2**40])
def test_a_number_of_features_that_cannot_be_is_refused(changed, n):
    with pytest.raises(ModelError):
        changed(lambda h: h["features"].update(n_features=n))


def test_a_label_less_than_the_weights_have_is_refused(tmp_path):
    # Three labels fill rows of four numbers, as four do: the width of a row does not tell.
    linnet.train((TEXTS, "abcd"), features="words:1", learner="logistic").save(tmp_path / "m.linnet")
    header, arrays = read_model(tmp_path / "m.linnet")
    del header["arrays"]
    write_model(tmp_path / "m.linnet", {**header, "labels": ["a", "b", "c"]}, arrays)
    with pytest.raises(ModelError):
        linnet.load(tmp_path / "m.linnet")


def test_a_learner_of_the_future_is_refused_in_a_sentence_when_loaded(changed):
    with pytest.raises(ModelError):
        changed(lambda h: h.update(learner="clairvoyant"))


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path, model):
    before = os.umask(0o027)
    try:
        model.save(tmp_path / "m.linnet")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "m.linnet").stat().st_mode) == 0o640


def test_a_file_that_is_replaced_keeps_its_permissions(path, model):
    path.chmod(0o600)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_that_is_not_there(tmp_path, model):
    with pytest.raises(UsageError) as caught:
        model.save(tmp_path / "nowhere" / "m.linnet")
    assert str(caught.value) == (
        f"cannot write '{tmp_path / 'nowhere' / 'm.linnet'}': there is no folder '{tmp_path / 'nowhere'}'. Make it first."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path, model):
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="Permission denied"):
        model.save(tmp_path / "m.linnet")


def test_a_model_that_cannot_be_written_leaves_the_old_one(path, model, monkeypatch):
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LinnetError, match="No space left"):
        model.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_no_model_is_replaced_by_force_only(tmp_path, model):
    path = tmp_path / "reviews.csv"
    path.write_text("text,label\n")
    with pytest.raises(UsageError) as caught:
        model.save(path)
    assert str(caught.value) == (
        f"cannot save the model as '{path}': there is a file of that name, which is not a model. Choose another name, or "
        "replace it with force=True."
    )
    assert path.read_text() == "text,label\n"
    model.save(path, force=True)
    model.save(path)
    assert linnet.load(path).labels == model.labels


def test_sessions_are_as_careful(tmp_path, model):
    path = tmp_path / "reviews.csv"
    path.write_text("text,label\n")
    session = linnet.train((TEXTS, GOLD), features="words:1", learner="perceptron").session()
    with pytest.raises(UsageError, match="which is not a model"):
        session.save(path)
    session.save(path, force=True)
    assert linnet.load(path).state is not None


def test_a_missing_model_has_a_name_like_this(path):
    with pytest.raises(ModelError) as caught:
        linnet.load(path.with_name("m.linet"))
    near = path.with_name("m.linnet")
    assert str(caught.value) == f"{path.with_name('m.linet')}: there is no such model file. Did you mean '{near}'?"
