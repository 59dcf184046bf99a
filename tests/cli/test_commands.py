"""What each command prints and writes when all is well."""

import csv
import inspect
import io
import json
import re

import pyarrow.ipc
import pyarrow.parquet
import pytest

import linnet
from linnet.cli import main
from linnet.learners import LEARNERS
from linnet.losses import LOSSES
from linnet.steps import STEPS
from linnet.structures import STRUCTURES


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_version(run):
    assert run("--version") == (0, f"linnet {linnet.__version__}\n", "")


@pytest.mark.parametrize("command", ["train", "predict", "compare"])
def test_help_breaks_its_paragraphs_once(run, command):
    """Paragraphs after the first keep their line breaks, so that their lines must fit into the usual terminal."""
    about = getattr(main, command).__doc__
    shown = [line.strip() for line in run(command, "--help").out.splitlines()]
    for line in inspect.cleandoc(about).partition("\n\n")[2].splitlines():
        assert line in shown


def test_train_writes_a_model_and_says_what_it_did(training, mira):
    assert (training.code, training.out) == (0, "")
    data, learner, expected, wrote, *then = training.err.splitlines()
    assert data == "train.csv: 40 examples in the columns 'text' and 'label', task labels, 2 labels: neg 20, pos 20"
    # a, good, and, fine, film, bad, dull, and 8 pairs of them; the numbers are in two texts each
    assert learner == "learner averaged-mira, 55 features: words:1-2 bm25 min=2"
    assert (
        expected == "expected on new data like these: 100.0% right (+- 2.4, 40 held out); always 'neg' would be 50.0%"
    )
    assert wrote.startswith("wrote mira.linnet (0.0 MB) in ")
    assert then == ["next: linnet predict mira.linnet NEW_DATA", "      linnet explain mira.linnet TEXT"]
    assert linnet.load(mira).predict(["good", "dull"]) == ["pos", "neg"]


def test_what_theory_says_is_said_on_request(run):
    done = run("train", "train.csv", "-o", "theory.linnet", "--learner", "perceptron", "--features", "words:1 l2", "-v")
    # Rows of length 1 and the bias: R^2 = 2 (1 + 1); for one vector with a sign it is 1 + 1.
    signed = r"\(one vector with a sign: gamma [\d.]+, R 1.41\)"
    separable = rf"\nseparable: margin gamma [\d.]+, radius R 2, \(R/gamma\)\^2 = [\d.]+ {signed}; \d+ mistakes; "
    assert re.search(separable, done.err)
    assert re.search(r"by its first pass, an error of at most \d+\.\d% on new examples\n", done.err)


def test_problems_of_the_data_are_said_the_gravest_first(run, folder):
    rows = ["good film,pos", "good film,neg", ",pos", "bad film,Pos", "bad film,neg"]
    (folder / "messy.csv").write_text("\n".join(["text,label", *rows, *(f"film {i},pos" for i in range(40))]) + "\n")
    done = run("train", "messy.csv", "-o", "messy.linnet", "--learner", "perceptron", "--features", "words:1")
    looks = [line for line in done.err.splitlines() if line.startswith("look: ")]
    assert looks[0].startswith("look: labels that differ only in case or blanks: 'pos' (42), 'Pos' (1).")
    assert looks[1:] == [
        "look: 1 empty text: row 3",
        "look: 2 texts that repeat an earlier one: rows 2, 5",
        "look: 3 more problems, which `linnet inspect` shows",
    ]


def test_nothing_is_said_if_all_is_to_be_quiet(run, mira, folder):
    assert run("train", "train.csv", "-o", "quiet.linnet", "--quiet") == (0, "", "")
    assert run("predict", mira, "new.csv", "-o", "quiet.csv", "-q") == (0, "", "")
    assert (folder / "quiet.csv").exists()


def test_train_leaves_nothing_but_the_model(training, mira):
    assert [path.name for path in mira.parent.iterdir() if path.name.lstrip(".").startswith("mira")] == [mira.name]


