"""A scikit-learn estimator for labels that are arranged in a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec
from linnet.io.texts.labels import SEVERAL
from linnet.sklearn.examples import Classes, joined
from linnet.sklearn.outputs import OneLabelOutputs
from linnet.structures.label_tree import LabelTree, Path
from linnet.tasks.hierarchy.model import HierarchyModel
from linnet.tasks.texts.model import TextModel


class HierarchyClassifier(OneLabelOutputs):
    """Each example has one label, and the labels are arranged in a tree. The cost of a mistake is the number of edges between
    the two labels in the tree.

    The tree is given in one of two ways. With neither, all labels are children of the root.

    separator: the mark that splits the name of each label into its path from the root: ":" for "NUM:date".
    tree: the path of each label from the root down to the label itself: {"date": ["NUM", "date"], "city": ["LOC", "city"]}.

    A label may have others below it: "NUM" beside "NUM:date". It is then a leaf of its own below the node NUM.

    The other parameters are those of `Outputs`, and the private methods are its hooks: it says who calls them, and when.
    """

    _kind: type[TextModel] = HierarchyModel

    def __init__(
        self,
        learner: str = "averaged-mira",
        separator: str | None = None,
        tree: Mapping[Any, Sequence[str]] | None = None,
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.separator = separator
        self.tree = tree

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.separator == "":
            raise UsageError('expected separator to be a mark such as ":", or None, found an empty one.')
        if self.tree is None:
            return
        if self.separator is not None:
            raise UsageError(
                "expected the tree in tree= or in the names of labels (separator=), found both. Leave one out."
            )
        for label, path in self.tree.items():
            if isinstance(path, str) or not all(isinstance(node, str) for node in path):
                raise UsageError(
                    f"expected the path of label {label!r} as a list of strings such as ['NUM', 'date'], found {path!r}."
                )

    def _path(self, label: Any) -> Path:
        """The names of the nodes from below the root down to a label."""
        if self.tree is None:
            return tuple(str(label).split(self.separator or SEVERAL))
        if label not in self.tree:
            raise DataError(f"the label {label!r} is not in the tree. Add its path to tree=.")
        return tuple(self.tree[label])

    def _order(self, labels: Classes) -> Classes:
        """Put labels in the order of the leaves of their tree."""
        number = {self._name(label): k for k, label in enumerate(labels.tolist())}
        tree = LabelTree.from_paths({self._name(label): self._path(label) for label in labels.tolist()})
        return labels[[number[name] for name in tree.labels]]

    def _foresee(self, labels: Classes) -> Classes:
        """Add all labels of the tree, where it is given."""
        return labels if self.tree is None else joined(labels, list(self.tree))

    def _describe(self) -> dict[str, Any]:
        paths = {self._name(label): list(self._path(label)) for label in self.classes_.tolist()}
        # SEVERAL occurs in no label. As the separator it leaves each label whole, so that all are children of the root.
        separator = self.separator or SEVERAL
        return {"paths": paths, "separator": separator if self.tree is None else None}
