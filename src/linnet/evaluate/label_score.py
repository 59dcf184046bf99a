"""Precision, recall and F1 of one label, which all reports over labels share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LabelScore:
    """How right the predictions of one label are."""

    precision: float
    recall: float
    f1: float
    support: int
    """The number of examples that have the label."""
