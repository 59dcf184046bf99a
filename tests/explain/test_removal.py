"""The smallest set of words whose removal changes an answer."""

from __future__ import annotations

import pytest

from linnet.explain.removal import smallest_removal

TEXT = "a b c d e f"
WORDS = [((at, at + 1), 6.0 - at / 2) for at in range(0, 11, 2)]


def removed(changing: list[str]):
    """What is found where just these sets of words change the answer."""

    def predict(texts: list[str]) -> list[str]:
        return ["other" if set("abcdef") - set(text.split()) in map(set, changing) else "same" for text in texts]

    found = smallest_removal(TEXT, WORDS, "same", predict)
    return None if found is None else "".join(TEXT[a:b] for a, b in found.spans)


@pytest.mark.parametrize(
    ("changing", "found"),
    [
        (["d", "a"], "a"),
        (["abc", "ef"], "ef"),
        (["abc", "abcd"], "abc"),
        (["abcde", "acde", "cde"], "cde"),
        ([], None),
    ],
)
def test_no_word_is_removed_that_can_be_put_back(changing, found):
    assert removed(changing) == found
