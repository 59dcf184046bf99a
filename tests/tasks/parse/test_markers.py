"""The marker of a token, against a walk back from it."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from linnet.tasks.parse.markers import with_marker, without_marker

SMALL = {"ADP", "SCONJ", "CCONJ", "PART"}
OTHERS = {"VERB", "PUNCT", ""}
TAGS = sorted(SMALL | OTHERS | {"DET", "NOUN", "AUX"})


def walk(words: list[str], tags: list[str], i: int) -> str:
    for j in range(i - 1, -1, -1):
        if tags[j] in SMALL | OTHERS:
            return "<far>" if i - j > 7 else words[j].lower() if tags[j] in SMALL else "<" + tags[j]
    return "<s>"


token = st.tuples(st.sampled_from(["On", "und", "é"]), st.sampled_from([*TAGS, "NOUN", "NOUN", "NOUN"]))


@given(st.lists(st.lists(token, max_size=12), max_size=4))
def test_is_that_of_a_walk(sentences: list[list[tuple[str, str]]]) -> None:
    flat = [pair for sentence in sentences for pair in sentence]
    columns = {
        "w": pa.array([word for word, _ in flat], pa.large_string()),
        "upos": pa.array([tag for _, tag in flat], pa.large_string()),
    }
    starts = np.cumsum([0, *map(len, sentences)])
    expected = [
        walk([word for word, _ in sentence], [tag for _, tag in sentence], i)
        for sentence in sentences
        for i in range(len(sentence))
    ]
    assert with_marker(columns, starts)["marker"].to_pylist() == expected


def test_tells_what_it_is_made_of() -> None:
    assert without_marker(("w", "marker", "xpos")) == ("w", "xpos", "upos")
    assert without_marker(("w", "xpos")) == ("w", "xpos")
