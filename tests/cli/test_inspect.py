"""`linnet inspect`: labels that may be wrong, and problems of data."""

import json

import linnet
import linnet.io


def test_the_command_writes_them_to_a_file(tmp_path, run):
    rows = [
        (f"{words} number{i}", label)
        for i in range(20)
        for words, label in (("good and fine", "pos"), ("bad and dull", "neg"))
    ]
    rows[7] = (rows[7][0], "pos")
    path, out = tmp_path / "reviews.csv", tmp_path / "suspects.jsonl"
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))
    result = run("inspect", path, "--suspects", out)
    assert f"wrote 1 label that may be wrong to {out}, the most suspicious first" in result.err
    (row,) = map(json.loads, out.read_text().splitlines())
    assert list(row) == ["row", "line", "label", "suggested", "score", "text"]
    assert (row["row"], row["line"], row["label"], row["suggested"]) == (8, 9, "pos", "neg")


def test_rows_without_lines_have_no_column_of_lines(tmp_path, run):
    words, labels = ["good and fine", "bad and dull"] * 20, ["pos", "neg"] * 20
    table = {"text": [f"{text} {i}" for i, text in enumerate(words)], "label": ["neg", *labels[1:]]}
    linnet.io.write_columns(tmp_path / "reviews.parquet", table)
    result = run("inspect", tmp_path / "reviews.parquet", "--suspects", tmp_path / "s.csv")
    assert "wrote 1 label that may be wrong" in result.err
    head, row = (tmp_path / "s.csv").read_text().splitlines()
    assert head == "row,label,suggested,score,text"
    assert row.startswith("1,neg,pos,")


def test_suspects_are_those_of_data(tmp_path, run, mira):
    done = run("inspect", mira, "--suspects", tmp_path / "s.csv")
    assert done.code == 2
    assert done.err == "linnet: --suspects looks for wrong labels in data, but found a model. Name a data file.\n"
    assert not (tmp_path / "s.csv").exists()


def test_long_lists_are_cut_for_people_and_whole_for_programs(tmp_path, run):
    path = tmp_path / "many.csv"
    rows = [f"text {i},label{i % 25:02}\n" for i in range(250)]
    path.write_text("text,label\n" + "".join(rows))
    shown = " ".join(run("inspect", path).out.split())
    assert "label19 10 and 5 more" in shown
    assert len(json.loads(run("inspect", path, "--json").out)["labels"]) == 25


MESSY = "text,label\n" + "".join(
    f"{text} {i},{label}\n" for i in range(10) for text, label in (("good", "pos"), ("so so", ""), ("bad", "neg"))
)


def test_rows_are_those_of_the_file_where_rows_without_a_label_were_left_out(tmp_path, run):
    path = tmp_path / "reviews.csv"
    path.write_text(f"{MESSY}good 0,pos\n")
    problems = json.loads(run("inspect", path, "--label-col", "label", "--json").out)["problems"]
    assert problems == ["1 text that repeats an earlier one: row 31"]
    done = run("train", path, "-o", tmp_path / "reviews.linnet")
    assert "look: 1 text that repeats an earlier one: row 31\n" in done.err
    (tmp_path / "test.csv").write_text("text,label\ngood,pos\nso so,\ngood,neg\n")
    report = json.loads(run("evaluate", tmp_path / "reviews.linnet", tmp_path / "test.csv", "--json").out)
    assert [wrong["row"] for wrong in report["most_wrong"]] == [3]


def test_suspects_have_the_rows_and_lines_of_the_file_and_notes_are_said_once(tmp_path, run):
    path, out = tmp_path / "reviews.csv", tmp_path / "suspects.jsonl"
    path.write_text(MESSY.replace("bad 4,neg", "bad 4,pos"))
    done = run("inspect", path, "--label-col", "label", "--suspects", out)
    assert done.err.count("left out 10 of 30 rows without a label") == 1
    first = json.loads(out.read_text().splitlines()[0])
    assert (first["row"], first["line"], first["text"]) == (15, 16, "bad 4")


def test_blanks_at_the_ends_of_labels_are_seen(tmp_path, run):
    path = tmp_path / "reviews.csv"
    path.write_text("text,label\n" + "good,pos\nfine,pos \nbad,neg\n" * 4)
    assert "pos 4, pos␣ 4, neg 4" in run("inspect", path).out
    assert "3 labels: neg 4, pos 4, pos␣ 4\n" in run("train", path, "-o", tmp_path / "reviews.linnet").err


def test_epochs_of_a_model_are_cut_and_what_is_expected_of_it_is_shown(tmp_path, run):
    rows = [f"film {i % 5} {i % 7},{('pos', 'neg')[i * i % 11 % 2]}" for i in range(60)]
    (tmp_path / "reviews.csv").write_text("\n".join(["text,label", *rows]) + "\n")
    model = str(tmp_path / "m.linnet")
    run("train", str(tmp_path / "reviews.csv"), "-o", model, "--learner", "averaged-perceptron", "--epochs", "9")
    assert len(json.loads(run("inspect", model, "--json").out)["epochs"]) == 9
    said = run("inspect", model).out
    assert said.count("updates") == 5
    assert "and 4 more" in said
    assert "accuracy 0." in said
    assert "cost" not in said


