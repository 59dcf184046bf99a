"""Decisions of every task: they can be questioned, corrected, learned, and taken back."""

from __future__ import annotations

import asyncio
import json
import time

import numpy as np
import pytest
from running_server import serving
from starlette.requests import Request
from task_models import TASKS, trained, typed

import linnet
from linnet.web.limits import Limits
from linnet.web.problems import RefusedError
from linnet.web.shelf import Shelf
from linnet.web.teaching import Lessons
from linnet.web.work import Workers

_MODELS = {}


def model_of(task):
    if task not in _MODELS:
        _MODELS[task] = trained(task)
    return _MODELS[task]


def choices(decided, rng):
    """A random decision with another value than it has."""
    every = decided.decisions()
    number = int(rng.integers(len(every)))
    one = every[number]
    return {number: int(rng.choice([k for k in range(len(one.choices)) if k != one.value]))}


def scored(model, decided, task):
    """What gives the score of an output, as its integers: an independent way to the sums of reasons."""
    return


@pytest.mark.parametrize("task", TASKS)
def test_reasons_sum_to_the_difference_whichever_way_one_asks(task):
    """From a to b is what it is from a to c and from c to b; and the other way round it has the other sign."""
    model, rng = model_of(task), np.random.default_rng(0)
    (decided,) = model.decisions(model.typed([typed(task)]))

    def total(this, that):
        return sum(part for *_, part in decided.reasons(this, that))

    tried = 0
    for _ in range(30):
        a, b = choices(decided, rng), choices(decided, rng)
        try:
            there = total(a, b)
        except linnet.UsageError:
            continue  # no output is like that
        tried += 1
        assert there == pytest.approx(total(a, {}) + total({}, b), abs=1e-4)
        assert there == pytest.approx(-total(b, a), abs=1e-4)
        if task != "labelset":  # a set is decided label by label, its thresholds beside its scores
            assert total({}, a) >= -1e-4, "no output scores higher than the best"
    assert tried > 5


