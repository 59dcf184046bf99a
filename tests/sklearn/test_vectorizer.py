import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from words_by_re import is_unspaced

from linnet.errors import DataError, UsageError
from linnet.features import TextFeatures
from linnet.sklearn import TextVectorizer

WORD = r"\w+"
"""CountVectorizer's own pattern drops words of one letter; linnet keeps them."""


def in_the_order_of(peer, vectorizer, X):
    """The columns of X in the order of the peer's; the names must be the same."""
    names = vectorizer.get_feature_names_out().tolist()
    assert sorted(names) == sorted(peer.get_feature_names_out())
    at = {name: j for j, name in enumerate(names)}
    return X.toarray()[:, [at[name] for name in peer.get_feature_names_out()]]


def assert_same_counts(texts, spec, **options):
    peer, ours = CountVectorizer(**options), TextVectorizer(spec)
    try:
        counts = peer.fit_transform(texts).toarray()
    except ValueError:  # its vocabulary is empty
        with pytest.raises(DataError, match="no feature"):
            ours.fit(texts)
        return
    np.testing.assert_array_equal(in_the_order_of(peer, ours, ours.fit_transform(texts)), counts)
    more = [" ".join(reversed(texts))]
    np.testing.assert_array_equal(in_the_order_of(peer, ours, ours.transform(more)), peer.transform(more).toarray())


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("words:1-2", {"ngram_range": (1, 2), "token_pattern": WORD}),
        ("words:2-3 case", {"ngram_range": (2, 3), "token_pattern": WORD, "lowercase": False}),
        ("words:1 presence", {"binary": True, "token_pattern": WORD}),
        ("words:1 min=2 max=0.5", {"min_df": 2, "max_df": 0.5, "token_pattern": WORD}),
        ("chars-across:2-4", {"analyzer": "char", "ngram_range": (2, 4)}),
    ],
)
def test_counts_are_those_of_count_vectorizer(texts, spec, options):
    assert_same_counts(texts, spec, **options)


spaced = st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="<&").filter(lambda c: not is_unspaced(c))
unicode_text = st.text(spaced, max_size=30)
"""Text in scripts with blanks between words, without HTML: in others linnet sees other words than CountVectorizer."""


@settings(max_examples=150, deadline=None)
@given(st.lists(unicode_text, min_size=1, max_size=4))
def test_counts_are_those_of_count_vectorizer_on_any_unicode(texts):
    assert_same_counts(texts, "words:1-2", ngram_range=(1, 2), token_pattern=WORD)


@settings(max_examples=100, deadline=None)
@given(st.lists(unicode_text.map(lambda text: re.sub(r"\W+", " ", text)), min_size=1, max_size=4))
def test_characters_within_words_are_those_of_count_vectorizer(texts):
    """Where there is no punctuation: CountVectorizer takes it into ` word `, linnet does not."""
    assert_same_counts(texts, "chars:2-4", analyzer="char_wb", ngram_range=(2, 4))


@pytest.mark.parametrize("spec", ["words:1-2 log tfidf", "words:1-2 log tfidf l1", "words:1-2 tfidf raw"])
def test_values_are_those_of_tfidf_vectorizer(texts, spec):
    norm = {"l1": "l1", "raw": None}.get(spec.split()[-1], "l2")
    peer = TfidfVectorizer(ngram_range=(1, 2), token_pattern=WORD, sublinear_tf="log" in spec, norm=norm)
    ours = TextVectorizer(spec)
    twice = [text + " " + text.upper() for text in texts[:9]]
    values = peer.fit_transform(texts + twice).toarray()
    np.testing.assert_allclose(in_the_order_of(peer, ours, ours.fit_transform(texts + twice)), values, rtol=1e-6)
    np.testing.assert_allclose(
        in_the_order_of(peer, ours, ours.transform(twice)), peer.transform(twice).toarray(), rtol=1e-6
    )


@settings(max_examples=50, deadline=None)
@given(st.lists(unicode_text.map(lambda text: "a " + text), min_size=1, max_size=4))
def test_values_are_those_of_tfidf_vectorizer_on_any_unicode(texts):
    peer = TfidfVectorizer(token_pattern=WORD, sublinear_tf=True)
    ours = TextVectorizer("words:1 log tfidf")
    values = peer.fit_transform(texts).toarray()
    np.testing.assert_allclose(in_the_order_of(peer, ours, ours.fit_transform(texts)), values, rtol=1e-6)


