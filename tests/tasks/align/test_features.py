"""Features of links: what they are called, and what they say."""

import numpy as np
import pytest

from linnet.errors import UsageError
from linnet.io.pairs.pairs import pairs_of
from linnet.tasks.align.features import AlignmentFeatures
from linnet.tasks.align.translation import Grid, learn_translations

PAIRS = pairs_of(
    [(["the", "nation", "7"], ["la", "nation", "7", "."]), (["The", "power"], ["le", "pouvoir"]), (["."], ["."])], None
)


def made(spec, pairs=PAIRS):
    """The features of a specification, and what they call the features of each place and of each target token."""
    features = AlignmentFeatures(spec)
    for letters, names in features.models.items():
        features.translations[letters] = learn_translations(pairs, letters, sorted(names))
    blocks = features.blocks(pairs, grow=True)
    return features, *(
        [[name(int(j)) for j in indices[a:b]] for a, b in zip(indptr, indptr[1:], strict=False)]
        for (indptr, indices, _, _), name in zip(
            (block.arrays() for block in blocks), (features.name, features.none_name), strict=True
        )
    )


def test_words_that_look_alike():
    _, links, _ = made("alike kind dist")
    assert links[1 * 4 + 1] == ["alike=equal", "kind=letters letters", "dist=0.1+"]  # 1.5/3 and 1.5/4
    assert links[2 * 4 + 2][1] == "kind=digits digits"
    assert links[0][0] == "alike=0/6"  # short words are alike where they are equal
    assert links[0 * 4 + 3] == ["alike=0/6", "kind=letters punctuation", "dist=0.5+"]
    # power, pouvoir: p o r of 7 letters is less than p o v r, there is no v in power: 3/7 is 2/6 and more
    assert links[12 + 3][0] == "alike=2/6"


def test_words_and_how_frequent_they_are():
    _, links, none = made("s.lower|t.lower s.common s.count none|t.common")
    assert links[12] == ["s.lower|t.lower=the|le", "s.common=the", "s.count=2+"]
    assert links[4][2] == "s.count=<2"
    assert none == [[f"none|t.common={word}"] for word in ("la", "nation", "7", ".", "le", "pouvoir", ".")]


def test_fertility_is_how_many_links_are_expected():
    features, links, none = made("s.model1 t.model1|s.hmm:4 none|t.model1")
    score = features.translations[0].score("model1", Grid(PAIRS))
    edges = np.array([0.1, 0.3, 0.6, 0.9, 1.1, 1.4, 2.0])

    def step(total):
        k = int(np.digitize(total, edges))
        return f"{edges[k - 1]:g}+" if k else "<0.1"

    first = score[:12].reshape(3, 4)  # source x target of the first pair
    for i, j in ((0, 0), (1, 1), (2, 3)):
        assert links[4 * i + j][0] == f"s.model1={step(first[i].sum())}"
        assert links[4 * i + j][1].startswith(f"t.model1|s.hmm:4={step(first[:, j].sum())}|")
    assert none[:4] == [[f"none|t.model1={step(first[:, j].sum())}"] for j in range(4)]
    assert len({row[0] for row in links}) > 1


def test_neighbours_and_the_best_of_a_row_and_a_column():
    features, links, _ = made("hmm ~hmm[1,1] ~hmm[-1,0] top.hmm")
    score = features.translations[0].score("hmm", Grid(PAIRS))
    edges = np.array([0.01, 0.1, 0.3, 0.6, 0.9])

    def coarse(p):
        k = int(np.digitize(score[p], edges))
        return f"{edges[k - 1]:g}+" if k else "<0.01"

    assert links[0][1:3] == [f"~hmm[1,1]={coarse(5)}", "~hmm[-1,0]=outside"]
    assert links[5][1:3] == [f"~hmm[1,1]={coarse(10)}", f"~hmm[-1,0]={coarse(1)}"]
    assert links[11][1] == "~hmm[1,1]=outside"
    assert links[12 + 3][1:3] == ["~hmm[1,1]=outside", f"~hmm[-1,0]={coarse(12 + 1)}"]
    grid = score[:12].reshape(3, 4)
    for i in range(3):
        for j in range(4):
            best = (grid[i, j] >= grid[i].max()) + 2 * (grid[i, j] >= grid[:, j].max())
            assert links[4 * i + j][3] == f"top.hmm={('neither', 'source', 'target', 'both')[best]}"


def test_what_is_not_known_is_passed_over():
    features, _, _ = made("s.lower|t.lower alike none|t.lower")
    n = features.n_features, features.n_none_features
    blocks = features.blocks(pairs_of([(["queen"], ["reine", "le"])], None))
    assert (features.n_features, features.n_none_features) == n
    assert np.diff(blocks[0].arrays()[0]).tolist() == [1, 1]
    assert np.diff(blocks[1].arrays()[0]).tolist() == [0, 1]


def test_a_file_keeps_all_of_it():
    spec = "hmm:4 model1 dice alike|dist s.common|t.count none|t.common"
    features, _, _ = made(spec)
    again = AlignmentFeatures.from_arrays(features.header(), features.arrays())
    for one, other in zip(again.blocks(PAIRS), features.blocks(PAIRS), strict=True):
        for a, b in zip(one.arrays(), other.arrays(), strict=True):
            assert np.array_equal(a, b)
    assert [again.name(k) for k in range(features.n_features)] == [features.name(k) for k in range(features.n_features)]
    assert again.spec == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "expected features of links, found none"),
        ("none|t.common", "expected features of links, found none"),
        ("hmmm", "unknown feature 'hmmm'. Did you mean 'hmm'"),
        (
            "s.hmn",
            "unknown feature 's.hmn'. Did you mean 'hmm'\\? There are: lower, common, count, dice, model1, model2, hmm.",
        ),
        ("top.alike", "unknown feature 'top.alike'"),
        ("alike:4", "a number of letters, from 1 to 20, can follow dice, model1, model2, hmm only"),
        ("hmm:0", "a number of letters, from 1 to 20"),
        ("hmm[1]", r"cannot read 'hmm\[1\]'"),
        ("hmm[9,0]", r"expected \[K,M\] from -5 to 5"),
        ("s.lower[1,1]", r"expected \[K,M\] from -5 to 5"),
        ("hmm none|hmm", "a template with none can use the target token only"),
    ],
)
def test_what_cannot_be_read_is_refused(spec, message):
    with pytest.raises(UsageError, match=message):
        AlignmentFeatures(spec)