def test_the_options_of_train_are_those_of_python(run, folder):
    done = run(
        "train", "train.csv", "-o", "options.linnet", "--learner", "logistic", "--features", "words:1", "--epochs", "4",
        "--dev", "0.25", "--seed", "3", "--set", "eta=0.5", "--set", "lam=0.01", "--set", "tol=0", "--set", "patience=9",
        "--set", "class-weight=pos=2,neg=1", "--threads", "1",
    )  # fmt: skip
    assert done.code == 0
    assert ", 10 held out)" in done.err
    expected = linnet.train(
        folder / "train.csv",
        learner="logistic",
        features="words:1",
        epochs=4,
        dev=0.25,
        seed=3,
        options={"eta": 0.5, "lam": 0.01},
        tol=0,
        patience=9,
        class_weight={"pos": 2, "neg": 1},
    )
    found = linnet.load(folder / "options.linnet")
    assert found.weights[0].tolist() == expected.weights[0].tolist()
    assert found.provenance["class_weight"] == {"pos": 2, "neg": 1}


@pytest.fixture(scope="module")
def to_a_strange_path(run, folder):
    name = "a folder with a name that is so long that its path does not fit into the eighty columns of a terminal"
    (folder / name).mkdir()
    path = folder / name / "model[b].linnet"
    return run("train", "train.csv", "-o", path, "--epochs", "1"), path


def test_a_path_that_looks_like_markup_is_shown_as_it_is(to_a_strange_path):
    done, path = to_a_strange_path
    assert path.exists()
    assert path.name in done.err.replace("\n", "")


def test_a_path_is_not_broken_into_lines(to_a_strange_path):
    done, path = to_a_strange_path
    assert any(line.startswith(f"wrote {path.parent}") for line in done.err.splitlines())


def test_predict_adds_two_columns_to_those_of_the_data(run, mira, folder):
    model = linnet.load(mira)
    p = model.predict_proba(["good", "dull and bad"]).max(axis=1).astype(float).round(4)
    (folder / "wide.csv").write_text('id,label,text,prediction\n7,x,good,old\n8,,"dull and bad",""\n')
    done = run("predict", mira, "wide.csv")
    assert done.out == (
        f"id,label,text,prediction,prediction_2,confidence\n7,x,good,old,pos,{p[0]}\n8,,dull and bad,,neg,{p[1]}\n"
    )
    assert (done.code, done.err) == (0, "")


def test_predict_says_why_there_is_no_confidence(run, folder):
    run("train", "train.csv", "-o", "unsure.linnet", "--set", "estimate=no", "-q")
    done = run("predict", "unsure.linnet", "new.csv")
    assert done.out == "text,prediction\ngood,pos\ndull and bad,neg\n"
    assert done.err.startswith(
        "unsure.linnet has no probabilities, so there is no confidence. Train with --learner logi"
    )
    assert run("predict", "unsure.linnet", "new.csv", "-q").err == ""


def test_predict_prints_a_label_a_line(run, mira):
    assert run("predict", mira, "new.csv", "--only") == (0, "prediction\npos\nneg\n", "")


def test_predict_reads_standard_input(run, mira):
    only = ("--only",)
    assert run("predict", mira, "-", *only, stdin="dull\ngood\n") == (0, "prediction\nneg\npos\n", "")
    done = run("predict", mira, "-", "--format", "jsonl", *only, stdin='{"text": "bad"}\n')
    assert done == (0, "prediction\nneg\n", "")


def test_predict_with_probabilities(run, logistic):
    done = run("predict", logistic, "new.csv", "--proba")
    expected = linnet.load(logistic).predict_proba(["good", "dull and bad"]).max(axis=1)
    assert [row["prediction"] for row in rows(done.out)] == ["pos", "neg"]
    assert [float(row["confidence"]) for row in rows(done.out)] == pytest.approx(expected.tolist())


def test_predict_the_best_labels_with_their_scores(run, mira, folder):
    done = run("predict", mira, "new.csv", "--top", "5", "-o", "top.jsonl")
    assert done == (0, "", "wrote 2 rows to top.jsonl\n")
    found = [json.loads(line) for line in (folder / "top.jsonl").read_text().splitlines()]
    p = linnet.load(mira).predict_proba(["good", "dull and bad"]).astype(float).round(4).tolist()
    assert found == [
        {
            "text": "good",
            "prediction_1": "pos",
            "confidence_1": p[0][1],
            "prediction_2": "neg",
            "confidence_2": p[0][0],
        },
        {
            "text": "dull and bad",
            "prediction_1": "neg",
            "confidence_1": p[1][0],
            "prediction_2": "pos",
            "confidence_2": p[1][1],
        },
    ]


