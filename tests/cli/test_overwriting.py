"""No command writes over what it reads, nor over a file that linnet did not write, unless it is told to."""

import os
import stat
import subprocess

import pytest

import linnet
from linnet.cli.kinds_of_output import ANSWERS, LABELLED, MODEL, PAGE, SUSPECTS
from linnet.cli.outputs import check_output, check_outputs, checkpoint_of
from linnet.errors import UsageError
from linnet.report.page import document

TABLE = "text,label\ngood,pos\nbad,neg\n"
INPUT = "which would be lost. Name another file."


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with data in it, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(TABLE)
    (tmp_path / "words.txt").write_text("good\nfine\n")
    return tmp_path


@pytest.fixture
def refusal():
    """The sentence with which an output is refused."""

    def of(path, kind=MODEL, inputs=(), force=False):
        with pytest.raises(UsageError) as caught:
            check_output(path, kind, list(inputs), force)
        return str(caught.value)

    return of


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "data.csv", "-o", "data.csv"),
        ("train", "train.csv", "-o", "data.csv", "--dev", "data.csv"),
        ("train", "train.csv", "-o", "mira.linnet", "--from", "mira.linnet"),
        ("train", "train.csv", "-o", "list.txt", "--features", "words:1 lexicon:list.txt*0.5"),
        ("train", "train.csv", "-o", "list.txt", "--features", "words:1 sentiment:list.txt,train.csv"),
        ("train", "train.csv", "-o", "data.csv", "--set", "costs=data.csv"),
        ("train", "train.csv", "-o", "my list, new.txt", "--set", "costs=my list, new.txt"),
        ("train", "pairs.txt", "-o", "data.csv", "--parallel", "data.csv"),
        ("predict", "mira.linnet", "data.csv", "-o", "data.csv"),
        ("predict", "mira.linnet", "new.csv", "-o", "mira.linnet"),
        ("predict", "mira.linnet", "new.csv", "-o", "data.csv", "--costs", "data.csv"),
        ("explain", "mira.linnet", "data.csv", "--html", "data.csv"),
        ("explain", "mira.linnet", "--html", "mira.linnet"),
        ("compare", "data.csv", "--html", "data.csv"),
        ("compare", "train.csv", "--test", "data.csv", "--html", "data.csv"),
        ("--with", "own.py", "train", "train.csv", "-o", "own.py"),
    ],
)
def test_an_output_that_is_an_input_is_refused_even_by_force(run, folder, mira, arguments):
    for name in ("data.csv", "list.txt", "my list, new.txt", "pairs.txt"):
        (folder / name).write_text(TABLE)
    (folder / "own.py").write_text('"""Nothing."""\n')
    flag = "--html" if "--html" in arguments else "-o"
    output = folder / arguments[arguments.index(flag) + 1]
    before = output.read_bytes()
    done = run(*arguments, "--force")
    assert done.err.endswith(f"{output.name!r}: it is an input of the command, {INPUT}\n")
    assert (done.code, done.out, output.read_bytes()) == (2, "", before)


@pytest.mark.parametrize("name", ["./data.csv", "sub/../data.csv", "link.csv", "hard.csv", "sub/deep.csv"])
def test_links_and_other_ways_to_write_a_name(here, refusal, name):
    (here / "sub").mkdir()
    (here / "link.csv").symlink_to("data.csv")
    (here / "hard.csv").hardlink_to("data.csv")
    (here / "sub" / "deep.csv").symlink_to("../link.csv")
    said = f"it is the same file as the input 'data.csv', {INPUT}"
    assert refusal(name, ANSWERS, ["data.csv"], force=True) == f"cannot write the answers to {name!r}: {said}"
    said = f"it is the same file as the input {name!r}, {INPUT}"
    assert refusal("data.csv", PAGE, [name], force=True) == f"cannot write the page to 'data.csv': {said}"


