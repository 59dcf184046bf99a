"""The index of error messages quotes messages that linnet has."""

import ast
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "errors.md"
GAP = "\0"
"""What stands for a value in a message of the source."""


def text_of(node: ast.AST) -> str:
    """The text of a string or of a sum of strings, with a gap for each value in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return GAP


def strings() -> list[str]:
    """All strings of the source that are more than a word."""
    found = set()
    for path in (ROOT / "src" / "linnet").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and " " in text_of(node):
                found.add(text_of(node))
    return sorted(found)


def quoted() -> list[str]:
    """The messages of the page: the first cell of each row, without the backticks around it."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [row.split(" | ")[0].removeprefix("| `").removesuffix("`") for row in rows]


def is_in(message: str, source: str) -> bool:
    """Whether all parts of a message between its `...` are in a string of the source, in order."""
    at = 0
    for part in (part.strip() for part in message.split("...")):
        found = source.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def test_a_message_is_found_by_its_parts():
    assert is_in("expected a column '...', found ...", f"expected a column '{GAP}', found {GAP}.{GAP}")
    assert not is_in("expected a column '...', found ...", f"expected no column, found {GAP}.")
    assert not is_in("found ... expected", f"expected {GAP}, found {GAP}")


@pytest.fixture(scope="module")
def source() -> list[str]:
    return strings()


@pytest.mark.parametrize("message", quoted())
def test_the_message_is_in_the_source(message: str, source: list[str]) -> None:
    words = message.replace("...", " ").split()
    assert len(words) >= 3, "say more of the message, so that it can be found"
    assert any(is_in(message, text) for text in source)


def test_each_message_is_there_once():
    found = quoted()
    assert len(found) > 50
    assert all(a != b for a, b in pairwise(sorted(found)))
