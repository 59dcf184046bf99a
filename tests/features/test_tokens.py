"""Features of tokens: what the templates see, and what is left when nothing is known."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import DataError, UsageError
from linnet.features import token_spec
from linnet.features.learned_attributes import LEARNED
from linnet.features.token_spec import TOKEN_GRAMMAR, parse_templates
from linnet.features.tokens import TokenFeatures
from linnet.features.word_attributes import WORD_ATTRIBUTES

WORDS = ["The", "U.S.", "won", "12-10", "Über", "McDonald"]


def column(values):
    return pa.array(values, pa.large_string())


def features_of(spec, words=WORDS, starts=None, **columns):
    columns = {"w": column(words)} | {name: column(values) for name, values in columns.items()}
    features = TokenFeatures(spec, tuple(columns))
    rows = features.fit_transform(columns, np.array(starts or [0, len(words)], np.int64))
    named = [features.name(int(j)) for j in rows.indices]
    return features, [named[a:b] for a, b in zip(rows.indptr, rows.indptr[1:], strict=False)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("lower", ["the", "u.s.", "won", "12-10", "über", "mcdonald"]),
        ("suffix:2", ["he", "s.", "on", "10", "er", "ld"]),
        ("prefix:3", ["the", "u.s", "won", "12-", "übe", "mcd"]),
        ("suffix:5", [None, None, None, "12-10", None, "onald"]),
        ("shape", ["Xxx", "X.X.", "xxx", "dd-dd", "Xxxx", "XxXxxxxx"]),
        ("short-shape", ["Xx", "X.X.", "x", "d-d", "Xx", "XxXx"]),
        ("cap", ["yes", "yes", None, None, "yes", "yes"]),
        ("digit", [None, None, None, "yes", None, None]),
        ("hyphen", [None, None, None, "yes", None, None]),
        ("length", ["3", "4", "3", "5", "4", "8"]),
    ],
)
def test_attributes(spec, expected):
    _, rows = features_of(spec)
    assert rows == [[] if value is None else [f"{spec}={value}"] for value in expected]


def test_windows_and_the_ends_of_sentences():
    _, rows = features_of("w[-2..2]", ["a", "b", "c"], [0, 1, 3])
    assert rows == [
        ["w[-2]=<s><s>", "w[-1]=<s>", "w=a", "w[1]=</s>", "w[2]=</s></s>"],
        ["w[-2]=<s><s>", "w[-1]=<s>", "w=b", "w[1]=c", "w[2]=</s>"],
        ["w[-2]=<s>", "w[-1]=b", "w=c", "w[1]=</s>", "w[2]=</s></s>"],
    ]


def test_conjunctions_of_any_columns():
    _, rows = features_of("pos[-1]|w|suffix:1[1]", ["a", "b"], pos=["DT", "NN"])
    assert rows == [["pos[-1]|w|suffix:1[1]=<s>|a|b"], ["pos[-1]|w|suffix:1[1]=DT|b|</s>"]]


def test_an_empty_value_is_no_feature():
    assert features_of("pos w|pos", ["a", "b"], pos=["", "NN"])[1] == [[], ["pos=NN", "w|pos=b|NN"]]


def test_what_is_not_known_is_passed_over():
    features, _ = features_of("w lower|w[1]", ["a", "b"])
    rows = features.transform({"w": column(["b", "z", "a"])}, np.array([0, 3]))
    assert [features.name(int(j)) for j in rows.indices] == ["w=b", "w=a"]
    assert rows.indptr.tolist() == [0, 1, 1, 2]
    assert features.n_features == 4


def test_a_file_keeps_all(tmp_path):
    (tmp_path / "names.txt").write_text("; a comment\nMcDonald\n\nüber\n", encoding="utf-8")
    features, before = features_of(f"w[-1]|w suffix:1-2 lexicon:{tmp_path / 'names.txt'}")
    (tmp_path / "names.txt").unlink()
    again = TokenFeatures.from_arrays(features.header(), features.arrays())
    assert again.names() == features.names()
    rows = again.transform({"w": column(WORDS)}, np.array([0, len(WORDS)]))
    assert [again.name(int(j)) for j in rows.indices] == [name for row in before for name in row]
    assert sum("lexicon" in name for row in before for name in row) == 2


def test_clusters(tmp_path):
    (tmp_path / "clusters.tsv").write_text("the\t0110\nwon\t10\n")
    _, rows = features_of(f"cluster:{tmp_path / 'clusters.tsv'}")
    assert [row[0].rpartition("=")[2] if row else None for row in rows] == ["0110", None, "10", None, None, None]
    (tmp_path / "clusters.tsv").write_text("the\t0110\nwon\n")
    with pytest.raises(DataError, match=r"clusters.tsv.*2.*expected a word, a tab and its cluster"):
        features_of(f"cluster:{tmp_path / 'clusters.tsv'}")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="No such file"):
        features_of(f"lexicon:{tmp_path / 'none'}")
    (tmp_path / "latin").write_bytes("über".encode("latin-1"))
    with pytest.raises(DataError, match="is not UTF-8"):
        features_of(f"lexicon:{tmp_path / 'latin'}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("wrd", "unknown feature 'wrd'; the columns of the data are w, pos"),
        ("shap", "unknown feature 'shap'.* Did you mean 'shape'?"),
        ("suffix", "expected suffix:N or suffix:N-M, found 'suffix'."),
        ("suffix:4-2", "'suffix:4-2': expected 1 <= N <= M <= 20."),
        ("sufix:2", "unknown feature 'sufix'.* Did you mean 'suffix'?"),
        ("w:3", "feature 'w' in 'w:3' takes no number. Leave out ':3'."),
        ("w[x]", r"expected \[K\] or \[K..M\], found 'w\[x\]'."),
        ("w[-99]", r"'w\[-99\]': expected \[K..M\]"),
        ("w||w", "cannot read '' in the feature 'w||w'"),
        ("lexicon", "feature 'lexicon' needs a file: lexicon:FILE."),
        ("", "the features name no template of tokens. For a start: "),
        ("y[-1]", "the features name no template of tokens. For a start: "),
        (
            "w y",
            "'y': tags are y\\[-1\\], alone or with what is seen as in y\\[-1\\]|w, or y\\[-2\\]|y\\[-1\\] with nothing else.",
        ),
        ("w y[-2]", r"'y\[-2\]': tags are y\[-1\], alone"),
        ("w y[-2]|y[-1]|w", r"'y\[-2\]|y\[-1\]|w': tags are y\[-1\], alone"),
        ("w y[1]|w", r"'y\[1\]|w': tags are y\[-1\], alone"),
    ],
)
def test_what_is_not_in_the_grammar(spec, message):
    with pytest.raises(UsageError, match=message.replace("|", r"\|")):
        parse_templates(spec, ("w", "pos"))


def test_templates_that_are_named_twice_count_once():
    assert [str(t) for t in parse_templates("w w[0] w[0..1]", ("w",))] == ["w", "w[1]", "y[-1]"]


def test_tags_in_templates():
    templates = parse_templates("w[1]|y[-1] w y[-1]|y[-2] y[-1]|w[0..1]", ("w",))
    assert [str(t) for t in templates] == ["y[-1]|w[1]", "w", "y[-2]|y[-1]", "y[-1]|w", "y[-1]"]
    assert [t.tags for t in templates] == [(-1,), (), (-2, -1), (-1,), (-1,)]
    assert (TokenFeatures("w", ("w",)).order, TokenFeatures("w", ("w",)).observed) == (1, False)
    assert (TokenFeatures("w y[-2]|y[-1]", ("w",)).order, TokenFeatures("w y[-1]|w", ("w",)).observed) == (2, True)


def test_pairs_of_tags_have_features_between_tokens():
    words = {"w": column(["a", "b", "c", "a", "b", "b", "d", "b"])}
    starts = np.array([0, 3, 3, 4, 8])
    features = TokenFeatures("w y[-1]|w y[-1]|w[-1]|w[1]", ("w",))
    blocks = features.fit_blocks(words, starts)
    # at the second and later tokens: b, c; none; none; b, d, b. What was seen once (c, d, all the windows) is forgotten.
    indptr, indices, values, places = map(np.asarray, blocks[1].arrays())
    assert [features.pair_name(j) for j in range(features.n_pair_features)] == ["w=b"]
    assert (indptr.tolist(), indices.tolist(), values.tolist()) == ([0, 1, 1, 2, 2, 3], [0, 0, 0], [1, 1, 1])
    assert places.tolist() == [0, 2, 2, 2, 5]
    assert np.asarray(blocks[0].arrays()[0]).tolist() == list(range(9))
    again = TokenFeatures.from_arrays(features.header(), features.arrays())
    assert again.pair_name(0) == "w=b"
    for known in (features, again):
        block = known.blocks({"w": column(["b", "z", "b"])}, np.array([0, 3]))[1]
        assert [np.asarray(part).tolist() for part in block.arrays()] == [[0, 0, 1], [0], [1], [0, 2]]


def test_conjunctions_may_have_to_be_seen_more_often():
    words = {"w": column(["a", "b", "a", "b", "c"])}
    starts = np.array([0, 2, 5])
    every, often = TokenFeatures("w w|w[1]", ("w",)), TokenFeatures("w w|w[1] min=2", ("w",))
    every.fit_transform(words, starts)
    rows = often.fit_transform(words, starts)
    assert every.names() == ["w=a", "w|w[1]=a|b", "w=b", "w|w[1]=b|</s>", "w|w[1]=b|c", "w=c", "w|w[1]=c|</s>"]
    assert often.names() == ["w=a", "w|w[1]=a|b", "w=b", "w=c"]
    expected = [[0, 1], [2], [0, 1], [2], [3]]
    for found in (rows, often.transform(words, starts)):
        assert [found.indices[a:b].tolist() for a, b in pairwise(found.indptr.tolist())] == expected
        assert found.values.tolist() == [1] * 7
    again = TokenFeatures.from_arrays(often.header(), often.arrays())
    assert (again.least, again.names()) == (2, often.names())


def test_features_of_pairs_must_be_seen_as_often_as_conjunctions():
    features = TokenFeatures("w y[-1]|w min=3", ("w",))
    features.fit_blocks({"w": column(["z", "a", "b", "a", "b", "a"])}, np.array([0, 6]))
    assert [features.pair_name(j) for j in range(features.n_pair_features)] == ["w=a"]


@pytest.mark.parametrize("wrong", ["min=", "min=0", "min=-1", "min=two"])
def test_how_often_is_a_number(wrong):
    with pytest.raises(UsageError, match=f"^expected min=N with N of 1 or more, found '{wrong}'.$"):
        TokenFeatures(f"w {wrong}", ("w",))


def test_pieces_are_the_blocks_of_some_sentences():
    words = {"w": column(["a", "B", "b", "a", "B", "b", "a", "c"])}
    starts = np.array([0, 3, 3, 4, 8])
    features = TokenFeatures("w w[-1]|w near-left y[-1]|w y[-2]|y[-1]", ("w",))
    features.fit_blocks(words, starts)
    whole = features.blocks(words, starts)
    pieces = list(features.pieces(words, starts, 2))
    assert [at for at, _ in pieces] == [slice(0, 3), slice(3, 8)]
    for g in range(3):
        parts = [[np.asarray(part) for part in blocks[g].arrays() if part is not None] for _, blocks in pieces]
        indptr, indices, values, *places = map(np.asarray, filter(lambda part: part is not None, whole[g].arrays()))
        np.testing.assert_array_equal(np.concatenate([np.diff(part[0]) for part in parts]), np.diff(indptr))
        np.testing.assert_array_equal(np.concatenate([part[1] for part in parts]), indices)
        np.testing.assert_array_equal(np.concatenate([part[2] for part in parts]), values)
        if places:
            np.testing.assert_array_equal(np.concatenate([np.diff(part[3]) for part in parts]), np.diff(places[0]))


def test_the_grammar_names_every_attribute():
    named = {item.partition(":")[0] for key in TOKEN_GRAMMAR for item in key.split()}
    assert not named & set(WORD_ATTRIBUTES)
    assert named - {"...[-1]", "...|...", "y[-1]", "y[-2]|y[-1]", "min=2", "most=100000"} == {
        *token_spec._PLAIN,
        *LEARNED,
        *token_spec._RANGED,
        *token_spec._FILES,
    }


def test_a_missing_column_is_named():
    features, _ = features_of("pos", ["a"], pos=["DT"])
    with pytest.raises(DataError, match="^the data have no column 'pos', which the features look at"):
        features.transform({"w": column(["a"])}, np.array([0, 1]))
