"""Why a linear model decides as it does: what the explanations of all tasks share."""

from linnet.explain.strongest import Strong, strongest

__all__ = ["Strong", "strongest"]