def test_a_hand_computed_matrix():
    vectorizer = TextVectorizer("words:1-2")
    X = vectorizer.fit_transform(["a fine film", "a dull, dull film"])
    # all features are kept, in the order in which they come up
    names = ["a", "fine", "film", "a fine", "fine film", "dull", "a dull", "dull dull", "dull film"]
    assert vectorizer.get_feature_names_out().tolist() == names
    assert X.toarray().tolist() == [[1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 2, 1, 1, 1]]
    assert (X.dtype, X.format) == (np.float32, "csr")


COLUMNS = {
    "list": list,
    "tuple": tuple,
    "NumPy": np.array,
    "NumPy objects": lambda texts: np.array(texts, object),
    "Arrow": pa.array,
    "Arrow chunks": lambda texts: pa.chunked_array([texts[:5], texts[5:]]),
    "Arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "pandas": pd.Series,
    "pandas objects": lambda texts: pd.Series(texts, dtype=object, index=range(7, 7 + len(texts))),
    "pandas categories": lambda texts: pd.Series(texts, dtype="category"),
    "Polars": pl.Series,
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_texts_may_come_from_anywhere(texts, column):
    expected = TextVectorizer("words:1").fit_transform(texts)
    vectorizer = TextVectorizer("words:1")
    for X in (vectorizer.fit_transform(column(texts)), vectorizer.transform(column(texts))):
        assert abs(X - expected).nnz == 0


TABLES = {
    "pandas": pd.DataFrame({"text": ["a"], "n": [1]}),
    "Polars": pl.DataFrame({"text": ["a"]}),
    "Arrow": pa.table({"text": ["a"]}),
    "NumPy": np.array([["a", "b"]]),
    "SciPy": sparse.csr_matrix([[1.0]]),
}


@pytest.mark.parametrize("method", ["fit", "fit_transform", "partial_fit", "transform"])
@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_is_refused(method, table):
    vectorizer = TextVectorizer().fit(["a"])
    with pytest.raises(ValueError, match=r"expected one column of text, found a table\. Pass one of its columns"):
        getattr(vectorizer, method)(table)


def test_one_string_is_refused():
    with pytest.raises(ValueError, match=r"found a single string\. Pass a list"):
        TextVectorizer().fit("a fine film")


def test_a_misspelt_feature_is_named():
    with pytest.raises(UsageError, match="Did you mean"):
        TextVectorizer("wrods:1").fit(["a"])


@pytest.mark.parametrize("use", [lambda v: v.transform(["a"]), lambda v: v.get_feature_names_out()])
def test_not_fitted(use):
    with pytest.raises(NotFittedError, match="TextVectorizer"):
        use(TextVectorizer())


def test_the_matrix_is_the_arrays_of_the_core(texts, monkeypatch):
    rows = []
    original = TextFeatures.fit_transform
    monkeypatch.setattr(TextFeatures, "fit_transform", lambda *args: rows.append(original(*args)) or rows[0])
    X = TextVectorizer().fit_transform(texts)
    assert np.shares_memory(X.indices, rows[0].indices)
    assert np.shares_memory(X.data, rows[0].values)
    assert X.indices.dtype == X.indptr.dtype == np.int32


def test_partial_fit_adds_columns_behind_those_there_are():
    vectorizer = TextVectorizer("words:1").partial_fit(["a b"]).partial_fit(["c b", "d"])
    assert vectorizer.get_feature_names_out().tolist() == ["a", "b", "c", "d"]
    assert vectorizer.transform(["d d b e"]).toarray().tolist() == [[0, 1, 0, 2]]


def test_partial_fit_goes_on_from_fit_and_counts_documents():
    # 3 texts, df(a) = 3, df(b) = 1: idf = 1 and ln(4 / 2) + 1
    vectorizer = TextVectorizer("words:1 tfidf raw").fit(["a", "a"]).partial_fit(["a b"])
    np.testing.assert_allclose(vectorizer.transform(["a b"]).toarray(), [[1, np.log(2) + 1]], rtol=1e-6)


def test_fit_forgets_what_was_before():
    vectorizer = TextVectorizer("words:1").fit(["a"]).fit(["b"])
    assert vectorizer.get_feature_names_out().tolist() == ["b"]


def test_a_failed_fit_changes_nothing():
    vectorizer = TextVectorizer("words:1").fit(["a"])
    with pytest.raises(DataError):
        vectorizer.fit([""])
    assert vectorizer.get_feature_names_out().tolist() == ["a"]


@pytest.mark.parametrize(
    "spec", ["words:1-2", "words:1-2 log tfidf min=2", "words:1 chars:3*0.5 bm25", "words:1 hash=8"]
)
@pytest.mark.parametrize("copied", [lambda v: pickle.loads(pickle.dumps(v)), copy.deepcopy])
def test_a_copy_goes_on_as_the_original(texts, spec, copied):
    original = TextVectorizer(spec).fit(texts[:10])
    again = copied(original)
    for vectorizer in (original, again):
        vectorizer.partial_fit(texts[10:])
    assert again.get_feature_names_out().tolist() == original.get_feature_names_out().tolist()
    X, Y = original.transform(texts), again.transform(texts)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(X, name), getattr(Y, name))