@pytest.mark.parametrize("extension", ["tsv", "parquet", "arrow"])
def test_predict_writes_by_extension(run, mira, folder, extension):
    done = run("predict", mira, "new.csv", "--only", "-o", f"out.{extension}")
    assert done == (0, "", f"wrote 2 rows to out.{extension}\n")
    path = folder / f"out.{extension}"
    read = {
        "tsv": lambda: {"prediction": path.read_text().split()[1:]},
        "parquet": lambda: pyarrow.parquet.read_table(path).to_pydict(),
        "arrow": lambda: pyarrow.ipc.open_file(path).read_all().to_pydict(),
    }
    assert read[extension]() == {"prediction": ["pos", "neg"]}


def test_evaluate_prints_one_json_object(run, mira):
    done = run("evaluate", mira, "test.csv", "--json")
    # pos: 2 guessed and right of 3; neg: 2 guessed, 1 right of 1.
    assert (done.code, done.err) == (0, "")
    out = json.loads(done.out)
    assert list(out.pop("losses")) == ["0-1", "hinge", "log", "ranking", "exp"]
    assert 0 < out.pop("log_loss") < 1
    assert {"brier", "ece", "reliability", "expected_losses"} <= set(out)
    out = {name: value for name, value in out.items() if name not in ("brier", "ece", "reliability", "expected_losses")}
    (wrong,) = out.pop("most_wrong")
    assert (wrong["gold"], wrong["predicted"], wrong["score"] > 0) == ("pos", "neg", True)
    assert out == {
        "n": 4,
        "accuracy": 0.75,
        "macro_f1": pytest.approx((4 / 5 + 2 / 3) / 2),
        "micro_f1": 0.75,
        "per_label": {
            "neg": {"precision": 0.5, "recall": 1, "f1": pytest.approx(2 / 3), "support": 1},
            "pos": {"precision": 1, "recall": pytest.approx(2 / 3), "f1": pytest.approx(4 / 5), "support": 3},
        },
        "confusion": [[1, 0], [1, 2]],
    }


def test_evaluate_prints_a_table(run, logistic):
    done = run("evaluate", logistic, "test.csv")
    assert done.out.startswith("4 examples   accuracy 75.00%   macro F1 73.33\nlog loss ")
    assert "\x1b" not in done.out


