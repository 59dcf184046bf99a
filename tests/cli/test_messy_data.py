"""What a command says about files that are not quite as expected."""

from __future__ import annotations

import json

import pytest

import linnet

GOOD, BAD = ("un très bon film", "le café était bon"), ("un film raté", "très mauvais été")
ROWS = [
    (f"{text} numéro {i}", label) for i in range(8) for texts, label in ((GOOD, "oui"), (BAD, "non")) for text in texts
]


def table(delimiter: str, header: tuple[str, str] = ("text", "label")) -> str:
    return "".join(f"{a}{delimiter}{b}\n" for a, b in [header, *ROWS])


@pytest.fixture(scope="module")
def messy(run, folder):
    """A table in cp1252 with semicolons and two labels missing, and a model that was learned from it."""
    (folder / "avis.csv").write_bytes((table(";") + "rien;\nrien;NaN\n").encode("cp1252"))
    (folder / "avis-utf16.txt").write_bytes(table("\t").encode("utf-16"))
    (folder / "other.csv").write_text(table("|", ("words", "verdict")), encoding="utf-8")
    (folder / "koi8.csv").write_text(table(",").replace("film", "фильм").replace("é", "e").replace("è", "e"), "koi8-r")
    return run("train", "avis.csv", "-o", "avis.linnet", "--features", "words:1")


ENCODING = "avis.csv: the encoding is cp1252 (Western European). If letters look wrong, name another --encoding"
DELIMITER = "avis.csv: the columns are separated by semicolons"
MISSING = "avis.csv: left out 2 of 34 rows without a label (empty, 'NaN'), the first is line 34"


def test_train_says_what_it_found_and_left_out(messy, folder):
    assert messy.code == 0
    assert messy.err.splitlines()[:3] == [ENCODING, DELIMITER, MISSING]
    model = linnet.load(folder / "avis.linnet")
    assert model.labels == ("non", "oui")
    assert model.report["notes"] == [ENCODING, DELIMITER, MISSING]
    assert model.provenance["examples"] == 32


def test_every_command_says_so(run, messy):
    found = run("predict", "avis.linnet", "avis.csv")
    assert (found.err.splitlines(), len(found.out.splitlines())) == ([ENCODING, DELIMITER], 35)
    found = run("evaluate", "avis.linnet", "avis.csv", "--json")
    assert (found.err.splitlines(), json.loads(found.out)["n"]) == ([ENCODING, DELIMITER, MISSING], 32)
    found = run("compare", "avis.csv", "--learners", "nb-svm", "--folds", "2", "--json")
    assert found.err.splitlines()[:3] == json.loads(found.out)["notes"] == [ENCODING, DELIMITER, MISSING]
    found = run("explain", "avis.linnet", "avis.csv", "--json")
    assert found.err.splitlines() == [ENCODING, DELIMITER]
    assert json.loads(found.out)["explanations"][0]["text"] == ROWS[0][0]
    found = run("inspect", "avis.csv", "--json")
    facts = json.loads(found.out)
    assert found.err.splitlines() == [ENCODING, DELIMITER]
    assert facts["labels"] == {"oui": 16, "non": 16}
    assert facts["problems"][0] == "2 rows without a label: rows 33, 34"