def test_clone_and_parameters():
    vectorizer = TextVectorizer("chars:3").fit(["abc"])
    assert vectorizer.get_params() == {"features": "chars:3"}
    assert repr(vectorizer.set_params(features="words:1")) == "TextVectorizer(features='words:1')"
    assert not hasattr(clone(vectorizer), "features_")
    assert pickle.loads(pickle.dumps(clone(vectorizer))).features == "words:1"


def test_pandas_output_is_a_frame_of_sparse_columns():
    column = pd.Series(["a b", "b"], index=[5, 9])
    vectorizer = TextVectorizer("words:1").set_output(transform="pandas")
    for frame in (vectorizer.fit_transform(column), vectorizer.transform(column)):
        assert frame.columns.tolist() == ["a", "b"]
        assert frame.index.tolist() == [5, 9]
        assert frame.to_numpy().tolist() == [[1, 1], [0, 1]]
        assert all(isinstance(dtype, pd.SparseDtype) for dtype in frame.dtypes)
    assert sparse.issparse(vectorizer.set_output(transform="default").transform(column))


def test_polars_has_no_sparse_columns():
    with pytest.raises(ValueError, match="sparse"):
        TextVectorizer().set_output(transform="polars").fit_transform(["a"])


def test_column_transformer_gives_it_a_column(texts):
    frame = pd.DataFrame({"text": texts, "length": [len(text) for text in texts]})
    parts = [("text", TextVectorizer("words:1 min=2"), "text"), ("length", StandardScaler(), ["length"])]
    both = ColumnTransformer(parts)
    X = both.fit_transform(frame)
    names = both.get_feature_names_out().tolist()
    assert names[0] == "text__the"
    assert names[-1] == "length__length"
    assert X.shape == (len(texts), len(names))
    with pytest.raises(DataError, match="Pass one of its columns \\('text'\\)"):
        ColumnTransformer([("text", TextVectorizer(), ["text"])]).fit(frame)
    wide = both.set_output(transform="pandas").fit_transform(frame)
    np.testing.assert_allclose(wide.to_numpy(), np.asarray(X.todense() if sparse.issparse(X) else X))


def test_feature_union(texts):
    union = FeatureUnion([("words", TextVectorizer("words:1")), ("chars", TextVectorizer("chars:3"))])
    parts = sparse.hstack([TextVectorizer(spec).fit_transform(texts) for spec in ("words:1", "chars:3")])
    np.testing.assert_array_equal(union.fit_transform(texts).toarray(), parts.toarray())
    assert union.get_feature_names_out()[0] == "words__the"


def test_a_row_added_to_another_counts_both(texts):
    """SciPy must know that the columns of a row are not sorted."""
    X = TextVectorizer("words:1-2").fit_transform(texts)
    np.testing.assert_array_equal((X[0] + X[1]).toarray(), X[0].toarray() + X[1].toarray())
    np.testing.assert_array_equal((X @ X.T).toarray(), X.toarray() @ X.toarray().T)


@pytest.mark.skipif("sparse_interface" not in sklearn.get_config(), reason="scikit-learn 1.9 and newer")
def test_the_kind_of_matrix_is_that_of_scikit_learn():
    assert isinstance(TextVectorizer().fit_transform(["a"]), sparse.csr_matrix)
    with sklearn.config_context(sparse_interface="sparray"):
        assert isinstance(TextVectorizer().fit_transform(["a"]), sparse.csr_array)


def test_pipelines_print_it():
    assert "words:1" in make_pipeline(TextVectorizer("words:1"))._repr_html_()


def test_without_scikit_learn_it_says_what_to_install():
    code = "import sys; sys.modules['sklearn'] = None; import linnet.sklearn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("pip install linnet[sklearn]")
