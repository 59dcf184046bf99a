"""`linnet train --once`: a stream on standard input, that ends or is interrupted; snapshots; what is refused."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import linnet

COMMAND = [sys.executable, "-c", "from linnet.cli.main import main; main()", "train"]
HOW = ["--once", "--features", "words:1", "--learner", "averaged-perceptron", "--set", "state=keep"]


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    for i in range(n):
        label = "pos" if rng.random() < 0.5 else "neg"
        word = {"pos": "good", "neg": "bad"}[label if rng.random() < 0.8 else "pos"]
        yield {"text": f"{word} film w{i // 4}", "label": label}


def lines(found):
    return "".join(json.dumps(row) + "\n" for row in found)


def train(*arguments, stdin=None, code=0):
    done = subprocess.run([*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


def same(one, other):
    one, other = (linnet.load(path) for path in (one, other))
    assert one.features.names() == other.features.names()
    np.testing.assert_array_equal(one.weights[0], other.weights[0])
    for name, array in one.state[0].items():
        np.testing.assert_array_equal(array, other.state[0][name])


def test_half_and_half_on_the_command_line(tmp_path):
    """`train A` and `train B --from` is `train A B --once`; a file, two files and a pipe are the same stream."""
    examples = list(rows(900))
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    a.write_text(lines(examples[:450]))
    b.write_text(lines(examples[450:]))
    said = train(a, b, *HOW, "-o", tmp_path / "both")
    train(a, *HOW, "-o", tmp_path / "first")
    train(b, "--once", "--from", tmp_path / "first", "--set", "state=keep", "-o", tmp_path / "then")
    train("-", *HOW, "-o", tmp_path / "piped", stdin=lines(examples))
    same(tmp_path / "both", tmp_path / "then")
    same(tmp_path / "both", tmp_path / "piped")
    assert "512 examples: " in said
    assert "each example predicted before it was learned from: in all: " in said
    found = linnet.load(tmp_path / "both").report["progressive"]
    assert found["all"]["examples"] == 900
    assert f"in all: {found['all']['mistakes']:,} mistakes in 900 examples" in said
    # The same command writes the same bytes, and a model says which it was.
    before = (tmp_path / "both").read_bytes()
    train(a, b, *HOW, "-o", tmp_path / "both")
    assert (tmp_path / "both").read_bytes() == before
    asked = linnet.load(tmp_path / "both").provenance["asked"]
    assert asked["data"] == [str(a), str(b)]


def test_reproduce_prints_once(tmp_path):
    data, model = tmp_path / "a.jsonl", tmp_path / "a.linnet"
    data.write_text(lines(rows(300)))
    train(data, *HOW, "-o", model)
    done = subprocess.run([*COMMAND[:-1], "reproduce", str(model)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        f"linnet train {data} --once --learner averaged-perceptron --features words:1 --set state=keep -o {model}"
    )


def started(output, *more):
    return subprocess.Popen(
        [*COMMAND, "-", *HOW, "-o", str(output), *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def wait_for(process, what):
    """Read messages until one begins with `what`."""
    for line in process.stderr:
        if line.startswith(what):
            return
    raise AssertionError(f"no message {what!r}")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_stream_that_is_interrupted_keeps_its_model(tmp_path, number, code, format):
    """The stream stays open, and what has come is learned from without waiting for more."""
    examples = list(rows(512))
    stream = lines(examples)
    if format == "csv":
        stream = "text,label\n" + "".join(f"{row['text']},{row['label']}\n" for row in examples)
    with started(tmp_path / "model") as process:
        process.stdin.write(stream)
        process.stdin.flush()
        wait_for(process, "512 examples: " if format == "jsonl" else "256 examples: ")
        time.sleep(0.2)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode == code
    model = linnet.load(tmp_path / "model")
    n = model.report["progressive"]["all"]["examples"]
    assert f"interrupted after {n} examples" in said
    assert model.report["stopped"] == f"interrupted after {n} examples"
    assert n >= (512 if format == "jsonl" else 256)
    whole = linnet.stream(iter(examples[:n]), learner="averaged-perceptron", features="words:1")
    list(whole)
    np.testing.assert_array_equal(model.weights[0], whole.model().weights[0])


def test_an_interrupt_before_the_first_examples_are_enough(tmp_path):
    with started(tmp_path / "model") as process:
        process.stdin.write(lines(rows(40)))
        process.stdin.flush()
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130
    assert linnet.load(tmp_path / "model").report["stopped"] == "interrupted after 40 examples"


def test_snapshots_are_whole_models(tmp_path):
    """With every=0 minutes refused, and a tiny one taken: the model is there while the stream goes on."""
    output = tmp_path / "model"
    with started(output, "--set", "every=0.0001") as process:
        process.stdin.write(lines(rows(300)))
        process.stdin.flush()
        wait_for(process, "256 examples: ")
        process.stdin.write(lines(rows(300, 1)))
        process.stdin.flush()
        for _ in range(600):
            if output.exists():
                break
            time.sleep(0.05)
        first = linnet.load(output)
        assert process.poll() is None
        process.communicate(timeout=60)
        assert process.returncode == 0
    n = first.report["progressive"]["all"]["examples"]
    assert 256 <= n <= 600
    assert first.report["stopped"] == f"{n} examples so far"
    assert first.state is not None
    assert linnet.load(output).report["progressive"]["all"]["examples"] == 600


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_stream_that_stalls_is_written(tmp_path, format):
    """Nothing comes after the first examples, and the model is there all the same, once: nothing new is learned."""
    output = tmp_path / "model"
    stream = lines(rows(300))
    if format == "csv":
        stream = "text,label\n" + "".join(f"{row['text']},{row['label']}\n" for row in rows(300))
    with started(output, "--set", "every=0.01") as process:
        process.stdin.write(stream)
        process.stdin.flush()
        wait_for(process, "256 examples: ")
        for _ in range(600):
            if output.exists():
                break
            time.sleep(0.05)
        first = linnet.load(output).report["progressive"]["all"]["examples"]
        time.sleep(1)
        kept = output.stat().st_mtime_ns
        time.sleep(1)
        assert output.stat().st_mtime_ns == kept
        assert process.poll() is None
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert first >= 256
    assert linnet.load(output).report["progressive"]["all"]["examples"] == 300


def test_a_snapshot_that_cannot_be_written_is_said(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    with started(folder / "model", "--set", "every=0.03") as process:
        process.stdin.write(lines(rows(300)))
        process.stdin.flush()
        wait_for(process, "256 examples: ")
        folder.rmdir()
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert str(folder / "model") in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--epochs", "3"], "--epochs needs all examples at once, or several passes over them"),
        (["--dev", "0.1"], "--dev needs all examples at once"),
        (["--set", "calibrate=sigmoid"], "--set calibrate needs all examples at once"),
        (["--set", "class-weight=balanced"], "--set class-weight needs all examples at once"),
        (["--resume"], "--resume needs all examples at once"),
        (["--learner", "nb-svm"], "learner 'nb-svm' needs all examples at once"),
        (["--set", "every=0"], "expected every=MINUTES to be above 0"),
        (["--task", "parse"], "examples of task 'parse' are read all at once"),
    ],
)
def test_what_one_pass_cannot_give_is_refused(tmp_path, arguments, said):
    data = tmp_path / "a.jsonl"
    data.write_text(lines(rows(10)))
    assert said in train(data, "--once", "-o", tmp_path / "m", *arguments, code=2)
    assert not (tmp_path / "m").exists()


def test_minutes_are_for_a_stream(tmp_path):
    data = tmp_path / "a.jsonl"
    data.write_text(lines(rows(10)))
    assert "Add --once" in train(data, "-o", tmp_path / "m", "--set", "every=5", code=2)


def test_a_doubtful_block_of_a_live_table_is_read_carefully(tmp_path):
    """A bare quote in a field: rows go on behind it, and a row that is wrong is named by its line."""
    good = "".join(f"{row['text']},{row['label']}\n" for row in rows(300))
    table = "text,label\n" + good + 'a 5" disk is bad,neg\n' + good
    train("-", "--format", "csv", *HOW, "-o", tmp_path / "m", stdin=table)
    assert linnet.load(tmp_path / "m").report["progressive"]["all"]["examples"] == 601
    said = train("-", "--format", "csv", *HOW, "-o", tmp_path / "m", stdin=table + "a,b,c\n", code=1)
    assert "stdin:603: expected 2 columns, found 3" in said


BROKEN = {
    "csv": ("text,label\n", "{text},{label}\n", '"an open quote,neg\n'),
    "jsonl": ("", '{{"text": "{text}", "label": "{label}"}}\n', "nul\n"),
    "conll": ("", "{text} {label}\n\n", "a b c\n\n"),
}


@pytest.mark.parametrize("source", ["-", "file"])
@pytest.mark.parametrize("format", BROKEN)
def test_an_error_in_a_stream_is_told_with_its_line_and_what_was_learned_is_kept(tmp_path, format, source):
    head, row, broken = BROKEN[format]
    good = [
        row.format(text=f"{word}{i}", label=label) for i in range(300) for word, label in (("a", "pos"), ("b", "neg"))
    ]
    data = head + "".join(good) + broken + "".join(good)
    path, model = tmp_path / f"a.{format}", tmp_path / "a.linnet"
    path.write_text(data)
    how = ["--task", "tag"] if format == "conll" else []
    given = source if source == "-" else path
    said = train(given, "--once", "--format", format, *how, "-o", model, stdin=data, code=1)
    line = (head + "".join(good)).count("\n") + 1
    assert said.splitlines()[-1].startswith(f"linnet: {'stdin' if source == '-' else path}:{line}: ")
    report = linnet.load(model).report
    assert 256 <= report["progressive"]["all"]["examples"] <= 600
    assert report["stopped"] == f"an error in the data after {report['progressive']['all']['examples']:,} examples"


def test_an_error_before_anything_was_learned_leaves_no_model(tmp_path):
    said = train("-", "--once", "--format", "csv", "-o", tmp_path / "a.linnet", stdin='text,label\n"a,pos\n', code=1)
    assert (
        said
        == 'linnet: stdin:2: the quote that opens here is never closed. Close it, or write "" for a quote inside quotes.\n'
    )
    assert not list(tmp_path.iterdir())


def test_a_quote_that_is_never_closed_in_a_stream_is_told_before_memory_is_full(tmp_path):
    """No row ends for longer than a batch, so that rows are read one by one from there on."""
    rows_of_text = "".join(f"good{i},pos\nbad{i},neg\n" for i in range(300))
    data = "text,label\n" + rows_of_text + '"an open quote,pos\n' + "more,neg\n" * 800_000
    said = train("-", "--once", "--format", "csv", "-o", tmp_path / "a.linnet", stdin=data, code=1)
    assert "stdin:602: the quote that opens here is never closed." in said
    assert linnet.load(tmp_path / "a.linnet").report["progressive"]["all"]["examples"] >= 256
