"""`linnet predict MODEL FILES -o FOLDER/`: an output for each input, which goes on by itself after an interruption."""

import gzip
import json
import os
import subprocess
import time
from contextlib import ExitStack

import pytest

import linnet
from linnet.cli.into_folder import MADE_BY


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("films") / "films.linnet"
    linnet.train(["good film", "fine film", "bad film", "poor film"] * 10, ["+", "+", "-", "-"] * 10).save(path)
    return str(path)


@pytest.fixture
def shards(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for k in range(3):
        rows = [{"id": f"{k}-{i}", "text": f"{('good', 'bad')[i % 2]} film"} for i in range(4)]
        (folder / f"part{k}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_file_of_a_pattern_gets_its_answers(model, shards, tmp_path, run):
    said = run("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/", "--keep", "id").err
    assert f"wrote 12 rows to 3 files in {tmp_path}/out/" in said
    rows = rows_of(tmp_path / "out" / "part1.jsonl")
    assert [(row["id"], row["prediction"]) for row in rows] == [("1-0", "+"), ("1-1", "-"), ("1-2", "+"), ("1-3", "-")]
    assert list(rows[0]) == ["id", "prediction", "confidence"]


def test_what_is_there_is_passed_over_and_the_rest_is_the_same_with_any_number_of_processes(
    model, shards, tmp_path, run
):
    command = ("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/")
    run(*command)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.jsonl")}
    for name in ("part0.jsonl", "part2.jsonl"):
        (tmp_path / "out" / name).unlink()
    before = (tmp_path / "out" / "part1.jsonl").stat().st_mtime_ns
    said = run(*command, "--workers", "2").err
    assert "wrote 8 rows to 2 files" in said
    assert "1 were there already" in said
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.jsonl")} == whole
    assert (tmp_path / "out" / "part1.jsonl").stat().st_mtime_ns == before


def test_a_cluster_writes_the_same_answers(model, shards, tmp_path, run):
    pytest.importorskip("distributed", reason="Dask (distributed) is not installed")
    command = ("predict", model, str(shards / "*.jsonl"), "-o")
    run(*command, f"{tmp_path}/here/")
    said = run(*command, f"{tmp_path}/there/", "--cluster", "local:2").err
    assert f"wrote 12 rows to 3 files in {tmp_path}/there/" in said
    here, there = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("*.jsonl")} for name in ("here", "there")
    )
    assert len(here) == 3
    assert there == here


def test_what_a_cluster_is_for_is_said(model, shards, tmp_path, run):
    files, out = str(shards / "*.jsonl"), f"{tmp_path}/out/"
    assert "--cluster is for a folder of answers" in run("predict", model, files, "--cluster", "local:2").err
    both = run("predict", model, files, "-o", out, "--cluster", "local:2", "--workers", "2")
    assert "Leave out one of them" in both.err
    tls = run("predict", model, files, "-o", out, "--tls", "ca", "cert", "key")
    assert "--tls is for a cluster" in tls.err
    missing = run("predict", model, files, "-o", out, "--cluster", "tls://127.0.0.1:1", "--tls", "ca", "cert", "key")
    assert "there is no file 'ca'" in missing.err


def test_answers_of_two_models_or_with_other_options_are_not_mixed(model, shards, tmp_path, run):
    command = ("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/")
    run(*command)
    refused = run(*command, "--only")
    assert "has answers of another model or with other options" in refused.err
    run(*command, "--only", "--force")
    assert rows_of(tmp_path / "out" / "part0.jsonl")[0] == {"prediction": "+"}


def test_what_was_in_a_folder_before_it_was_forced_is_not_taken_for_answers(model, shards, tmp_path, run):
    command, out = ("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/"), tmp_path / "out"
    run(*command)
    (out / "notes.txt").write_text("mine")
    run("predict", model, str(shards / "part0.jsonl"), "-o", f"{tmp_path}/out/", "--only", "--force")
    said = run(*command, "--only").err
    assert "wrote 8 rows to 2 files" in said
    assert "1 were there already" in said
    assert [rows_of(out / f"part{k}.jsonl")[0] for k in range(3)] == [{"prediction": "+"}] * 3
    assert (out / "notes.txt").read_text() == "mine"


def test_files_of_others_and_inputs_are_never_replaced(model, shards, tmp_path, run):
    files = str(shards / "*.jsonl")
    before = {path.name: path.read_bytes() for path in shards.iterdir()}
    assert "would be written over the input" in run("predict", model, files, "-o", str(shards), "--force").err
    assert {path.name: path.read_bytes() for path in shards.iterdir()} == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert (
        "files in it that linnet did not write, such as 'notes.txt'"
        in run("predict", model, files, "-o", f"{tmp_path}/mine/").err
    )
    assert os.listdir(tmp_path / "mine") == ["notes.txt"]


