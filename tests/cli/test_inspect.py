"""`linnet inspect`: labels that may be wrong, and problems of data."""

import json


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
    assert problems == ["1 text that was there before: row 31"]
    done = run("train", path, "-o", tmp_path / "reviews.linnet")
    assert "look: 1 text that was there before: row 31\n" in done.err
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
