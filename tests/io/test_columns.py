"""Finding the text and the label among the columns of a file."""

import pytest

from linnet.errors import DataError, UsageError
from linnet.io import read
from linnet.io.texts.columns import Columns, find
from linnet.io.texts.contract import Request


def test_usual_names_in_any_case():
    assert find(["ID", "Review", "Sentiment"], Request(), "f") == Columns("Review", "Sentiment")
    assert find([" text", "label "], Request(), "f") == Columns(" text", "label ")


def test_the_first_usual_name_wins_over_the_first_column():
    assert find(["title", "y", "body", "label"], Request(), "f") == Columns("body", "label")


def test_names_given_are_exact_and_leave_the_others_to_be_found():
    names = ["title", "text", "topic", "label"]
    assert find(names, Request(text_col="title"), "f") == Columns("title", "label")
    assert find(names, Request(label_col="title"), "f") == Columns("text", "title")
    assert find(names, Request(text_col="label", label_col="text"), "f") == Columns("label", "text")


def test_labels_are_optional_when_not_demanded():
    assert find(["text"], Request(labelled=False), "f") == Columns("text", None)
    assert find(["text", "label"], Request(labelled=False), "f") == Columns("text", "label")


BAD = {
    "no text": (
        ["id", "label"],
        Request(),
        "f:1: found no text column among 'id', 'label'. Name the text column: --text-col on the command line, text= in Python.",
    ),
    "nearly a text": (
        ["Txt", "label"],
        Request(),
        "f:1: found no text column among 'Txt', 'label'. Did you mean 'Txt'? "
        "Name the text column: --text-col on the command line, text= in Python.",
    ),
    "no label": (
        ["text", "Labels"],
        Request(),
        "f:1: found no label column among 'text', 'Labels'. Did you mean 'Labels'? "
        "Name the label column: --label-col on the command line, label= in Python.",
    ),
    "not the text asked for": (
        ["Text", "label"],
        Request(text_col="text"),
        "f:1: expected a column 'text', found 'Text', 'label'. Did you mean 'Text'? "
        "Name the text column: --text-col on the command line, text= in Python.",
    ),
    "not the label asked for": (
        ["text", "rating"],
        Request(label_col="ratings", labelled=False),
        "f:1: expected a column 'ratings', found 'text', 'rating'. Did you mean 'rating'? "
        "Name the label column: --label-col on the command line, label= in Python.",
    ),
    "nothing alike": (
        ["exact", "target"],
        Request(),
        "f:1: found no text column among 'exact', 'target'. "
        "Name the text column: --text-col on the command line, text= in Python.",
    ),
    "many columns": (
        [f"c{i}" for i in range(14)],
        Request(),
        "f:1: found no text column among 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11' "
        "and 2 more. Name the text column: --text-col on the command line, text= in Python.",
    ),
}


@pytest.mark.parametrize(("names", "request_", "sentence"), BAD.values(), ids=BAD)
def test_missing_columns(names, request_, sentence):
    with pytest.raises(DataError) as caught:
        find(names, request_, "f", 1)
    assert str(caught.value) == sentence


def test_one_column_for_both():
    message = r"^text and label both name the column 'text'\. Name two different columns\.$"
    with pytest.raises(UsageError, match=message):
        find(["text", "label"], Request(text_col="text", label_col="text"), "f")


def test_a_header_of_other_names_is_no_data_when_the_columns_are_named(put):
    dataset = read(put("a.csv", "words,sort\na,x\nb,y\n"), text_col="words", label_col="sort")
    assert (dataset.text_col, dataset.label_col) == ("words", "sort")
    assert dataset.text.to_pylist() == ["a", "b"]


def test_names_of_training_go_before_the_usual_ones():
    request = Request(text_names=("Words", "title"), label_names=("verdict",))
    assert find(["text", "words", "label", "Verdict"], request, "f") == Columns("words", "Verdict")
    assert find(["text", "title", "label"], request, "f") == Columns("title", "label")
    assert find(["text", "label"], request, "f") == Columns("text", "label")
    assert find(["words", "text", "label"], Request("text", text_names=("words",)), "f") == Columns("text", "label")


def test_names_of_training_make_a_header_on_standard_input(put):
    name = put("rows", "id,what they said\n1,a film\n")
    assert read(name, text_names=["what they said"], labelled=False).text.to_pylist() == ["a film"]


@pytest.mark.parametrize("text", ["tweet", "Description", "utterance", "query", "post", "review_body", "summary"])
@pytest.mark.parametrize("label", ["intent", "Rating", "stars", "emotion", "stance"])
def test_further_usual_names(text, label):
    assert find(["id", text, label], Request(), "f") == Columns(text, label)


def test_only_used_columns_need_a_name_of_their_own():
    names = ["x", "", "text", "x", "", "label"]
    assert find(names, Request(), "f") == Columns("text", "label")
    with pytest.raises(DataError, match=r"^f:1: found the column 'x' twice\. Rename one of the two\.$"):
        find(names, Request(text_col="x"), "f", 1)


ROWS = [["1", "a film to see twice", "up"], ["2", "a film to miss today", "down"]] * 3
CHINESE = [["这家酒店很好服务一流非常满意", "好"], ["房间太小了我不推荐给朋友们", "差"]] * 2
SUGGESTED = {
    "both": (["id", "said", "verdict"], ROWS, "Pass --text-col said --label-col verdict"),
    "quotes for the shell": (["id", "what's said", "v"], ROWS, "Pass --text-col 'what'\"'\"'s said' --label-col v"),
    "the label alone": (["id", "text", "verdict"], ROWS, "Pass --label-col verdict"),
    "two texts": (["a", "b", "v"], [[row[1], row[1], row[2]] for row in ROWS], "Pass --label-col v"),
    "Chinese": (
        ["甲", "乙"],
        CHINESE,
        "Pass --text-col '甲' --label-col '乙'",
    ),
    "nothing": (
        ["a", "b"],
        [["1", "2"], ["3", "4"]],
        "Name the text column: --text-col on the command line, text= in Python.",
    ),
}


@pytest.mark.parametrize(("names", "rows", "advice"), SUGGESTED.values(), ids=SUGGESTED)
def test_columns_are_suggested_by_what_is_in_them(names, rows, advice):
    numbered = [[str(i) if cell in ("1", "2") else cell for cell in row] for i, row in enumerate(rows)]
    with pytest.raises(DataError) as caught:
        find(names, Request(), "f", 1, lambda: numbered)
    assert str(caught.value).endswith(f". {advice}")


def test_json_and_tables_suggest_too(put, refusal):
    lines = "".join(f'{{"n": {i}, "said": "{row[1]}", "verdict": "{row[2]}"}}\n' for i, row in enumerate(ROWS))
    sentence = "a.jsonl:1: found no text column among 'n', 'said', 'verdict'. Pass --text-col said --label-col verdict"
    assert refusal(put("a.jsonl", lines)) == sentence
