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
