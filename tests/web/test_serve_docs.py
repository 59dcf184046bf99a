"""The examples of docs/serve.md and docs/course.md give what the pages say."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from running_server import serving

import linnet

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("page", ["serve.md", "course.md"])
def test_examples_give_what_the_page_says(tmp_path, page):
    texts = ["a fine film", "great fun", "a joy", "a dull film", "a waste", "bad"] * 4
    labels = ["pos", "pos", "pos", "neg", "neg", "neg"] * 4
    linnet.train(texts, labels, features="words:1", learner="logistic").save(tmp_path / "reviews.linnet")
    (block,) = re.findall(r"^```console\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL)
    examples = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE)
    assert examples
    with serving(tmp_path / "reviews.linnet") as client:
        for command, said in examples:
            done = subprocess.run(
                command.replace("8642", str(client.port)), shell=True, capture_output=True, text=True, check=True
            )
            assert done.stdout.strip() == said.strip()
