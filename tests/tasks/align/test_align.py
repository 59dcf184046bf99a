"""Word alignments from files to files."""

import bitext
import numpy as np
import pytest

import linnet
from linnet.errors import DataError, UsageError
from linnet.io.pairs.formats import read_pairs
from linnet.io.pairs.pairs import Links, pairs_of
from linnet.tasks.align.gold import pairs_with_links
from linnet.tasks.align.page import alignments_page
from linnet.tasks.align.terminal import grid


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    (folder / "train.jsonl").write_text(bitext.jsonl(40))
    (folder / "test.jsonl").write_text(bitext.jsonl(30, seed=1))
    (folder / "more.txt").write_text(bitext.lines(150, seed=2))
    return folder


def trained(files, **options):
    return linnet.train(files / "train.jsonl", options={"parallel": str(files / "more.txt"), **options})


@pytest.fixture(scope="module")
def model(files):
    return trained(files)


@pytest.mark.parametrize("search", ["matching", "one-to-many", "itg"])
def test_it_links_what_it_has_not_seen(files, search):
    model = trained(files, search=search)
    report = model.evaluate(read_pairs(files / "test.jsonl"))
    assert report.aer < 0.03
    assert report.precision > 0.97


def test_without_crossings_less_can_be_right(files, model):
    gold = read_pairs(files / "test.jsonl")
    straight = trained(files, search="monotone")
    assert 0.03 < straight.evaluate(gold).aer < 0.3
    for links in straight.predict(gold.words()):
        assert links == sorted(links, key=lambda link: (link[1], link[0]))


def test_words_translate_each_other_by_the_data_alone_too(files):
    model = linnet.train(files / "train.jsonl")
    assert model.evaluate(read_pairs(files / "test.jsonl")).aer < 0.1


def test_a_crf_of_links_has_probabilities(files):
    model = linnet.train(files / "train.jsonl", learner="crf", options={"search": "one-to-many"})
    assert model.probabilistic
    assert model.evaluate(read_pairs(files / "test.jsonl")).aer < 0.1


def test_one_sentence(model):
    source, target = "the black cat loves the table .".split(), "le chat noir aime le table .".split()
    assert model.predict([(source, target)]) == [[(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (5, 5), (6, 6)]]
    assert model.predict([(source, []), ([], target)]) == [[], []]


def test_a_model_file_holds_the_translations(files, model, tmp_path):
    model.save(tmp_path / "a.linnet")
    again = linnet.load(tmp_path / "a.linnet")
    gold = read_pairs(files / "test.jsonl")
    assert np.array_equal(again.align(gold), model.align(gold))


def test_contributions_sum_to_the_difference_of_the_scores(files, model):
    gold = read_pairs(files / "test.jsonl").part(np.arange(4))
    for one, links in zip(model.explain_pairs(gold), model.predict(gold.words()), strict=True):
        assert sorted(one.links) == links
        assert len(one.tokens) == len(one.target)
        for token in one.tokens:
            assert token.score == pytest.approx(sum(part.contribution for part in token.contributions), abs=1e-4)
            assert token.score >= -1e-4
            assert token.against != token.source


def test_the_next_best_is_that_of_all_others(model):
    """By every alignment of two tokens with two."""
    from linnet.io.pairs.pairs import pairs_of

    pairs = pairs_of([(["the", "dog"], ["chien", "le"])], None)
    (one,) = model.explain_pairs(pairs)
    with model._predictor() as predictor:
        links, none = (table[:, 0] for table in predictor.scores(model.features.blocks(pairs)))
    score = {}
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            if a != b or a < 0:
                score[a, b] = sum(none[j] if i < 0 else links[2 * i + j] for j, i in enumerate((a, b)))
    best = max(score, key=score.get)
    for j, token in enumerate(one.tokens):
        assert token.source == best[j]
        others = {y: value for y, value in score.items() if y[j] != best[j]}
        assert token.against == max(others, key=others.get)[j]
        assert token.score == pytest.approx(score[best] - max(others.values()), abs=1e-4)


def test_what_speaks_for_a_link(model):
    found = model.strongest(5)
    assert set(found) == {"link", "no link"}
    assert all(one.weight > 0 for some in found.values() for one in some)


def test_folds_share_what_was_learned_of_the_text(files, monkeypatch):
    import linnet.tasks.align.task as align

    calls = []
    learn = align.learn_translations
    monkeypatch.setattr(align, "learn_translations", lambda *given: calls.append(given[1:]) or learn(*given))
    task = align.AlignTask(parallel=str(files / "more.txt"))
    gold = task.read(files / "train.jsonl", {})
    for rows in (np.arange(20), np.arange(20, 40)):
        task.fit("hmm:4 model1", gold.part(rows))
    assert sorted(calls) == [(0, ("model1",)), (4, ("hmm",))]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"search": "matchings"},
            "expected search=matching or one-to-many or monotone or itg, found 'matchings'. Did you mean",
        ),
        ({"miss": 0}, "expected miss to be a number above 0, found 0"),
        ({"paralel": "x"}, "Did you mean 'parallel' of task 'align'"),
    ],
)
def test_wrong_settings_are_refused(files, options, message):
    with pytest.raises(UsageError, match=message):
        linnet.train(files / "train.jsonl", options=options)


@pytest.mark.parametrize("number", [int, np.int32, np.int64])
def test_two_links_are_not_taken_for_sure_and_possible_ones(number):
    links = [(number(0), number(0)), (number(1), number(1))]
    pairs = pairs_with_links([(["a", "b"], ["x", "y"])] * 2, [links, [links[:1], links]])
    assert pairs.links == (
        Links(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1)})),
        Links(frozenset({(0, 0)}), frozenset({(0, 0), (1, 1)})),
    )


def test_wrong_data_are_refused(files, tmp_path):
    with pytest.raises(UsageError, match="Leave out --label-col"):
        linnet.train(files / "train.jsonl", label="sure")
    (tmp_path / "a.txt").write_text("a ||| b ||| 0?0\n")
    with pytest.raises(DataError, match="expected some sure links to learn from, found none"):
        linnet.train(tmp_path / "a.txt")
    with pytest.raises(UsageError, match="Use --set miss=2"):
        linnet.train(files / "train.jsonl", class_weight="balanced")
    with pytest.raises(DataError, match="no such file"):
        linnet.train(files / "train.jsonl", options={"parallel": "nowhere.txt"})


def test_an_alignment_is_drawn(model):
    assert grid(["a", "dog"], ["le", "un"], {(0, 1)}) == ["     l u", "     e n", "a    · ■", "dog  · ·"]
    (one,) = [model.explain("the dog .".split(), "le chien .".split())]
    page = alignments_page("links", [one], 3)
    assert page.count('<a href="#p1t') == len(one.links) == 3
    assert page.count("<td title=") == 9
    assert "<script" not in page


@pytest.mark.parametrize("pair", [[["das"]], [], "ab", [None, ["a"]], [["a"], "b"], [["a"], ["b"], ["c"]]])
def test_what_is_no_pair_of_lists_is_refused(pair):
    with pytest.raises(DataError, match="expected pairs of two lists of tokens, found"):
        pairs_of([(["das"], ["the"]), pair], None)
