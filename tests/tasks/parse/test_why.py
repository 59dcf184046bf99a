"""Explanations of trees against the slow way to find the same: each arc is left out, and the sentence is parsed anew."""

import random
import re

import numpy as np
import pytest
from treebank import WORDS, conllu

import linnet
from linnet.tasks.parse.why import ArcExplanation, ScoredTree
from linnet.tasks.sentences.gold import as_sentences

WORD = [word for words in WORDS.values() for word in words]
KINDS = [
    (order, projective, relations) for order in (1, 2) for projective in ("yes", "no") for relations in (True, False)
]


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: "-".join(map(str, kind)))
def parser(request, tmp_path_factory):
    order, projective, relations = request.param
    text = conllu(40, 0)
    if not relations:  # The relation is the last but two of ten fields.
        text = re.sub(r"^((?:[^\t\n]*\t){7})[^\t\n]*", r"\1dep", text, flags=re.M)
    file = tmp_path_factory.mktemp("trees") / "t.conllu"
    file.write_text(text)
    options = {"order": order, "projective": projective, "prune": "0.01" if relations else "0"}
    return linnet.train(file, task="parse", epochs=2, options=options)


def slowly(model, words):
    """The arcs of a sentence, each with the best tree that is found where its place is pruned: everything is computed anew."""
    sentences, y = model.parse(as_sentences([words], model.features.columns))
    n, R = len(words), len(model.labels)
    out = model.features.out(sentences)
    out = np.zeros(n * (n + 1), np.uint8) if out is None else out
    predictor = model._predictor_over(model._gen)
    blocks = model.features.blocks(sentences, model.labelled, out)
    names = model.features.names(model.labelled)
    scored = ScoredTree(blocks, names, model.features.arcs.name, predictor, model.labels, n)
    for m, k in enumerate(y.tolist()):
        fewer = out.copy()
        fewer[m * (n + 1) + k // R] = 1
        left = np.delete(fewer[m * (n + 1) : (m + 1) * (n + 1)], m + 1)
        other = y if left.all() else predictor.argmax(model.features.blocks(sentences, model.labelled, fewer))[0]
        head, relation = k // R, model.labels[k % R]
        if any(fewer[t * (n + 1) + o // R] for t, o in enumerate(other.tolist())):
            yield ArcExplanation(m, words[m], head, relation, -1, "", 0.0, ())
            continue
        parts = tuple(scored.differences(scored.uses(y.tolist()), scored.uses(other.tolist())))
        against, instead = int(other[m]) // R, model.labels[int(other[m]) % R]
        score = sum(part.contribution for part in parts)
        yield ArcExplanation(m, words[m], head, relation, against, instead, score, parts)


def test_every_rival_is_the_one_that_parsing_anew_finds(parser):
    rng, rivals = random.Random(1), 0
    for n in (1, 2, 3, 5, 8, 8, 11):
        words = rng.choices(WORD, k=n)
        found = parser.explain(words)
        assert found.arcs == tuple(slowly(parser, words))
        assert [arc.head for arc in parser.predict([words])[0]] == list(found.heads)
        rivals += sum(arc.against >= 0 for arc in found.arcs)
    assert rivals > 10
