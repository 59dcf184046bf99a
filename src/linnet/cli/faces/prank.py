"""Ratings by one score and thresholds on the command line: as other ratings."""

from __future__ import annotations

from linnet.cli.faces.ordinal import evaluate, explain, facts, predict, probable, takes

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]
