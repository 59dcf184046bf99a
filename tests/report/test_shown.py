"""What every task gives back can be printed, listed and shown in a notebook."""

import pickle
import re
from html.parser import HTMLParser

import pytest

import linnet
from linnet.comparison import Comparison
from linnet.fitting.registry import TASKS
from linnet.fitting.session import Session
from linnet.report.fragment import scoped
from linnet.report.shown import Shown, plain
from linnet.tasks.commands import Asked, Data

TEXTS = ["a fine film", "a dull film", "good fun", "dull and long"]
WORDS = [["the", "dog", "barks"], ["it", "ends"]]
DATA = {
    "labels": (TEXTS, ["pos", "neg", "pos", "neg"]),
    "labelset": (TEXTS, [["pos"], ["neg"], ["pos", "short"], ["neg"]]),
    "ranking": (TEXTS, [["pos"], ["neg"], ["pos", "short"], ["neg"]]),
    "hierarchy": (TEXTS, ["good/fine", "bad/dull", "good/fun", "bad/dull"]),
    "ordinal": (TEXTS, ["5", "1", "4", "2"]),
    "tag": (WORDS, [["D", "N", "V"], ["P", "V"]]),
    "compress": (WORDS, [[0, 1, 1], [1, 1]]),
    "parse": (
        [[("the", "DET"), ("dog", "NOUN"), ("barks", "VERB")], [("it", "PRON"), ("ends", "VERB")]],
        [[(2, "det"), (3, "nsubj"), (0, "root")], [(2, "nsubj"), (0, "root")]],
    ),
    "brackets": (WORDS, ["(S (NP (D the) (N dog)) (VP (V barks)))", "(S (NP (P it)) (VP (V ends)))"]),
    "align": ([(["a", "dog"], ["un", "chien"]), (["it"], ["il"])], [[(0, 0), (1, 1)], [(0, 0)]]),
    "rerank": ([["a dog", "dog a"], ["cat a", "a cat"]], [[0, 1], [1, 0]]),
}
OPTIONS = {"parse": {"tags": "given"}}


@pytest.fixture(scope="session")
def models():
    return {task: linnet.train(data, task=task, options=OPTIONS.get(task)) for task, data in DATA.items()}


def test_every_task_is_here():
    assert set(DATA) == set(TASKS)


class _Balanced(HTMLParser):
    """Whether every tag that is opened is closed, and all that has a link leads somewhere."""

    def __init__(self, html):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.open.append(tag)
        self.ids += [told["id"]] if "id" in told else []
        self.links += [told["href"]] if "href" in told else []

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check(result, brief, *words):
    """A result is text with these words, one line that begins so, and HTML with the same words."""
    assert isinstance(result, Shown)
    text, html = str(result), result._repr_html_()
    assert repr(result).startswith(f"<{brief}")
    assert "\n" not in repr(result)
    assert len(repr(result)) < 150
    told = re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))
    for word in words:
        assert word in re.sub(r"\s+", " ", text)
        assert word in told
    assert "(" + type(result).__name__ not in text
    assert not re.search(r"\x1b|[ \t]$", text, flags=re.MULTILINE)
    page = _Balanced(html)
    assert page.open == []
    assert {f"#{name}" for name in page.ids} >= set(page.links)
    assert len(set(page.ids)) == len(page.ids)
    scope = re.match(r'<div class="(linnet-\w{8})">', html)[1]
    used, given = set(re.findall(r"var\((--[\w-]+)", html)), set(re.findall(r"(--[\w-]+):", html))
    assert used - {"--jp-layout-color0", "--vscode-editor-background"} <= given
    style = html.partition("<style>")[2].partition("</style>")[0]
    selectors = re.findall(r"(?:^|[{}])\s*([^{}@]+)\{", style)
    assert all(f".{scope}" in part for rule in selectors for part in re.split(r",(?![^()]*\))", rule))


