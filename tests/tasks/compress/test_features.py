"""Features of pairs of kept neighbours."""

import numpy as np
import pyarrow as pa
import pytest

from linnet.errors import UsageError
from linnet.structures.compression import Compression
from linnet.tasks.compress.features import CompressionFeatures

WORDS = ["The", "old", "dog", "barks"]
STARTS = np.array([0, 3, 4])


def columns():
    return {"w": pa.array(WORDS, pa.large_string())}


def names_of(features, block):
    """The names of the features of each place."""
    indptr, indices, values, _ = block.arrays()
    assert set(np.asarray(values).tolist()) <= {1.0}
    return [[features.pair_name(int(j)) for j in indices[a:b]] for a, b in zip(indptr, indptr[1:], strict=False)]


def test_pairs_have_the_attributes_of_both_and_the_gap():
    features = CompressionFeatures("w <lower|>lower gap|>w[-1]", ("w",))
    gen = Compression(2)
    pairs = [gen.pairs(3), gen.pairs(1)]
    tokens, block = features.fit_blocks(columns(), STARTS, pairs)
    assert tokens.n == block.n == 2
    assert features.name(2) == "w=dog"
    assert names_of(features, block) == [
        ["<lower|>lower=<s>|the", "gap|>w[-1]=0|<s>"],
        ["<lower|>lower=<s>|old", "gap|>w[-1]=1|The"],
        ["<lower|>lower=the|old", "gap|>w[-1]=0|The"],
        ["<lower|>lower=the|dog", "gap|>w[-1]=1|old"],
        ["<lower|>lower=old|dog", "gap|>w[-1]=0|old"],
        ["gap|>w[-1]=far|old"],
        ["<lower|>lower=old|</s>", "gap|>w[-1]=1|dog"],
        ["<lower|>lower=dog|</s>", "gap|>w[-1]=0|dog"],
        ["gap|>w[-1]=far|dog"],
        ["<lower|>lower=<s>|barks", "gap|>w[-1]=0|<s>"],
        ["<lower|>lower=<s>|</s>", "gap|>w[-1]=1|barks"],
        ["<lower|>lower=barks|</s>", "gap|>w[-1]=0|barks"],
    ]


@pytest.mark.parametrize(
    ("dropped", "name"), [(0, "0"), (4, "4"), (5, "5-6"), (6, "5-6"), (7, "7-9"), (9, "7-9"), (10, "10+"), (30, "10+")]
)
def test_gaps_are_in_buckets(dropped, name):
    features = CompressionFeatures("w gap", ("w",))
    words = {"w": pa.array(["a"] * 40, pa.large_string())}
    _, block = features.fit_blocks(words, np.array([0, 40]), [(np.array([0]), np.array([dropped + 1]))])
    assert names_of(features, block) == [[f"gap={name}"]]


def test_what_is_not_known_is_passed_over_and_arrays_keep_the_rest():
    features = CompressionFeatures("w suffix:2 gap <w|>w <w[1]", ("w",))
    gen = Compression(3)
    pairs = [gen.pairs(3), gen.pairs(1)]
    features.fit_blocks(columns(), STARTS, pairs)
    again = CompressionFeatures.from_arrays(features.header(), features.arrays())
    new = {"w": pa.array(["The", "cat", "dog", "barks"], pa.large_string())}
    a, b = (each.blocks(new, STARTS, pairs) for each in (features, again))
    for ours, theirs in zip(a, b, strict=True):
        for x, y in zip(ours.arrays(), theirs.arrays(), strict=True):
            assert np.array_equal(np.asarray(x), np.asarray(y))
    found = names_of(again, b[1])
    assert found[4:6] == [["gap=1", "<w|>w=The|dog"], ["gap=0", "<w[1]=dog"]]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "w suffix:2",
            "expected features of pairs of kept neighbours, found none. For a start, use: gap <lower|>lower.",
        ),
        (
            "w gap|lower",
            "'lower' in 'gap|lower': expected < or > before it, for the left or the right of two neighbours, as in "
            "<lower or >lower.",
        ),
        ("w <amb|>w", "'<amb' in '<amb|>w' is for single tokens, not for pairs. Leave it out."),
    ],
)
def test_what_is_not_in_the_grammar_is_refused(spec, message):
    with pytest.raises(UsageError) as error:
        CompressionFeatures(spec, ("w",))
    assert str(error.value) == message
