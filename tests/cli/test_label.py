"""The command `linnet label` without its server."""

from __future__ import annotations

import csv

import pytest

from linnet.cli.main import main

ROWS = "text,label\n" + "".join(
    f"{'a fine' if i % 2 else 'a dull'} film {i},{('neg', 'pos')[i % 2] if i < 20 else ''}\n" for i in range(40)
)


@pytest.fixture
def films(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "films.csv").write_text(ROWS)
    return tmp_path


def ran(capsys, *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main(["label", "films.csv", "-o", "films.journal", *arguments])
    code = end.value.code
    return int(code or 0), capsys.readouterr().err


def test_what_was_labelled_is_written(films, capsys):
    main_ran = ran(capsys, "--export", "out.csv")
    assert main_ran[0] == 0
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == ["neg", "pos"] * 10
    assert ran(capsys, "--export", "out.csv")[0] == 0
    (films / "mine.csv").write_text("a,b\n")
    code, said = ran(capsys, "--export", "mine.csv")
    assert code == 2
    assert "which is not a table or model of labelled texts" in said


def test_tags_of_the_data_are_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "films.csv").write_text(
        '{"tokens": ["Anna", "ran"], "tags": ["B-PER", "O"]}\n{"tokens": ["She", "ran"]}\n'
    )
    given = ["--task", "tag", "--spans", "PER", "--format", "jsonl", "--label-col", "tags"]
    assert ran(capsys, *given, "--export", "out.jsonl")[0] == 0
    assert ran(capsys, *given, "--export", "out.jsonl")[0] == 0, "a table of labelled texts may be replaced"
    assert ran(capsys, *given, "--export", "out.conll")[0] == 0
    assert (tmp_path / "out.conll").read_text() == "Anna\tB-PER\nran\tO\n\n"
    code, said = ran(capsys, *given, "--export", "out.conll")
    assert code == 2
    assert "which is not a table or model of labelled texts" in said
    assert ran(capsys, *given, "--seed-words", "PER=Anna")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--spans", "PER"], "--spans is for tags, not for task 'labels'"),
        (["--task", "ordinal", "--label-col", "none"], "none"),
        (["--seed-words", "pos"], "expected --seed-words LABEL=WORD"),
        (["--seed-words", "good=fine"], "none of the labels"),
        (["--export", "out.doc"], "ends in one of"),
    ],
)
def test_what_cannot_be_done_is_said(films, capsys, arguments, message):
    code, said = ran(capsys, *arguments)
    assert code in (1, 2)
    assert message in said


def test_a_line_that_was_cut_off_is_removed_and_that_is_said(films, capsys):
    assert ran(capsys, "--export", "out.csv")[0] == 0
    whole = (films / "films.journal").read_bytes()
    (films / "films.journal").write_bytes(whole + b'{"id": "a')
    code, said = ran(capsys, "--export", "out.csv")
    assert code == 0
    assert said.startswith("films.journal: the last line had no end and was removed: a program was killed while")
    assert (films / "films.journal").read_bytes() == whole


def test_a_file_that_is_no_journal_is_not_touched(films, capsys):
    (films / "films.journal").write_text("precious")
    code, said = ran(capsys, "--export", "out.csv")
    assert code == 1
    assert "this is not a journal of labelling" in said
    assert (films / "films.journal").read_text() == "precious"