EXPLAINED = {
    "labels": ("a fine film", "Explanation: pos against neg, score +", ("pos", "fine", "contribution")),
    "labelset": ("a fine film", "Explanation: pos, score +", ("pos", "fine")),
    "ranking": ("a fine film", "Explanation: pos, score +", ("pos", "fine")),
    "hierarchy": ("good fun", "Explanation: good/fun against", ("good/fun", "fun")),
    "ordinal": ("a dull film", "Explanation: 1 against", ("dull",)),
    "tag": (["the", "dog"], "TagExplanations: the/D dog/N", ("dog", "N")),
    "compress": (["the", "dog"], "TagExplanations: the/", ("dog",)),
    "parse": ([("it", "PRON"), ("barks", "VERB")], "TreeExplanation: it barks", ("nsubj", "root")),
    "brackets": (["it", "barks"], "BracketsExplanation: it barks", ("NP", "VP")),
    "align": ((["a", "dog"], ["un", "chien"]), "AlignmentExplanation: a dog ||| un chien", ("chien", "dog")),
    "rerank": ([["dog a", "a dog"]], "CandidateExplanation: ", ("a dog", "dog a")),
}


@pytest.mark.parametrize("task", DATA)
def test_an_explanation_shows_itself(models, task):
    x, brief, words = EXPLAINED[task]
    why = models[task].explain(*x) if task == "align" else models[task].explain(x)
    check(why, brief, *words)


FILES = {
    "tag": ("a.conll", "the D\ndog N\n\nit P\nends V\n"),
    "compress": ("a.jsonl", '{"tokens": ["the", "dog", "barks"], "keep": [0, 1, 1]}\n'),
    "parse": ("a.conllu", "1\tit\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tends\tend\tVERB\t_\t_\t0\troot\t_\t_\n\n"),
    "brackets": ("a.mrg", "(S (NP (P it)) (VP (V ends)))\n"),
    "align": ("a.jsonl", '{"source": ["a", "dog"], "target": ["un", "chien"], "sure": [[0, 0], [1, 1]]}\n'),
    "rerank": ("a.jsonl", '{"candidates": [{"text": "a dog", "cost": 0}, {"text": "dog a", "cost": 1}]}\n'),
}
REPORTED = {
    "labels": ("LabelsReport: 4 examples, accuracy 100.00%", "precision", "neg", "hinge"),
    "labelset": ("LabelsetReport: 4 examples", "short"),
    "ranking": ("Ranking: as rankings, of 4 with a label", "average precision"),
    "hierarchy": ("HierarchyReport: 4 examples", "bad/dull"),
    "ordinal": ("OrdinalReport: 4 examples",),
    "tag": ("TagsReport: ", "precision"),
    "compress": ("CompressionReport: ", "F1"),
    "parse": ("TreesReport: ", "nsubj"),
    "brackets": ("BracketsReport: ", "NP"),
    "align": ("AlignmentReport: ", "AER"),
    "rerank": ("CandidatesReport: ", "cost"),
}


@pytest.mark.parametrize("task", DATA)
def test_a_report_shows_itself(models, task, tmp_path):
    name, lines = FILES.get(task, ("", ""))
    if not name:
        report = models[task].evaluate(*DATA[task])
    else:
        (tmp_path / name).write_text(lines)
        report = TASKS.named(task).commands.evaluate(models[task], Data([str(tmp_path / name)]), Asked()).report
    brief, *words = REPORTED[task]
    check(report, brief, *words)


@pytest.mark.parametrize("task", DATA)
def test_a_model_and_a_session_show_themselves(models, task):
    model = models[task]
    session = Session.begin(task, *DATA[task]) if task not in OPTIONS else model.session()
    for shown, name in ((model, "linnet model: "), (session, "linnet session: ")):
        check(shown, f"{name}{shown.learner}, ", shown.task, shown.learner, f"{shown.features.n_features:,} of")
        assert f"{len(shown.labels)} labels" in repr(shown)


