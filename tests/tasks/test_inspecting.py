"""`linnet.inspect`: what is in data of any kind."""

import json

import pandas as pd
import pytest

import linnet

TEXTS, LABELS = ["good film", "fine film", "good film", "bad plot"], ["pos", "pos", "neg", "neg"]
AGAIN = ["1 text that repeats an earlier one: row 3", "1 text that repeats an earlier one with another label: row 3"]


@pytest.mark.parametrize("kind", ["pair", "frame", "file"])
def test_the_same_problems_whatever_the_data_come_in(kind, tmp_path):
    frame = pd.DataFrame({"review": TEXTS, "verdict": LABELS})
    frame.to_csv(tmp_path / "a.csv", index=False)
    data = {"pair": (TEXTS, LABELS), "frame": frame, "file": tmp_path / "a.csv"}[kind]
    found = linnet.inspect(data, **({} if kind == "pair" else {"text": "review", "label": "verdict"}))
    assert found["labels"] == {"pos": 2, "neg": 2}
    assert found["rows"] == 4
    assert found["words_per_text"] == {"least": 2, "median": 2, "mean": 2, "most": 2}
    assert found["problems"][:2] == AGAIN
    json.dumps(found)


def test_sets_and_tags():
    sets = linnet.inspect(TEXTS, [["a", "b"], ["a"], [], ["b"]])
    assert (sets["task"], sets["labels"]) == ("labelset", {"a": 2, "b": 2})
    tags = linnet.inspect({"tokens": [["the", "film"], ["it", "ends"]], "tags": [["D", "N"], ["P", "V"]]})
    assert (tags["task"], tags["rows"], tags["labels"]) == ("tag", 2, {"D": 1, "N": 1, "P": 1, "V": 1})
    assert tags["problems"] == []
