"""Dependency trees as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.answers import Best, best

if TYPE_CHECKING:
    from linnet.tasks.parse.model import Arc


def made_tags(tagged: Sentences, made: Sequence[str]) -> dict[str, pa.Array]:
    """The columns of tags that a model fills by itself, with a list for each sentence."""
    return {name: arrow.lists(tagged.columns[name], tagged.starts) for name in made}


def arcs_of_tokens(
    y: npt.NDArray[np.int32], relations: Sequence[str], starts: npt.NDArray[np.int64]
) -> dict[str, pa.Array]:
    """The heads and the relations of tokens, given for each token as head times the number of relations, plus relation.

    >>> {name: column.to_pylist() for name, column in arcs_of_tokens(np.array([5, 0]), ["root", "nsubj"], [0, 2]).items()}
    {'heads': [[2, 0]], 'relations': [['nsubj', 'root']]}
    """
    n = len(relations)
    heads = arrow.numbers((y // n).astype(np.int32))
    return {"heads": arrow.lists(heads, starts), "relations": arrow.lists(arrow.chosen(relations, y % n), starts)}


def best_trees(found: Best) -> pa.Array:
    """The best trees of each sentence with their scores. A tree is a list of arcs."""
    return best(found, _fields)


def _fields(trees: Sequence[Sequence[Arc]]) -> dict[str, pa.Array]:
    heads = np.array([arc.head for tree in trees for arc in tree], np.int32)
    relations = arrow.text_lists([[arc.relation for arc in tree] for tree in trees])
    return {"heads": arrow.lists(arrow.numbers(heads), arrow.starts_of(trees)), "relations": relations}
