"""Texts of strangers in answers that are opened in a spreadsheet."""

from __future__ import annotations

import csv

import pytest

import linnet

HOSTILE = ["=1+2", "+1+x", "-1+x", "@SUM(A1)", "\tx", "\rx", "＝1", "a =1", "1", "-1.5e3", ""]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with a model one of whose labels is a formula, and texts."""
    folder = tmp_path_factory.mktemp("safe")
    linnet.train(["good film", "bad film"] * 20, ["=pos", "neg"] * 20).save(folder / "m.linnet")
    with open(folder / "new.csv", "w", newline="") as file:
        csv.writer(file).writerows([["text", "=note", "number"], *(["good film", cell, -1.5] for cell in HOSTILE)])
    return folder


def _rows(path, **how: str) -> list[list[str]]:
    with open(path, newline="") as file:
        return list(csv.reader(file, **how))


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_texts_that_would_be_computed_are_shown(run, here, ending):
    out = here / f"out{ending}"
    delimiter = {".csv": ",", ".tsv": "\t"}[ending]
    asked = ["predict", here / "m.linnet", here / "new.csv", "-o", out, "-q"]
    assert run(*map(str, asked)).code == 0
    plain = _rows(out, delimiter=delimiter)
    assert plain[0][1] == "=note"
    assert [row[1] for row in plain[1:]] == HOSTILE
    assert run(*map(str, asked), "--spreadsheet-safe").code == 0
    safe = _rows(out, delimiter=delimiter)
    assert safe[0][1] == "'=note"
    assert [row[1] for row in safe[1:]] == ["'" + cell for cell in HOSTILE[:7]] + HOSTILE[7:]
    assert {row[3] for row in safe[1:]} == {"'=pos"}
    assert [row[2] for row in safe] == [row[2] for row in plain], "numbers stay as they are"


def test_what_is_no_spreadsheet_is_refused(run, here):
    said = run(
        "predict", str(here / "m.linnet"), str(here / "new.csv"), "-o", str(here / "out.jsonl"), "--spreadsheet-safe"
    )
    assert said.code != 0
    assert "--spreadsheet-safe is for csv and tsv, not for jsonl. Leave it out." in said.err
    assert not (here / "out.jsonl").exists()
