"""The model file: no changed or missing byte goes unnoticed."""

import tracemalloc

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import linnet
from linnet.core.room import Room
from linnet.errors import ModelError
from linnet.model import file as model_file
from linnet.model.file import read_model, write_model

TEXTS = ["good é", "bad a", "good bad é a", ""]


@pytest.fixture(scope="module")
def model():
    """As small as a model can be: every byte of it will be changed."""
    return linnet.train((["good é", "bad a"], ["+", "-"]), features="words:1 bm25", learner="naive-bayes")


@pytest.fixture(scope="module")
def raw(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("raw") / "m.linnet"
    model.save(path)
    return path.read_bytes()


@pytest.fixture
def opened(tmp_path):
    """Load some bytes as a model; None if they are refused."""
    path = tmp_path / "m.linnet"

    def load(data):
        path.write_bytes(data)
        try:
            return linnet.load(path)
        except ModelError as error:
            assert str(error).startswith(f"{path}: ")  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017
            return None

    return load


def test_the_bytes_as_they_are_load(model, raw, opened):
    assert np.array_equal(opened(raw).scores(TEXTS), model.scores(TEXTS))


@pytest.fixture
def harmless(model, opened):
    """Whether some bytes are refused, or load as the very same model."""
    expected = model.scores(TEXTS)

    def check(data):
        found = opened(data)
        return found is None or (
            np.array_equal(found.scores(TEXTS), expected)
            and (found.labels, found.learner, found.provenance) == (model.labels, model.learner, model.provenance)
        )

    return check


@pytest.mark.parametrize("bits", [lambda i: 1 << i % 8, lambda i: 0xFF], ids=["one bit", "all bits"])
def test_every_byte_that_is_flipped_is_refused_or_has_no_effect(raw, harmless, bits):
    for i in range(len(raw)):
        assert harmless(raw[:i] + bytes([raw[i] ^ bits(i)]) + raw[i + 1 :]), i


def test_two_bytes_that_change_places_are_refused_or_have_no_effect(raw, harmless):
    # A space that pads the table may change places with its last brace: it is still the same table.
    for i in range(len(raw) - 1):
        assert harmless(raw[:i] + raw[i + 1 : i + 2] + raw[i : i + 1] + raw[i + 2 :]), i


def test_a_changed_byte_of_the_header_or_of_an_array_is_refused(raw, opened):
    for part in (b"naive-bayes", b"words:1 bm25"):
        at = raw.index(part)
        assert opened(raw[:at] + b"X" + raw[at + 1 :]) is None
    assert opened(raw[:-1] + bytes([raw[-1] ^ 1])) is None


def test_every_file_that_is_cut_short_is_refused(raw, opened):
    assert [n for n in range(len(raw)) if opened(raw[:n]) is not None] == []


@pytest.mark.parametrize("more", [b"\0", b"\0" * 64, b"x"])
def test_a_file_with_more_in_it_is_refused(raw, opened, more):
    assert opened(raw + more) is None


def refusal(path):
    with pytest.raises(ModelError) as caught:
        linnet.load(path)
    return str(caught.value)


NOT_A_MODEL = "this is not a linnet model file. `linnet train DATA -o MODEL` writes one."


@pytest.mark.parametrize(
    "content", [b"text,label\na,b\n", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, b"{}", b"", b"\xff" * 1000]
)
def test_what_is_not_a_model_is_refused(tmp_path, content):
    path = tmp_path / "data"
    path.write_bytes(content)
    assert refusal(path) == f"{path}: {NOT_A_MODEL}"


def test_another_kind_of_safetensors_is_refused(tmp_path):
    save_file({"weights": np.zeros(3, np.float32)}, tmp_path / "other.safetensors")
    assert refusal(tmp_path / "other.safetensors") == f"{tmp_path / 'other.safetensors'}: {NOT_A_MODEL}"


def test_a_file_that_is_not_there(tmp_path):
    missing = tmp_path / "m.linnet"
    assert refusal(missing) == f"{missing}: there is no such model file. `linnet train DATA -o MODEL` writes one."
    assert refusal(tmp_path) == f"{tmp_path}: there is no such model file. `linnet train DATA -o MODEL` writes one."


def test_weights_are_read_in_place(tmp_path, raw):
    (tmp_path / "m.linnet").write_bytes(raw)
    _, arrays = read_model(tmp_path / "m.linnet")
    assert not arrays["weights.0"].flags.owndata
    assert not arrays["weights.0"].flags.writeable


def test_nothing_in_it_is_executed(raw):
    # pickle and marshal start otherwise; the table is JSON from its ninth byte on.
    assert raw[8:25] == b'{"__metadata__":{'


def test_arrays_are_written_from_where_they_are(tmp_path):
    array = np.arange(1 << 21, dtype=np.float64).reshape(-1, 8)
    tracemalloc.start()
    write_model(tmp_path / "m", {}, {"odd": np.zeros(3, np.uint8), "large": array})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < array.nbytes / 10
    _, arrays = read_model(tmp_path / "m")
    assert np.array_equal(arrays["large"], array)
    assert arrays["odd"].tolist() == [0, 0, 0]
    assert arrays["large"].ctypes.data % 8 == 0


def test_arrays_that_are_mapped_are_written_a_stretch_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("linnet.model.file._STRETCH", 1 << 16)
    array = Room(tmp_path, 0).array((1 << 16, 2), np.float32)
    array[::3] = np.arange(2)
    write_model(tmp_path / "m", {}, {"large": array})
    header, arrays = read_model(tmp_path / "m")
    assert header["packed"] == {}, "parts would be in memory"
    assert np.array_equal(arrays["large"], array)


def test_what_is_mostly_zero_is_packed_and_every_bit_comes_back(tmp_path):
    array = np.zeros((1000, 8), np.float32)
    array[::3, 5], array[7, 0], array[8, 1] = np.arange(334), -0.0, np.nan
    write_model(tmp_path / "m", {}, {"weights": array})
    found = read_model(tmp_path / "m")[1]
    assert list(found) == ["weights"]
    assert (found["weights"].dtype, found["weights"].shape) == (np.float32, (1000, 8))
    assert found["weights"].tobytes() == array.tobytes()
    assert not found["weights"].flags.writeable
    assert (tmp_path / "m").stat().st_size < 1000 + 4 * 400 + 1000  # a bit for each, the numbers, the header


@pytest.mark.parametrize("values", [{}, {"w.values": np.ones(1, np.float32)}])
def test_packed_numbers_that_do_not_fit_their_bits_are_refused(tmp_path, monkeypatch, values):
    parts = {"w.bits": np.array([1, 1], np.uint8)} | values
    monkeypatch.setattr(model_file, "packed", lambda arrays: (parts, {"w": [2, 8]}))
    write_model(tmp_path / "m", {}, {})
    expected = "the model file is damaged (a part of array 'w' is missing). Train it again."
    assert refusal(tmp_path / "m") == f"{tmp_path / 'm'}: {expected}"


def test_safetensors_reads_it(tmp_path):
    arrays = {"b": np.arange(3, dtype=np.uint8), "a": np.arange(6, dtype=np.float32).reshape(2, 3)}
    write_model(tmp_path / "m", {}, arrays)
    found = load_file(tmp_path / "m")
    assert {name: array.tolist() for name, array in found.items()} == {k: v.tolist() for k, v in arrays.items()}
