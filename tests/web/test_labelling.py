"""Labelling through the server: what is acknowledged is kept, once, whatever happens."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from running_server import Client, served

import linnet
from linnet.labelling.inputs import TextInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.web.access import Access
from linnet.web.labelling import labelling_app
from linnet.web.limits import Limits

WORDS = ("good", "fine", "great", "bad", "dull", "poor")
TEXTS = [f"a {WORDS[i % 6]} film, number {i}" for i in range(120)]


def right(text: str) -> str:
    return "pos" if any(word in text for word in WORDS[:3]) else "neg"


@pytest.fixture
def opened(tmp_path):
    """A labelling, and a client of its server."""
    labelling = Labelling(
        Pool.of(TextInputs.of(TEXTS)), KINDS["labels"], tmp_path / "j", labels=["neg", "pos"], features="words:1"
    )
    limits = Limits()
    with served(labelling_app(labelling, Access.on("127.0.0.1"), limits), limits) as client:
        yield labelling, client


def label(server: Client, path: str, **body):
    return server.post(f"/api/v1/label/{path}", {"by": "", "client": "c", **body})


def test_an_answer_is_on_disk_when_the_next_text_comes(opened):
    labelling, client = opened
    shown = label(client, "next").json["shown"]
    for i in range(30):
        found = label(client, "event", event="answer", id=f"a{i}", row=shown["row"], answer=[right(shown["text"])])
        assert found.status == 200
        with open(labelling.journal.path, "rb") as file:
            assert json.loads(file.read().splitlines()[-1])["id"] == f"a{i}"
        shown = found.json["shown"]
    assert (found.json["answered"], found.json["own"]) == (30, 30)
    assert found.json["accuracy"]["n"] == 6
    assert found.json["accuracy"]["share"] == 1


def test_the_same_event_twice_is_kept_once(opened):
    labelling, client = opened
    row = label(client, "next").json["shown"]["row"]
    one = label(client, "event", event="answer", id="same", row=row, answer=["pos"])
    two = label(client, "event", event="answer", id="same", row=row, answer=["pos"])
    assert one.json["shown"] == two.json["shown"]
    assert labelling.state.n == 1


def test_undo_skip_and_notes(opened):
    _, client = opened
    first = label(client, "next").json["shown"]
    label(client, "event", event="answer", id="1", row=first["row"], answer=["pos"])
    back = label(client, "event", event="undo", id="2").json
    assert back["shown"]["row"] == first["row"]
    assert not back["undo"]
    noted = label(client, "event", event="note", id="3", row=first["row"], note="<b>odd</b>").json["shown"]
    assert (noted["row"], noted["notes"]) == (first["row"], ["<b>odd</b>"])
    assert label(client, "event", event="skip", id="4", row=first["row"]).json["shown"]["row"] != first["row"]
    refused = label(client, "event", event="undo", id="5", by="nobody")
    assert (refused.status, refused.json) == (422, {"error": "there is nothing to take back."})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"event": "answer", "id": "x", "row": 10**9, "answer": ["pos"]}, "expected the number of a text"),
        ({"event": "answer", "id": "x", "row": "0", "answer": ["pos"]}, "expected 'row' to be a number"),
        ({"event": "answer", "id": "x", "row": 0, "answer": "pos"}, "expected an answer that is a list"),
        ({"event": "answer", "id": "x", "row": 0, "answer": [1]}, "expected labels that are strings"),
        ({"event": "answer", "id": "x", "row": 0, "answer": ["a\nb"]}, "expected a label as one line"),
        ({"event": "answer", "id": "x", "row": 0, "answer": ["\ud800"]}, "the body has half a character"),
        ({"event": "answer", "id": "", "row": 0, "answer": ["pos"]}, "expected an id"),
        ({"event": "answer", "id": "x", "row": 0, "answer": []}, "expected one label"),
        ({"event": "drop", "id": "x", "row": 0}, "expected an event that is one of"),
        ({"event": "note", "id": "x", "row": 0, "note": "a" * 10_001}, "expected a note of"),
    ],
)
def test_what_is_no_event_is_refused_and_not_kept(opened, body, message):
    labelling, client = opened
    before = os.path.getsize(labelling.journal.path)
    found = label(client, "event", **body)
    assert found.status == 422
    assert message in found.json["error"]
    assert os.path.getsize(labelling.journal.path) == before


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("next", {"by": 3}, "expected 'by' to be a string."),
        ("show", {}, "expected 'row' to be a number."),
        ("show", {"row": True}, "expected 'row' to be a number."),
        ("show", {"row": 120}, "expected the number of a text from 0 to 119, found 120."),
        ("show", {"row": -1}, "expected the number of a text from 0 to 119, found -1."),
        ("show", {"row": 0, "client": ["c"]}, "expected 'client' to be a string."),
        ("again", {"row": 0, "answer": ["pos"]}, "expected 'fixed' to be a list of numbers."),
        ("again", {"row": 0, "answer": ["pos"], "fixed": [True]}, "expected 'fixed' to be a list of numbers."),
        ("again", {"row": 120, "answer": ["pos"], "fixed": [0]}, "from 0 to 119, found 120."),
        ("again", {"row": 0, "answer": "pos", "fixed": [0]}, "expected an answer that is a list"),
    ],
)
def test_what_is_no_wish_is_refused(opened, path, body, message):
    _, client = opened
    found = label(client, path, **body)
    assert found.status == 422
    assert message in found.json["error"]


def test_a_text_is_shown_once_more_with_its_answer(opened):
    labelling, client = opened
    shown = label(client, "next").json["shown"]
    label(client, "event", event="answer", id="a", row=shown["row"], answer=["pos"])
    label(client, "event", event="answer", id="b", row=shown["row"], answer=["neg"], by="ben")
    for by, answer in (("", ["pos"]), ("ben", ["neg"]), ("clara", None)):
        found = label(client, "show", row=shown["row"], by=by).json
        assert (found["shown"]["why"], found["shown"]["text"]) == ("again", shown["text"])
        assert (found["shown"]["answer"], found["undo"]) == (answer, answer is not None)
    review = client.get("/api/v1/label/review").json
    assert [one["answers"] for one in review["differ"]] == [{"": "pos", "ben": "neg"}]
    rows = (row for row in labelling.queue.rest.tolist() if row != shown["row"])
    for i, row in enumerate(rows):
        label(client, "event", event="answer", id=f"c{i}", row=row, answer=[right(TEXTS[row])])
        if i == 20:
            break
    whole = label(client, "again", row=next(rows), answer=["neg"], fixed=[0])
    assert whole.json == {"answer": ["neg"]}, "a label is given as a whole, and stays"


def test_strangers_are_kept_out(opened):
    _, client = opened
    assert client.post("/api/v1/label/next", {}, Origin="http://evil.example").status == 403
    assert client.post("/api/v1/label/next", {}, Host="evil.example").status == 421
    page = client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert b"<script>" not in page.body
    assert b"style=" not in page.body


def test_progress_review_and_export(opened, tmp_path):
    _, client = opened
    shown = label(client, "next").json["shown"]
    assert client.get("/api/v1/label/review").json["said"].startswith("expected answers of at least two labels")
    for i in range(60):
        answer = right(shown["text"])
        if i == 20:
            wrong, answer = shown["row"], {"pos": "neg", "neg": "pos"}[answer]
        shown = label(client, "event", event="answer", id=f"a{i}", row=shown["row"], answer=[answer]).json["shown"]
    found = client.get("/api/v1/label/progress").json
    assert [point["answers"] for point in found["curve"]] == [10, 20, 24, 40, 48]
    assert wrong in [one["row"] for one in client.get("/api/v1/label/review").json["doubts"]]
    table = client.get("/api/v1/label/export/answers.csv")
    assert len(table.body.splitlines()) == 61
    assert client.get("/api/v1/label/export/other").status == 404
    (tmp_path / "m.linnet").write_bytes(client.get("/api/v1/label/export/model.linnet").body)
    assert linnet.load(tmp_path / "m.linnet").labels == ("neg", "pos")


def test_two_clients_at_once_lose_nothing(opened):
    labelling, client = opened
    given: dict[str, list[int]] = {"anna": [], "ben": []}

    def work(by: str) -> None:
        shown = label(client, "next", by=by, client=by).json["shown"]
        for i in range(40):
            found = label(
                client, "event", by=by, client=by, event="answer", id=f"{by}{i}", row=shown["row"], answer=["pos"]
            )
            given[by].append(shown["row"])
            shown = found.json["shown"]

    threads = [threading.Thread(target=work, args=(by,)) for by in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    both = labelling.state.by_annotator()
    assert {by: sorted(answers) for by, answers in both.items()} == {by: sorted(rows) for by, rows in given.items()}
    common = set(given["anna"]) & set(given["ben"])
    assert all(labelling.queue.is_held(row) for row in common), "only held-out texts are asked of several"


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def _up(port: int) -> None:
    for _ in range(2400):
        try:
            Client(port, {}).get("/api/v1/health")
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
    raise AssertionError("the server did not start")


def test_killed_at_random_moments(tmp_path):
    """Labels of texts outlive a server that is killed."""
    path = tmp_path / "films.txt"
    path.write_text("\n".join(TEXTS))
    options = ["--labels", "neg,pos", "--features", "words:1", "--format", "lines"]
    killed(tmp_path, path, options, [[right(text)] for text in TEXTS])


def conllu(words: list[str]) -> str:
    return "".join(f"{m}\t{word}\t_\tX\t_\t_\t_\t_\t_\t_\n" for m, word in enumerate(words, 1))


STRUCTURES = {
    "tag": ("jsonl", lambda words: json.dumps({"tokens": words}), ["--spans", "GOOD", "--features", "w"]),
    "parse": ("conllu", conllu, ["--labels", "root,X"]),
    "brackets": ("mrg", lambda words: f"({''.join(f'(X {word})' for word in words)})", ["--labels", "S,NP"]),
    "align": ("bitext", lambda words: f"{' '.join(words)} ||| {' '.join(words)}", []),
    "compress": ("jsonl", lambda words: json.dumps({"tokens": words}), []),
    "rerank": ("jsonl", lambda words: json.dumps({"candidates": [" ".join(words), " ".join(words[::-1])]}), []),
}
"""The ending of a file for each task, how it has the words of a sentence, and the options of `linnet label`."""
ANSWERS = {
    "tag": lambda words: ["B-GOOD" if word in WORDS[:3] else "O" for word in words],
    "parse": lambda words: [[0, "root"], *([m, "X"] for m in range(1, len(words)))],
    "brackets": lambda words: [[0, len(words) - 1, "S"], [0, 2, "NP"]],
    "align": lambda words: [[i, i] for i in range(len(words))],
    "compress": lambda words: ["drop" if word == "a" else "keep" for word in words],
    "rerank": lambda words: [int(right(" ".join(words)) == "neg")],
}


@pytest.mark.parametrize("task", STRUCTURES)
def test_killed_while_outputs_with_many_parts_are_given(tmp_path, task):
    """Tags, trees, constituents, links, compressions and chosen candidates outlive a server that is killed."""
    ending, written, options = STRUCTURES[task]
    sentences = [text.replace(",", "").split() for text in TEXTS]
    path = tmp_path / f"films.{ending}"
    path.write_text("\n".join(map(written, sentences)))
    answers = [ANSWERS[task](words) for words in sentences]
    killed(tmp_path, path, ["--task", task, *options], answers, usual=1)
    kept = [json.loads(line) for line in (tmp_path / "j").read_bytes().splitlines()[1:]]
    assert all(event["answer"] == answers[event["row"]] for event in kept)


def killed(folder, data, options: list[str], answers: list[list], usual: int = 3) -> None:
    """A script answers; the server is killed and started again. Every answer that was acknowledged is in the journal once. One
    that was not is sent again with its id, and is there once, too. LINNET_KILLS says how often the server is killed."""
    journal = folder / "j"
    rng, rounds = np.random.default_rng(0), int(os.environ.get("LINNET_KILLS", usual))
    command = [sys.executable, "-m", "linnet", "label", str(data), "-o", str(journal), *options]
    acknowledged: list[str] = []
    pending, n = None, 0
    for turn in range(rounds):
        port = _free_port()
        client = Client(port, {})
        server = subprocess.Popen([*command, "--port", str(port)])
        try:
            _up(port)
        except AssertionError:
            server.kill()
            raise
        kill = threading.Timer(rng.uniform(0.02, 0.6), server.send_signal, [signal.SIGKILL])
        if turn:  # In the first round an answer comes before.
            kill.start()
        try:
            while True:
                if pending is None:
                    row = n % len(TEXTS)
                    pending = {"event": "answer", "id": f"k{n}", "row": row, "answer": answers[row]}
                    n += 1
                found = label(client, "event", **pending)
                assert found.status == 200, found.body
                acknowledged.append(pending["id"])
                pending = None
                if kill.ident is None:
                    kill.start()
        except (OSError, http.client.HTTPException):
            pass
        server.wait()
        kill.join()
        ids = [
            json.loads(line)["id"] for line in journal.read_bytes().splitlines(keepends=True)[1:] if line[-1:] == b"\n"
        ]
        assert len(ids) == len(set(ids))
        extra = set(ids) - set(acknowledged)
        assert set(acknowledged) <= set(ids)
        assert extra <= ({pending["id"]} if pending else set())
    assert acknowledged
