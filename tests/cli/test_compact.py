"""`linnet compact` on the command line."""

import os

import pytest


@pytest.fixture(scope="module", autouse=True)
def models(run):
    for name in ("whole", "again"):
        assert run("train", "train.csv", "-o", f"{name}.linnet", "--learner", "averaged-mira", "-q").code == 0


def size(folder, name):
    return os.path.getsize(folder / name)


def test_a_model_of_a_size(run, folder):
    done = run("compact", "whole.linnet", "-o", "small.linnet", "--size", "80%", "--8bit")
    assert done.code == 0
    whole, small = size(folder, "whole.linnet"), size(folder, "small.linnet")
    assert small <= 0.8 * whole
    first, last = done.err.splitlines()
    assert first.startswith(f"whole.linnet: {whole:,} bytes, ")
    assert last.startswith(f"wrote small.linnet: {small:,} bytes, ")
    assert (
        run("predict", "small.linnet", "new.csv", "--only").out
        == run("predict", "whole.linnet", "new.csv", "--only").out
    )


def test_a_model_that_keeps_its_answers(run):
    done = run("compact", "whole.linnet", "-o", "kept.linnet", "--keep", "1", "--dev", "new.csv")
    assert done.code == 0
    assert done.err.splitlines()[-1].endswith("; 100.00% of the answers on new.csv are the same")


def test_merged_models(run):
    done = run("compact", "whole.linnet", "again.linnet", "-o", "both.linnet")
    assert done.code == 0
    assert [line.split(":")[0] for line in done.err.splitlines()] == [
        "whole.linnet",
        "again.linnet",
        "wrote both.linnet",
    ]
    assert (
        run("predict", "both.linnet", "new.csv", "--only").out
        == run("predict", "whole.linnet", "new.csv", "--only").out
    )


def test_an_input_is_never_replaced(run):
    done = run("compact", "whole.linnet", "-o", "whole.linnet")
    assert (done.code, "it is an input of the command" in done.err) == (2, True)


def test_half_a_request_is_refused(run):
    done = run("compact", "whole.linnet", "-o", "kept.linnet", "--keep", "0.9")
    assert done.code == 2
    assert "give both" in done.err


def test_the_commands_that_make_it_again(run, folder):
    assert run("compact", "whole.linnet", "-o", "a.linnet", "--size", "90%", "-q").code == 0
    assert run("compact", "a.linnet", "-o", "b.linnet", "--keep", "0.5", "--dev", "new.csv", "--8bit", "-q").code == 0
    commands = run("reproduce", "b.linnet").out.splitlines()
    assert commands == [
        "linnet train train.csv --learner averaged-mira -o b.linnet.whole",
        "linnet compact b.linnet.whole --size 90% -o b.linnet.1",
        "linnet compact b.linnet.1 --keep 0.5 --dev new.csv --8bit -o b.linnet",
    ]
    before = (folder / "b.linnet").read_bytes()
    for command in commands:
        assert run(*command.split()[1:]).code == 0
    assert (folder / "b.linnet").read_bytes() == before


def test_a_merged_model_has_no_command(run):
    assert run("compact", "whole.linnet", "again.linnet", "-o", "both.linnet", "-q").code == 0
    done = run("reproduce", "both.linnet")
    assert (done.code, "made by merging 2 models" in done.err) == (2, True)
