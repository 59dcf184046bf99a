"""These are thin estimators on top, for those who think in scikit-learn.

>>> from linnet.sklearn import LinearClassifier
>>> model = LinearClassifier("naive-bayes", features="words:1")
>>> model.fit(["good", "fine", "bad", "poor"], ["+", "+", "-", "-"]).predict(["a good film"]).tolist()
['+']
"""

try:
    import sklearn as _sklearn  # noqa: F401
except ImportError as error:
    raise ImportError("linnet.sklearn needs scikit-learn: pip install linnet[sklearn]") from error

from linnet.sklearn.align import WordAligner
from linnet.sklearn.brackets import ConstituentParser
from linnet.sklearn.hierarchy import HierarchyClassifier
from linnet.sklearn.labels import LinearClassifier
from linnet.sklearn.labelset import LabelsetClassifier
from linnet.sklearn.ordinal import OrdinalClassifier
from linnet.sklearn.parse import DependencyParser
from linnet.sklearn.ranking import LabelRanker
from linnet.sklearn.rerank import Reranker
from linnet.sklearn.tag import SequenceTagger
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
