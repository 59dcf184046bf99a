"""A tree whose leaves are the labels, and the paths in it that the names of labels spell, such as NUM:date.

>>> tree = LabelTree.from_paths({"NUM:date": ("NUM", "date"), "NUM:count": ("NUM", "count"), "LOC:city": ("LOC", "city")})
>>> tree.labels
('LOC:city', 'NUM:count', 'NUM:date')
>>> tree.nodes
(('LOC',), ('LOC', 'city'), ('NUM',), ('NUM', 'count'), ('NUM', 'date'))
>>> tree.parents
(-1, 0, -1, 2, 2)
>>> tree.distance("NUM:date", "NUM:count"), tree.distance("NUM:date", "LOC:city")
(2, 4)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import pairwise

from linnet.errors import DataError, UsageError

Path = tuple[str, ...]
SEPARATORS = ("/", ":", ">", "|", ".")
"""The separators that `split` looks for in the names of labels, in this order."""
_HERE = ""
"""The part that is added to the path of a label that has others below it, until the path leads to no inner node: such a
label becomes a leaf of its own below its node."""


@dataclass(frozen=True)
class LabelTree:
    nodes: tuple[Path, ...]
    """All nodes but the root, each given as its path from the root, and in an order in which each comes after its
    parent."""
    parents: tuple[int, ...]
    """For each node the position of its parent in `nodes`; -1 where the parent is the root."""
    paths: Mapping[str, Path]
    """For each label the path from the root to its leaf. Labels are in the order of these paths, which is also the
    order of the leaves in `nodes`: label number k is the k-th leaf."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.paths)

    @classmethod
    def from_paths(cls, paths: Mapping[str, Path]) -> LabelTree:
        """The tree of these labels, given the path of each from the root down to the label itself. A label that has others
        below it becomes a leaf of its own below its node. Raise DataError if two labels would be the same leaf."""
        inner = {path[:k] for path in paths.values() for k in range(len(path))}
        leaves = {label: _leaf(path, inner) for label, path in paths.items()}
        number: dict[Path, int] = {}
        parents: list[int] = []
        ordered = dict(sorted(leaves.items(), key=lambda item: item[1]))
        for (label, path), (other, path_of_other) in pairwise(ordered.items()):
            if path == path_of_other:
                raise DataError(
                    f"expected each label at a place of its own in the tree, found {label!r} with the path "
                    f"{list(paths[label])} and {other!r} with the path {list(paths[other])}, which lead to one place. "
                    "Rename one of them."
                )
        for path in ordered.values():
            for k in range(1, len(path) + 1):
                if path[:k] not in number:
                    number[path[:k]] = len(number)
                    parents.append(number[path[: k - 1]] if k > 1 else -1)
        return cls(tuple(number), tuple(parents), ordered)

    def distance(self, a: str, b: str) -> int:
        """The number of edges on the way from the leaf of one label to that of the other."""
        return len(self.paths[a]) + len(self.paths[b]) - 2 * self.shared(a, b)

    def shared(self, a: str, b: str) -> int:
        """The number of nodes that the paths to two labels have in common; the root is not counted."""
        pairs = zip(self.paths[a], self.paths[b], strict=False)
        return next((k for k, (x, y) in enumerate(pairs) if x != y), min(len(self.paths[a]), len(self.paths[b])))


def _leaf(path: Path, inner: Set[Path]) -> Path:
    """The path of the leaf of a label, which is not one of the inner nodes: its own path, or one below that."""
    while path in inner:
        path = (*path, _HERE)
    return path


def separator_of(labels: Collection[str]) -> str | None:
    """The first of SEPARATORS that all labels have; None where there is none."""
    return next((mark for mark in SEPARATORS if labels and all(mark in label for label in labels)), None)


def split(labels: Iterable[str], separator: str | None = None) -> tuple[str, dict[str, Path]]:
    """The separator, and for each label its path, which is its name cut at the separator. If no separator is given, it
    is the first of SEPARATORS that all labels have; raise UsageError if there is none."""
    if separator == "":
        raise UsageError(
            "expected a separator such as / or :, found an empty string. Name the mark between the parts of a label with "
            "--set separator=..., or leave it out: then it is found in the labels."
        )
    names = sorted(set(labels))
    if separator is None:
        separator = separator_of(names)
    if separator is None:
        without = {mark: sum(mark not in name for name in names) for mark in SEPARATORS}
        nearest = min(SEPARATORS, key=lambda mark: without[mark])
        missing = next((name for name in names if nearest not in name), "")
        raise UsageError(
            f"expected labels with paths such as a{nearest}b, found {missing!r}. "
            "Name the mark between the parts with --set separator=..., or a file of the tree with --set tree=FILE."
        )
    return separator, {name: tuple(name.split(separator)) for name in names}
