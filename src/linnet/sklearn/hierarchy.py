"""This estimator gives examples labels of a tree in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linnet.errors import DataError
from linnet.features import FeatureSpec
from linnet.io.texts.labels import SEVERAL
from linnet.sklearn.examples import Classes, joined
from linnet.sklearn.outputs import OneLabelOutputs
from linnet.structures.label_tree import LabelTree, Path
from linnet.tasks.hierarchy.model import HierarchyModel
from linnet.tasks.texts.model import TextModel


class HierarchyClassifier(OneLabelOutputs):
    """Each example has one label out of a tree; errors cost the edges between two labels. `separator` parts the names of labels
    into paths ("NUM:date"); or `tree` gives the path of each label. Labels without either hang at the root.

    In the model, labels that hang at the root have a separator that no label has."""

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

    def _path(self, label: Any) -> Path:
        if self.tree is None:
            return tuple(str(label).split(self.separator)) if self.separator else (str(label),)
        if label not in self.tree:
            raise DataError(f"the label {label!r} is not in the tree.")
        return tuple(self.tree[label])

    def _order(self, labels: Classes) -> Classes:
        """Put labels in the order of the leaves of their tree."""
        tree = LabelTree.from_paths({str(k): self._path(label) for k, label in enumerate(labels.tolist())})
        return labels[[int(k) for k in tree.labels]]

    def _foresee(self, labels: Classes) -> Classes:
        """Add all labels of the tree, where it is given."""
        return labels if self.tree is None else joined(labels, list(self.tree))

    def _describe(self) -> dict[str, Any]:
        paths = {self._name(label): list(self._path(label)) for label in self.classes_.tolist()}
        return {"paths": paths, "separator": None if self.tree is not None else self.separator or SEVERAL}
