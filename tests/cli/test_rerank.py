"""Lists of candidates on the command line."""

import json

import pytest


@pytest.fixture(scope="module")
def lists(folder, run):
    rows = [
        {"source": noun, "candidates": [{"text": f"{noun} the", "cost": 1}, {"text": f"the {noun}", "cost": 0}]}
        for noun in ("dog", "cat", "cow", "hen")
    ]
    (folder / "lists.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (folder / "new.nbest").write_text("7 ||| fish the ||| L= 2 ||| 5\n7 ||| the fish ||| L= 1 ||| 4\n8 ||| a\n")
    done = run("train", "lists.jsonl", "-o", "lists.linnet", "--features", "start:1")
    assert done.code == 0, done.err
    assert done.err.startswith("lists.jsonl: 4 examples, task rerank")
    return folder


def test_the_best_on_a_line(run, lists):
    assert run("predict", "lists.linnet", "new.nbest").out == "the fish\na\n"


def test_the_best_as_moses_has_them(run, lists):
    first, second, third = run("predict", "lists.linnet", "new.nbest", "--top", "5").out.splitlines()
    assert first.startswith("7 ||| the fish ||| L= 1 score= 4 ||| ")
    assert second.startswith("7 ||| fish the ||| L= 2 score= 5 ||| ")
    assert third.startswith("8 ||| a |||")


def test_the_new_order_as_json(run, lists):
    run("predict", "lists.linnet", "lists.jsonl", "-o", "ordered.jsonl")
    first = json.loads((lists / "ordered.jsonl").read_text().splitlines()[0])
    assert first["source"] == "dog"
    assert [c["text"] for c in first["candidates"]] == ["the dog", "dog the"]
    assert [c["cost"] for c in first["candidates"]] == [0, 1]
    assert first["candidates"][0]["score"] > first["candidates"][1]["score"]


def test_probabilities(run, lists):
    run("train", "lists.jsonl", "-o", "p.linnet", "--learner", "logistic", "--features", "start:1")
    run("predict", "p.linnet", "lists.jsonl", "--proba", "-o", "p.jsonl")
    first = json.loads((lists / "p.jsonl").read_text().splitlines()[0])["candidates"]
    assert sum(c["probability"] for c in first) == pytest.approx(1)
    assert "Name the output: -o FILE.jsonl." in run("predict", "p.linnet", "lists.jsonl", "--proba").err


def test_evaluate_explain_inspect(run, lists):
    found = json.loads(run("evaluate", "lists.linnet", "lists.jsonl", "--json").out)
    assert (found["pairwise_accuracy"], found["tau"], found["mean_cost"], found["first_cost"]) == (1, 1, 0, 1)
    assert "pairwise accuracy 100.00%" in run("evaluate", "lists.linnet", "lists.jsonl").out
    assert "   1 the dog\n   0 dog the\n" in run("explain", "lists.linnet", "lists.jsonl").out
    explained = json.loads(run("explain", "lists.linnet", "lists.jsonl", "--json").out)["explanations"][0]
    assert explained["score"] == pytest.approx(sum(part["contribution"] for part in explained["contributions"]))
    assert "better" in run("explain", "lists.linnet").out
    assert json.loads(run("inspect", "lists.jsonl", "--json").out)["candidates_per_list"]["mean"] == 2
    assert run("inspect", "new.nbest").code == 0
    assert (
        "expected a list of candidates, each on a line of its own, found one text. Name a file"
        in run("explain", "lists.linnet", "a text").err
    )
    assert "   1 the dog\n   0 dog the\n" in run("explain", "lists.linnet", "dog the\nthe dog").out


def test_pages_of_candidates(run, folder, lists):
    done = run("explain", "lists.linnet", "lists.jsonl", "--html", "lists.html")
    assert done.code == 0, done.err
    page = (folder / "lists.html").read_text()
    assert "<td class=for>the dog</td>" in page
    assert "<td class=against>dog the</td>" in page
    assert "The candidate that is best" in page
    done = run("evaluate", "lists.linnet", "lists.jsonl", "--html", "right.html")
    assert done.code == 0, done.err
    page = (folder / "right.html").read_text()
    assert "<td>pairwise accuracy</td><td class=n>" in page
    assert "<td>mean cost of the cheapest</td><td class=n>0.0000</td>" in page
