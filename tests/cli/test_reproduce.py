"""`linnet reproduce`: the printed command writes the same bytes, whatever was asked for."""

import shlex

import pytest

import linnet

ASKED = {
    "nothing": (),
    "options": ("--learner", "averaged-mira", "--set", "C=0.1", "--seed", "3", "--epochs", "4"),
    "settings": ("--learner", "svm", "--set", "class-weight=balanced", "--set", "shuffle=no", "--set", "support=keep"),
    "weights of labels": ("--set", "class-weight=pos=2,neg=1", "--set", "estimate=no"),
    "a held-out share": ("--learner", "logistic", "--dev", "0.2", "--set", "patience=2", "--set", "state=keep"),
    "columns": (
        "--text-col",
        "text",
        "--label-col",
        "label",
        "--encoding",
        "utf-8",
        "--features",
        "words:1-2 tfidf l2",
    ),
    "a file": ("--dev", "train.csv", "--set", "refit=no"),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_command_that_is_printed_writes_the_same_bytes(asked, tmp_path, run):
    assert run("train", "train.csv", "-o", tmp_path / "first.linnet", *asked).code == 0
    command = shlex.split(run("reproduce", tmp_path / "first.linnet").out)
    assert command[:2] == ["linnet", "train"]
    assert command[-2:] == ["-o", str(tmp_path / "first.linnet")]
    assert run(*command[1:-1], tmp_path / "again.linnet").code == 0
    assert (tmp_path / "again.linnet").read_bytes() == (tmp_path / "first.linnet").read_bytes()


def test_other_data_have_another_fingerprint():
    first, second = (linnet.train(["good", word] * 5, ["+", "-"] * 5).provenance for word in ("bad", "poor"))
    assert first["fingerprint"] != second["fingerprint"]


def test_what_was_made_in_python_says_so(tmp_path, run):
    linnet.train(["good", "bad"] * 5, ["+", "-"] * 5, seed=4).save(tmp_path / "m.linnet")
    done = run("reproduce", tmp_path / "m.linnet")
    assert done.code == 2
    assert "where no command can read them: data. Its other arguments were: seed=4." in done.err


def test_a_column_called_python_is_not_in_memory(tmp_path, run):
    (tmp_path / "new.csv").write_text("Python,label\n" + "good,+\nbad,-\n" * 5)
    linnet.train(tmp_path / "new.csv", text="Python").save(tmp_path / "m.linnet")
    done = run("reproduce", tmp_path / "m.linnet")
    assert done.out == f"linnet train {tmp_path / 'new.csv'} --text-col Python -o {tmp_path / 'm.linnet'}\n"


def test_several_files_of_held_out_data(folder, tmp_path, run):
    held = [str(folder / "train.csv"), str(folder / "test.csv")]
    linnet.train(held[0], learner="logistic", dev=held).save(tmp_path / "first.linnet")
    command = shlex.split(run("reproduce", tmp_path / "first.linnet").out)
    assert run(*command[1:-1], tmp_path / "again.linnet").code == 0
    assert (tmp_path / "again.linnet").read_bytes() == (tmp_path / "first.linnet").read_bytes()


def test_texts_without_labels_that_were_in_memory_are_not_taken_for_files(folder, tmp_path, run):
    linnet.train(folder / "train.csv", features="words:1", unlabelled=["good", "bad"] * 3).save(tmp_path / "m.linnet")
    assert "where no command can read them: unlabelled." in run("reproduce", tmp_path / "m.linnet").err


def test_a_path_is_never_taken_for_an_option(folder, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "--force").write_bytes((folder / "train.csv").read_bytes())
    linnet.train("--force", learner="mira").save("m.linnet")
    assert run("reproduce", tmp_path / "m.linnet").out.startswith("linnet train ./--force --learner mira -o ")


def test_models_of_sessions_and_of_examples_in_memory_say_what_is_missing(folder, tmp_path, run):
    linnet.Session.begin("labels", ["good", "bad"], ["+", "-"], learner="mira").model().save(tmp_path / "s.linnet")
    done = run("reproduce", tmp_path / "s.linnet")
    assert (done.code, done.out) == (2, "")
    assert "s.linnet does not say how it was made, and only models of `linnet train`, linnet.train and" in done.err
    assert "Its learner is 'mira'." in done.err
    model = linnet.train(folder / "train.csv", features="words:1")
    model.compact(keep=0.9, dev=["good", "bad"]).save(tmp_path / "c.linnet")
    assert run("reproduce", tmp_path / "c.linnet").err == (
        f"linnet: {tmp_path / 'c.linnet'} was compacted in Python, and the examples of its argument dev were in memory, "
        "where no command can read them.\n"
    )
