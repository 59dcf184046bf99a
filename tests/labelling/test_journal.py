"""The journal: nothing lost, nothing twice, whatever happens."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from linnet.errors import DataError, LinnetError
from linnet.labelling.events import ANSWER, Event
from linnet.labelling.journal import Header, Journal
from linnet.limits import JOURNAL_LOCKED

HEADER = Header("abc", "labels", ("neg", "pos"), 0.2)


def event(id: str, row: int = 0) -> Event:
    return Event(id, ANSWER, "anna", row, ("pos",), at=1)


def heard(path) -> list[Event]:
    found: list[Event] = []
    Journal(path, HEADER, found.append).close()
    return found


def test_an_event_is_one_line_and_comes_back(tmp_path):
    path = tmp_path / "j"
    found: list[Event] = []
    journal = Journal(path, HEADER, found.append)
    assert journal.add(event("a", 3))
    assert not journal.add(event("a", 3))
    assert found == [event("a", 3)]
    lines = path.read_bytes().splitlines()
    assert json.loads(lines[1]) == {
        "id": "a", "event": "answer", "by": "anna", "row": 3, "answer": ["pos"], "held_out": False, "at": 1
    }  # fmt: skip
    assert heard(path) == found


@pytest.mark.parametrize("reads", [0, 1])
def test_a_file_that_another_program_cuts_while_it_is_read_is_an_error(tmp_path, monkeypatch, reads):
    """Cut before the end of the last line is looked for, and after the size of the file was taken."""
    path, read, found = tmp_path / "j", os.pread, []
    journal = Journal(path, HEADER, found.append)
    other = Journal(path, HEADER, lambda event: None)
    size = path.stat().st_size
    other.add(event("a"))

    def cut(file: int, n: int, start: int) -> bytes:
        nonlocal reads
        if not reads:
            os.truncate(path, size // 2)
        reads -= 1
        return read(file, n, start)

    monkeypatch.setattr(os, "pread", cut)
    with pytest.raises(DataError, match="has become shorter"):
        journal.catch_up()
    assert found == []


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_torn_last_line_is_dropped_with_a_note(tmp_path, cut):
    path = tmp_path / "j"
    journal = Journal(path, HEADER, lambda event: None)
    journal.add(event("a"))
    whole = path.read_bytes()
    journal.add(event("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    found: list[Event] = []
    again = Journal(path, HEADER, found.append)
    assert [one.id for one in found] == ["a"]
    assert "had no end and was removed" in again.notes[0]
    assert path.read_bytes() == whole
    assert again.add(event("b"))
    assert [one.id for one in heard(path)] == ["a", "b"]


def test_a_torn_first_line_begins_anew(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(HEADER.line()[:20])
    assert heard(path) == []
    assert path.read_bytes() == HEADER.line()


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b"9" * 5000, b"\xff", b'{"id": "a", "event": "answer", "by": "", "row": 1e9}']
)
def test_a_line_that_is_no_event_is_refused_by_its_number_and_stays(tmp_path, line):
    path = tmp_path / "j"
    path.write_bytes(HEADER.line() + line + b"\n")
    with pytest.raises(DataError, match=":2: the line is no event"):
        heard(path)
    assert path.read_bytes() == HEADER.line() + line + b"\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"text,label\na,b\n", "this is not a journal of labelling. Name another file with -o."),
        (b'{"linnet": "journal", "version": 9}\n', "the journal is of another version of linnet."),
        (b'{"linnet": "journal", "version": 1}\n', "the first line of the journal is damaged."),
        (HEADER.line().replace(b"0.2", b"2"), "the first line of the journal is damaged."),
        (b'{"linnet": "journal", \xff\n', "the first line of the journal is damaged."),
        (b'{"linnet": "journal", "version": ' + b"[" * 100_000 + b"\n", "the first line of the journal is damaged."),
    ],
)
def test_what_is_no_journal_is_refused_and_not_changed(tmp_path, content, message):
    path = tmp_path / "j"
    path.write_bytes(content)
    with pytest.raises(DataError, match=f":1: {message}"):
        heard(path)
    assert path.read_bytes() == content


def test_a_journal_with_a_line_that_is_no_event_is_refused(tmp_path):
    path = tmp_path / "j"
    for line in (b"{}\n", b"\xff\n", b'{"id": "a", "event": "answer", "by": "", "row": -3}\n', b"\n"):
        path.write_bytes(HEADER.line() + line)
        with pytest.raises(DataError, match=":2: the line is no event"):
            heard(path)


def test_a_file_without_an_end_that_is_no_journal_is_left_alone(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b"my only copy")
    with pytest.raises(DataError, match="not a journal"):
        heard(path)
    assert path.read_bytes() == b"my only copy"


def test_two_journals_hear_of_each_other(tmp_path):
    found: tuple[list[Event], list[Event]] = [], []
    one, two = (Journal(tmp_path / "j", HEADER, heard.append) for heard in found)
    one.add(event("a"))
    two.add(event("b"))
    one.catch_up()
    assert [one.id for one in found[0]] == [one.id for one in found[1]] == ["a", "b"]


def test_a_full_disk_is_said_and_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "j"
    journal = Journal(path, HEADER, lambda event: None)
    before = path.read_bytes()
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:10]))
    with pytest.raises(LinnetError, match="the disk is full.*was not kept"):
        journal.add(event("a"))
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert journal.add(event("a"))


def _write_many(path: str, name: str, n: int) -> None:
    journal = Journal(path, HEADER, lambda event: None)
    for i in range(n):
        journal.add(event(f"{name}-{i}", i))


def test_four_processes_write_at_once(tmp_path):
    path = str(tmp_path / "j")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(path, name, 50)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    ids = [one.id for one in heard(path)]
    assert sorted(ids) == sorted(f"{name}-{i}" for name in "abcd" for i in range(50))
    for name in "abcd":
        assert [one for one in ids if one.startswith(name)] == [f"{name}-{i}" for i in range(50)]


_WRITER = """
import sys
from linnet.labelling.events import Event
from linnet.labelling.journal import Header, Journal
journal = Journal(sys.argv[1], Header("abc", "labels", ("neg", "pos"), 0.2), lambda event: None)
i = int(sys.argv[2])
while True:
    journal.add(Event(f"e-{i}", "answer", "", i, ("pos",), at=1))
    print(i, flush=True)
    i += 1
