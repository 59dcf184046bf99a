"""The questions of the course: what the pages show is what linnet learns, and nothing larger than a page may be asked."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from running_server import serving

import linnet
from linnet.plot.points import Points
from linnet.web.course.learners import STEPWISE, TAGGERS
from linnet.web.course.pages import PAGES

CLOUDS = [[2, 7, 0], [6, 2, 1], [3, 8.5, 0], [7.5, 3, 1], [1.5, 5.5, 0], [5.5, 3.5, 1]]
FILMS = {"texts": ["good film", "bad film", "good fine", "bad poor"], "labels": ["pos", "neg", "pos", "neg"]}
TAGGED = ["the/DET dog/NOUN barks/VERB", "dogs/NOUN bark/VERB", "the/DET man/NOUN saw/VERB the/DET dog/NOUN"]


@pytest.fixture(scope="module")
def course():
    """A client of a server without a model."""
    with serving() as client:
        yield client


def asked(client, question, **body):
    found = client.post(f"/api/v1/course/{question}", body)
    assert found.status == 200, found.json
    return found.json


def vectors(points):
    """The features of points, with the constant 1 of the bias."""
    return [(np.array([1.0, x, y]), k) for x, y, k in points]


def test_the_perceptron_is_that_of_the_lecture(course):
    found = asked(course, "plane", points=CLOUDS, learner="perceptron", epochs=5)
    w, steps = np.zeros((3, 2)), iter(found["steps"])
    mistakes = 0
    for _ in range(len(found["steps"]) // len(CLOUDS)):
        for x, y in vectors(CLOUDS):
            theta = x @ w
            y_hat = y if theta[y] > theta[1 - y] else 1 - y  # of two labels that score the same, the wrong one is found
            if y_hat != y:
                w[:, y] += x
                w[:, y_hat] -= x
                mistakes += 1
            step = next(steps)
            assert step["right"] == (y_hat == y)
            assert step["mistakes"] == mistakes
            np.testing.assert_allclose(step["u"], w[:, 1] - w[:, 0], atol=1e-5)
    assert step["wrong"] == []
    assert found["stopped"] == "the last epoch made no mistake"


@pytest.mark.parametrize("C", [0.001, 1.0])
def test_the_steps_of_mira_are_as_short_as_will_do(course, C):
    found = asked(course, "plane", points=CLOUDS, learner="mira", options={"C": C}, epochs=3)
    w = np.zeros((3, 2))
    for step in found["steps"]:
        x, y = vectors(CLOUDS)[step["example"]]
        theta = x @ w
        loss = max(0.0, 1 - theta[y] + theta[1 - y])
        tau = min(C, loss / (2 * x @ x))
        assert step["loss"] == pytest.approx(loss, abs=1e-5)
        assert step["tau"] == pytest.approx(tau, abs=1e-6)
        w[:, y] += tau * x
        w[:, 1 - y] -= tau * x
        assert step["moved"] == pytest.approx(tau * math.sqrt(2 * x @ x), abs=1e-5)
    np.testing.assert_allclose(found["steps"][-1]["u"], w[:, 1] - w[:, 0], atol=1e-5)


@pytest.mark.parametrize("taught", STEPWISE, ids=lambda taught: taught.name)
def test_the_last_step_is_what_a_picture_of_the_same_points_shows(course, taught):
    from linnet.plot.courses import course as drawn

    options = {**taught.fixed, **{knob.name: knob.value for knob in taught.knobs}}
    found = asked(course, "plane", points=CLOUDS, learner=taught.name, epochs=4)
    at, y = np.array([point[:2] for point in CLOUDS], float), np.array([k for *_, k in CLOUDS], np.int32)
    points = Points(at, y, ("-", "+"), ("x", "y"), np.zeros(2), np.ones(2), "points")
    learned = drawn(points, taught.name, options, epochs=4, shuffle=False)[-1]
    W = np.asarray(learned.weights[0], np.float64)
    last = found["steps"][-1]
    assert last["u"] == (W[:, 1] - W[:, 0]).tolist()
    assert last["margin"] == learned.margin
    assert last["support"] == np.flatnonzero(learned.support).tolist()


def test_no_perceptron_makes_more_mistakes_than_its_bound(course):
    rng = np.random.default_rng(0)
    separable = 0
    for _ in range(10):
        at, u = rng.uniform(0, 10, (12, 2)).round(1), rng.normal(size=2)
        side = (at - 5) @ u
        points = [[float(a), float(b), int(s > 0)] for (a, b), s in zip(at, side, strict=True) if abs(s) > 1]
        found = asked(course, "plane", points=points, learner="perceptron", epochs=20)
        if found["bound"] is not None:
            separable += 1
            assert found["steps"][-1]["mistakes"] <= found["bound"]
            assert found["bound"] == pytest.approx((found["radius"] / found["gamma"]) ** 2)
    assert separable >= 8
    corners = [[2, 2, 0], [8, 8, 0], [2, 8, 1], [8, 2, 1]]
    found = asked(course, "plane", points=corners, learner="perceptron")
    assert found["bound"] is None
    assert found["gamma"] is None


def test_the_margin_is_the_largest_one(course):
    points = [[2, 4, 0], [3, 4, 0], [6, 4, 1], [7, 4, 1]]
    found = asked(course, "plane", points=points, learner="perceptron")
    b, a = (part.ravel() for part in np.meshgrid(np.linspace(-8, 8, 321), np.linspace(-math.pi, math.pi, 721)))
    u = np.stack([b, np.cos(a), np.sin(a)])
    leads = np.stack([(2 * k - 1) * (x @ u) for x, k in vectors(points)])
    best = float((leads.min(axis=0) / np.linalg.norm(u, axis=0)).max())
    assert found["gamma"] == pytest.approx(best, rel=0.01)


def test_naive_bayes_counts_and_makes_no_mistakes(course):
    found = asked(course, "plane", points=CLOUDS, learner="naive-bayes", options={"alpha": 1})
    assert len(found["steps"]) == len(CLOUDS), "one pass is all there is"
    assert {step["mistakes"] for step in found["steps"]} == {None}
    counts = np.array([[sum(p[j] for p in CLOUDS if p[2] == k) for k in (0, 1)] for j in (0, 1)], float)
    logs = np.log((counts + 1) / (counts + 1).sum(axis=0))
    np.testing.assert_allclose(found["steps"][-1]["u"][1:], logs[:, 1] - logs[:, 0], atol=1e-5)


def test_the_first_step_of_mira_on_texts_is_that_of_the_lecture(course):
    first = asked(course, "texts", **FILMS, text="", learner="mira")["steps"][0]
    assert first["x"] == "good film"
    assert first["tau"] == pytest.approx(1 / 6)
    assert {change["row"] for change in first["changes"][0]["largest"]} == {"bias", "good", "film"}


@pytest.mark.parametrize("taught", STEPWISE, ids=lambda taught: taught.name)
def test_texts_are_traced_and_answered_as_by_linnet(course, taught):
    options = {**taught.fixed, **{knob.name: knob.value for knob in taught.knobs}}
    how = {"learner": taught.name, "options": options, "features": "words:1", "epochs": 3, "shuffle": False, "tol": 0.0}
    found = asked(course, "texts", **FILMS, text="good poor film", learner=taught.name, epochs=3)
    traced = [*linnet.trace(FILMS["texts"], FILMS["labels"], changes=None, **how)]
    assert [step["t"] for step in found["steps"]] == [step.t for step in traced]
    for here, there in zip(found["steps"], traced, strict=True):
        assert here.get("tau") == there.tau
        assert [(one["row"], one["after"]) for one in here["changes"][0]["largest"]] == [
            (one.row, one.after) for one in there.changes[0].largest
        ]
    why = linnet.train(FILMS["texts"], FILMS["labels"], estimate=False, **how).explain("good poor film")
    assert found["answer"]["label"] == why.label
    assert found["answer"]["score"] == why.score
    total = found["answer"]["bias"] + sum(one["adds"] for one in found["answer"]["words"])
    assert total == pytest.approx(found["answer"]["score"])


def test_naive_bayes_believes_that_the_lights_work(course):
    texts = ["northred eastred", *["northgreen eastred"] * 3, *["northred eastgreen"] * 3]
    labels = ["broken", *["works"] * 6]
    answer = asked(
        course,
        "texts",
        texts=texts,
        labels=labels,
        text="northred eastred",
        learner="naive-bayes",
        options={"alpha": 0},
    )["answer"]
    assert answer["label"] == "works"
    assert math.exp(answer["score"]) == pytest.approx(6 / 4, rel=1e-5)


def test_losses_are_those_of_the_formulas(course):
    found = course.get("/api/v1/course/losses").json
    m = np.array(found["margins"])
    assert m[0] == -3
    assert m[-1] == 3
    formulas = {
        "0-1": np.where(m <= 0, 1, 0),
        "perceptron": np.maximum(0, -m),
        "hinge": np.maximum(0, 1 - m),
        "log": np.log1p(np.exp(-m)),
        "exponential": np.exp(-m),
    }
    assert list(found["losses"]) == list(formulas)
    for name, values in formulas.items():
        np.testing.assert_allclose(found["losses"][name]["values"], values, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("taught", TAGGERS, ids=lambda taught: taught.name)
def test_the_best_path_is_the_best_of_all_sequences(course, taught):
    found = asked(course, "tags", sentences=TAGGED, sentence="the bark saw dogs", learner=taught.name, epochs=5)
    theta, pairs, L = np.array(found["theta"]), np.array(found["pairs"]), len(found["tags"])

    def score(y):
        return sum(theta[t, k] for t, k in enumerate(y)) + sum(pairs[a, b] for a, b in itertools.pairwise(y))

    every = sorted(itertools.product(range(L), repeat=4), key=score, reverse=True)
    assert [found["tags"].index(tag) for tag in found["best"][0]["tags"]] == list(every[0])
    assert [one["score"] for one in found["best"]] == pytest.approx([score(y) for y in every[:3]], abs=1e-4)
    back, way = found["back"], [int(np.argmax(found["score"][-1]))]
    for t in range(3, 0, -1):
        way.insert(0, back[t][way[0]])
    assert way == list(every[0]), "the back pointers lead along the best path"
    p = np.exp(np.array([score(y) for y in every]) - score(every[0]))
    p /= p.sum()
    mean = [[sum(q for q, y in zip(p, every, strict=True) if y[t] == k) for k in range(L)] for t in range(4)]
    np.testing.assert_allclose(found["marginals"], mean, atol=1e-4)
    for t, features in enumerate(found["features"]):
        total = np.sum([one["weights"] for one in features], axis=0)
        np.testing.assert_allclose(total, theta[t], atol=1e-4)


def test_a_weight_that_is_changed_turns_the_path(course):
    question = {"sentences": TAGGED, "sentence": "the dog saw dogs", "learner": "crf"}
    before = asked(course, "tags", **question)
    assert before["best"][0]["tags"] == ["DET", "NOUN", "VERB", "NOUN"]
    after = asked(course, "tags", **question, changes=[["token", "lower=saw", "NOUN", 50], ["pair", "NOUN", "NOUN", 9]])
    assert after["best"][0]["tags"][2] == "NOUN"
    assert after["before"] == before["best"][0]
    k = after["tags"].index("NOUN")
    assert after["pairs"][k][k] == 9
    unknown = asked(course, "tags", **question, changes=[["token", "lower=moon", "NOUN", 5], ["pair", "X", "Y", 5]])
    assert unknown["best"] == before["best"]


PLANE = {"points": CLOUDS, "learner": "mira"}
TEXTS = {**FILMS, "text": "", "learner": "mira"}
TAGS = {"sentences": TAGGED, "sentence": "the dog", "learner": "crf"}


@pytest.mark.parametrize(
    ("question", "body", "said"),
    [
        ("plane", {**PLANE, "points": CLOUDS[:1]}, "from 2 to 40 points"),
        ("plane", {**PLANE, "points": CLOUDS * 7}, "from 2 to 40 points"),
        ("plane", {**PLANE, "points": [[0, 11, 1], [1, 1, 0]]}, "from 0 to 10"),
        ("plane", {**PLANE, "points": [[0, 1, 2], [1, 1, 0]]}, "0 or 1"),
        ("plane", {**PLANE, "points": [[0, 1, []], [1, 1, 0]]}, "0 or 1"),
        ("plane", {**PLANE, "points": [[True, 1, 1], [1, 1, 0]]}, "two numbers"),
        ("plane", {**PLANE, "learner": "feedforward"}, "a learner among perceptron"),
        ("plane", {**PLANE, "options": {"C": 0}}, "from 0.001 to 1000"),
        ("plane", {**PLANE, "options": {"k": 3}}, "no option 'k'"),
        ("plane", {**PLANE, "options": []}, "an object"),
        ("plane", {**PLANE, "epochs": 21}, "from 1 to 20"),
        ("plane", {**PLANE, "seed": 1}, "no 'seed'"),
        ("texts", {**TEXTS, "texts": ["a"], "labels": ["b"]}, "from 2 to 20 texts"),
        ("texts", {**TEXTS, "texts": ["a", " "], "labels": ["b", "c"]}, "1 to 120 characters"),
        ("texts", {**TEXTS, "texts": ["a", "x" * 121], "labels": ["b", "c"]}, "1 to 120 characters"),
        ("texts", {**TEXTS, "texts": ["a", "b"], "labels": ["b", "b"]}, "from 2 to 5 different labels"),
        ("texts", {**TEXTS, "texts": ["a", "b"], "labels": ["b", ""]}, "a label of 1 to 24"),
        ("texts", {**TEXTS, "text": "x" * 121}, "at most 120"),
        ("tags", {**TAGS, "sentences": []}, "from 1 to 20 sentences to learn from, found 0"),
        ("tags", {**TAGS, "sentences": ["the dog"]}, "sentence 1: expected words with their tags"),
        ("tags", {**TAGS, "sentences": ["the/A dog/A"]}, "from 2 to 6 different tags"),
        ("tags", {**TAGS, "sentences": ["a/A " * 13]}, "from 1 to 12 words"),
        ("tags", {**TAGS, "sentence": ""}, "1 to 12 words"),
        ("tags", {**TAGS, "sentence": "x" * 25}, "at most 24"),
        ("tags", {**TAGS, "changes": [["token", "bias", "NOUN", 1e9]]}, "at most 50 changes"),
        ("tags", {**TAGS, "changes": [["token", "bias", "NOUN"]]}, "at most 50 changes"),
    ],
)
def test_what_is_too_large_or_no_question_is_refused_in_a_sentence(course, question, body, said):
    found = course.post(f"/api/v1/course/{question}", body)
    assert found.status == 422
    assert said in found.json["error"]


def test_other_requests_are_refused(course):
    assert course.post("/api/v1/course/moon", {}).status == 404
    assert course.get("/api/v1/course/plane").status == 405
    assert course.ask("POST", "/api/v1/course/plane", b'{"points": "' + b"x" * 70_000 + b'"}').status == 413
    assert course.post("/api/v1/course/plane", PLANE, Origin="http://evil.example").status == 403


def test_numbers_that_are_none_are_refused(course):
    body = b'{"points": [[NaN, 1, 1], [Infinity, 1, 0]], "learner": "mira"}'
    assert course.ask("POST", "/api/v1/course/plane", body).status == 422


def test_pages_lead_to_each_other_and_have_no_script_in_them(course, client):
    assert course.get("/").headers["location"] == "/course"
    assert client.get("/").status == 200
    for page, after in zip(PAGES, [*PAGES[1:], PAGES[0]], strict=True):
        body = course.get(page.path).body.decode()
        assert f'href="{after.path}"' in body.partition("class=next")[2]
        assert "<style" not in body
        assert "style=" not in body
        assert "<script>" not in body
        assert "Workbench" not in body
        assert 'href="/">Workbench' in client.get(page.path).body.decode()
    assert 'href="/course"' in client.get("/").body.decode()
