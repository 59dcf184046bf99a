"""Every example in the README and the docs runs; those of CONTRIBUTING do in test_contributing.py, and those of the tutorial,
which need each other, in test_tutorial.py."""

import csv
import itertools
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from bitext import jsonl, lines
from treebank import conllu

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

GOOD = ["a fine film", "not dull at all, a joy", "great fun and a fine cast", "I loved this film", "a moving story"]
BAD = ["a dull film", "not a fine film at all", "bad, bad, bad", "I hated this film", "a waste of time"]


WITHOUT_DASK = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask (distributed) is not installed")


def needs(code: str) -> list:
    """What an example needs beyond linnet, as marks that skip it."""
    return [WITHOUT_DASK] if "--cluster" in code or "distributed" in code else []


def blocks(language: str) -> list:
    return [
        pytest.param(code, id=f"{page.name}-{n}", marks=needs(code))
        for page in PAGES
        if page.name not in ("tutorial.md", "lectures.md")
        for n, (found, code) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
        if found == language
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registries: None) -> Path:
    """A folder with the files that the examples name."""
    rows = [(text, "pos") for text in GOOD] + [(text, "neg") for text in BAD]
    table = "text,label,genre,year\n" + "".join(f'"{text}",{label},drama,1994\n' for text, label in rows * 4)
    (tmp_path / "all-reviews.csv").write_text(table + table.partition("\n")[2] * 2, encoding="utf-8")
    for name in ("reviews.csv", "new.csv", "test.csv"):
        (tmp_path / name).write_text(table, encoding="utf-8")
    (tmp_path / "avis.csv").write_text(table.replace(",", ";").replace("fine", "très beau"), encoding="cp1252")
    russian = "id,words,verdict\n" + "".join(
        f"{i},это {'хороший' if i % 2 else 'плохой'} фильм,{i % 2}\n" for i in range(20)
    )
    (tmp_path / "russian.csv").write_text(russian, encoding="cp1251")
    for name in ("chunks.conll", "chunks-test.conll"):
        (tmp_path / name).write_text("the DT B-NP\nfilm NN I-NP\nends VBZ B-VP\n\n" * 4, encoding="utf-8")
    for name, labels in (
        ("questions.csv", ("NUM:date", "NUM:count", "LOC:city")),
        ("stars.csv", ("1", "2", "5")),
        ("mail.csv", ("ham", "spam")),
    ):
        rows = [f'"{text}",{label}\n' for text, label in zip((GOOD + BAD) * 4, itertools.cycle(labels), strict=False)]
        (tmp_path / name).write_text("text,label\n" + "".join(rows), encoding="utf-8")
    rows = [f"{i % 7},{i * 3 % 11 + 5 * (i % 2)},{'spam' if i % 2 else 'ham'}\n" for i in range(40)]
    (tmp_path / "points.csv").write_text("length,capitals,label\n" + "".join(rows), encoding="utf-8")
    (tmp_path / "costs.csv").write_text("ham,spam,10\n", encoding="utf-8")
    (tmp_path / "topics.jsonl").write_text('{"text": "wheat and corn", "labels": ["corn", "wheat"]}\n' * 4)
    (tmp_path / "trees.conllu").write_text(conllu(40))
    (tmp_path / "pairs.jsonl").write_text(jsonl(20))
    for name in ("more.txt", "new.txt"):
        (tmp_path / name).write_text(lines(20, seed=1))
    (tmp_path / "notes.txt").write_text("She likes the old dog.\n")
    (tmp_path / "shorter.jsonl").write_text('{"tokens": ["a", "very", "fine", "film"], "keep": [1, 0, 1, 1]}\n' * 4)
    tree = "( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n( (S (NP (PRP It)) (VP (VBZ ends))))\n"
    (tmp_path / "trees.mrg").write_text(4 * tree, encoding="utf-8")
    (tmp_path / "story.txt").write_text("The film ends. It ends.", encoding="utf-8")
    lists = (
        '{"source": "x", "candidates": [{"text": "a film", "score": 1, "cost": 0}, {"text": "film a", "cost": 1}]}\n'
    )
    (tmp_path / "nbest.jsonl").write_text(lists * 4, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "restore.py", tmp_path)
    (tmp_path / "letters.prose").write_text(
        "Dear Ann, thank you. I am well, and so is Bob.\nDear Bob, how are you?\n" * 4
    )
    (tmp_path / "spoken.txt").write_text("dear bob how are you i am well\n")
    watch = (ROOT / "docs" / "watch.md").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(next(code for _, code in BLOCK.findall(watch) if code.startswith("# mine.py")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_examples() -> None:
    assert len(blocks("sh")) >= 5
    assert len(blocks("python")) >= 3


def test_figures_of_the_readme_are_those_of_the_page() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Measured")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    page = (ROOT / "docs" / "measured.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) > 2
    assert set(rows) <= set(page)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("code", blocks("sh"))
def test_shell_examples_run(code: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
    )
    assert result.returncode == 0, result.stderr
    if "labels.csv" in code:
        with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
            answers = list(csv.DictReader(file))
        assert [row["prediction"] for row in answers] == (["pos"] * 5 + ["neg"] * 5) * 4
        assert all(0.5 <= float(row["confidence"]) <= 1 for row in answers)


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples_run(code: str, folder: Path) -> None:
    names: dict = {}
    exec(compile(code, "example", "exec"), names)
    if "model" in names:
        assert names["model"].predict(["a fine film", "a dull film"]) == ["pos", "neg"]
    if "restorer" in names:
        assert names["restorer"].predict(["dear ann how are you"]) == ["Dear Ann, how are you?"]
