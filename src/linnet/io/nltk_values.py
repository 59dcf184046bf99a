"""Examples as NLTK has them: tagged sentences, trees, and sentences with their translations.

NLTK is not imported: its values are recognised by their types and methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from linnet.core.types import Data, Json
from linnet.errors import DataError

Pair = tuple[list[Data], list[Json]]


def from_nltk(items: Sequence[Data]) -> Pair | None:
    """The inputs and the outputs of values of NLTK; None for values of other kinds.

    >>> from_nltk([[("it", "PRP"), ("barks", "VBZ")]])
    ([['it', 'barks']], [['PRP', 'VBZ']])
    """
    if not items:
        return None
    for are_all, of in ((_is_tree, _from_trees), (_is_aligned, _from_aligned), (_is_tagged, _from_tagged)):
        if all(map(are_all, items)):
            return of(items) if any(items) else None
    return None


def _is_tree(item: Data) -> bool:
    return isinstance(item, list) and callable(getattr(item, "leaves", None)) and callable(getattr(item, "label", None))


def _from_trees(items: Iterable[Data]) -> Pair:
    try:
        return [list(tree.leaves()) for tree in items], [" ".join(str(tree).split()) for tree in items]
    except RecursionError:
        raise DataError("a tree is nested too deeply, or is a part of itself. Leave it out.") from None


def _is_aligned(item: Data) -> bool:
    return all(isinstance(getattr(item, name, None), Iterable) for name in ("words", "mots", "alignment"))


def _from_aligned(items: Iterable[Data]) -> Pair:
    pairs = [(list(one.words), list(one.mots)) for one in items]
    return pairs, [{(i, j) for i, j, *_ in one.alignment if j is not None} for one in items]


def _is_tagged(item: Data) -> bool:
    return isinstance(item, list) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in item
    )


def _from_tagged(items: Iterable[Data]) -> Pair:
    both = [([word for word, _ in one], [tag for _, tag in one]) for one in items]
    return [words for words, _ in both], [tags for _, tags in both]