@pytest.mark.parametrize("task", TASKS)
def test_outputs_have_what_was_asked_for(task):
    model, rng = model_of(task), np.random.default_rng(1)
    (decided,) = model.decisions(model.typed([typed(task)]))
    learned = 0
    for _ in range(10):
        wanted = choices(decided, rng)
        try:
            y = decided.output(wanted)
        except linnet.UsageError:
            continue
        session = model.session(learner="mira")
        for _ in range(10):
            session.learn(decided.x, y)
            (after,) = session.model().decisions(model.typed([typed(task)]))
            if after.output({}) == y:
                break
        if task == "parse" and after.output({}) != y:
            continue  # the arc is pruned, by a model that does not learn with the parser
        assert after.output({}) == y
        learned += 1
        if task != "brackets":  # its decisions are those of the tree that is there
            ((number, choice),) = wanted.items()
            assert after.decisions()[number].value == choice
    assert learned > 2


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_shown_taught_and_taken_back(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.linnet"
    model_of(task).save(path)
    text = typed(task)
    with serving(path) as client:

        def ask(question, **body):
            found = client.post(f"/api/v1/models/m/{question}", {"text": text, **body})
            assert found.status == 200, found.json
            return found.json

        shown = ask("look")
        assert "<" in shown["html"]
        assert "style=" not in shown["html"]
        assert "<script" not in shown["html"]
        assert ask("explain")["explanations"]
        first = client.post("/api/v1/models/m/predict", {"text": text}).json
        decisions = ask("decisions")
        rows = decisions["examples"][0]["decisions"]
        number, row = len(rows) - 1, rows[-1]
        wanted = [[number, (row["value"] + 1) % len(decisions["choices"][row["choices"]])]]
        why = ask("why", that=wanted, top=10_000)
        assert why["n"] > 0
        assert why["score"] == pytest.approx(sum(one["contribution"] for one in why["reasons"]))
        taught = ask("teach", wanted=wanted, watched=[text])
        assert taught["lessons"] == 1
        assert taught["learned"]
        assert taught["moved"]["n"] > 0
        assert taught["moved"]["largest"][0]["before"] != taught["moved"]["largest"][0]["after"]
        assert taught["watched"][0]["changed"] or task == "ranking"
        assert client.get("/api/v1/models/m").json["lessons"] == 1
        saved = client.post("/api/v1/models/m/save", {"name": "taught"})
        assert saved.status == 200, saved.json
        assert client.post("/api/v1/models/m/save", {"name": "taught"}).status == 409
        undone = client.post("/api/v1/models/m/undo", {"watched": [text]}).json
        assert undone["lessons"] == 0
        assert client.post("/api/v1/models/m/predict", {"text": text}).json == first
        assert client.post("/api/v1/models/m/undo", {}).status == 409
        again = client.post("/api/v1/models/taught/predict", {"text": text}).json
        assert again == {"predictions": taught["watched"][0]["after"]}


@pytest.mark.parametrize(
    ("question", "body", "message"),
    [
        ("teach", {"text": "good", "example": 1}, "there is no example with number 1 in the text, which has 1."),
        ("teach", {"text": "good", "watched": [""] * 1001}, "expected at most 1,000 texts to watch, found 1,001."),
        ("teach", {"text": "good", "label": 3}, 'expected a string as "label".'),
        ("teach", {"text": "good", "wanted": [[0, 2]]}, "expected the number of a choice from 0 to 1, found 2."),
        (
            "why",
            {"text": "good", "that": [[0, True]]},
            "expected a list of [decision, choice], which are whole numbers,",
        ),
        ("why", {"text": "good", "this": 3}, 'which are whole numbers, as "this".'),
        ("answers", {"text": "good", "proba": 1}, 'expected true or false as "proba".'),
        ("answers", {"text": "good", "top": 0}, 'expected a whole number from 1 to 1000 as "top".'),
        ("predict", {"examples": [{}]}, "found no column of text. Name it 'text'."),
        ("predict", {"examples": [{"words": "good"}]}, "found no column of text among 'words'. Name it 'text'."),
        ("removal", {"text": "good " * 2001}, "removals are tried for texts of at most 2,000 words, found 2,001."),
    ],
)
def test_questions_that_cannot_be_answered_are_refused_in_a_sentence(client, question, body, message):
    found = client.post(f"/api/v1/models/reviews/{question}", body)
    assert found.status == 422
    assert message in found.json["error"]


def test_words_and_new_labels_are_for_texts_with_labels_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for task in ("tag", "labelset"):
        model_of(task).save(f"{task}.linnet")
    with serving("tag.linnet", "labelset.linnet") as client:
        for question in ("words", "removal"):
            found = client.post(f"/api/v1/models/tag/{question}", {"text": "a dog"})
            assert (found.status, found.json["error"]) == (
                422, "this is for models of texts with labels, and the model is for task 'tag'."
            )  # fmt: skip
        found = client.post("/api/v1/models/labelset/teach", {"text": "a dog", "label": "new"})
        assert (found.status, found.json["error"]) == (
            422, "new labels are for texts with one label, and the model is for task 'labelset'."
        )  # fmt: skip


def test_where_no_removal_changes_the_answer_there_is_none(client):
    assert client.post("/api/v1/models/reviews/removal", {"text": "nothing known"}).json["removal"] is None


@pytest.mark.parametrize(("task", "ending"), [("tag", ".conll"), ("align", ".bitext"), ("align", ".jsonl")])
def test_a_file_of_sentences_is_answered(tmp_path, monkeypatch, task, ending):
    monkeypatch.chdir(tmp_path)
    model = model_of(task)
    model.save("m.linnet")
    pair = '{"source": ["a", "dog"], "target": ["DOG", "A"]}\n' if ending == ".jsonl" else "a dog ||| DOG A\n"
    with serving("m.linnet") as client:
        given = "the\ndog\n\n" if task == "tag" else pair
        found = client.ask("POST", f"/api/v1/models/m/upload?ending={ending}", given.encode())
    assert found.status == 200
    said = found.headers["content-disposition"]
    assert said == f'attachment; filename="answers{".jsonl" if ending == ".jsonl" else ".txt"}"'
    if task == "tag":
        assert found.body.decode() == "the {}\ndog {}\n\n".format(*model.predict([["the", "dog"]])[0])
        return
    (links,) = model.predict([(["a", "dog"], ["DOG", "A"])])
    if ending == ".jsonl":
        assert json.loads(found.body)["sure"] == [list(link) for link in links]
    else:
        assert found.body.decode() == " ".join(f"{i}-{j}" for i, j in links) + "\n"


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "a" * 65, "a\x00b", "reviews"])
def test_models_are_saved_by_name_alone(client, name):
    assert client.post("/api/v1/models/reviews/save", {"name": name}).status in (409, 422)


