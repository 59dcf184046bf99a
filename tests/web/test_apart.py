"""Uploads are read in a process that may die: the server says why, goes on, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import dataclasses
import http.client
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from running_server import serving

from linnet.errors import DataError
from linnet.io.bytes.atomic import atomic
from linnet.limits import UPLOADS_AT_ONCE
from linnet.web import apart as module
from linnet.web import uploads
from linnet.web.apart import apart, in_time
from linnet.web.limits import Limits
from linnet.web.problems import RefusedError
from linnet.web.work import Turns

UPLOAD = "/api/v1/models/reviews/upload?ending=.csv"
TABLE = b"text\na good film\na bad film\n"


def write(folder):
    (folder / "done").write_text(str(os.getpid()))


def die(folder, number):
    os.kill(os.getpid(), number)


def leave(folder, code):
    os._exit(code)


def fill(folder, n_bytes):
    bytearray(n_bytes)


def refuse(folder, sentence):
    raise DataError(sentence)


def turn(folder, seconds):
    """Read a batch that never comes, in fewer seconds than are usual."""
    module.UPLOAD_SECONDS = dataclasses.replace(module.UPLOAD_SECONDS, most=seconds)

    def batches():
        yield 1
        while True:
            pass

    for _ in in_time(batches()):
        (folder / "begun").touch()


def write_much(folder, n_bytes):
    with atomic(folder / "answers") as file:
        file.truncate(n_bytes)
        file.seek(n_bytes)
        file.write(b"x")


def read_under_a_limit(folder, seconds):
    """Read batches where the system allows so many seconds of a processor at most."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    limits = [resource.getrlimit(resource.RLIMIT_CPU) for _ in in_time([1, 2])]
    (folder / "limits").write_text(repr([*limits, resource.getrlimit(resource.RLIMIT_CPU)]))


def fail(folder, sentence):
    raise ValueError(sentence)


def wait(*args):
    while True:
        time.sleep(1)


async def never():
    await asyncio.Event().wait()


def done_apart(folder, work, *args):
    asyncio.run(apart(folder, never(), work, folder, *args))


def test_work_is_done_in_another_process(tmp_path):
    done_apart(tmp_path, write)
    assert int((tmp_path / "done").read_text()) != os.getpid()


def test_a_process_that_has_ended_is_not_killed(tmp_path, monkeypatch):
    """Its number may be that of another one by then."""
    killed = []
    monkeypatch.setattr(os, "kill", lambda *how: killed.append(how))
    done_apart(tmp_path, write)
    assert not killed


def test_time_is_counted_where_the_system_limits_it_too(tmp_path):
    done_apart(tmp_path, read_under_a_limit, 1000)
    assert (tmp_path / "limits").read_text() == repr([(1000, 1000)] * 3)


def test_no_stranger_fills_the_log_of_the_server(tmp_path):
    begin = (
        "import sys, asyncio, test_apart as t; from pathlib import Path\n"
        "if __name__ == '__main__':\n"
        "    try: t.done_apart(Path(sys.argv[1]), t.fail, 'much')\n"
        "    except t.RefusedError as error: print(error)"
    )
    server = subprocess.run(
        [sys.executable, "-c", begin, str(tmp_path)], env=with_tests(), capture_output=True, text=True
    )
    assert (server.stdout, server.stderr) == (ENDED.format("code 1") + "\n", "")


