"""`linnet predict --threads N`: the same bytes for any number of threads."""

import hashlib
import json
import random

import pytest

import linnet

WORDS = "a the film is not good bad dull fine it don't never plot actor scene ending , . !".split()


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(0)
    return [" ".join(rng.choices(WORDS, k=rng.randrange(1, 30))) for _ in range(5000)]


@pytest.fixture(scope="module")
def model(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("threads") / "films.linnet"
    linnet.train(texts[:400], ["+" if "good" in text else "-" for text in texts[:400]]).save(path)
    return str(path)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_files_are_the_same_bytes_for_any_number_of_threads(model, texts, tmp_path, run, ending):
    data = tmp_path / "new.jsonl"
    data.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts)))
    hashes = set()
    for threads in ("1", "2", "4", "8"):
        out = tmp_path / f"{threads}.{ending}"
        run("predict", model, str(data), "-o", str(out), "--threads", threads)
        hashes.add(hashlib.sha256(out.read_bytes()).hexdigest())
    assert len(hashes) == 1
