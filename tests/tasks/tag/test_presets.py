"""Presets: which is taken, and what becomes of it."""

import numpy as np
import pytest

from linnet.errors import UsageError
from linnet.features.token_spec import TOKEN_GRAMMAR, parse_templates
from linnet.features.word_attributes import WORD_ATTRIBUTES
from linnet.tasks import named
from linnet.tasks.tag.presets import PRESETS

POS = "the DT\ndog NN\nruns VB\n\n"
CHUNK = "the DT B-NP\ndog NN I-NP\nruns VB B-VP\n. . O\n\n"
NER = "the DT O\ndog NN O\nsees VB O\nAnn NP B-PER\n\n"


def planned(tmp_path, text, spec=None):
    path = tmp_path / "data.conll"
    path.write_text(text * 3)
    task = named("tag")
    return task.plan(spec, task.read(str(path), {}))


@pytest.mark.parametrize(("text", "name"), [(POS, "pos"), (CHUNK, "chunk"), (NER, "ner")])
def test_the_preset_that_suits_the_tags(tmp_path, text, name):
    plan = planned(tmp_path, text)
    assert plan == planned(tmp_path, text, name)
    assert plan.options == PRESETS[name].options
    assert plan.learner == "crf"


def test_a_preset_may_have_company(tmp_path):
    plan = planned(tmp_path, NER, "ner length")
    assert plan.features == f"{planned(tmp_path, NER).features} length"
    assert plan.options == PRESETS["ner"].options
    assert planned(tmp_path, NER, "w length").features == "w length"


def test_given_columns_have_templates(tmp_path):
    assert "col2[-1]|col2" in planned(tmp_path, CHUNK).features.split()
    assert "col2" not in planned(tmp_path, POS).features


def test_large_tag_sets_stay_first_order():
    assert "y[-2]|y[-1]" in PRESETS["pos"].spec(("w",), 17)
    assert "y[" not in PRESETS["pos"].spec(("w",), 49)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_in_the_grammar_and_learn(tmp_path, name):
    import linnet

    assert parse_templates(PRESETS[name].spec(("w", "pos"), 10), ("w", "pos"))
    path = tmp_path / "data.conll"
    path.write_text((POS if name.startswith("pos") else CHUNK) * 10)
    model = linnet.train(path, features=name)
    assert model.evaluate(linnet.io.read_sentences(path)).token_accuracy == 1
    assert all(np.isfinite(block).all() for block in model.weights)


@pytest.mark.parametrize(("word", "meant"), [("chnk", "chunk"), ("pos_fast", "pos-fast")])
def test_a_word_that_is_nearly_a_preset(tmp_path, word, meant):
    with pytest.raises(UsageError) as caught:
        planned(tmp_path, NER, word)
    assert str(caught.value) == f"unknown feature {word!r}. Did you mean the preset {meant!r}?"


def test_no_feature_is_nearly_a_preset(tmp_path):
    names = [name for item in TOKEN_GRAMMAR for name in item.split() if "." not in name and ":" not in name]
    for name in [*names, *WORD_ATTRIBUTES]:
        assert planned(tmp_path, NER, name).features == name


def test_a_column_goes_before_a_preset_of_its_name(tmp_path):
    path = tmp_path / "data.conll"
    path.write_text(NER * 3)
    task = named("tag")
    gold = task.read(str(path), {})
    assert task.plan("w pos", gold).features != "w pos"
    gold.sentences.columns["pos"] = gold.sentences.columns["col2"]
    assert task.plan("w pos", gold).features == "w pos"
