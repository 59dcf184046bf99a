"""The kinds of labelling that there are, keyed by the names of their tasks."""

from __future__ import annotations

from linnet.errors import UsageError, meant
from linnet.labelling.bracket_kind import BracketKind
from linnet.labelling.candidate_kind import CandidateKind
from linnet.labelling.kind import Kind
from linnet.labelling.link_kind import LinkKind
from linnet.labelling.sentence_kinds import CompressKind, TagKind
from linnet.labelling.text_kinds import LabelsetKind, OneLabelKind, RankingKind, RatingKind, TreeLabelKind
from linnet.labelling.tree_kind import TreeKind

_ALL: tuple[Kind, ...] = (
    OneLabelKind(),
    RatingKind(),
    TreeLabelKind(),
    LabelsetKind(),
    RankingKind(),
    TagKind(),
    CompressKind(),
    TreeKind(),
    BracketKind(),
    LinkKind(),
    CandidateKind(),
)
KINDS = {kind.name: kind for kind in _ALL}


def kind_of(task: str) -> Kind:
    """The kind of labelling of a task. Raise UsageError where there is none."""
    if task not in KINDS:
        raise UsageError(
            f"there is no labelling for task {task!r}. The tasks that can be labelled are: {', '.join(KINDS)}."
            f"{meant(task, KINDS)}"
        )
    return KINDS[task]
