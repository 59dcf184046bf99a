"""Rankings of all labels on the command line."""

from __future__ import annotations

from linnet.cli.faces.labelset import evaluate, explain, facts, predict, probable

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

takes: tuple[str, ...] = ()
