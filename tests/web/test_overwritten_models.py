"""A model file that others write into, or cut short, while it is served."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from running_server import Client
from serve_process import serve_process

import linnet
from linnet.errors import ModelError
from linnet.model.private_copy import private_copy
from linnet.web import shelf


def _words(i: int) -> str:
    return " ".join(f"w{(i * 97 + k) % 60_000}" for k in range(200))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two models that are mapped and take many pages, with their answers the other way round."""
    folder = tmp_path_factory.mktemp("large")
    texts = [_words(i) for i in range(600)]
    for name, labels in (("one", ("pos", "neg")), ("other", ("neg", "pos"))):
        gold = [f"{labels[i % 2]}{i % 20}" for i in range(600)]
        model = linnet.train(texts, gold, features="words:1", learner="logistic", epochs=1, estimate=False)
        model.save(folder / f"{name}.linnet")
    return folder


def _answered(client: Client, wanted: str) -> bool:
    """Whether a model gives an answer within a few seconds, during which it is asked for many features."""
    for k in range(100):
        found = client.post("/api/v1/models/served/predict", {"texts": [_words(0), *map(_words, range(k, k + 20))]})
        assert found.status == 200
        if found.json["predictions"][0] == f"{wanted}0":
            return True
        time.sleep(0.1)
    return False


def test_a_model_that_is_served_may_be_overwritten_or_cut_short(large, tmp_path):
    path = tmp_path / "served.linnet"
    shutil.copyfile(large / "one.linnet", path)
    assert path.stat().st_size > 1 << 20
    with serve_process(path) as (client, process):
        assert _answered(client, "pos")
        shutil.copyfile(large / "other.linnet", path)  # as `cp`: the same file, written anew
        assert _answered(client, "neg")
        with path.open("w"):  # as `: > served.linnet`
            pass
        time.sleep(1.5)
        assert _answered(client, "neg"), "the last good model goes on to answer"
        found = client.ask("POST", "/api/v1/models/served/upload?ending=.txt", _words(0).encode())
        assert (found.status, b"neg0" in found.body) == (200, True), found.body
        shutil.copyfile(large / "one.linnet", path)
        assert _answered(client, "pos")
        assert process.poll() is None


def test_a_file_is_answered_by_the_model_that_answers(large, tmp_path, monkeypatch):
    """While another file is read, or when it could not be, what answers is saved anew."""
    path, other = tmp_path / "served.linnet", tmp_path / "other"
    other.mkdir()
    shutil.copyfile(large / "one.linnet", path)
    served = shelf.Served("served", str(path))
    assert served.file_in(other) == path
    read, during = shelf._read, []

    def reading(path):
        during.append(served.file_in(other))
        return read(path)

    monkeypatch.setattr(shelf, "_read", reading)
    shutil.copyfile(large / "other.linnet", path)
    asyncio.run(served.reload())
    assert during == [other / "model.linnet"]
    assert linnet.load(other / "model.linnet").predict([_words(0)]) == ["pos0"]
    assert served.file_in(other) == path
    path.unlink()
    asyncio.run(served.reload_if_changed())
    assert served.file_in(other) == other / "model.linnet"
    assert linnet.load(other / "model.linnet").predict([_words(0)]) == ["neg0"]


def test_the_copy_is_made_where_there_is_room(large, tmp_path, monkeypatch):
    path, real = str(large / "one.linnet"), tempfile.TemporaryFile
    with private_copy(path) as copy:
        assert os.stat(copy).st_dev == os.stat(path).st_dev
        assert Path(copy).read_bytes() == Path(path).read_bytes()

    def refusing(*folders):
        def made(dir, **how):
            if dir in folders:
                raise OSError(28, "No space left on device")
            return real(dir=dir, **how)

        return made

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "TemporaryFile", refusing(str(large)))
    with private_copy(path) as copy:
        assert Path(copy).read_bytes() == Path(path).read_bytes()
    monkeypatch.setattr(tempfile, "TemporaryFile", refusing(str(large), str(tmp_path)))
    with pytest.raises(ModelError, match=r"there is no room \(No space left on device\)"), private_copy(path):
        pass
    assert list(tmp_path.iterdir()) == []
