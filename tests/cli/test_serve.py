"""The command `linnet serve`, in a process of its own."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

import linnet

COMMAND = [sys.executable, "-c", "from linnet.cli.main import main; main()", "serve"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "m.linnet"
    linnet.train(["good", "bad"] * 8, ["+", "-"] * 8, features="words:1", learner="logistic").save(path)
    return path


def test_it_serves_until_it_is_told_to_end(model):
    process = subprocess.Popen([*COMMAND, str(model), "--port", "0"], stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    address = re.search(r"open (http://localhost:\d+/)", line)[1]
    with urllib.request.urlopen(f"{address}api/v1/models", timeout=20) as answer:
        assert b'"name": "m"' in answer.read()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    assert process.stderr.read() == ""
    process.stderr.close()


def test_without_a_model_it_opens_the_course():
    process = subprocess.Popen([*COMMAND, "--port", "0"], stderr=subprocess.PIPE, text=True)
    address = re.search(r"open (http://localhost:\d+/)", process.stderr.readline())[1]
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.url == f"{address}course"
        assert b"A line between two labels" in answer.read()
    process.terminate()
    process.wait(20)
    process.stderr.close()


def test_others_get_a_token(model):
    process = subprocess.Popen(
        [*COMMAND, str(model), "--port", "0", "--host", "0.0.0.0"], stderr=subprocess.PIPE, text=True
    )
    line = process.stderr.readline()
    port, token = re.search(r":(\d+)/\?token=([\w-]{32})", line).groups()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/models", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/models", timeout=20)
    process.terminate()
    process.wait(20)
    process.stderr.close()


def test_what_cannot_be_served_is_said(model, tmp_path):
    def said(*arguments):
        done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        assert done.returncode in (1, 2)
        return done.stderr

    assert "no.linnet" in said(tmp_path / "no.linnet")
    other = tmp_path / "m.linnet"
    os.link(model, other)
    assert "two models would have the name 'm'" in said(model, other)
    assert "cannot listen on 192.0.2.1" in said(model, "--host", "192.0.2.1", "--port", "0")
