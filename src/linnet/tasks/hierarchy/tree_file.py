"""Reading a tree of labels from a file, which has a label and the label above it on each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linnet.errors import DataError, meant
from linnet.io.bytes.records import records
from linnet.structures.label_tree import Path


def read_tree(path: str) -> dict[str, Path]:
    """The path of every name in the file, from the root down."""
    parent: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for number, (child, above) in records(path, 2, "a label and the one above it"):
        if parent.get(child, above) != above:
            raise DataError(
                f"{child!r} has the parent {above!r} here, but {parent[child]!r} on line {line_of[child]}. "
                "Leave out one of the two lines.",
                path,
                number,
            )
        parent[child], line_of[child] = above, number
    return {name: _path(name, parent, line_of, path) for name in dict.fromkeys([*parent, *parent.values()])}


def _path(name: str, parent: Mapping[str, str], line_of: Mapping[str, int], file: str) -> Path:
    """The path from the root down to a name. Raise DataError if the names form a cycle."""
    upwards = [name]
    while upwards[-1] in parent:
        above = parent[upwards[-1]]
        if above in upwards:
            cycle = " -> ".join([*upwards[upwards.index(above) :], above])
            raise DataError(f"{cycle} is a cycle, not a tree. Remove one of its lines.", file, line_of[upwards[-1]])
        upwards.append(above)
    return tuple(reversed(upwards))


def paths_in(labels: Sequence[str], tree: Mapping[str, Path], file: str) -> dict[str, Path]:
    """The path of each of these labels in a tree. Raise DataError if one is missing."""
    missing = sorted(set(labels) - set(tree))
    if missing:
        raise DataError(
            f"the label {missing[0]!r} of the data is not in the tree.{meant(missing[0], tree)} "
            "Add a line with this label and the label above it.",
            file,
        )
    return {label: tree[label] for label in sorted(set(labels))}
