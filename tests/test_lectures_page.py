"""docs/lectures.md holds: its files and tests exist, and every command and every line of Python in it shows what stands there.

What follows an arrow in a comment, `# → 0.6`, is what comes out. On the command line it is a part of what is printed, where
`...` stands for anything. In Python it is the value of the line, to as many digits as are shown, or a part of its text.
"""

import ast
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from linnet.cli.main import app
from linnet.errors import LinnetError

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "lectures.md"
TEXT = PAGE.read_text(encoding="utf-8")
LECTURES = {part.partition("\n")[0]: part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]}
BLOCK = re.compile(r"(?:^`([\w.-]+)`[^\n]*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ARROW = "# → "


def items() -> list[str]:
    """The text of each item: it begins with bold words at the start of a line and goes to the next one or to a heading."""
    return re.findall(r"^\*\*(?:(?!^\*\*|^#).*\n?)+", TEXT, re.MULTILINE)


def printed(command: str) -> str:
    """What a command prints, on both streams, with single blanks. An error is printed as `linnet: ...`."""
    name, *arguments = shlex.split(command)
    assert name == "linnet", f"only linnet is called on this page, not {name!r}"
    done = CliRunner().invoke(app, arguments)
    if isinstance(done.exception, LinnetError):
        return f"linnet: {done.exception}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def is_printed(shown: str, output: str) -> bool:
    parts = [" ".join(part.split()) for part in shown.split("...")]
    return re.search(".*".join(map(re.escape, parts)), output) is not None


def is_value(shown: str, value: object) -> bool:
    """Whether a value is the one that is shown, where numbers are compared to as many digits as the page has."""
    try:
        expected = ast.literal_eval(shown)
    except (SyntaxError, ValueError):
        return is_printed(shown, " ".join(str(value).split()))
    digits = max((len(number) for number in re.findall(r"\.(\d+)", shown)), default=0)
    return nearly(expected, value, 0.5000001 * 10.0**-digits)


def nearly(expected: object, value: object, tolerance: float) -> bool:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(expected, float) and not isinstance(value, str):
        return abs(expected - float(value)) <= tolerance
    if isinstance(expected, list | tuple):
        return len(expected) == len(value) and all(
            nearly(one, other, tolerance) for one, other in zip(expected, value, strict=True)
        )
    if isinstance(expected, dict):
        return expected.keys() == value.keys() and all(nearly(expected[key], value[key], tolerance) for key in expected)
    return expected == value


def statements(code: str) -> list[tuple[str, bool, str | None]]:
    """Each statement with whether it is an expression, and what the comment behind it says that it gives."""
    lines = code.splitlines()
    found = []
    for node in ast.parse(code).body:
        source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        _, arrow, shown = lines[node.end_lineno - 1].partition(ARROW)
        found.append((source, isinstance(node, ast.Expr), shown.strip() if arrow else None))
    return found


@pytest.mark.parametrize("lecture", LECTURES.values(), ids=LECTURES)
def test_everything_shows_what_stands_there(lecture, tmp_path, monkeypatch, registries):
    monkeypatch.chdir(tmp_path)
    names = {}
    for name, language, code in BLOCK.findall(lecture):
        if name:
            (tmp_path / name).write_text(code, encoding="utf-8")
        elif language == "sh":
            for line in code.splitlines():
                command, _, shown = line.partition(ARROW)
                output = printed(command.strip())
                assert is_printed(shown, output), f"{command}\nshows {output!r}\nnot   {shown!r}"
                assert output.startswith("linnet: ") == shown.startswith("linnet: "), output
        elif language == "python":
            for source, is_expression, shown in statements(code):
                if is_expression and shown is not None:
                    value = eval(source, names)
                    assert is_value(shown, value), f"{source}\ngives {value!r}\nnot   {shown}"
                else:
                    exec(source, names)


def test_every_item_has_a_line_a_file_and_a_test():
    """A file is a link into the sources or the benchmarks; a test is a link whose text is the name of a function."""
    assert len(items()) >= 45
    for item in items():
        title = item.partition("\n")[0]
        assert "```" in item, f"nothing is run for {title}"
        assert ARROW in item, f"nothing is shown for {title}"
        assert re.search(r"\]\(\.\./(src|benchmarks)/", item), f"no file is named for {title}"
        assert re.search(r"\[test_\w+\]\(", item), f"no test is named for {title}"


def test_the_tests_that_are_named_exist():
    for name, path in re.findall(r"\[(test_\w+)\]\(([^)]+)\)", TEXT):
        code = (PAGE.parent / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", code, re.MULTILINE), f"{path} has no {name}"


def test_links_within_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", TEXT) if link not in anchors] == []


@pytest.mark.parametrize(
    "word",
    ["GEN(x)", "slack", "overfitting", "regularisation", "cross-entropy", "learning rate", "structured perceptron"],
)
def test_the_guide_has_the_words_of_the_lectures(word):
    words = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8").partition("## Words of the lectures")[2]
    assert word in words
