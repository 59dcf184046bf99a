"""Explanations of words that no labelled text had: they sum to the score, and say which labelled words they are like."""

import json

import numpy as np
import pytest
from vector_files import glove

import linnet
from linnet.cli.main import main

WORDS = ["good", "fine", "bad", "dull", "film", "superb", "awful"]
PLACES = {"good": 0, "fine": 0, "superb": 0, "bad": 1, "dull": 1, "awful": 1, "film": 2}
TEXTS = ["a good film", "a fine film", "a bad film", "a dull film"] * 6
LABELS = ["pos", "pos", "neg", "neg"] * 6


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model with vectors in which superb lies near good and fine, and awful near bad and dull."""
    path = tmp_path_factory.mktemp("vectors") / "tiny.txt"
    near = np.random.default_rng(0).normal(size=(7, 4)) * 0.1 + 2 * np.eye(4)[[PLACES[word] for word in WORDS]]
    path.write_bytes(glove(WORDS, near.astype(np.float32)))
    found = linnet.train(TEXTS, LABELS, features=f"words:1-2 vectors:{path}*0.7")
    path.unlink()
    return found


def test_a_word_without_a_label_counts_by_what_it_is_like(model):
    assert model.predict(["a superb film", "an awful film"]) == ["pos", "neg"]
    found = model.explain("a superb film")
    assert found.bias + sum(item.contribution for item in found.contributions) == pytest.approx(found.score)
    scores = model.scores(["a superb film"])[0]
    assert found.score == pytest.approx(float(scores[1] - scores[0]), rel=1e-4)
    items = {item.feature: item for item in found.contributions}
    superb = items["vectors:tiny=superb"]
    assert superb.contribution > 0
    assert {one.word for one in superb.like} == {"good", "fine"}
    assert all(one.weight > 0 for one in superb.like)
    assert items["vectors:tiny=film"].like == ()
    assert sum(word.contribution for word in found.words) + found.elsewhere + found.bias == pytest.approx(found.score)


def said_by(command, capsys):
    """What a command prints."""
    with pytest.raises(SystemExit) as end:
        main(command)
    assert end.value.code == 0
    return capsys.readouterr().out


def test_it_is_shown_in_the_terminal_on_the_page_and_as_json(model, tmp_path, capsys):
    model.save(tmp_path / "m.linnet")
    command = ["explain", str(tmp_path / "m.linnet"), "a superb film"]
    shown = said_by(command, capsys)
    superb = next(one for one in model.explain("a superb film").contributions if one.like)
    said = f"like {superb.like[0].word} {superb.like[0].weight:+.3f}"
    assert said in shown
    said_by([*command, "--html", str(tmp_path / "why.html")], capsys)
    assert said in (tmp_path / "why.html").read_text()
    (found,) = json.loads(said_by([*command, "--json"], capsys))["explanations"]
    like = {one["feature"]: one.get("like") for one in found["contributions"]}
    assert [one["word"] for one in like["vectors:tiny=superb"]] == [one.word for one in superb.like]
    assert like["vectors:tiny=film"] is None
