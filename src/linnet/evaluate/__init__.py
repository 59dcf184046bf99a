"""How good predictions are."""

from linnet.evaluate.labels import LabelScore, LabelsReport, evaluate_labels

__all__ = ["LabelScore", "LabelsReport", "evaluate_labels"]
