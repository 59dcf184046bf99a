"""Data and models come from anyone: what they call their labels, columns and words must not command the terminal."""

import os
import pty
import subprocess

import pytest

NAMES_THE_WINDOW = "\x1b]0;name\x07"
COLOURS = "\x9b31m"
EVIL = f"a{NAMES_THE_WINDOW}{COLOURS}b"


@pytest.fixture(scope="module")
def evil(tmp_path_factory, script):
    """A folder of data full of control characters, and of models of them."""
    path = tmp_path_factory.mktemp("evil")
    rows = "".join(f"good {EVIL} {i},yes{EVIL}\nbad {EVIL}q {i},no{EVIL}\n" for i in range(30))
    (path / "texts.csv").write_text(f"text,label\n{rows}")
    (path / "alike.csv").write_text(f"text,label\ngood,yes{EVIL}\nfine,yes{EVIL}\n")
    (path / "tags.conll").write_text("".join(f"a{EVIL} DET{EVIL}\nb{i} N{EVIL}\nc V\n\n" for i in range(30)))
    (path / "wrong.conllu").write_text(f"1\ta{EVIL}\t_\t{EVIL}\t_\t_\t{EVIL}\troot\t_\t_\n\n")
    for name in ("texts.csv", "tags.conll"):
        subprocess.run([script, "train", name, "-o", name + ".linnet"], cwd=path, check=True, capture_output=True)
    return path


def on_a_terminal(command, folder):
    """All that a command shows on a terminal."""
    end, other = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=other,
        cwd=folder,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "120"},
    )
    os.close(other)
    seen = b""
    try:
        while part := os.read(end, 65536):
            seen += part
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(end)
    return seen.decode()


COMMANDS = {
    "predict": ("predict", "texts.csv.linnet", "texts.csv"),
    "predict as JSON": ("predict", "texts.csv.linnet", "texts.csv", "-o", "-"),
    "predict tags": ("predict", "tags.conll.linnet", "tags.conll"),
    "explain": ("explain", "texts.csv.linnet", f"good {EVIL}"),
    "explain as JSON": ("explain", "texts.csv.linnet", f"good {EVIL}", "--json"),
    "explain tags": ("explain", "tags.conll.linnet", f"a{EVIL} b1 c"),
    "evaluate": ("evaluate", "texts.csv.linnet", "texts.csv"),
    "evaluate tags": ("evaluate", "tags.conll.linnet", "tags.conll"),
    "inspect a model": ("inspect", "texts.csv.linnet"),
    "inspect a tagger": ("inspect", "tags.conll.linnet"),
    "inspect data": ("inspect", "texts.csv"),
    "reproduce": ("reproduce", "texts.csv.linnet"),
    "train": ("train", "texts.csv", "-o", f"{EVIL}.linnet"),
    "an error in data": ("train", "alike.csv", "-o", "none.linnet"),
    "an error in a tree": ("train", "wrong.conllu", "-o", "none.linnet"),
    "a name that is missing": ("predict", "texts.csv.linnet", f"{EVIL}.csv"),
    "an option": ("train", "texts.csv", "--label-col", EVIL, "-o", "none.linnet"),
    "a command": (EVIL,),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_control_character_of_data_or_models_reaches_the_terminal(evil, script, name):
    shown = on_a_terminal([script, *COMMANDS[name]], evil)
    assert len(shown) > 20
    assert not {character for character in shown if character in "\x07\x08\x9b"}
    assert "\x1b]" not in shown


def test_a_file_gets_what_a_label_is(evil, script):
    done = subprocess.run(
        [script, "predict", "texts.csv.linnet", "texts.csv"], cwd=evil, check=True, capture_output=True
    )
    assert f"yes{EVIL}".encode() in done.stdout


def test_results_that_are_printed_from_python_have_none(evil):
    import linnet

    model = linnet.load(evil / "texts.csv.linnet")
    results = (model, model.explain(f"good {EVIL}"), model.evaluate(evil / "texts.csv"))
    for shown in (*map(str, results), *map(repr, results)):
        assert len(shown) > 20
        assert not set(shown) & set("\x07\x1b\x9b")
