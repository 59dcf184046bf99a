"""What is at fault, in one sentence: exit code 1 for data and models, 2 for the command line; never a traceback."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from linnet.learners import LEARNERS

TRAIN = ("train", "train.csv", "-o", "out.linnet")

# name: (arguments, exit code, how the sentence starts)
CASES = {
    "a missing file": (("train", "nowhere.csv", "-o", "out.linnet"), 1, "nowhere.csv: no such file."),
    "an empty file": (("train", "empty.csv", "-o", "out.linnet"), 1, "empty.csv: the file is empty."),
    "another encoding": (("train", "latin1.csv", "-o", "out.linnet"), 1, "latin1.csv:2: byte 0xfe is not UTF-8"),
    "one label only": (
        ("train", "one-label.csv", "-o", "out.linnet"),
        1,
        "one-label.csv: every row has the label 'x';",
    ),
    "no column of text": (("train", "no-column.csv", "-o", "out.linnet"), 1, "no-column.csv:1: "),
    "a column that is not there": (
        (*TRAIN, "--text-col", "body"),
        1,
        "train.csv:1: expected a column 'body', found 'text', 'label'.",
    ),
    "no feature left": ((*TRAIN, "--features", "words min=999"), 1, "no feature of 'words min=999' is left"),
    "a rate too large": (
        (*TRAIN, "--learner", "logistic", "--features", "words:1", "--set", "eta=1e9", "--set", "cap=no"),
        1,
        "the learning rate eta=1e+09 is too large",
    ),
    "an unknown learner": (
        (*TRAIN, "--learner", "percepton"),
        2,
        f"unknown learner 'percepton'. Did you mean 'perceptron'? There are: {', '.join(LEARNERS)}.",
    ),
    "an unknown feature": (
        (*TRAIN, "--features", "wrods:1"),
        2,
        "unknown feature 'wrods:1' in 'wrods:1'. Did you mean 'words'? `linnet list features` shows them all.",
    ),
    "an unknown option": (
        (*TRAIN, "--set", "D=1"),
        2,
        "learner 'nb-svm' has no option 'D'. It has: C, loss, bias, power.",
    ),
    "an option without a value": ((*TRAIN, "--set", "C"), 2, "expected --set KEY=VALUE, found 'C'."),
    "a setting that is no number": ((*TRAIN, "--set", "tol=x"), 2, "expected a number for tol, found 'x'."),
    "a task that is not there": ((*TRAIN, "--task", "dance"), 2, "there is no task 'dance'."),
    "a share of more than all": (
        (*TRAIN, "--dev", "1.5"),
        2,
        "expected the share to hold out to be between 0 and 1, found 1.5.",
    ),
    "a folder as output": (
        ("train", "train.csv", "-o", "subfolder"),
        2,
        "cannot write the model to 'subfolder': it is a folder. Name a file, as in subfolder/my.linnet.",
    ),
    "output into no folder": (
        ("train", "train.csv", "-o", "no/out.linnet"),
        2,
        "cannot write the model to 'no/out.linnet': there is no folder 'no'. Make it first.",
    ),
    "a model cut short": (("predict", "cut.linnet", "new.csv"), 1, "cut.linnet: the model file is damaged"),
    "a model that is changed": (
        ("evaluate", "changed.linnet", "test.csv"),
        1,
        "changed.linnet: the model file is damaged",
    ),
    "data as a model": (("explain", "train.csv"), 1, "train.csv: this is not a linnet model file."),
    "no model": (("inspect", "nowhere.linnet"), 1, "nowhere.linnet: "),
    "a misspelt model": (
        ("predict", "mira.linet", "new.csv"),
        1,
        "mira.linet: there is no such model file. Did you mean 'mira.linnet'?",
    ),
    "a misspelt file": (("predict", "mira.linnet", "nwe.csv"), 1, "nwe.csv: no such file. Did you mean 'new.csv'?"),
    "misspelt data": (("inspect", "train.cvs"), 1, "train.cvs: no such file. Did you mean 'train.csv'?"),
    "a misspelt file to explain": (
        ("explain", "mira.linnet", "train.cvs"),
        2,
        "there is no file 'train.cvs'. Did you mean 'train.csv'? To explain a text that looks like the name of a file, use "
        "--text train.cvs.",
    ),
    "one file to explain of two": (
        ("explain", "mira.linnet", "train.csv", "new.cvs"),
        2,
        "there is no file 'new.cvs'.",
    ),
    "a file to explain in a folder": (
        ("explain", "mira.linnet", "./it's"),
        2,
        "there is no file \"./it's\". To explain a text that looks like the name of a file, use --text './it'\"'\"'s'.",
    ),
    "two things to explain": (
        ("explain", "mira.linnet", "good", "--text", "bad"),
        2,
        "there are two texts or files to explain, --text and 'good'. Leave out one of them.",
    ),
    "predict nothing": (("predict", "mira.linnet", "nowhere.csv"), 1, "nowhere.csv: no such file."),
    "no probabilities": (
        ("predict", "unsure.linnet", "new.csv", "--proba"),
        2,
        "unsure.linnet was trained with 'averaged-mira', whose scores are not probabilities.",
    ),
    "an unknown format to write": (
        ("predict", "mira.linnet", "new.csv", "-o", "out.xyz"),
        2,
        "cannot write extension '.xyz' of 'out.xyz'.",
    ),
    "no labels to evaluate": (("evaluate", "mira.linnet", "new.csv"), 1, "new.csv:1: "),
    "a page into a folder": (
        ("explain", "mira.linnet", "good", "--html", "subfolder"),
        2,
        "cannot write the page to 'subfolder': it is a folder. Name a file, as in subfolder/page.html.",
    ),
    "an unknown list": (
        ("list", "colours"),
        2,
        "there is no list of 'colours'. There are: tasks, learners, losses, steps, structures, features, ",
    ),
    "a list of words that is a folder": ((*TRAIN, "--features", "lexicon:subfolder"), 1, "subfolder: cannot be read"),
    "more lexicons than there is room for": ((*TRAIN, "--features", "sentiment " * 6), 2, ""),
    "more labels than there is room for": (("train", "labels.csv", "-o", "out.linnet", "--features", "words"), 1, ""),
}


@pytest.fixture(scope="module")
def results(run, folder, unsure, mira):
    """All at once, for it takes each a moment to start; and which files there were before and after."""
    whole = mira.read_bytes()
    (folder / "cut.linnet").write_bytes(whole[:700])
    (folder / "changed.linnet").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    (folder / "labels.csv").write_text("text,label\n" + "".join(f"word,{i}\n" for i in range(4097)))
    before = sorted(folder.rglob("*"))
    with ThreadPoolExecutor(2) as pool:
        done = dict(zip(CASES, pool.map(lambda case: run(*case[0]), CASES.values()), strict=True))
    return done, before, sorted(folder.rglob("*"))


@pytest.mark.parametrize("name", CASES)
def test_one_sentence_and_the_exit_code(results, name):
    _, code, start = CASES[name]
    done = results[0][name]
    assert done.out == ""
    assert done.err.startswith(f"linnet: {start}")
    assert done.err.count("\n") == 1
    assert done.code == code


def test_nothing_half_written_is_left_behind(results):
    _, before, after = results
    assert after == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a disk that is always full, on Linux")
@pytest.mark.parametrize("command", [("train", "train.csv", "-o"), ("explain", "mira.linnet", "--html")])
def test_a_full_disk_is_a_sentence_too(run, mira, command):
    done = run(*command, "/dev/full")
    assert done.code in (1, 2)
    assert done.err.startswith("linnet: ")
    assert done.err.count("\n") == 1
    assert "No space left on device" in done.err


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("train", "train.csv"), "Missing option '-o' / '--output'."),
        (("train", "train.csv", "-o", "m", "--epochs", "0"), "'--epochs'"),
        (("train", "train.csv", "-o", "m", "--seed", "x"), "'--seed'"),
        (("dance",), "No such command 'dance'."),
        (("predict", "mira.linnet", "new.csv", "--bogus"), "--bogus"),
    ],
)
def test_a_command_line_that_cannot_be_parsed(run, arguments, what):
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert what in done.err
    assert "Traceback" not in done.err
