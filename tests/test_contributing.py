"""The files of CONTRIBUTING.md: each adds what it says, from outside of linnet, and is used for real."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import linnet
from linnet.core.blocks import Block
from linnet.core.loops.online import Online
from linnet.errors import DataError, UsageError
from linnet.steps.constant import Constant
from linnet.structures.checks import check_structure
from linnet.structures.labels import Labels

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = {name: f"# {name}\n{code}" for name, code in re.findall(r"^```\w+\n# (\S+)\n(.*?)^```$", PAGE, re.M | re.S)}
ADDED = {
    "A learner": ["adagrad_svm.py"],
    "A loss": ["ramp.pyx"],
    "A structure": ["span.py"],
    "A feature": ["hosts.py", "soundex.py"],
    "A format": ["vw.py"],
}
REVIEWS = [("a fine film", "pos"), ("a dull film", "neg"), ("not dull, a joy", "pos"), ("no joy at all", "neg")] * 5


@pytest.fixture
def own(tmp_path, monkeypatch, registries):
    """One of the files in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def write(name):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
        return name

    return write


def run(*arguments):
    script = Path(sys.executable).with_name("linnet")
    done = subprocess.run([script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_reviews(path="reviews.csv"):
    Path(path).write_text("text,label\n" + "".join(f'"{text}",{label}\n' for text, label in REVIEWS), encoding="utf-8")


@pytest.mark.parametrize("kind", ADDED)
def test_each_kind_is_a_file_of_under_100_lines(kind):
    section = PAGE.partition(f"\n## {kind}\n")[2].partition("\n## ")[0]
    assert re.findall(r"^```\w+\n# (\S+)$", section, re.M) == ADDED[kind]
    assert all(len(FILES[name].splitlines()) < 100 for name in ADDED[kind])


def test_there_is_no_other_file():
    assert sorted(FILES) == sorted(name for names in ADDED.values() for name in names)
    assert len(FILES) == PAGE.count("\n```") // 2


def test_a_task_is_an_example_that_says_what_it_derives_from():
    section = PAGE.partition("\n## A task\n")[2].partition("\n## ")[0]
    code = (ROOT / "examples" / "restore.py").read_text(encoding="utf-8")
    assert f"{len(code.splitlines())} lines" in section
    bases = re.findall(r"^\| ((?:`\w+`(?:, )?)+) in `tasks/(\w*)", section, re.M)
    assert len(bases) == 4
    for names, folder in bases:
        files = (ROOT / "src" / "linnet" / "tasks" / folder).glob("*.py")
        there = "".join(file.read_text(encoding="utf-8") for file in files)
        assert all(f"class {name}" in there for name in re.findall(r"\w+", names))


def test_a_learner(own):
    file = own("adagrad_svm.py")
    write_reviews()
    run("--with", file, "train", "reviews.csv", "-o", "reviews.linnet", "--learner", "adagrad-svm", "--set", "eta=0.5")
    assert json.loads(run("--with", file, "evaluate", "reviews.linnet", "reviews.csv", "--json"))["accuracy"] == 1
    assert "hinge loss by averaged AdaGrad" in run("--with", file, "list", "learners")

    linnet.use(file)
    tagger = linnet.learn(Marked, ["abab", "bba"], [(1, 0, 1, 0), (0, 0, 1)], learner="adagrad-svm")
    assert tagger.predict(["bab"]) == [(0, 1, 0)]


class Marked(linnet.Structure):
    """Which letters are marked."""

    outcomes = (2,)

    def features(self, word):
        return [[{"letter": letter} for letter in word]]

    def mu(self, y):
        return [(0, i, k) for i, k in enumerate(y)]

    def argmax(self, theta):
        return tuple(theta[0].argmax(axis=1).tolist())


def test_a_loss(own):
    write_reviews()
    file = own("ramp.pyx")
    ramp = linnet.use(file)
    model = linnet.train("reviews.csv", learner="ramp")
    assert model.predict([text for text, _ in REVIEWS]) == [label for _, label in REVIEWS]
    model.save("reviews.linnet")
    assert json.loads(run("--with", file, "evaluate", "reviews.linnet", "reviews.csv", "--json"))["accuracy"] == 1

    # One step of an example with f = (1, x) from W: r is told from how W has moved, the loss by enumeration.
    rng = np.random.default_rng(0)
    for y in range(3):
        theta = rng.normal(size=3)
        learner = Online(Labels(3), ramp.Ramp(0.7), Constant(1), (0,))
        weights = np.zeros((1, 4), np.float32)
        weights[0, :3] = theta
        learner.restore({"v0": weights}, {})
        block = Block(np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
        learner.begin()
        learner.run((block,), np.array([y], np.int32), np.arange(2), np.zeros(1, np.int64))
        cost = 0.7 * (np.arange(3) != y)
        hope, fear = np.argmax(theta - cost), np.argmax(theta + cost)
        np.testing.assert_allclose(learner.total, (theta + cost)[fear] - (theta - cost)[hope], rtol=1e-5)
        moved = learner.last()[0][0, :3] - theta
        np.testing.assert_allclose(moved, np.eye(3)[hope] - np.eye(3)[fear], atol=1e-5)


def test_what_is_compiled_is_kept_until_it_changes(own):
    file = own("ramp.pyx")
    linnet.use(file)
    made = list(Path("__pycache__").iterdir())
    assert len(made) == 1
    then = made[0].stat().st_mtime_ns
    linnet.use(file)
    assert [path.stat().st_mtime_ns for path in Path("__pycache__").iterdir()] == [then]
    Path(file).write_text(FILES[file].replace("self.cost = cost", "self.cost = price"), encoding="utf-8")
    with pytest.raises(UsageError, match=r"(?s)^'ramp.pyx' does not compile. Correct it:\n.*undeclared name.*price"):
        linnet.use(file)


def test_a_structure(own):
    Span = linnet.use(own("span.py")).Span
    check_structure(Span, [["a"], ["a", "b", "c", "d"]])
    X = [
        "call Dr. Ann Lee now".split(),
        "the call of Dr. Bob".split(),
        "Dr. Eve Fox is here".split(),
        "is Mr. Ray in".split(),
    ]
    Y = [(1, 3), (3, 4), (0, 2), (1, 2)]
    model = linnet.learn(Span, X, Y, learner="crf", epochs=30)
    assert model.predict(X) == Y
    assert model.predict(["now is Dr. Ann Lee here".split()]) == [(2, 4)]
    model.save("spans.linnet")
    assert linnet.load("spans.linnet", structure=Span).predict_k(X[:1], 2)[0][0][0] == (1, 3)


def test_a_feature_of_texts(own):
    file = own("hosts.py")
    links = [("see https://www.Good.org/a", "ham"), ("see http://bad.biz", "spam"), ("http://bad.biz/x or so", "spam")]
    rows = "".join(f"{text},{label}\n" for text, label in [*links, ("see it, good.org".replace(",", ""), "ham")] * 4)
    Path("mail.csv").write_text(f"text,label\n{rows}", encoding="utf-8")
    run("--with", file, "train", "mail.csv", "-o", "mail.linnet", "--features", "words:1 hosts", "--learner", "mira")
    assert "the hosts that the text links to" in run("--with", file, "list", "features")

    linnet.use(file)
    model = linnet.load("mail.linnet")
    found = [c.feature for c in model.explain("from HTTP://bad.biz or http://new.org").contributions]
    assert "hosts=bad.biz" in found
    assert not any("new.org" in name for name in found)
    assert model.predict(["http://bad.biz"]) == ["spam"]
    table = [{"text": "a", "url": "http://bad.biz"}, {"text": "a", "url": "http://good.org"}]
    by_column = linnet.train((table * 3, ["spam", "ham"] * 3), features="hosts:url*2", learner="mira")
    assert by_column.predict(table) == ["spam", "ham"]
    assert by_column.features.names() == ["hosts:url=bad.biz", "hosts:url=good.org"]
    by_text = linnet.train((["http://bad.biz", "http://good.org"] * 3, ["spam", "ham"] * 3), features="hosts")
    with pytest.raises(DataError, match="^found no column of text among 'url'"):
        by_text.predict([{"url": "http://bad.biz"}])


def test_a_feature_of_tokens(own):
    file = own("soundex.py")
    soundex = linnet.use(file).soundex
    codes = {"Robert": "R163", "Rupert": "R163", "Ashcraft": "A261", "Tymczak": "T522", "Pfister": "P236", "7": ""}
    assert {word: soundex(word) for word in codes} == codes
    Path("names.conll").write_text("Robert B-PER\nsaw O\nit O\n\nSee O\nHonda B-ORG\n\n" * 4, encoding="utf-8")
    features = "soundex soundex[-1]|soundex"
    run("--with", file, "train", "names.conll", "-o", "names.linnet", "--features", features, "--learner", "mira")
    Path("new.conll").write_text("Rupert\nsay\n\n", encoding="utf-8")
    assert run("--with", file, "predict", "names.linnet", "new.conll").split() == ["Rupert", "B-PER", "say", "O"]
    assert "how the word sounds" in run("--with", file, "list", "token-features")


def test_a_format(own):
    file = own("vw.py")
    lines = [f"{label} 2.0 '{n}|words {text} |where here" for n, (text, label) in enumerate(REVIEWS)]
    Path("reviews.vw").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("--with", file, "train", "reviews.vw", "-o", "reviews.linnet")
    assert json.loads(run("--with", file, "evaluate", "reviews.linnet", "reviews.vw", "--json"))["accuracy"] == 1
    assert "Vowpal Wabbit" in run("--with", file, "list", "formats")

    linnet.use(file)
    data = linnet.read("reviews.vw")
    assert data.text.to_pylist()[:2] == ["a fine film here", "a dull film here"]
    assert data.label_list()[:2] == ["pos", "neg"]
    for text, sentence in {
        "1 | a\n2 b\n": "wrong.vw:2: expected a bar before the words.",
        "1 | a\n| b\n| c\n": "wrong.vw: 2 of 3 rows have no label (empty), the first on row 2.",
        "\n\n": "wrong.vw: the file holds only blank lines.",
    }.items():
        Path("wrong.vw").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=f"^{re.escape(sentence)}"):
            linnet.read("wrong.vw")
    Path("new.vw").write_text("| a fine film\n", encoding="utf-8")
    assert linnet.read("new.vw", labelled=False).labels is None


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("none.py", "the file 'none.py' does not exist."),
        ("learner.txt", "expected a file of Python (.py) or Cython (.pyx), found 'learner.txt'."),
    ],
)
def test_what_is_no_file_to_use(path, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"^{re.escape(sentence)}"):
        linnet.use(path)


def test_without_a_compiler(own, monkeypatch):
    file = own("ramp.pyx")
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: {"LDSHARED": "no-such-cc -shared"}.get(name, ""))
    with pytest.raises(UsageError, match="^'ramp.pyx' has to be compiled, which needs a C compiler, 'no-such-cc'"):
        linnet.use(file)
    monkeypatch.setattr("linnet.plugins.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="which needs Cython. Do `pip install cython`.$"):
        linnet.use(file)
    assert os.listdir("__pycache__") == []
