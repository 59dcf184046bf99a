"""Word alignments as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.io.pairs.pairs import Link, Pairs
from linnet.tasks.sentences.answers import Best, best, tokens


def words_of_pairs(pairs: Pairs) -> dict[str, pa.Array]:
    """The tokens of both sentences of each pair."""
    return {"source": tokens(pairs.source), "target": tokens(pairs.target)}


def links_of_pairs(found: Sequence[Sequence[Link]]) -> pa.Array:
    """The links of each pair: the number of a source token and of a target token, from 0.

    >>> links_of_pairs([[(0, 1)], []]).to_pylist()
    [[{'source': 0, 'target': 1}], []]
    """
    ends = np.array([link for links in found for link in links], np.int32).reshape(-1, 2)
    fields = {"source": arrow.numbers(ends[:, 0]), "target": arrow.numbers(ends[:, 1])}
    return arrow.lists(arrow.structs(fields), arrow.starts_of(found))


def links_with_scores(found: Best) -> pa.Array:
    """The best alignments of each pair with their scores."""
    return best(found, lambda alignments: {"links": links_of_pairs(alignments)})