def with_tests():
    """An environment in which this file can be imported."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}


ENDED = "the file ended the process that read it ({}), so it is damaged, or was made to do that. Check it, or send it in parts."


@pytest.mark.parametrize(
    ("work", "how", "sentence"),
    [
        (die, signal.SIGSEGV, ENDED.format("SIGSEGV")),
        (die, signal.SIGABRT, ENDED.format("SIGABRT")),
        (leave, 3, ENDED.format("code 3")),
        (die, signal.SIGKILL, "the file needs more memory than there is. Check it, or send it in parts."),
        (fill, 5 << 30, "the file needs more memory than 4 GB. Send it in parts."),
        (turn, 1, "the file takes longer than 60 seconds to read. Check it, or send it in parts."),
        (write_much, 16 << 30, "the file has answers of more than 16 GB. Send it in parts."),
        (refuse, "no rows", "no rows"),
        (refuse, "no \ud800", r"no \ud800"),
    ],
    ids=["SIGSEGV", "SIGABRT", "an exit", "SIGKILL", "memory", "time", "answers", "refused", "half a character"],
)
def test_every_end_is_a_sentence(tmp_path, work, how, sentence):
    with pytest.raises(RefusedError) as caught:
        done_apart(tmp_path, work, how)
    assert (caught.value.status, str(caught.value)) == (422, sentence)
    assert (tmp_path / "begun").exists() is (work is turn)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The folder in which uploads have theirs."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return lambda: [path.name for path in tmp_path.iterdir() if path.name.startswith("linnet-upload-")]


def is_soon(condition):
    """Whether something becomes true within ten seconds."""
    ends = time.monotonic() + 10
    while not condition() and time.monotonic() < ends:
        time.sleep(0.02)
    return condition()


def test_the_server_outlives_a_file(reviews, folders, monkeypatch):
    with serving(reviews) as client:
        monkeypatch.setattr(uploads, "_answer", crash)
        found = client.ask("POST", UPLOAD, TABLE)
        assert (found.status, found.json) == (422, {"error": ENDED.format("SIGSEGV")})
        monkeypatch.undo()
        assert client.ask("POST", UPLOAD, TABLE).status == 200
        assert is_soon(lambda: not folders())


def crash(*args):
    os.kill(os.getpid(), signal.SIGSEGV)


def test_a_client_that_leaves_ends_the_process(reviews, folders, monkeypatch):
    monkeypatch.setattr(uploads, "_answer", tell_and_wait)
    with serving(reviews) as client:
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
        connection.request("POST", UPLOAD, TABLE, {"Content-Length": str(len(TABLE))})
        assert is_soon(lambda: any(pids(folders)))
        (pid,) = pids(folders)
        connection.close()
        assert is_soon(lambda: not Path(f"/proc/{pid}").exists() and not folders())


def tell_and_wait(model, given, answers):
    given.with_name("pid").write_text(str(os.getpid()))
    wait()


def pids(folders):
    """The processes that answer uploads."""
    found = [Path(tempfile.gettempdir()) / folder / "pid" for folder in folders()]
    return [int(path.read_text()) for path in found if path.exists() and path.read_text()]


def test_further_uploads_wait(reviews, folders, monkeypatch):
    monkeypatch.setattr(uploads, "_answer", tell_and_wait)
    with serving(reviews) as client:
        others = [
            http.client.HTTPConnection("127.0.0.1", client.port, timeout=20) for _ in range(UPLOADS_AT_ONCE.most + 2)
        ]
        for one in others:
            one.request("POST", UPLOAD, TABLE, {"Content-Length": str(len(TABLE))})
        assert is_soon(lambda: len(folders()) == len(others) and len(pids(folders)) == UPLOADS_AT_ONCE.most)
        time.sleep(0.2)
        assert len(pids(folders)) == UPLOADS_AT_ONCE.most
        for one in others:
            one.close()
        assert is_soon(lambda: not folders())


def test_answers_that_are_fetched_have_a_turn_and_nothing_beside_them(tmp_path, reviews, folders, monkeypatch):
    """The one turn is that of an answer, which is sent when the test says so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(uploads, "Turns", lambda limits, at_once: Turns(Limits(turns=1), at_once=1))
    send, pieces = threading.Event(), uploads._pieces

    async def held(path):
        await asyncio.to_thread(send.wait, 20)
        async for piece in pieces(path):
            yield piece

    monkeypatch.setattr(uploads, "_pieces", held)
    with serving(reviews) as client:
        assert client.post("/api/v1/models/reviews/teach", {"text": "rather odd", "label": "mixed"}).json["learned"]
        found = []
        threads = [threading.Thread(target=lambda: found.append(client.ask("POST", UPLOAD, TABLE))) for _ in range(2)]
        threads[0].start()
        assert is_soon(lambda: [os.listdir(tmp_path / one) for one in folders()] == [["answers.csv"]])
        threads[1].start()
        time.sleep(0.5)
        assert len(folders()) == 1
        send.set()
        for thread in threads:
            thread.join(20)
        assert [one.status for one in found] == [200, 200]
        assert is_soon(lambda: not folders())


def test_answers_that_nobody_fetches_keep_no_turn(reviews, folders, monkeypatch):
    """The connection breaks before the first byte of the answer."""
    monkeypatch.setattr(uploads, "Turns", lambda limits, at_once: Turns(limits, at_once=1))

    async def broken(*args):
        raise OSError

    with serving(reviews) as client:
        with monkeypatch.context() as patched:
            patched.setattr(uploads.StreamingResponse, "stream_response", broken)
            assert client.ask("POST", UPLOAD, TABLE).status == 503
        assert client.ask("POST", UPLOAD, TABLE).status == 200
        assert is_soon(lambda: not folders())


def test_a_form_is_refused(reviews):
    with serving(reviews) as client:
        found = client.ask(
            "POST", UPLOAD, b"--x\r\n\r\na\r\n--x--", {"Content-Type": "multipart/form-data; boundary=x"}
        )
    assert (found.status, found.json["error"]) == (
        422,
        "multipart forms are not taken: send the file itself as the body, as curl --data-binary @FILE does.",
    )


def test_a_model_that_was_taught_answers_files(tmp_path, reviews, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with serving(reviews) as client:
        assert client.post("/api/v1/models/reviews/teach", {"text": "rather odd", "label": "mixed"}).json["learned"]
        assert b"rather odd,mixed" in client.ask("POST", UPLOAD, b"text\nrather odd\n").body


def test_a_server_that_is_killed_leaves_nothing(tmp_path, reviews):
    begin = (
        "import sys, asyncio, test_apart as t; from pathlib import Path; from linnet.web.apart import apart\n"
        "folder = Path(sys.argv[1])\n"
        "if __name__ == '__main__': asyncio.run(apart(folder, t.never(), t.tell_and_wait, '', folder / 'given', ''))"
    )
    folder = tmp_path / "linnet-upload-x"
    folder.mkdir()
    server = subprocess.Popen([sys.executable, "-c", begin, str(folder)], env=with_tests())
    try:
        assert is_soon(lambda: (folder / "pid").exists() and (folder / "pid").read_text())
        pid = int((folder / "pid").read_text())
    finally:
        server.kill()
        server.wait()
    assert is_soon(lambda: not folder.exists() and not Path(f"/proc/{pid}").exists())
