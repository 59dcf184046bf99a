"""The JSON API over small models."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from running_server import serving

import linnet
from linnet.web import looking, shelf
from linnet.web.plain import as_json


def test_a_text_and_several_are_predicted(client, reviews):
    model = linnet.load(reviews)
    assert client.post("/api/v1/models/reviews/predict", {"text": "a good film"}).json == {"predictions": ["pos"]}
    texts = ["a good film", "a dull film", "", "ein Film"]
    found = client.post("/api/v1/models/reviews/predict", {"texts": texts}).json
    assert found == {"predictions": model.predict(texts)}
    assert client.post("/api/v1/models/reviews/predict", {"examples": [{"text": "a dull film"}]}).json == {
        "predictions": ["neg"]
    }


def test_answers_are_those_of_the_model(client, reviews):
    model = linnet.load(reviews)
    found = client.post("/api/v1/models/reviews/answers", {"texts": ["good", "bad"], "proba": True}).json["answers"]
    assert found == model.answers(["good", "bad"], proba=True).to_pylist()
    best = client.post("/api/v1/models/reviews/answers", {"text": "good", "top": 2}).json["answers"]
    assert best == model.answers(["good"], top=2).to_pylist()


def test_explanations_are_those_of_the_model(client, reviews):
    found = client.post("/api/v1/models/reviews/explain", {"text": "a good film"}).json["explanations"][0]
    assert found["label"] == "pos"
    total = found["bias"] + sum(one["contribution"] for one in found["contributions"])
    assert abs(total - found["score"]) < 1e-9


def test_an_explanation_that_takes_too_long_says_what_it_left_out(tmp_path, monkeypatch):
    file = tmp_path / "tags.conll"
    file.write_text("the DT\ndog NN\nbarks VB\n\n" * 5)
    linnet.train(file).save(tmp_path / "tags.linnet")
    monkeypatch.setattr(looking, "EXPLAINED_MS", replace(looking.EXPLAINED_MS, most=0))
    with serving(tmp_path / "tags.linnet") as client:
        found = client.post("/api/v1/models/tags/explain", {"text": "the dog barks"}).json
        page = client.post("/api/v1/models/tags/look", {"text": "the dog barks"}).json["html"]
    left_out = "explained 0 of 3 tokens in 0 seconds; give a shorter text for the rest"
    assert found == {"explanations": [[]], "left_out": left_out}
    assert f"<p class=dim>{left_out}.</p>" in page
    assert "barks<small>VB</small>" in page


def test_models_tell_what_they_are(client):
    (found,) = client.get("/api/v1/models").json["models"]
    assert found == client.get("/api/v1/models/reviews").json
    assert (found["task"], found["labels"], found["probabilities"]) == ("labels", ["neg", "pos"], True)


def test_what_was_asked_is_counted(client):
    client.post("/api/v1/models/reviews/predict", {"texts": ["a", "b", "c"]})
    text = client.get("/metrics").body.decode()
    assert 'linnet_responses_total{status="200"}' in text
    assert 'linnet_examples_total{model="reviews",question="predict"}' in text
    assert 'linnet_seconds_bucket{model="reviews",question="predict",le="+Inf"}' in text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"b", "a"}, ["a", "b"]),
        (np.array([[1.5, np.nan]]), [[1.5, None]]),
        (np.int64(3), 3),
        (date(2026, 1, 31), "2026-01-31"),
    ],
)
def test_whatever_a_task_answers_becomes_json(value, found):
    assert as_json({"value": value}) == {"value": found}


def test_a_new_file_is_taken_up_by_itself_and_a_damaged_one_is_not(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(shelf, "_EVERY", 0.02)
    path = tmp_path / "m.linnet"
    models = [
        linnet.train(["good", "bad"] * 8, labels * 8, features="words:1", learner="logistic")
        for labels in (["a", "b"], ["c", "d"])
    ]
    models[0].save(path)

    def until(holds) -> None:
        for _ in range(3000):
            if holds():
                return
            time.sleep(0.01)
        raise AssertionError("the server did not look at the file")

    with serving(path) as client:
        models[1].save(path)
        until(lambda: client.post("/api/v1/models/m/predict", {"text": "good"}).json == {"predictions": ["c"]})
        path.write_bytes(b"no model")
        until(lambda: "the model m stays as it was" in caplog.text)
        path.unlink()
        until(lambda: caplog.text.count("the model m stays as it was") == 2)
        assert client.post("/api/v1/models/m/predict", {"text": "good"}).json == {"predictions": ["c"]}


def test_a_model_is_replaced_without_a_dropped_request(tmp_path):
    path = tmp_path / "turn.linnet"
    one = linnet.train(["good", "bad"] * 8, ["a", "b"] * 8, features="words:1", learner="logistic")
    other = linnet.train(["good", "bad"] * 8, ["c", "d"] * 8, features="words:1", learner="logistic")
    one.save(path)
    with serving(path) as client:
        found: list[tuple[int, str]] = []
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                answer = client.post("/api/v1/models/turn/predict", {"text": "good"})
                found.append((answer.status, answer.json["predictions"][0]))

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for model in (other, one, other):
            model.save(path)
            assert client.post("/api/v1/models/turn/reload", {}).status == 200
        stop.set()
        for thread in threads:
            thread.join()
        assert {status for status, _ in found} == {200}
        assert client.post("/api/v1/models/turn/predict", {"text": "good"}).json == {"predictions": ["c"]}
        path.write_bytes(b"no model")
        assert client.post("/api/v1/models/turn/reload", {}).status == 422
        assert client.post("/api/v1/models/turn/predict", {"text": "good"}).json == {"predictions": ["c"]}