def test_support_vectors_are_listed(tmp_path, run):
    trained = ("train", "train.csv", "--learner", "svm", "--features", "words:1", "--set", "estimate=no")
    assert run(*trained, "-o", tmp_path / "svm.linnet", "--set", "support=keep").code == 0
    done = run("inspect", tmp_path / "svm.linnet", "--support")
    first, header, line, *_, last = done.out.splitlines()
    assert first == "40 support vectors of 40 examples, learner svm"
    assert header.split() == ["row", "alpha", "text"]
    row, negative, alpha, positive, minus, *text = line.replace(",", "").split()
    assert (negative, positive, float(alpha)) == ("neg", "pos", -float(minus))
    assert text[-1] == f"number{(int(row) - 1) // 2}"
    assert last == "and 20 more, which --json shows"
    vectors = json.loads(run("inspect", tmp_path / "svm.linnet", "--support", "--json").out)["support_vectors"]
    assert len(vectors) == 40
    assert vectors[0]["row"] == int(row)
    assert list(vectors[0]) == ["row", "text", "alpha"]


def test_a_model_without_support_vectors_says_so(tmp_path, run, mira):
    done = run("inspect", mira, "--support")
    assert done.code == 2
    assert "learner 'averaged-mira' has no support vectors" in done.err
    assert "--support shows what a model is made of, but found data" in run("inspect", "train.csv", "--support").err


def test_no_bias_and_no_shuffling(tmp_path, run):
    trained = ("train", "train.csv", "--learner", "perceptron", "--features", "words:1", "--set", "estimate=no")
    facts = []
    for name, seed, settings in (
        ("a", 1, ("shuffle=no",)),
        ("b", 2, ("shuffle=no", "bias=no")),
        ("c", 3, ("bias=no",)),
    ):
        sets = [part for setting in settings for part in ("--set", setting)]
        assert run(*trained, "-o", tmp_path / f"{name}.linnet", "--seed", seed, *sets).code == 0
        facts.append(json.loads(run("inspect", tmp_path / f"{name}.linnet", "--json").out))
        weights = linnet.load(tmp_path / f"{name}.linnet").weights[0]
        assert weights[1:].any()
        assert not ("bias=no" in settings and weights[0].any())
    assert [fact["options"]["bias"] for fact in facts] == ["yes", "no", "no"]
    assert "error_bound" not in facts[0]["theory"]  # it needs a random order
    assert "error_bound" in facts[2]["theory"]
    assert "expected yes or no, found 'never'" in run(*trained, "-o", "d.linnet", "--set", "shuffle=never").err


def test_a_rate_that_overshoots_is_told_when_it_has_learned_and_whenever_one_looks(tmp_path, run):
    """SGD that goes as far as eta says: the loss grows above ln 2, that of two labels when nothing is known."""
    rows = [f"w{i % 7} w{i % 5} w{i % 3},{'ab'[i * 7919 % 101 % 2]}" for i in range(200)]
    (tmp_path / "noise.csv").write_text("text,label\n" + "\n".join(rows) + "\n")
    how = (
        "--learner",
        "logistic",
        "--features",
        "words:1",
        "--set",
        "eta=1",
        "--set",
        "cap=no",
        "--set",
        "estimate=no",
    )
    done = run("train", tmp_path / "noise.csv", "-o", tmp_path / "noise.linnet", *how)
    told = "the learning rate eta=1 is too large: its steps overshoot, and the mean loss has grown from 0.693"
    assert f"look: {told}" in done.err
    assert told in json.loads(run("inspect", tmp_path / "noise.linnet", "--json").out)["warning"]


def test_data_and_models_have_a_page(tmp_path, run):
    rows = "".join(f'"a {w} film {i}",{y}\n' for i in range(10) for w, y in (("fine", "pos"), ("dull", "neg")))
    (tmp_path / "reviews.csv").write_text(f'text,label\n{rows}"a fine <b>film</b>",neg\n', encoding="utf-8")
    done = run(
        "inspect", tmp_path / "reviews.csv", "--html", tmp_path / "data.html", "--suspects", tmp_path / "suspects.csv"
    )
    assert done.code == 0, done.err
    page = (tmp_path / "data.html").read_text(encoding="utf-8")
    assert "<td class=dim>rows</td><td>21</td>" in page
    assert "<td>neg</td><td class=n>11</td><td class=share><svg" in page
    assert "<h2>Labels that may be wrong</h2>" in page
    assert "a fine &lt;b&gt;film&lt;/b&gt;" in page
    done = run("train", tmp_path / "reviews.csv", "-o", tmp_path / "reviews.linnet", "--html", tmp_path / "model.html")
    assert done.code == 0, done.err
    done = run("inspect", tmp_path / "reviews.linnet", "--html", tmp_path / "again.html")
    assert done.code == 0, done.err
    pages = [(tmp_path / name).read_text(encoding="utf-8") for name in ("model.html", "again.html")]
    assert pages[0] == pages[1]
    assert "<h2>Strongest features of the model</h2>" in pages[0]
    done = run("inspect", tmp_path / "reviews.linnet", "--html", tmp_path / "reviews.csv")
    assert done.code == 2
    assert f"cannot write the page to '{tmp_path / 'reviews.csv'}'" in done.err
