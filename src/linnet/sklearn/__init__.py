"""Thin estimators on top, for those who think in scikit-learn.

>>> from linnet.sklearn import LinearClassifier
>>> model = LinearClassifier("naive-bayes", features="words:1")
>>> model.fit(["good", "fine", "bad", "poor"], ["+", "+", "-", "-"]).predict(["a good film"]).tolist()
['+']
"""

try:
    import sklearn as _sklearn  # noqa: F401
except ImportError as error:
    raise ImportError("linnet.sklearn needs scikit-learn: pip install linnet[sklearn]") from error

from linnet.sklearn.aligner import WordAligner
from linnet.sklearn.classifier import LinearClassifier
from linnet.sklearn.constituents import ConstituentParser
from linnet.sklearn.outputs import HierarchyClassifier, LabelRanker, LabelsetClassifier, OrdinalClassifier
from linnet.sklearn.parser import DependencyParser
from linnet.sklearn.reranker import Reranker
from linnet.sklearn.tagger import SequenceTagger
from linnet.sklearn.vectorizer import TextVectorizer

__all__ = [
    "ConstituentParser",
    "DependencyParser",
    "HierarchyClassifier",
    "LabelRanker",
    "LabelsetClassifier",
    "LinearClassifier",
    "OrdinalClassifier",
    "Reranker",
    "SequenceTagger",
    "TextVectorizer",
    "WordAligner",
]