"""


def test_killed_at_any_moment(tmp_path):
    """What was acknowledged is in the journal, once, and in order; at most one more is, which nobody was told of. LINNET_KILLS
    says how often the writer is killed."""
    path, rng = tmp_path / "j", np.random.default_rng(0)
    start = 0
    for _ in range(int(os.environ.get("LINNET_KILLS", "8"))):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(start)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(rng.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        said = [start, *map(int, writer.communicate()[0].split())]
        ids = [one.id for one in heard(path)]
        assert ids == [f"e-{i}" for i in range(len(ids))]
        assert len(ids) - 1 in (said[-1], said[-1] + 1)
        start = len(ids)


def test_a_journal_is_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/null"):
        with pytest.raises(DataError) as caught:
            heard(path)
        assert str(caught.value) == (
            f"{path}: this is no file, as a journal of labelling is. Name another file with -o."
        )


def test_a_journal_that_another_program_keeps_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("linnet.labelling.journal.JOURNAL_LOCKED", replace(JOURNAL_LOCKED, most=50))
    path = tmp_path / "j"
    journal = Journal(path, HEADER, lambda event: None)
    with open(path, "rb") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        for use in (lambda: journal.add(event("a")), lambda: heard(path)):
            with pytest.raises(LinnetError) as caught:
                use()
            assert str(caught.value) == (
                f"cannot use '{path}': another program keeps it locked. End that program, and try again."
            )
    assert journal.add(event("a"))
    assert heard(path) == [event("a")]


def test_a_bad_line_has_the_same_number_each_time_it_is_read(tmp_path):
    """Every request reads on from the last good line."""
    path = tmp_path / "j"
    journal = Journal(path, HEADER, lambda event: None)
    journal.add(event("a"))
    with path.open("ab") as file:
        file.write(b"what is this\n")
    for _ in range(3):
        with pytest.raises(DataError, match="the line is no event") as found:
            journal.catch_up()
        assert found.value.line == 3
    journal.close()
