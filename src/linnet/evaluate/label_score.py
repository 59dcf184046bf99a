"""How right one label was: what all reports over labels share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LabelScore:
    precision: float
    recall: float
    f1: float
    support: int
