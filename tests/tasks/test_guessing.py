"""The task that data look made for."""

import polars as pl
import pytest

from linnet.io.python_values import brought
from linnet.tasks import guess

LISTS = [["a", "b"]]


@pytest.mark.parametrize(
    ("columns", "task"),
    [
        ({"text": ["a"], "label": ["x"]}, "labels"),
        ({"text": ["a"], "label": [3], "tokens": [2], "tree": ["oak"], "source": ["web"], "target": ["x"]}, "labels"),
        ({"text": ["a"], "labels": LISTS}, "labelset"),
        ({"Text": ["a"], "Topics": LISTS}, "labelset"),
        ({"tokens": LISTS, "tags": LISTS}, "tag"),
        ({"words": LISTS, "ner_tags": LISTS, "text": ["a b"]}, "tag"),
        ({"tokens": LISTS, "keep": [[0, 1]]}, "compress"),
        ({"tokens": LISTS, "keep": [[0, 1]], "tags": LISTS}, "tag"),
        ({"tokens": LISTS, "heads": [[2, 0]], "relations": LISTS}, "parse"),
        ({"tree": ["(S (A a))"]}, "brackets"),
        ({"source": LISTS, "target": LISTS, "sure": [[[0, 0]]]}, "align"),
        ({"candidates": LISTS, "source": ["a"]}, "rerank"),
    ],
)
def test_columns_say_the_task(columns, task):
    assert guess(brought(columns), {}).name == task
    assert guess(brought(pl.DataFrame(columns)), {}).name == task


def test_a_column_that_is_named_says_the_task():
    rows = brought({"text": ["a"], "label": ["x"], "themes": LISTS})
    assert guess(rows, {"label_col": "themes"}).name == "labelset"
    assert guess(brought({"tokens": LISTS, "keep": [[0, 1]]}), {"label_col": "keep"}).name == "tag"


@pytest.mark.parametrize(
    ("x", "y", "task"),
    [
        (["a b"], ["x"], "labels"),
        (["a b"], [["x"]], "labelset"),
        ([{"text": "a"}], [{"x"}], "labelset"),
        ([["a", "b"]], [["D", "N"]], "tag"),
        ([[("a", "D"), ("b", "N")]], [["O", "O"]], "tag"),
        ([["a", "b"]], [[True, False]], "compress"),
        ([["a", "b"]], [[(2, "det"), (0, "root")]], "parse"),
        ([["a", "b"]], ["(S (A a) (B b))"], "brackets"),
        ([(["a"], ["b"])], [[(0, 0)]], "align"),
    ],
)
def test_inputs_and_outputs_say_the_task(x, y, task):
    assert guess((x, y), {}).name == task
