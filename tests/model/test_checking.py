"""Large model files are checked to their end while the model answers already."""

import subprocess
import sys

import numpy as np
import pytest

import linnet
import linnet.core.extract.vocabulary
import linnet.core.schema
import linnet.model.file
from linnet.errors import ModelError
from linnet.model.base import parts_of_model
from linnet.model.file import read_model, write_model

TEXTS = ["good film", "bad film here", "a fine good day", "poor bad day"] * 3
LABELS = ["pos", "neg"] * 6
NEW = ["good bad film", "", "an unknown fine day"]


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(linnet.core.schema, "LARGE", 1)
    monkeypatch.setattr(linnet.model.file, "LARGE", 1)
    monkeypatch.setattr(linnet.core.extract.vocabulary, "INDEXED", 1)
    monkeypatch.setattr(linnet.core.extract.vocabulary, "WORTH", 1 << 40)


@pytest.fixture
def model():
    return linnet.train((TEXTS, LABELS), features="words:1-2 tfidf", learner="logistic")


@pytest.fixture
def path(model, tmp_path):
    model.save(tmp_path / "m.linnet")
    return tmp_path / "m.linnet"


def changed(path, name, change):
    """Change an array of a model file, with all checksums right."""
    header, arrays = read_model(path)
    arrays[name] = change(np.array(arrays[name]))
    write_model(path, {key: header[key] for key in header if key not in ("arrays", "packed")}, arrays)


def flip_last_byte(path):
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))


def test_a_good_file(model, path, tmp_path):
    loaded = linnet.load(path)
    assert loaded._checking is not None
    assert np.array_equal(loaded.scores(NEW), model.scores(NEW))
    loaded.verify()
    assert loaded.features.analyser.vocabulary.in_place
    loaded.save(tmp_path / "again.linnet")
    assert (tmp_path / "again.linnet").read_bytes() == path.read_bytes()


def test_small_files_are_checked_at_once(model, path, monkeypatch):
    monkeypatch.undo()
    model.save(path)
    assert linnet.load(path)._checking is None
    flip_last_byte(path)
    with pytest.raises(ModelError, match="has changed"):
        linnet.load(path)


def test_damage_is_said_by_every_later_question(path):
    flip_last_byte(path)
    loaded = linnet.load(path)
    said = f"^{path}: the model file is damaged \\(array '[a-z.0-9]+' has changed\\)\\. Copy or train it again\\.$"
    with pytest.raises(ModelError, match=said):
        loaded.verify()
    for question in (lambda: loaded.predict(NEW), lambda: loaded.answers(NEW), lambda: loaded.explain(NEW[0])):
        with pytest.raises(ModelError, match=said):
            question()
    for use in (loaded.session, loaded.compact, lambda: loaded.merge(loaded), lambda: parts_of_model(loaded)):
        with pytest.raises(ModelError, match=said):
            use()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_that_are_not_finite(path, value):
    changed(path, "weights.0", lambda W: np.where(W[1, 0] == W, np.float32(value), W))
    loaded = linnet.load(path)
    with pytest.raises(ModelError, match="the numbers of array '0' are not finite"):
        loaded.verify()


def test_a_vocabulary_that_cannot_be(path):
    changed(path, "features.info", lambda info: np.append(info[:-1], info[-1] | np.uint64(0xFFFFFFFF)))
    loaded = linnet.load(path)
    with pytest.raises(ModelError, match="is made of entries that do not exist|points outside the strings"):
        loaded.verify()


@pytest.mark.parametrize("fill", [0, 1, 0xFFFFFFFF])
def test_a_forged_index_finds_less_and_no_more(model, path, fill):
    changed(path, "features.index", lambda index: np.full_like(index, fill))
    loaded = linnet.load(path)
    loaded.verify()
    assert set(loaded.features.transform(NEW).indices) <= set(model.features.transform(NEW).indices)


def test_no_answers_of_a_damaged_model_are_left(path, tmp_path):
    flip_last_byte(path)
    (tmp_path / "new.txt").write_text("good film\n")
    program = (
        "import linnet.core.schema, linnet.model.file; linnet.core.schema.LARGE = linnet.model.file.LARGE = 1;"
        "import sys; from linnet.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    argv = ["predict", str(path), str(tmp_path / "new.txt"), "-o", str(tmp_path / "out.csv")]
    done = subprocess.run([sys.executable, "-c", program, *argv], capture_output=True, text=True)
    assert done.returncode == 1
    assert "the model file is damaged" in done.stderr
    assert not (tmp_path / "out.csv").exists()
