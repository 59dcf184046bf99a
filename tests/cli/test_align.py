"""Word alignment on the command line."""

import json

import bitext
import pytest


@pytest.fixture(scope="module")
def files(folder):
    (folder / "pairs.jsonl").write_text(bitext.jsonl(40))
    (folder / "pairs.txt").write_text(bitext.lines(5, seed=1, links=True))
    (folder / "text.txt").write_text(bitext.lines(100, seed=2))
    return folder


@pytest.fixture(scope="module")
def model(run, files):
    done = run("train", "pairs.jsonl", "-o", "pairs.linnet", "--parallel", "text.txt")
    assert done.code == 0, done.err
    assert done.err.startswith("pairs.jsonl: 40 examples, task align\n")
    return "pairs.linnet"


def test_predictions_are_as_pharaoh_has_them_or_jsonl(run, files, model):
    gold = [" ".join(f"{i}-{j}" for i, j in links) for _, _, links in bitext.pairs(5, seed=1)]
    assert run("predict", model, "pairs.txt").out.splitlines() == gold
    assert run("predict", model, "pairs.txt", "-o", "found.jsonl").code == 0
    first = json.loads((files / "found.jsonl").read_text().splitlines()[0])
    assert [first["source"], first["target"]] == list(map(list, bitext.pairs(1, seed=1)[0][:2]))
    assert [tuple(link) for link in first["sure"]] == bitext.pairs(1, seed=1)[0][2]


def test_parallel_text_may_be_several_files(run, files, model):
    """Half of it and the other half, or all of it by --set: the same weights, so the same scores."""
    lines = (files / "text.txt").read_text().splitlines(keepends=True)
    (files / "first, of two.txt").write_text("".join(lines[:50]))
    (files / "second.txt").write_text("".join(lines[50:]))
    explained = run("explain", model, "pairs.txt", "--json").out
    for name, how in (
        ("halves.linnet", ("--parallel", "first, of two.txt", "--parallel", "second.txt")),
        ("set.linnet", ("--set", "parallel=text.txt")),
    ):
        assert run("train", "pairs.jsonl", "-o", name, *how).code == 0
        assert run("explain", name, "pairs.txt", "--json").out == explained
    assert run("reproduce", "set.linnet").out == "linnet train pairs.jsonl --parallel text.txt -o set.linnet\n"


def test_parallel_text_is_for_alignments(run, files):
    done = run("train", "train.csv", "-o", "not.linnet", "--parallel", "text.txt")
    assert done.code == 2
    assert done.err == "linnet: --parallel is for word alignment; this is task 'labels'. Leave it out.\n"
    done = run("train", "pairs.jsonl", "-o", "not.linnet", "--from", "some.linnet", "--parallel", "text.txt")
    assert (done.code, "belongs to the first training" in done.err) == (2, True)


def test_the_log_loss_over_itg_alignments(run, files):
    options = ("--learner", "crf", "--set", "search=itg", "--set", "parallel=text.txt")
    done = run("train", "pairs.jsonl", "-o", "itg.linnet", *options)
    assert done.code == 0, done.err
    assert json.loads(run("evaluate", "itg.linnet", "pairs.txt", "--json").out)["aer"] == 0
    assert (
        "a model that aligns sentences has no probabilities" in run("predict", "itg.linnet", "pairs.txt", "--proba").err
    )
    done = run("train", "pairs.jsonl", "-o", "none.linnet", "--learner", "crf")
    assert "which structure 'matching' does not have: the sum over all matchings is a permanent" in done.err


def test_the_best_alignments_of_each_pair(run, model):
    lines = [json.loads(line) for line in run("predict", model, "pairs.txt", "--top", "3").out.splitlines()]
    assert len(lines) == 5
    for line, (source, target, links) in zip(lines, bitext.pairs(5, seed=1), strict=True):
        assert (line["source"], line["target"]) == (list(source), list(target))
        assert line["best"][0]["links"] == [list(link) for link in links]
        assert len({json.dumps(one["links"]) for one in line["best"]}) == 3
        scores = [one["score"] for one in line["best"]]
        assert scores == sorted(scores, reverse=True)


def test_evaluate(run, model):
    assert json.loads(run("evaluate", model, "pairs.txt", "--json").out)["aer"] == 0
    assert "AER 0.00   precision 100.00   recall 100.00" in run("evaluate", model, "pairs.txt").out
    assert "the links are missing" in run("evaluate", model, "text.txt").err


def test_explain(run, files, model):
    out = run("explain", model, "the dog sees ||| le chien voit").out
    assert "dog   · ■ ·" in out
    found = json.loads(run("explain", model, "the dog sees ||| le chien voit", "--json").out)["explanations"][0]
    for token in found["tokens"]:
        assert token["score"] == pytest.approx(sum(part["contribution"] for part in token["contributions"]), abs=1e-4)
    assert run("explain", model, "pairs.txt", "--html", "links.html").code == 0
    assert "<table class=grid>" in (files / "links.html").read_text()
    assert "no link" in run("explain", model).out
    assert "expected the tokens of both sentences" in run("explain", model, "the dog").err


def test_inspect_and_list(run, files):
    found = json.loads(run("inspect", "pairs.jsonl", "--json").out)
    assert found["pairs"] == 40
    assert found["sure links"] > 200
    assert found["links that are only possible"] == 40
    assert "top.hmm" in run("list", "link-features").out
    assert "bitext" in run("list", "formats").out
    assert "parallel=" in run("list", "tasks").out


def test_a_comparison(run, files):
    done = run(
        "compare", "pairs.jsonl", "--folds", "2", "--learners", "averaged-mira,perceptron", "--features", "model1 dist"
    )
    assert done.code == 0, done.err
    assert "1 - AER" in done.out
