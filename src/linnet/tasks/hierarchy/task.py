"""The task `hierarchy`: one label for each text, where labels are leaves of a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from linnet.core.types import Json
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Known, Plan
from linnet.structures.label_tree import LabelTree, split
from linnet.tasks.hierarchy.model import HierarchyModel
from linnet.tasks.hierarchy.tree_file import paths_in, read_tree
from linnet.tasks.texts.gold import Found, Texts, checked_names
from linnet.tasks.texts.label_types import LABEL_TYPE
from linnet.tasks.texts.model import OneLabelModel
from linnet.tasks.texts.presets import features_for, plans
from linnet.tasks.texts.task import OneLabel

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.features import TextFeatures
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands


@dataclass(frozen=True)
class HierarchyTask(OneLabel):
    separator: str | None = None
    tree: str | None = None

    name = "hierarchy"
    cost = "tree loss"
    description = "one label for each text, where labels are leaves of a tree"
    settings: ClassVar[Mapping[str, str]] = {
        "separator": "the character between the parts of a label, such as : in NUM:date; by default it is found in the labels",
        "tree": "a file with a label and the label above it on each line, if the tree is not in the labels themselves",
    }
    model: ClassVar[type[OneLabelModel]] = HierarchyModel

    @property
    def commands(self) -> Commands:
        from linnet.tasks.hierarchy import commands

        return commands

    def notation(self, features: TextFeatures, gold: Texts, gen: Structure, i: int) -> Notation:
        """As that of labels; outcomes are the nodes of the tree."""
        from linnet.tasks.notation import of_labels

        paths = {label: tuple(path) for label, path in gold.details["paths"].items()}
        nodes = ["/".join(path) for path in LabelTree.from_paths(paths).nodes]
        return replace(of_labels(features, gold, i), outcome=lambda block, k: nodes[k])

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """An SVM for each node, which decides whether the label is below it."""
        return Plan(features_for(gold) if spec is None else spec, "nb-svm")

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """Plans as for labels without a tree."""
        return plans(spec, features_for(gold), gold.sample())

    def facts(self, read: Found, known: Known | None) -> dict[str, Json]:
        """What a model knows of its data, without the type of labels: these are strings, as the names of all nodes are."""
        return {name: value for name, value in super().facts(read, known).items() if name != LABEL_TYPE}

    def as_trained(self, details: Mapping[str, Json]) -> Self:
        return replace(self, separator=details.get("separator"))

    def names_with(self, known: Known, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        """The labels with new ones added to the tree. A tree that was read from a file takes no new labels."""
        new = sorted(set(found) - set(known.labels)) if known.grows else []
        if not new:
            return known.labels, known.details
        if known.details["separator"] is None:
            raise DataError(
                f"the label {new[0]!r} is not in the tree that the model was trained with. Train again with a tree "
                "that has it.",
                source,
            )
        return replace(self, separator=known.details["separator"]).names([*known.labels, *new], source)

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Json]]:
        labels = checked_names(sorted(set(found)), source)
        separator = None
        if self.tree is not None:
            if self.separator is not None:
                raise UsageError(
                    "expected the tree in a file (tree=) or in the labels (separator=), found both. Leave one out."
                )
            paths = paths_in(labels, read_tree(self.tree), self.tree)
        else:
            separator, paths = split(labels, self.separator)
        tree = LabelTree.from_paths(paths)
        return tree.labels, {"paths": {label: list(path) for label, path in paths.items()}, "separator": separator}


TASK = HierarchyTask()
