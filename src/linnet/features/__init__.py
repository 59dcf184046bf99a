"""What f(x, y) looks at."""

from linnet.features.columns import TextLike, as_text
from linnet.features.spec import GRAMMAR, FeatureSpec
from linnet.features.text import SparseRows, TextFeatures

__all__ = ["GRAMMAR", "FeatureSpec", "SparseRows", "TextFeatures", "TextLike", "as_text"]
