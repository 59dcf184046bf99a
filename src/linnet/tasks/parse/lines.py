"""Dependency trees as lines of CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pyarrow as pa

from linnet.core.arrow import flat
from linnet.io.sentences.conllu import tree_row
from linnet.io.sentences.sentences import Sentences


def tree_rows(sentences: Sentences, answers: pa.Table) -> list[str]:
    """The values UPOS, XPOS, FEATS, HEAD and DEPREL of each token. Tags are those that the model made, or that were given."""
    upos, xpos, feats = (_column(sentences, answers, name) for name in ("upos", "xpos", "feats"))
    arcs = zip(flat(answers["heads"]), flat(answers["relations"]), strict=True)
    return list(map(tree_row, upos, xpos, feats, (f"{head}\t{relation}" for head, relation in arcs)))


def conllu_lines(sentences: Sentences, answers: pa.Table) -> Iterator[str]:
    """Yield a line with the ten columns of each token, and a blank line after each sentence. The last column has the
    probability, if there is one."""
    words, lemmas = (_column(sentences, answers, name) for name in ("w", "lemma"))
    rows, misc = tree_rows(sentences, answers), _misc(sentences, answers)
    for a, b in pairwise(sentences.starts.tolist()):
        for i in range(a, b):
            yield f"{i - a + 1}\t{words[i]}\t{lemmas[i] or '_'}\t{rows[i]}\t_\t{misc[i]}"
        yield ""


def _column(sentences: Sentences, answers: pa.Table, name: str) -> list[str]:
    if name in answers.column_names:
        return flat(answers[name])
    return sentences.columns[name].to_pylist() if name in sentences.columns else [""] * sentences.n_tokens


def _misc(sentences: Sentences, answers: pa.Table) -> list[str]:
    if "probabilities" not in answers.column_names:
        return ["_"] * sentences.n_tokens
    return [f"p={p:.4f}" for p in flat(answers["probabilities"])]