def test_evaluate_on_data_with_a_single_label(run, mira):
    done = run("evaluate", mira, "one-label.csv", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["accuracy"] == 0


def test_explain_a_text(run, mira):
    done = run("explain", mira, "a", "good", "film")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("label pos  (against neg: score +")
    assert lines[2] == "a good film"
    assert "good" in [line.split()[0] for line in lines[5:] if line]


def test_explain_in_json_sums_to_the_score(run, mira):
    done = json.loads(run("explain", mira, "a good film", "--json").out)
    (why,) = done["explanations"]
    assert why["score"] == pytest.approx(why["bias"] + sum(c["contribution"] for c in why["contributions"]))
    assert why["score"] == pytest.approx(why["bias"] + why["elsewhere"] + sum(w["contribution"] for w in why["words"]))
    assert set(done["strongest"]) == {"pos", "neg"}
    assert "good" in [item["feature"] for item in done["strongest"]["pos"]]


def test_explain_the_model_alone(run, mira):
    lines = run("explain", mira, "--top", "2").out.splitlines()
    assert lines[0].split() == ["neg", "pos"]
    assert len(lines) == 3


def test_explain_on_a_page(run, mira, folder):
    done = run("explain", mira, "new.csv", "--html", "why.html")
    assert (done.code, done.out, done.err) == (0, "", "wrote why.html\n")
    page = (folder / "why.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<p class=text dir=auto>") == 2


def test_inspect_a_model(run, logistic):
    done = run("inspect", logistic, "--json")
    facts = json.loads(done.out)
    assert (facts["task"], facts["learner"], facts["labels"]) == ("labels", "logistic", ["neg", "pos"])
    assert facts["features"] == "words:1 min=2"
    assert facts["bytes"] == logistic.stat().st_size
    assert [epoch["epoch"] for epoch in facts["epochs"]] == list(range(1, 11))
    theory = facts["theory"]
    assert theory["mistakes"] == sum(epoch["mistakes"] for epoch in facts["epochs"]) > 0
    assert theory["margin"] > 0
    assert theory["mistake_bound"] == pytest.approx(theory["radius"] ** 2 / theory["margin"] ** 2)
    of_boosting = {"ranking_loss": None, "exp_loss": None}
    assert theory | of_boosting == linnet.load(logistic).report["theory"]
    shown = run("inspect", logistic).out
    assert "margin" in shown
    assert "mistake bound" in shown


def test_inspect_data(run, folder):
    (folder / "problems.csv").write_text("text,label\na b,x\na b,y\n,x\nc,x\n")
    facts = json.loads(run("inspect", "problems.csv", "--json").out)
    assert (facts["rows"], facts["labels"]) == (4, {"x": 3, "y": 1})
    assert facts["words_per_text"] == {"least": 0, "median": 1.5, "mean": 1.25, "most": 2}
    assert facts["problems"] == [
        "1 empty text: row 3",
        "1 text that repeats an earlier one: row 2",
        "1 text that repeats an earlier one with another label: row 2",
        "2 labels with fewer than 5 examples: x, y",
    ]


def test_list_everything(run):
    done = run("list")
    first = [line.split(" ")[0] for line in done.out.splitlines()]
    for names in (LEARNERS, LOSSES, STEPS, STRUCTURES):
        assert set(names) <= set(first)
    assert {"learners", "losses", "steps", "structures", "features", "formats"} <= set(first)


def test_list_one_thing(run):
    done = run("list", "structures")
    assert done.out.split() == [word for name, what in STRUCTURES.items() for word in (name, *what.split())]


def test_learners_are_listed_with_what_they_are_called_otherwise(run):
    shown = " ".join(run("list", "learners").out.split())
    assert "also called hmm, hidden-markov-model, multinomial-nb, multinomial-naive-bayes alpha=1.0:" in shown
    assert "adaboost" in shown.partition("boosting")[2].partition("kernel-perceptron")[0]
    assert "labels only" not in shown


def test_tags_from_columns_to_columns(run, folder):
    (folder / "tags.conll").write_text("the DT\ndog NN\n\nAnn NNP\nsees VB\n\n" * 5)
    (folder / "untagged.conll").write_text("the\ndog\n\nAnn\n")
    done = run("train", "tags.conll", "-o", "tags.linnet")
    assert done.code == 0, done.err
    assert done.err.startswith("tags.conll: 10 examples, task tag, 4 labels: DT 5, NN 5, NNP 5, VB 5\n")
    assert run("predict", "tags.linnet", "untagged.conll").out == "the DT\ndog NN\n\nAnn NNP\n"
    assert (
        run("predict", "tags.linnet", "-", stdin="Ann sees the dog\n").out == "Ann\tNNP\nsees\tVB\nthe\tDT\ndog\tNN\n\n"
    )
    assert "accuracy 100.00%" in run("evaluate", "tags.linnet", "tags.conll").out
    assert json.loads(run("evaluate", "tags.linnet", "tags.conll", "--json").out)["token_accuracy"] == 1
    assert json.loads(run("inspect", "tags.linnet", "--json").out)["task"] == "tag"
    facts = json.loads(run("inspect", "tags.conll", "--json").out)
    assert (facts["sentences"], facts["tokens"], facts["tags"]["DT"]) == (10, 20, 5)
    assert facts["problems"] == ["8 sentences that repeat an earlier one: rows 3, 4, 5, 6, 7 and 3 more"]
    assert run("explain", "tags.linnet").code == 0
    assert "NNP" in run("explain", "tags.linnet", "Ann sees").out
    explained = json.loads(run("explain", "tags.linnet", "tags.conll", "--json").out)["explanations"]
    assert [token["tag"] for token in explained[0]] == ["DT", "NN"]
    table = [line.split("\t") for line in run("predict", "tags.linnet", "untagged.conll", "--proba").out.split("\n")]
    assert [row[:2] for row in table] == [["the", "DT"], ["dog", "NN"], [""], ["Ann", "NNP"], [""], [""]]
    assert all(0.25 < float(row[2]) <= 1 for row in table if len(row) == 3)
    assert run("predict", "tags.linnet", "untagged.conll", "--top", "2", "-o", "top-tags.jsonl").code == 0
    best = [json.loads(line) for line in (folder / "top-tags.jsonl").read_text().splitlines()]
    assert [line["tokens"] for line in best] == [["the", "dog"], ["Ann"]]
    assert [line["best"][0]["tags"] for line in best] == [["DT", "NN"], ["NNP"]]
    assert all(len(line["best"]) == 2 and line["best"][0]["score"] > line["best"][1]["score"] for line in best)
    assert run("predict", "tags.linnet", "untagged.conll", "--top", "1").out.count("\n") == 2
    assert run("predict", "tags.linnet", "untagged.conll", "--top", "2", "--proba").code == 2


def test_a_page_of_tags(run, folder):
    (folder / "page.conll").write_text("the DT\ndog NN\n\nAnn NNP\nsees VB\n\n" * 5)
    run("train", "page.conll", "-o", "page.linnet")
    done = run("explain", "page.linnet", "page.conll", "--html", "page.html")
    assert (done.code, done.out, done.err) == (0, "", "wrote page.html\n")
    page = (folder / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert page.count("<h2>") == 5
    assert ">NNP</span>" in page


def test_wrapped_prose_is_tagged_by_paragraph(run, folder):
    (folder / "prose.conll").write_text("the DT\ndog NN\n. .\n\nAnn NNP\nsees VB\n\n" * 5)
    run("train", "prose.conll", "-o", "prose.linnet")
    text = (
        "Yesterday the old dog that lives next to Ann saw the\nlittle cat and barked.\n\n"
        "Ann sees the dog that everyone in the whole town\nknows.\n"
    )
    (folder / "wrapped.txt").write_text(text)
    found = run("predict", "prose.linnet", "wrapped.txt").out
    sentences = [[line.split("\t")[0] for line in part.split("\n")] for part in found.strip().split("\n\n")]
    assert [" ".join(words) for words in sentences] == [
        "Yesterday the old dog that lives next to Ann saw the little cat and barked .",
        "Ann sees the dog that everyone in the whole town knows .",
    ]
    assert len(run("predict", "prose.linnet", "wrapped.txt", "--format", "lines").out.strip().split("\n\n")) == 4


def test_auto_says_what_it_tried(run, folder):
    done = run(
        "train", "train.csv", "-o", "auto.linnet", "--learner", "auto", "--features", "words:1", "--set", "seconds=9"
    )
    assert (done.code, done.out) == (0, "")
    first, *lines = done.err.splitlines()
    tried, data = lines[:9], lines[9]
    assert first == "tried on held-out parts of the data:"
    assert all(re.fullmatch(r"  accuracy 100\.00%, 40 examples: nb-svm C=.* power=.*, words:1", line) for line in tried)
    assert re.fullmatch(r"  accuracy 100\.00%, 40 examples: nb-svm C=1 power=0\.5, words:1", tried[0])
    assert data == "train.csv: 40 examples in the columns 'text' and 'label', task labels, 2 labels: neg 20, pos 20"
    assert linnet.load(folder / "auto.linnet").learner == "nb-svm"


def test_naive_bayes_writes_documents(run, folder):
    run("train", "train.csv", "-o", "bayes.linnet", "--learner", "naive-bayes", "--features", "words:1")
    done = run("explain", "bayes.linnet", "--sample", "3", "--seed", "5")
    expected = linnet.load(folder / "bayes.linnet").sample(3, seed=5)
    assert (done.code, done.err) == (0, "")
    documents = [document.splitlines() for document in done.out.split("\n\n")]
    assert [(head, " ".join(line.strip() for line in lines)) for head, *lines in documents] == expected
    assert all(line.startswith("  ") and len(line) <= 80 for _, *lines in documents for line in lines)
    found = json.loads(run("explain", "bayes.linnet", "--sample", "3", "--seed", "5", "--json").out)
    assert found == {"documents": [{"label": label, "text": text} for label, text in expected]}


@pytest.mark.parametrize("text", ["good.", "good and/or fine", "and/or", "3.5", "fine.film is good", "dull..."])
def test_a_text_with_stops_and_slashes_is_a_text(run, mira, text):
    done = run("explain", mira, text)
    assert (done.code, text in done.out) == (0, True)


def test_a_text_may_be_said_to_be_one(run, mira):
    assert "train.cvs" in run("explain", mira, "--text", "train.cvs").out
    assert "train.csv" in run("explain", mira, "--text", "train.csv").out


def test_evaluate_writes_a_page(run, folder, logistic):
    done = run("evaluate", logistic, "test.csv", "--html", "right.html")
    assert done.code == 0, done.err
    assert "wrote right.html" in done.err
    page = (folder / "right.html").read_text()
    assert "<h2>By label</h2>" in page
    assert "<h2>The worst errors</h2>" in page
    assert f"{logistic.name} on test.csv" in page