def test_what_is_printed_of_a_model_is_what_one_wants_to_know(models):
    lines = dict(line.split(maxsplit=1) for line in models["labels"].as_text(200).splitlines())
    assert lines["task"] == "labels"
    assert lines["learner"] == "nb-svm"
    assert lines["labels"] == "2: neg, pos"
    assert lines["learned"] == "from 4 examples (texts and labels)"


def test_what_is_printed_of_an_explanation(models):
    why = models["labels"].explain("a fine film")
    first, _, text, _, head, *rows = why.as_text(200).splitlines()
    assert first == f"label pos  (against neg: score {why.score:+.3f}, bias {why.bias:+.3f})"
    assert text == "a fine film"
    assert head.split() == ["feature", "value", "weight", "contribution"]
    assert [row.split()[-1] for row in rows[:2]] == [f"{c.contribution:+.4f}" for c in why.contributions[:2]]


def test_a_comparison_shows_itself():
    texts, labels = (column * 3 for column in DATA["labels"])
    result = linnet.compare((texts, labels), learners=["mira", "naive-bayes"], folds=2)
    assert isinstance(result, Comparison)
    check(result, "Comparison: 12 examples, 2 systems, the best ", "mira", "naive-bayes", "accuracy")


def test_a_structure_of_ones_own_shows_its_report():
    class Pair(linnet.Structure):
        outcomes = (2,)

        def features(self, x):
            return [[{"x": x}]]

        def mu(self, y):
            return [(0, 0, y)]

        def outputs(self, places):
            return [0, 1]

    model = linnet.learn(Pair, ["a", "b"], [0, 1], learner="mira")
    check(model.evaluate(["a", "b"], [0, 1]), "OwnReport: 2 examples: accuracy 1.000", "accuracy", "1.0000")
    assert repr(model).startswith("<linnet model: mira over ")
    assert "those of Pair" in str(model)


def test_markup_in_a_text_is_text(models):
    html = models["labels"].explain("fine <b>&amp; [bold]").as_html()
    assert "&lt;" in html
    assert "<b>" not in html
    assert "[bold]" in str(models["labels"].explain("fine [bold]"))


def test_two_results_in_one_notebook_do_not_meet(models):
    one, two = (models["parse"].explain(x).as_html() for x in ([("it", "PRON"), ("ends", "VERB")], [("it", "PRON")]))
    assert not set(_Balanced(one).ids) & set(_Balanced(two).ids)


def test_a_style_holds_in_its_scope_alone():
    style = (
        ":root { color-scheme: light dark; --ink: black; }\n"
        "@media (prefers-color-scheme: dark) { :root { --ink: white; } }\n"
        "body { margin: 2rem; } h1, h2:is(.a, .b) { color: var(--ink); }\n"
        "@media (max-width: 30rem) { td { padding: 0; } }"
    )
    rules = scoped(style, ".x").splitlines()
    assert rules[0] == ".x { color-scheme: light dark; --ink: black; }"
    assert rules[1] == "@media (prefers-color-scheme: dark) { .x { --ink: white; } }"
    assert '[data-jp-theme-light="false"] .x' in rules[3]
    assert rules[3].endswith("Canvas)); color-scheme: dark; }")
    assert "--ink: white;" in rules[3]
    assert "--ink: white;" not in rules[2]
    assert rules[-3:-1] == [
        ".x h2:is(.a, .b) { color: var(--ink); }",
        "@media (max-width: 30rem) { .x td { padding: 0; } }",
    ]
    assert not any("2rem auto" in rule or "body" in rule for rule in rules)


def test_printed_text_keeps_to_its_width(models):
    report = models["labels"].evaluate(*DATA["labels"])
    assert max(map(len, report.as_text(60).splitlines())) <= 60
    assert plain("a [b] c") == "a [b] c"


def test_an_explanation_pickles_without_its_model(models):
    why = models["labels"].explain("a fine film")
    again = pickle.loads(pickle.dumps(why))
    assert again == why
    assert hash(again) == hash(why)
    assert str(again) == str(why)
    assert again != models["labels"].explain("a dull film")