@pytest.mark.parametrize(
    "command",
    [
        ("train", "koi8.csv", "-o", "koi8.linnet"),
        ("predict", "avis.linnet", "koi8.csv"),
        ("evaluate", "avis.linnet", "koi8.csv"),
        ("compare", "koi8.csv", "--learners", "nb-svm", "--folds", "2"),
        ("explain", "avis.linnet", "koi8.csv"),
        ("inspect", "koi8.csv"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_takes_the_encoding_and_the_delimiter(run, messy, command):
    refused = run(*command)
    assert refused.code == 1
    assert refused.err.startswith("linnet: koi8.csv:2: byte 0x")
    assert "--encoding" in refused.err
    done = run(*command, "--encoding", "koi8-r", "--delimiter", ",")
    assert (done.code, "koi8.csv: the " in done.err) == (0, False)


def test_encodings_by_themselves_under_any_name(run, messy):
    found = run("evaluate", "avis.linnet", "avis-utf16.txt", "--json")
    assert found.err.splitlines() == ["avis-utf16.txt: the encoding is utf-16"]
    assert json.loads(found.out)["accuracy"] == 1


def test_a_header_on_standard_input_is_a_header(run, messy):
    only = ("predict", "avis.linnet", "-", "--only")
    assert run(*only, stdin="text\nbon film\n").out.split() == ["prediction", "oui"]
    assert run(*only, stdin="id,text\n1,bon café\n").out.split() == ["prediction", "oui"]
    named = run(*only, "--text-col", "what they said", stdin="id;what they said\n1;bon café\n")
    assert named.out.split() == ["prediction", "oui"]
    other = run("predict", "avis.linnet", "-", stdin="id,words\n1,un bon café ici\n2,un film raté là\n")
    assert (other.code, other.err) == (
        1,
        "linnet: stdin:1: found no text column among 'id', 'words'. Pass --text-col words\n",
    )
    assert run(*only, stdin="bon film, bon\nraté\n").out.split() == ["prediction", "oui", "non"]


def test_columns_are_suggested(run, messy):
    refused = run("train", "other.csv", "-o", "other.linnet")
    assert (refused.code, refused.err) == (
        1,
        "other.csv: the columns are separated by pipes\n"
        "linnet: other.csv:1: found no text column among 'words', 'verdict'. Pass --text-col words --label-col verdict\n",
    )
    done = run("train", "other.csv", "-o", "other.linnet", "--text-col", "words", "--label-col", "verdict")
    assert done.code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--encoding", "latn-1"), "linnet: there is no encoding 'latn-1'. Did you mean 'latin-1'?"),
        (("--delimiter", "||"), "linnet: expected one character between columns, such as ; or tab, found '||'."),
        (("--format", "jsonl", "--delimiter", ";"), "linnet: 'avis.csv' has format 'jsonl', which has no delimiter."),
    ],
)
def test_options_that_do_not_fit(run, messy, arguments, sentence):
    done = run("predict", "avis.linnet", "avis.csv", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(sentence)


def test_a_tagger_refuses_what_is_no_sentence_of_its_columns(run, folder):
    (folder / "three.conll").write_text("the X DT\ndog Y NN\n\na X DT\ncat Y NN\n\n" * 8)
    (folder / "two.conll").write_text("the DT\ndog NN\n\na DT\ncat NN\n\n" * 8)
    (folder / "prose.txt").write_text("The dog sees a cat. It runs away.\n")
    assert run("train", "three.conll", "-o", "three.linnet", "--features", "w col2").code == 0
    assert run("train", "two.conll", "-o", "two.linnet", "--features", "w").code == 0
    refused = run("predict", "three.linnet", "prose.txt")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("linnet: prose.txt: holds running text, expected a token on each line")
    tagged = run("predict", "two.linnet", "prose.txt").out.splitlines()
    assert [line.split("\t")[0] for line in tagged] == [
        *"The dog sees a cat .".split(),
        "",
        *"It runs away .".split(),
        "",
    ]
    again = run("train", "prose.txt", "-o", "prose.linnet", "--task", "tag")
    assert (again.code, again.err) == (1, refused.err)
    text = run("predict", "two.linnet", "two.conll", "--delimiter", ";")
    assert (text.code, text.out) == (2, "")


def test_a_model_of_texts_refuses_tokens(run, mira, folder):
    (folder / "tokens.txt").write_text("the DT\ndog NN\n\na DT\ncat NN\n\n")
    refused = run("predict", "mira.linnet", "tokens.txt")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("linnet: tokens.txt: holds a token on each line, or trees, but texts are expected. ")
    assert len(run("predict", "mira.linnet", "tokens.txt", "--format", "lines").out.splitlines()) == 7
