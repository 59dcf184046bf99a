"""Differences of outputs, where most weights are zero and rows hold only what was changed."""

import numpy as np
import pytest
from bitext import jsonl
from treebank import conllu

import linnet
from linnet.learners import preset

DATA = {
    "tag": ("x.conll", "the DT B-NP\nold JJ I-NP\nfilm NN I-NP\nends VBZ B-VP\n\n" * 4, "w y[-1]|w"),
    "parse": ("x.conllu", conllu(20), None),
    "brackets": (
        "x.mrg",
        "( (S (NP (DT The) (NN film)) (VP (VBZ ends))))\n( (S (NP (PRP It)) (VP (VBZ ends))))\n" * 4,
        None,
    ),
    "align": ("x.jsonl", jsonl(20), None),
}


@pytest.mark.parametrize("task", DATA)
def test_compressed_rows_explain_as_full_ones_do(task, tmp_path, monkeypatch):
    name, text, features = DATA[task]
    path = tmp_path / name
    path.write_text(text)
    found = []
    for large in (preset.LARGE, -np.inf):
        monkeypatch.setattr(preset, "LARGE", large)
        model = linnet.train(path, task=task, learner="averaged-perceptron", features=features)
        example = next(iter(model.batches(str(path))))
        explain = model.explain_pairs if task == "align" else model.explain_sentences
        found.append((len(model.weights), explain(example)))
    (full, ours), (compressed, theirs) = found
    assert compressed == 3 * full
    assert ours == theirs
    assert len(ours) > 0
