"""Labels as the leaves of a tree, and the paths to them in their names.

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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from linnet.errors import DataError, UsageError

Path = tuple[str, ...]
SEPARATORS = ("/", ":", ">", "|", ".")
_HERE = ""
"""The name of the leaf for a label that is an inner node as well."""


@dataclass(frozen=True)
class LabelTree:
    nodes: tuple[Path, ...]
    """All nodes but the root, each as its path from the root and after its parent."""
    parents: tuple[int, ...]
    """For each node the number of its parent; -1 where that is the root."""
    paths: Mapping[str, Path]
    """The path from the root to the leaf of each label, in the order of the leaves. Label number k is the k-th leaf."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.paths)

    @classmethod
    def from_paths(cls, paths: Mapping[str, Path]) -> LabelTree:
        """The tree of these labels, given the path of each from the root down to the label itself. A label that has others
        below it becomes a leaf of its own below its node. Raise DataError if two labels would be the same leaf."""
        inner = {path[:k] for path in paths.values() for k in range(len(path))}
        leaves = {label: (*path, _HERE) if path in inner else path for label, path in paths.items()}
        number: dict[Path, int] = {}
        parents: list[int] = []
        ordered = dict(sorted(leaves.items(), key=lambda item: item[1]))
        for (label, path), (other, path_of_other) in pairwise(ordered.items()):
            if path == path_of_other:
                raise DataError(
                    f"expected a path of its own for each label, found {list(paths[label])} for {label!r} and "
                    f"{list(paths[other])} for {other!r}, which are the same place in the tree. Rename one of them."
                )
        for path in ordered.values():
            for k in range(1, len(path) + 1):
                if path[:k] not in number:
                    number[path[:k]] = len(number)
                    parents.append(number[path[: k - 1]] if k > 1 else -1)
        return cls(tuple(number), tuple(parents), ordered)

    def distance(self, a: str, b: str) -> int:
        """The number of edges between two labels."""
        return len(self.paths[a]) + len(self.paths[b]) - 2 * self.shared(a, b)

    def shared(self, a: str, b: str) -> int:
        """The number of nodes, from the root down, that two labels have in common."""
        pairs = zip(self.paths[a], self.paths[b], strict=False)
        return next((k for k, (x, y) in enumerate(pairs) if x != y), min(len(self.paths[a]), len(self.paths[b])))


def split(labels: Iterable[str], separator: str | None = None) -> tuple[str, dict[str, Path]]:
    """The separator, and the paths that the names of labels spell with it. If none is given, it is the first usual one that
    all labels have."""
    names = sorted(set(labels))
    if separator is None:
        separator = next((mark for mark in SEPARATORS if names and all(mark in name for name in names)), None)
    if separator is None:
        without = {mark: sum(mark not in name for name in names) for mark in SEPARATORS}
        nearest = min(SEPARATORS, key=lambda mark: without[mark])
        missing = next((name for name in names if nearest not in name), "")
        raise UsageError(
            f"expected labels with paths such as a{nearest}b, found {missing!r}. "
            "Name the mark between the parts with --set separator=..., or a file of the tree with --set tree=FILE."
        )
    return separator, {name: tuple(name.split(separator)) for name in names}
