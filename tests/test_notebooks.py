"""The notebooks run from their first cell to their last, and their exercises check themselves.

Each notebook is run once, as a student would who tries all exercises without an answer and then with the right one: behind the
check of an exercise stand the solution and the same check again.
"""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed; it comes with linnet[dev]")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed; it comes with linnet[dev]")
pytest.importorskip("ipykernel", reason="ipykernel is not installed; it comes with linnet[dev]")

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path):
    return nbformat.read(path, as_version=4)


def tagged(book, tag):
    return [cell for cell in book.cells if tag in cell.metadata.get("tags", ())]


def function_of(cell):
    """The name of the function that an exercise asks for."""
    (defined,) = (node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef))
    return defined


def printed(cell):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


def test_there_is_one_for_each_lecture():
    assert len(NOTEBOOKS) == 5


def test_a_check_says_what_is_wrong(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    found = doctest.testmod(importlib.import_module("exercises"))
    assert (found.failed, found.attempted) == (0, 7)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path):
    book = read(path)
    nbformat.validate(book)
    assert all(not cell.outputs and cell.execution_count is None for cell in book.cells if cell.cell_type == "code")


def test_every_exercise_has_a_check_and_every_solution_an_exercise():
    books = [read(path) for path in NOTEBOOKS]
    for book in books:
        tags = [tag for cell in book.cells for tag in cell.metadata.get("tags", ())]
        assert tags == ["exercise", "check"] * (len(tags) // 2)
        assert len(tags) >= 6
    asked = [function_of(cell) for book in books for cell in tagged(book, "exercise")]
    solved = ast.parse((FOLDER / "solutions.py").read_text(encoding="utf-8")).body
    assert asked == [node.name for node in solved if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default::DeprecationWarning")
def test_it_runs_and_its_exercises_check_themselves(path):
    book, unanswered, answered = read(path), [], []
    cells, asked = [], ""
    for cell in book.cells:
        cells.append(cell)
        if cell in tagged(book, "exercise"):
            asked = function_of(cell)
        elif cell in tagged(book, "check"):
            cells.append(nbformat.v4.new_code_cell(f"from solutions import {asked}"))
            cells.append(nbformat.v4.new_code_cell(cell.source))
            unanswered.append(cell)
            answered.append(cells[-1])
    book.cells = cells
    nbclient.NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": FOLDER}}
    ).execute()
    shown = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    assert {output.output_type for output in shown} == {"execute_result", "stream"}  # a result shows itself once
    assert [printed(cell).partition(":")[0] for cell in unanswered] == ["Not yet"] * len(unanswered)
    assert [printed(cell) for cell in answered] == ["Right.\n"] * len(answered)