def test_standard_input_may_be_a_file_too(script, folder, mira):
    (folder / "stdin.csv").write_text("text\ngood\n")
    for name in ("-", "/dev/stdin"):
        with open(folder / "stdin.csv") as stdin:
            done = subprocess.run(
                [script, "predict", mira, name, "--format", "csv", "-o", "stdin.csv", "--force"],
                stdin=stdin, capture_output=True, text=True, cwd=folder, check=False,
            )  # fmt: skip
        known = "standard input" if name == "-" else "the input '/dev/stdin'"
        assert (
            done.stderr == f"linnet: cannot write the answers to 'stdin.csv': it is the same file as {known}, {INPUT}\n"
        )
        assert done.returncode == 2
    assert (folder / "stdin.csv").read_text() == "text\ngood\n"


@pytest.mark.parametrize("flags", [[], ["-o", "-"]])
def test_standard_output_may_be_an_input_too(script, folder, mira, flags):
    (folder / "appended.csv").write_text("text\ngood\n")
    with open(folder / "appended.csv", "a") as stdout:
        done = subprocess.run(
            [script, "predict", mira, "appended.csv", *flags],
            stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=folder, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "to standard output: it is the same file as the input 'appended.csv'" in done.stderr
    assert (folder / "appended.csv").read_text() == "text\ngood\n"


def test_files_in_a_folder_of_labels(here, refusal):
    (here / "reviews" / "pos").mkdir(parents=True)
    (here / "reviews" / "pos" / "1.txt").write_text("good")
    (here / "outside").hardlink_to("reviews/pos/1.txt")
    assert refusal("reviews/pos/1.txt", MODEL, ["reviews"], force=True) == (
        f"cannot write the model to 'reviews/pos/1.txt': it is an input of the command, {INPUT}"
    )
    assert "the same file as the input 'reviews/pos/1.txt'" in refusal("outside", MODEL, ["reviews/"], force=True)
    assert refusal("reviews/pos/m.linnet", MODEL, ["./reviews"], force=True) == (
        "cannot write the model to 'reviews/pos/m.linnet': it would become one of the texts of the input './reviews'. Name a "
        "file outside of it."
    )
    check_output("reviews/m.linnet", MODEL, ["reviews"])  # Files beside the folders of labels are not read.
    (here / "reviews" / "m.linnet").write_bytes(b'12345678{"__metadata__":{"linnet":')
    check_output("reviews/m.linnet", MODEL, ["reviews"])
    assert "one of the texts" in refusal("reviews/pos/out.csv", ANSWERS, ["reviews/pos"])


def test_folders_with_the_name_of_a_feature_are_no_inputs(here):
    (here / "pos").mkdir()
    check_outputs("train", {"data": ["data.csv"], "features": "pos", "output": "pos/m.linnet"}, [], False)


def test_a_learner_may_have_the_name_of_the_model(here):
    (here / "crf").write_bytes(b'12345678{"__metadata__":{"linnet":')
    check_outputs("train", {"data": ["data.csv"], "learner": "crf", "output": "crf"}, [], False)


def test_what_each_command_replaces(run, folder, mira):
    (folder / "notes.txt").write_text("mine")
    for arguments, kind in (
        (("train", "train.csv", "-o"), "the model to 'notes.txt': there is a file of that name, which is not a model."),
        (
            ("predict", mira, "new.csv", "-o"),
            "the answers to 'notes.txt': there is a file of that name, which is not a table of predictions.",
        ),
        (
            ("explain", mira, "--html"),
            "the page to 'notes.txt': there is a file of that name, which is not a page that linnet wrote.",
        ),
        (
            ("compare", "train.csv", "--html"),
            "the page to 'notes.txt': there is a file of that name, which is not a page that linnet wrote.",
        ),
    ):
        done = run(*arguments, "notes.txt")
        assert done.err == f"linnet: cannot write {kind} Name another file, or add --force to replace it.\n"
        assert (done.code, (folder / "notes.txt").read_text()) == (2, "mine")


def test_a_model_replaces_a_model_and_other_files_by_force(run, folder):
    train = ("train", "train.csv", "--features", "words:1", "-o")
    assert [run(*train, "again.linnet").code for _ in range(2)] == [0, 0]
    (folder / "forced.csv").write_text(TABLE)
    assert run(*train, "forced.csv").code == 2
    assert run(*train, "forced.csv", "--force").code == 0
    assert MODEL.recognises(str(folder / "forced.csv"))


def test_a_page_replaces_a_page(run, folder, mira):
    explain = ("explain", mira, "good", "--html", "why.html")
    assert [run(*explain).err for _ in range(2)] == ["wrote why.html\n"] * 2
    (folder / "why.html").write_text("<!doctype html><title>Mine</title>")
    assert run(*explain).code == 2
    assert run(*explain, "--force").err == "wrote why.html\n"


@pytest.mark.parametrize(
    ("name", "text", "ours"),
    [
        ("a.csv", "prediction\npos\n", True),
        ("a.csv", "text,label,prediction,confidence\na,pos,pos,0.5\n", True),
        ("a.csv", "\ufefftext,prediction_1,score_1,prediction_2,score_2\r\n", True),
        ("a.tsv", "text\tprediction\tconfidence\n", True),
        ("a.jsonl", '{"text": "a, b", "prediction": "pos", "confidence": 0.5}\n', True),
        ("a.jsonl", '{"tokens": ["a"], "best": [{"tags": ["N"], "score": 1.0}]}\n', True),
        ("a.csv", "text,prediction,confidence,checked\n", False),  # someone has looked at the answers
        ("a.csv", "text,label\n", False),
        ("a.csv", "label\n", False),  # it may be gold
        ("a.csv", "text,score\n", False),
        ("a.tsv", "text,prediction\n", False),
        ("a.jsonl", '{"tokens": ["a"], "tags": ["N"]}\n', False),
        ("a.jsonl", "[1, 2]\n", False),
        ("a.jsonl", "prediction\n", False),
        ("a.parquet", "prediction\n", False),
        ("a.arrow", "prediction\n", False),
        ("a.conll", "prediction\n", False),
    ],
)
def test_answers_are_known_by_their_columns(here, name, text, ours):
    (here / name).write_text(text)
    assert ANSWERS.recognises(name) is ours


@pytest.mark.parametrize(
    ("name", "text", "suspects", "labelled"),
    [
        ("a.csv", "row,line,label,suggested,score,text\n", True, False),
        ("a.csv", "row,label,suggested,score,text\n", True, False),
        ("a.tsv", "row\tlabel\tsuggested\tscore\ttext\n", True, False),
        ("a.jsonl", '{"row": 1, "line": 2, "label": "a", "suggested": "b", "score": 0.1, "text": "c"}\n', True, False),
        ("a.csv", "row,label,suggested,score,text,checked\n", False, False),
        ("a.csv", "row,text,label,by,held_out,note\n", False, True),
        ("a.csv", "text,label\n", False, False),
        ("a.linnet", "row,text,label,by,held_out,note\n", False, False),
    ],
)
def test_suspects_and_labelled_texts_are_known_by_their_columns(here, name, text, suspects, labelled):
    (here / name).write_text(text)
    assert (SUSPECTS.recognises(name), LABELLED.recognises(name)) == (suspects, labelled)


def test_a_model_of_labelled_texts_replaces_a_model(here):
    linnet.train(["good", "bad"], ["+", "-"], features="words:1").save("a.linnet")
    assert LABELLED.recognises("a.linnet")


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_answers_with_types_are_known_by_their_columns(here, name):
    from linnet import io

    io.write_columns(name, {"text": ["a"], "prediction": ["pos"], "confidence": [0.5]})
    assert ANSWERS.recognises(name)
    io.write_columns(name, {"text": ["a"], "label": ["pos"]})
    assert not ANSWERS.recognises(name)


def test_pages_and_models_are_known_by_how_they_begin(here):
    (here / "page.html").write_text(document("A page", "text"))
    assert PAGE.recognises("page.html")
    assert not MODEL.recognises("page.html")
    (here / "other.safetensors").write_bytes(b'12345678{"__metadata__":{"format":"pt"}}')
    assert not MODEL.recognises("other.safetensors")


def test_an_empty_file_has_nothing_to_lose(here):
    (here / "new").touch()
    for kind in (MODEL, PAGE, ANSWERS):
        check_output("new", kind, ["data.csv"])


def test_where_nothing_can_be_written(here, refusal):
    assert refusal("no/m") == "cannot write the model to 'no/m': there is no folder 'no'. Make it first."
    assert refusal("no/") == "cannot write the model to 'no/': there is no folder 'no'. Make it first."
    (here / "link").symlink_to("gone/m")
    assert refusal("link").endswith(f"there is no folder '{here}/gone'. Make it first.")
    assert refusal(".", PAGE) == "cannot write the page to '.': it is a folder. Name a file, as in ./page.html."
    assert refusal("") == "cannot write the model to '': it is a folder. Name a file, as in my.linnet."
    assert refusal("-") == (
        "cannot write the model to '-': it is not written to standard output. Name a file, such as my.linnet."
    )


def test_a_name_that_is_too_long_is_refused_before_training(run, folder):
    name = "m" * 238 + ".linnet"  # It could be written, but not with .part behind it.
    done = run("train", "train.csv", "-o", name)
    assert (done.code, done.err) == (
        2,
        f"linnet: cannot write '{name}.part': File name too long. Choose another name or folder.\n",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_where_nothing_may_be_written(here, refusal):
    here.chmod(0o500)
    assert refusal("m.linnet") == "cannot write 'm.linnet': Permission denied. Choose another name or folder."


def test_a_protected_file_is_replaced_by_force_only(here, refusal, monkeypatch):
    (here / "m").write_bytes(b'12345678{"__metadata__":{"linnet":')
    monkeypatch.setattr(os, "access", lambda path, mode: path != "m")
    assert refusal("m") == (
        "cannot write the model to 'm': the file is protected. Name another file, or add --force to replace it."
    )
    check_output("m", MODEL, [], force=True)


def test_the_checkpoint_replaces_nothing_but_checkpoints(run, folder):
    (folder / "kept.linnet.part").write_text("mine")
    done = run("train", "train.csv", "-o", "kept.linnet", "--force")
    assert (done.code, done.err) == (
        2,
        "linnet: 'kept.linnet.part' is not a model, but training keeps its state under that name while it goes on. Move it "
        "away, or name another output.\n",
    )
    assert (folder / "kept.linnet.part").read_text() == "mine"


@pytest.mark.parametrize("put", [os.mkfifo, os.mkdir, lambda path: os.symlink("elsewhere", path)])
def test_the_checkpoint_replaces_nothing_but_files(here, put):
    """A named pipe would be waited for, and a link would be written where it leads."""
    put("m.linnet.part")
    with pytest.raises(
        UsageError, match="'m.linnet.part' is not a model, but training keeps its state under that name"
    ):
        check_outputs("train", {"data": ["data.csv"], "output": "m.linnet"}, [], force=True)
    assert not (here / "elsewhere").exists()


def test_the_checkpoint_is_no_input(run, mira, folder):
    (folder / "more.linnet.part").write_bytes(mira.read_bytes())
    done = run("train", "train.csv", "--from", "more.linnet.part", "-o", "more.linnet")
    assert (done.code, "'more.linnet.part': it is an input of the command" in done.err) == (2, True)


def test_devices_are_written_and_have_no_checkpoint(here):
    for kind in (MODEL, PAGE, ANSWERS):
        check_output("/dev/null", kind, ["/dev/null"])
    assert checkpoint_of("/dev/null") is None
    assert checkpoint_of("m.linnet") == "m.linnet.part"


def test_a_model_into_a_pipe(script, folder, mira):
    done = subprocess.run(
        [script, "train", "train.csv", "-o", "/dev/stdout"], capture_output=True, cwd=folder, check=True, timeout=60
    )
    (folder / "piped.linnet").write_bytes(done.stdout)
    assert MODEL.recognises(str(folder / "piped.linnet"))


def test_a_link_stays_a_link_and_permissions_stay(run, folder):
    (folder / "real.linnet").touch(mode=0o640)
    (folder / "real.linnet").chmod(0o604)
    (folder / "linked.linnet").symlink_to("real.linnet")
    assert run("train", "train.csv", "-o", "linked.linnet", "--features", "words:1").code == 0
    assert (folder / "linked.linnet").is_symlink()
    assert MODEL.recognises(str(folder / "real.linnet"))
    assert stat.S_IMODE((folder / "real.linnet").stat().st_mode) == 0o604
