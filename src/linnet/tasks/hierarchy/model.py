"""Models of labels that are leaves of a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.schema import DictOf, Either, ListOf, Record, Schema, Text
from linnet.core.types import Data, Json, Setting
from linnet.errors import UsageError
from linnet.evaluate.unknown_labels import unknown_labels
from linnet.features import TextFeatures, TextLike
from linnet.fitting.contract import Known
from linnet.io.formats import FileOptions
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.label_tree import LabelTree
from linnet.tasks.hierarchy.measures import HierarchyReport, evaluate_hierarchy
from linnet.tasks.texts.gold import Floats
from linnet.tasks.texts.model import COLUMNS, OneLabelModel


class HierarchyModel(OneLabelModel[Hierarchy]):
    """A model that gives each text a label, which is a leaf of a tree."""

    task: ClassVar[str] = "hierarchy"
    details_schema: ClassVar[Schema] = Record(
        {"paths": DictOf(ListOf(Text(), 1, 64)), "separator": Either(Text())}, {"columns": COLUMNS}, open=True
    )

    @classmethod
    def structure(
        cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]
    ) -> Hierarchy:
        tree = _tree(details)
        if tree.labels != labels:
            raise ValueError(f"a tree of {len(tree.labels)} labels for {len(labels)} labels")
        return Hierarchy(tree.parents, len(labels))

    @classmethod
    def indicators(cls, gen: Hierarchy) -> tuple[Floats]:
        return (gen.paths,)

    @classmethod
    def probabilities(cls, gen: Hierarchy, mu: Sequence[Floats]) -> Floats:
        return mu[0][:, gen.leaves]

    @classmethod
    def moved(cls, before: Known, after: Known, gens: tuple[Hierarchy, Hierarchy]) -> tuple[npt.NDArray[np.int64], ...]:
        """The new numbers of the nodes, found by their paths: a new label may come between others."""
        number = {path: v for v, path in enumerate(_tree(after.details).nodes)}
        return (np.array([number[path] for path in _tree(before.details).nodes], np.int64),)

    @cached_property
    def tree(self) -> LabelTree:
        return _tree(self.details)

    def predict(self, texts: TextLike, *, at_least: float | None = None) -> list[str]:
        """Predict the label of each text. With `at_least`, a label that is less probable gives way to the deepest node above it
        that has this probability, named by the nodes on the way to it; the root is ""."""
        if at_least is None:
            return super().predict(texts)
        return [self._name(path) for path in self.paths(texts, at_least=at_least)]

    def probability_of(self, texts: TextLike, labels: Sequence[str], **decide: Setting) -> Floats:
        """The probability of the answer to each text. The probability of a node is that of all labels below it, 1 for the
        root."""
        number = {path: v for v, path in enumerate(self.tree.nodes)}
        found = zip(self.predict_nodes(texts), self.paths(texts, **decide), strict=True)
        return np.array([p[number[path]] if path else 1 for p, path in found], np.float32)

    def paths(self, texts: TextLike, *, at_least: float | None = None) -> list[tuple[str, ...]]:
        """Predict the label of each text as `predict` does, as the names of the nodes from the root down."""
        ways = list(self.tree.paths.values())
        if at_least is None:
            return [ways[y] for y in self.outputs(texts)[0]]
        if not 0 <= at_least <= 1:
            raise UsageError(f"expected at_least to be a probability between 0 and 1, found {at_least:g}.")
        number = {path: v for v, path in enumerate(self.tree.nodes)}
        found = []
        for p in self.predict_nodes(texts):
            path: tuple[str, ...] = ways[int(np.argmax(p[self._gen.leaves]))]
            while path and p[number[path]] < at_least:
                path = path[:-1]
            found.append(path)
        return found

    def predict_nodes(self, texts: TextLike) -> Floats:
        """The probability of each node of the tree, which is that of all labels below it: a row for each text, a column for
        each node."""
        nodes: Floats = times(self.predict_proba(texts), self._gen.paths.T)
        return nodes

    def _name(self, path: tuple[str, ...]) -> str:
        label = self._label_of.get(path)
        return str(self.details.get("separator") or "/").join(path) if label is None else label

    @cached_property
    def _label_of(self) -> dict[tuple[str, ...], str]:
        return {path: label for label, path in self.tree.paths.items()}

    def evaluate(
        self,
        data: Data,
        labels: Sequence[str] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        at_least: float | None = None,
        **how: Unpack[FileOptions],
    ) -> HierarchyReport:
        """Predict texts and compare with their labels. data: texts, whose labels follow; or a table or a file with both."""
        found = self.labelled(data, labels, {"text_col": text, "label_col": label, **how})
        known = self.tree.paths
        separator = self.details.get("separator")
        gold = [known.get(name) or tuple(name.split(separator) if separator else (name,)) for name in found.labels]
        report = evaluate_hierarchy(gold, self.paths(found.table, at_least=at_least), self._name)
        return replace(report, unknown=unknown_labels(found.labels, self.labels))


def _tree(details: Mapping[str, Json]) -> LabelTree:
    return LabelTree.from_paths({label: tuple(path) for label, path in details["paths"].items()})


MODEL = HierarchyModel