def test_a_lesson_waits_for_the_end_of_one_that_was_stopped(tmp_path, reviews, monkeypatch):
    """The first lesson is in compiled code when it is stopped, and is answered at once."""
    steps = []

    def teach(self, served, lesson, watched):
        steps.append(f"{lesson} begins")
        try:
            time.sleep(1 if lesson == "first" else 0)
        finally:
            steps.append(f"{lesson} ends")
        return {}

    def save(session, path):
        steps.append("saved")
        linnet.load(reviews).save(path)

    monkeypatch.setattr(Lessons, "_teach", teach)
    monkeypatch.setattr("linnet.web.teaching._save_new", save)

    async def taught():
        shelf = Shelf([str(reviews)])
        served = shelf["reviews"]
        lessons = Lessons(shelf, tmp_path, Workers(Limits(work=0.7)))
        request = Request({"type": "http", "method": "POST", "path": "/", "headers": []})
        with pytest.raises(RefusedError, match="would take longer"):
            await lessons.teach(request, served, "first", [])
        assert steps == ["first begins"]
        await asyncio.gather(lessons.teach(request, served, "second", []), lessons.save(request, served, "saved"))
        assert steps == ["first begins", "first ends", "second begins", "second ends", "saved"]

    asyncio.run(taught())


def test_a_new_label_is_learned(tmp_path, reviews, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with serving(reviews) as client:
        found = client.post("/api/v1/models/reviews/teach", {"text": "rather odd", "label": "mixed"}).json
        assert found["learned"]
        assert client.post("/api/v1/models/reviews/predict", {"text": "rather odd"}).json == {"predictions": ["mixed"]}
        assert "mixed" in client.get("/api/v1/models/reviews").json["labels"]


def test_a_label_that_is_too_long_is_refused(client):
    found = client.post("/api/v1/models/reviews/teach", {"text": "rather odd", "label": "x" * 1001})
    assert found.status == 422
    assert found.json == {"error": "the label has 1,001 characters, at most 1,000 can be taught."}


def test_the_answer_is_what_it_is_without_the_words(client, reviews):
    model = linnet.load(reviews)
    text = "a good fine film, not bad, great fun"
    found = client.post("/api/v1/models/reviews/removal", {"text": text}).json
    removal = found["removal"]
    assert found["answer"] == model.predict([text])[0]
    assert model.predict([removal["text"]])[0] == removal["answer"] != found["answer"]
    assert {word["word"] for word in removal["words"]} <= {"good", "fine", "great", "film", "fun"}


def test_features_are_searched_sorted_and_filtered(client):
    def ask(query):
        return client.get(f"/api/v1/models/reviews/features?{query}").json["features"]

    assert {one["feature"] for one in ask("label=pos&search=goo")} == {"good"}
    weights = [one["weight"] for one in ask("label=neg")]
    assert weights == sorted(weights, reverse=True)
    names = [one["feature"] for one in ask("sort=name")]
    assert names == sorted(names)
    assert client.get("/api/v1/models/reviews/features?label=other").status == 422


def test_features_of_a_word(client):
    found = client.post("/api/v1/models/reviews/words", {"text": "a good film", "at": 3}).json
    assert [one["feature"] for one in found["features"]] == ["good"]


@pytest.mark.parametrize(
    ("ending", "body"), [(".csv", "id,text\n1,good\n2,bad\n"), (".jsonl", '{"text": "good"}\n{"text": "bad"}\n')]
)
def test_a_file_is_answered(client, ending, body):
    found = client.ask("POST", f"/api/v1/models/reviews/upload?ending={ending}", body.encode())
    assert found.status == 200
    lines = found.body.decode().splitlines()
    assert "pos" in lines[-2]
    assert "neg" in lines[-1]
    assert "attachment" in found.headers["content-disposition"]


def test_endings_are_endings(client):
    for ending in ("/etc/passwd", ".csv/../x", "%00"):
        assert client.ask("POST", f"/api/v1/models/reviews/upload?ending={ending}", b"a").status == 422
    bad = client.ask("POST", "/api/v1/models/reviews/upload?ending=.csv", b"no,columns\n1,2\n")
    assert bad.status == 422
    assert "linnet-upload" not in bad.json["error"], "no name of a folder of the server is told"


def test_the_api_describes_itself(client):
    found = client.get("/api/v1/openapi.json").json
    assert found["openapi"] == "3.1.0"
    for path, methods in found["paths"].items():
        for method in methods:
            there = client.ask(method.upper(), path.replace("{model}", "reviews"), {} if method == "post" else None)
            assert there.status not in (404, 405), path
