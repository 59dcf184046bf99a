"""A task of one's own: examples/restore.py goes through every command and every way of Python without a change in linnet."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import linnet
from linnet.errors import DataError, ModelError, UsageError
from linnet.fitting.contract import Counts, Known, Plan
from linnet.fitting.registry import TASKS
from linnet.tasks.usual_commands import UsualCommands
from linnet.tasks.words.model import WordsModel
from linnet.tasks.words.task import WordsTask

EXAMPLE = Path(__file__).parent.parent / "examples" / "restore.py"
LETTERS = """\
Dear Ann, thank you for the letter. It came on Monday, and I was glad to read it.
Dear Bob, how are you? I am well, and so is my dog. We live in Paris now.
Well, the NASA letter came late. Did you read it? I did not.
Dear Eve, thank you for the dog. It is well, and I am glad!
Are you in Rome? We are in Paris now, and it is late.
Ann has an iPhone, and Bob has a dog. How is Eve? She is in Rome.
"""
SPOKEN = "dear eve thank you for the letter\n\nann has an iphone and i am well\n"
WRITTEN = ["Dear Eve, thank you for the letter.", "", "Ann has an iPhone, and I am well."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("restore")
    (path / "letters.prose").write_text(LETTERS * 4, encoding="utf-8")
    (path / "test.txt").write_text(LETTERS, encoding="utf-8")
    (path / "spoken.txt").write_text(SPOKEN, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def run(folder):
    def call(*arguments, own=True):
        added = ("--with", EXAMPLE) if own else ()
        script = Path(sys.executable).with_name("linnet")
        done = subprocess.run([script, *added, *arguments], capture_output=True, text=True, cwd=folder, check=False)
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.fixture(scope="module")
def trained(run):
    code, _, err = run("train", "letters.prose", "-o", "letters.linnet", "--task", "restore")
    assert code == 0, err
    assert err.startswith("letters.prose: 24 examples, task restore, 11 labels: x 192, ")
    assert "\nlearner softmax-margin, " in err
    return "letters.linnet"


@pytest.fixture
def restore(registries, folder, monkeypatch):
    monkeypatch.chdir(folder)
    return linnet.use(EXAMPLE)


@pytest.fixture
def model(restore):
    return linnet.train("letters.prose", task="restore")


def test_it_is_one_short_file():
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 200


def test_the_task_is_guessed_by_the_name_of_a_file(run, trained):
    code, _, err = run("train", "letters.prose", "-o", "guessed.linnet")
    assert (code, err.split(",")[1]) == (0, " task restore")
    _, _, other = run("train", "test.txt", "-o", "guessed.linnet")
    assert "restore" not in other


def test_predictions_are_texts(run, trained):
    assert run("predict", trained, "spoken.txt")[1].splitlines() == WRITTEN


def test_predictions_are_tables(run, trained, folder):
    run("predict", trained, "spoken.txt", "-o", "out.jsonl")
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [{"text": text} for text in WRITTEN]
    run("predict", trained, "spoken.txt", "-o", "out.parquet", "--proba")
    found = pq.read_table(folder / "out.parquet").to_pydict()
    assert found["text"] == WRITTEN
    assert [len(p) for p in found["probabilities"]] == [7, 0, 8]
    assert all(0.3 < p <= 1 for some in found["probabilities"] for p in some)
    best = [json.loads(line)["best"] for line in run("predict", trained, "spoken.txt", "--top", "2")[1].splitlines()]
    assert [one[0]["text"] for one in best] == WRITTEN
    assert best[0][0]["score"] > best[0][1]["score"]


def test_evaluate(run, trained):
    assert json.loads(run("evaluate", trained, "test.txt", "--json")[1]) == {"n": 6, "F1": 1.0}
    assert run("evaluate", trained, "test.txt")[1].split() == ["n", "6", "F1", "1.0000"]


def test_explain(run, trained, folder):
    shown = run("explain", trained, "how is ann i am well")[1]
    assert shown.splitlines()[1].split()[:3] == ["how", "Xx", "x"]
    found = json.loads(run("explain", trained, "spoken.txt", "--json")[1])["explanations"]
    assert [one["word"] for one in found[0]] == "dear eve thank you for the letter".split()
    for word in found[0]:
        assert word["score"] == pytest.approx(sum(part["contribution"] for part in word["contributions"]), abs=1e-4)
    assert run("explain", trained, "spoken.txt", "--html", "why.html")[0] == 0
    page = (folder / "why.html").read_text(encoding="utf-8")
    assert "eve<b class=for>X,</b>" in page
    assert page.count("<table class=why>") == 3
    assert "joint=i" in run("explain", trained)[1]


def test_inspect(run, trained):
    facts = json.loads(run("inspect", trained, "--json")[1])
    assert (facts["task"], facts["learner"], facts["n_labels"]) == ("restore", "softmax-margin", 11)
    for data in (("letters.prose",), ("letters.prose", "--task", "restore")):
        found = json.loads(run("inspect", *data, "--json")[1])
        assert (found["examples"], found["labels"]["XX"], found["labels"]["xX,"]) == (24, 4, 4)


def test_compare_and_list(run):
    code, out, err = run("compare", "letters.prose", "--learners", "softmax-margin,perceptron", "--folds", "2")
    assert code == 0, err
    assert "F1" in out
    assert out.count("100.00 ±") == 2
    assert "full stops, commas and capitals" in run("list", "tasks")[1]
    assert "log loss with a margin" in run("list", "learners")[1]
    assert "tasks, learners, features or formats" in " ".join(run("--help")[1].replace("│", " ").split())


def test_without_the_file_the_model_says_what_is_missing(run, trained):
    code, _, err = run("predict", trained, "spoken.txt", own=False)
    assert (code, err) == (
        1,
        "linnet: letters.linnet: this linnet has no task 'restore'. Name the file that adds it by --with or linnet.use, or "
        "upgrade linnet.\n",
    )


def test_in_python(model, restore, folder):
    texts = SPOKEN.splitlines()
    assert model.predict(texts) == WRITTEN
    assert model.evaluate(folder / "test.txt").score == 1
    assert model.evaluate(["iphone"], ["iPhone"]).as_dict() == {
        "n": 1,
        "F1": 0.0,
    }  # alone it is the last word of a text
    model.save("python.linnet")
    assert linnet.load("python.linnet").predict(texts) == WRITTEN
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert other.predict(texts) == WRITTEN


def test_a_session_goes_on(model, restore):
    session = model.session()
    before = session.predict("my name is dan")
    for _ in range(3):
        session.learn("my name is dan", "My name is DaN!")
    assert session.predict("my name is dan") == "My name is DaN!"
    assert "xX!" in session.labels
    assert "xX!" not in model.labels
    for _ in range(3):
        session.undo()
    assert session.predict("my name is dan") == before
    assert model.update(["so what"] * 5, ["So what?"] * 5).predict(["so what"]) == ["So what?"]


def test_a_session_from_nothing(restore):
    lines = LETTERS.splitlines()
    session = linnet.Session.begin("restore", [line.lower() for line in lines], lines)
    assert session.predict(["dear ann thank you for the dog"]) == ["Dear Ann, thank you for the dog."]


def test_a_model_learns_more(model, restore, folder):
    (folder / "more.prose").write_text("Hello, Zoe!\n" * 8, encoding="utf-8")
    more = linnet.train("more.prose", start=model, epochs=3)
    assert more.predict(["hello zoe"]) == ["Hello, Zoe!"]


@pytest.mark.parametrize(
    ("data", "options", "error"),
    [
        ((["a b"], ["A c"]), {}, "expected the words of 'a b', found 'A c'. Give both the same words."),
        ((["a b"], ["a b"]), {}, "found 1 different labels of words; learning needs at least two."),
        (
            (["a b"], ["A b"]),
            {"class_weight": "balanced"},
            "class weights are for labels and tags, not for task 'restore'.",
        ),
        ((["a b"], ["A b"]), {"features": "w y[-2]|y[-1]"}, "task 'restore' has pairs of labels only."),
    ],
)
def test_what_is_refused(restore, data, options, error):
    with pytest.raises((DataError, UsageError), match=error.replace("[", r"\[")):
        linnet.train(data, task="restore", **options)


def test_probabilities_need_a_learner_that_has_them(restore):
    model = linnet.train("letters.prose", learner="mira")
    with pytest.raises(UsageError, match="'mira' are not probabilities"):
        model.answers(["a"], proba=True)
    with pytest.raises(UsageError, match="--top gives whole texts, and --proba gives probabilities of words"):
        model.answers(["a"], proba=True, top=2)


def test_how_words_are_written(restore, model):
    task = TASKS.named("restore")
    assert task.labelled("The U.S. has O'Neil, an iPad; OK?") == [
        ("the", "Xx"),
        ("u.s", "XX."),
        ("has", "x"),
        ("o'neil", "xX,"),
        ("an", "x"),
        ("ipad", "xX;"),
        ("ok", "XX?"),
    ]
    gold = task.read((["a b c", "d"], ["A b. C", "d"]), {}, Known(("Xx", "x", "x."), {}))
    assert gold.y.tolist() == [0, 2, 0, 1]
    assert gold.details == {"spelled": {}}
    counts = task.counts(gold, np.array([0, 1, 1, 0], np.int32), gold.y_at)
    assert (counts.right.tolist(), counts.total.tolist()) == ([2, 0], [4, 1])


class Shout(WordsModel):
    """The words that are shouted."""

    task = "shout"

    @classmethod
    def words(cls, text):
        return text.lower().split()

    def written(self, words, labels):
        return " ".join(w.upper() if label == "yes" else w for w, label in zip(words, labels, strict=True))


class ShoutTask(WordsTask):
    """As little as a task can say."""

    name = "shout"
    model = Shout

    def labelled(self, text):
        return [(w.lower(), "yes" if w.isupper() else "no") for w in text.split()]

    def plan(self, spec, gold):
        return Plan(spec or "w", "mira")

    def counts(self, gold, y_hat, y_hat_at):
        return Counts("accuracy", np.add.reduceat((gold.y == y_hat) * 1.0, gold.y_at[:-1]), np.diff(gold.y_at) * 1.0)


def test_what_a_task_does_not_say_follows(registries, tmp_path):
    TASKS.add(ShoutTask())
    path = tmp_path / "shouts.txt"
    path.write_text("stop NOW please\nNOW then\nplease stop\n", encoding="utf-8")
    model = linnet.train(path, task="shout")
    assert model.predict(["then now"]) == ["then NOW"]
    commands = TASKS.named("shout").commands
    assert isinstance(commands, UsualCommands)
    assert commands.write is None
    explained = commands.explain(model, None, "stop now", 3)
    page = explained.page("Why", 3)
    assert "<pre>" in page
    assert "w=now" in page
    assert "TagExplanation" not in page


def test_a_model_file_of_an_unknown_task(model, restore, folder):
    model.save("gone.linnet")
    del TASKS._tasks["restore"]
    with pytest.raises(ModelError, match="this linnet has no task 'restore'"):
        linnet.load("gone.linnet")
