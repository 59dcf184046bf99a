"""The reports of commands (`--html`) in a real browser: they fit, narrow and wide, dark and light, without serious faults."""

from __future__ import annotations

import subprocess
import sys

import pytest
from browsing import faults
from task_models import trained

REPORTS = {
    "train": ["train", "news.csv", "-o", "other.linnet"],
    "evaluate": ["evaluate", "news.linnet", "test.csv"],
    "compare": ["compare", "news.csv", "--learners", "naive-bayes,perceptron", "--folds", "2"],
    "model": ["inspect", "news.linnet"],
    "data": ["inspect", "news.csv"],
    "suspects": ["inspect", "news.csv", "--suspects", "suspects.csv"],
    "reasons": ["explain", "news.linnet", "test.csv"],
    "tags": ["explain", "tags.linnet", "tags.conll"],
    "errors of tags": ["evaluate", "tags.linnet", "wrong.conll"],
    "trace": ["train", "news.csv", "-o", "traced.linnet", "--learner", "perceptron", "--trace", "3"],
    "heads": ["explain", "heads.linnet", "heads.txt"],
    "constituents": ["explain", "brackets.linnet", "heads.txt"],
    "links": ["explain", "links.linnet", "links.txt"],
}


def linnet(folder, *arguments):
    subprocess.run([sys.executable, "-m", "linnet", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def folder(browser, tmp_path_factory):
    """A folder with models and data whose labels and words are long, and some answers wrong."""
    path = tmp_path_factory.mktemp("reports")
    topics = [
        "comp.sys.ibm.pc.hardware",
        "talk.politics.mideast",
        "soc.religion.christian",
        "a/label_without/any.blank" * 4,
    ]
    rows = [
        (f"{topic[:5]} {'long' * 30} word{i % 5}", topics[(k + (i == 7)) % 4])
        for i in range(12)
        for k, topic in enumerate(topics)
    ]
    text = "text,label\n" + "".join(f"{text},{label}\n" for text, label in rows)
    (path / "news.csv").write_text(text)
    (path / "test.csv").write_text(text)
    tags = "the D\nextraordinarily-long-compound-word N\nbarks V\n\n"
    (path / "tags.conll").write_text(tags * 10)
    (path / "wrong.conll").write_text(tags * 3 + "the N\ndog N\n\n")
    (path / "heads.txt").write_text("the old dog saw a small cat near its house and they ran home fast today\n")
    (path / "links.txt").write_text(
        " ||| ".join(["the old dog saw a small cat near its house and they ran home fast"] * 2)
    )
    linnet(path, "train", "news.csv", "-o", "news.linnet", "--features", "words:1")
    linnet(path, "train", "tags.conll", "-o", "tags.linnet")
    for name, task in (("heads", "parse"), ("brackets", "brackets"), ("links", "align")):
        trained(task).save(path / f"{name}.linnet")
    return path


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_fits_and_has_no_serious_faults(browser, folder, name):
    page = folder / f"{name}.html"
    linnet(folder, *REPORTS[name], "--html", page.name)
    for width, scheme in ((360, "dark"), (1280, "light")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened = context.new_page()
        opened.goto(page.as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(opened) == []
        context.close()
