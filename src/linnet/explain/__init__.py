"""Why a linear model decides as it does: typed results, which others turn into text or HTML."""

from linnet.explain.features import Strong, strongest
from linnet.explain.text import Contribution, Explanation, Word, explain_text

__all__ = ["Contribution", "Explanation", "Strong", "Word", "explain_text", "strongest"]
