"""The line of a value in a file that is read again as the user said."""

import pytest

import linnet
from linnet.errors import DataError

ROWS = "text;label;age\nплохой фильм;-;30\nхороший фильм;+;тридцать\n"


@pytest.mark.parametrize(
    ("name", "content", "how"),
    [
        ("people.csv", ROWS.replace(";", ",").encode("cp1251"), {"encoding": "cp1251"}),
        ("people", ROWS.replace(";", "~").encode(), {"delimiter": "~"}),
        ("people.txt", ROWS.replace(";", "\t").encode(), {"format": "tsv"}),
        ("old, young.csv", ROWS.encode(), {}),
    ],
    ids=["encoding", "delimiter", "format", "path"],
)
@pytest.mark.parametrize("memory", ["all", "rows"])
def test_a_file_is_read_again_in_the_same_way(put, name, content, how, memory):
    other = put(f"other, {name}", content.replace("тридцать".encode(how.get("encoding", "utf-8")), b"40"))
    with pytest.raises(DataError) as caught:
        linnet.train([other, put(name, content)], features="words:1 number:age", memory=memory, estimate=False, **how)
    assert str(caught.value).startswith(f"{name}:3: expected a number in column 'age', found 'тридцать'.")


def test_the_names_of_several_files_are_whole(put):
    names = [put(f"x, {name}.csv", "text,label\na,+\nb,-\n") for name in "ab"]
    assert linnet.io.read(names).source == "x, a.csv, x, b.csv"
