"""Features: what f(x, y) looks at, from texts, tokens, columns and attributes to sparse rows."""

from linnet.features.columns import TextLike, as_text
from linnet.features.fields import Fields
from linnet.features.rows import SparseRows
from linnet.features.spec import GRAMMAR, FeatureSpec
from linnet.features.table import Table
from linnet.features.text import TextFeatures

__all__ = ["GRAMMAR", "FeatureSpec", "Fields", "SparseRows", "Table", "TextFeatures", "TextLike", "as_text"]