def test_what_cannot_be_done_is_said(model, shards, tmp_path, run):
    out = f"{tmp_path}/out/"
    assert "no file fits the pattern" in run("predict", model, str(shards / "*.csv"), "-o", out).err
    assert "Name files." in run("predict", model, str(shards), "-o", out).err
    missing = f"cannot write the answers to '{out}deep/': there is no folder '{tmp_path}/out'. Make it first."
    assert missing in run("predict", model, str(shards / "part0.jsonl"), "-o", f"{out}deep/").err
    other = tmp_path / "other"
    other.mkdir()
    (other / "part0.jsonl").write_text('{"text": "good"}\n')
    assert (
        "would be the same file"
        in run("predict", model, str(shards / "part0.jsonl"), str(other / "part0.jsonl"), "-o", out).err
    )
    assert "--workers is for a folder" in run("predict", model, str(shards / "part0.jsonl"), "--workers", "2").err
    assert "no column 'idd' to keep" in run("predict", model, str(shards / "part0.jsonl"), "--keep", "idd").err


def test_names_of_answers(model, tmp_path, run):
    (tmp_path / "a.txt").write_text("good film\nbad film\n")
    run("predict", model, str(tmp_path / "a.txt"), "-o", f"{tmp_path}/out/")
    assert (tmp_path / "out" / "a.txt.csv").read_text().startswith("text,prediction,confidence\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"text\ngood film\n"))
    (tmp_path / "c.txt.GZ").write_bytes(gzip.compress(b"good film\n"))
    run("predict", model, *(str(tmp_path / name) for name in ("b.csv.gz", "c.txt.GZ")), "-o", f"{tmp_path}/out/")
    assert sorted(name for name in os.listdir(tmp_path / "out") if name != MADE_BY) == [
        "a.txt.csv",
        "b.csv",
        "c.txt.csv",
    ]
    assert (tmp_path / "out" / "b.csv").read_text().startswith("text,prediction,confidence\ngood film,")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(model, shards, tmp_path, run, workers):
    (shards / "part1.jsonl").write_text("")
    done = run("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/", "--workers", workers)
    assert done.code == 1
    assert "wrote 8 rows to 2 files" in done.err
    assert "part1.jsonl: the file is empty." in done.err
    assert done.err.endswith("The other files are done.\n")
    assert sorted(path.name for path in (tmp_path / "out").glob("*.jsonl")) == ["part0.jsonl", "part2.jsonl"]


def test_answers_that_are_older_than_their_input_are_made_again(model, shards, tmp_path, run):
    command = ("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/")
    run(*command)
    changed, answers = shards / "part1.jsonl", tmp_path / "out" / "part1.jsonl"
    changed.write_text('{"id": "new", "text": "poor film"}\n')
    os.utime(changed, ns=(0, answers.stat().st_mtime_ns + 1))
    said = run(*command).err
    assert "wrote 1 rows to 1 files" in said
    assert "2 were there already" in said
    assert [(row["id"], row["prediction"]) for row in rows_of(answers)] == [("new", "-")]


def test_answers_whose_input_is_gone_stay(model, shards, tmp_path, run):
    inputs = [str(shards / f"part{k}.jsonl") for k in range(3)]
    command = ("predict", model, *inputs, "-o", f"{tmp_path}/out/")
    run(*command)
    before = (tmp_path / "out" / "part1.jsonl").read_bytes()
    (shards / "part1.jsonl").unlink()
    assert run(*command).code == 0
    assert (tmp_path / "out" / "part1.jsonl").read_bytes() == before


def test_workers_end_with_the_command_that_began_them(script, model, tmp_path):
    """A command that is killed can tell nobody; its workers see it, and do not wait for work for ever."""
    pipes = [tmp_path / f"part{k}.jsonl" for k in range(2)]
    for path in pipes:
        os.mkfifo(path)
    process = subprocess.Popen(
        [script, "predict", model, *pipes, "-o", f"{tmp_path}/out/", "--workers", "2"],
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    with ExitStack() as stack:
        for path in pipes:
            stack.enter_context(path.open("wb"))  # It opens once a worker reads it, so both are at work.
        process.kill()
        process.wait(timeout=60)
        ends = time.monotonic() + 60
        while (left := processes_of(process.pid)) and time.monotonic() < ends:
            time.sleep(0.05)
        assert left == []


def processes_of(session):
    """The processes of a session that have not ended."""
    fields = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields[entry] = file.read().rpartition(")")[2].split()
        except OSError:  # It has ended meanwhile.
            continue
    return [entry for entry, (state, _, _, of, *_) in fields.items() if int(of) == session and state != "Z"]


@pytest.mark.parametrize("name", [MADE_BY, "part0.jsonl"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_named_pipe_in_the_folder_of_answers_is_not_waited_for(model, shards, tmp_path, run, name, force):
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out" / name)
    done = run("predict", model, str(shards / "*.jsonl"), "-o", f"{tmp_path}/out/", *force)
    path = f"{tmp_path}/out/{name}"
    assert (done.code, done.err) == (
        2,
        f"linnet: cannot write {path!r}: it is there and is no file. Remove it, or name another folder.\n",
    )
