"""Templates: tuples of codes to features, against a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.core.extract.templates import Templates


def code_at(codes, column, t, begin, end):
    if t < begin:
        return 0 if t == begin - 1 else 1
    if t >= end:
        return 2 if t == end else 3
    return int(codes[column, t])


def expected(templates, codes, starts, known=None):
    """Features in the order of first sight, by a dictionary; with `known`, only those in it."""
    found, rows = {} if known is None else known, []
    for begin, end in zip(starts, starts[1:], strict=False):
        for t in range(begin, end):
            row = []
            for m, parts in enumerate(templates):
                key = (m, *(code_at(codes, column, t + offset, begin, end) for column, offset in parts))
                if -1 in key[1:] or (known is not None and key not in found):
                    continue
                row.append(found.setdefault(key, len(found)))
            rows.append(row)
    return found, rows


def rows_of(indptr, indices):
    return [indices[a:b].tolist() for a, b in zip(indptr, indptr[1:], strict=False)]


parts = st.tuples(st.integers(0, 2), st.integers(-3, 3))
cases = st.tuples(
    st.lists(st.lists(parts, min_size=1, max_size=4).map(tuple), min_size=1, max_size=6),
    st.lists(st.integers(0, 5), min_size=1, max_size=5),
    st.integers(0, 2**32 - 1),
)


def data(lengths, seed):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return rng.integers(-1, 9, (3, starts[-1])).astype(np.int32), starts


@given(cases)
def test_features_are_those_of_a_dictionary(case):
    templates, lengths, seed = case
    codes, starts = data(lengths, seed)
    core = Templates(templates)
    indptr, indices, values = core.rows(codes, starts, True)
    known, rows = expected(templates, codes, starts)
    assert core.n_features == len(known)
    names = [(m, *codes) for m, codes in map(core.codes, range(core.n_features))]
    number = {name: j for j, name in enumerate(names)}
    assert set(number) == set(known)
    assert rows_of(indptr, indices) == [[number[key] for key in keys] for keys in as_keys(known, rows)]
    assert np.all(values == 1)

    more, more_starts = data(lengths[::-1], seed + 1)
    later = [core, Templates.from_arrays(templates, *core.arrays().values(), 9)]
    for again in later:
        indptr, indices, _ = again.rows(more, more_starts)
        _, rows = expected(templates, more, more_starts, dict(known))
        assert rows_of(indptr, indices) == [[number[key] for key in keys] for keys in as_keys(known, rows)]


def as_keys(known, rows):
    name = {j: key for key, j in known.items()}
    return [[name[j] for j in row] for row in rows]


@given(cases, st.data())
def test_some_sentences_have_the_rows_that_they_have_among_all(case, draw):
    templates, lengths, seed = case
    codes, starts = data(lengths, seed)
    core = Templates(templates)
    indptr, indices, _ = core.rows(codes, starts, True)
    a = draw.draw(st.integers(0, len(lengths)))
    b = draw.draw(st.integers(a, len(lengths)))
    some = core.rows(codes, starts[a : b + 1])
    assert rows_of(*some[:2]) == rows_of(indptr, indices)[starts[a] : starts[b]]


@given(cases, st.randoms(use_true_random=False))
def test_the_features_that_are_kept_are_found_as_before(case, random):
    templates, lengths, seed = case
    codes, starts = data(lengths, seed)
    core = Templates(templates)
    indptr, indices, _ = core.rows(codes, starts, True)
    wanted = np.array([random.random() < 0.5 for _ in range(core.n_features)], np.uint8)
    small, number = core.kept(wanted), np.cumsum(wanted) - 1
    assert small.n_features == wanted.sum()
    assert [small.codes(j) for j in range(small.n_features)] == [core.codes(j) for j in np.flatnonzero(wanted)]
    expected_rows = [[number[j] for j in row if wanted[j]] for row in rows_of(indptr, indices)]
    assert rows_of(*small.rows(codes, starts)[:2]) == expected_rows
    assert len(small.arrays()["nodes"]) == len(
        {names[: k + 1] for names in joined(small) for k in range(1, len(names) - 1)}
    )


def joined(core):
    """The features as a template and its codes."""
    return [(m, *codes) for m, codes in map(core.codes, range(core.n_features))]


def test_which_features_are_joined():
    core = Templates([((0, 0),), ((0, 0), (0, 1))])
    core.rows(np.array([[5, 6]], np.int32), np.array([0, 2], np.int64), True)
    assert [core.codes(j) for j in range(4)] == [(0, [5]), (1, [5, 6]), (0, [6]), (1, [6, 2])]
    assert core.joined().tolist() == [False, True, False, True]


def test_many_features_outgrow_the_first_tables():
    codes = np.arange(50_000, dtype=np.int32).reshape(1, -1)
    core = Templates([((0, 0), (0, 1)), ((0, 0),)])
    core.rows(codes, np.array([0, 50_000]), True)
    assert core.n_features == 100_000
    assert core.codes(99_998)[0] in (0, 1)
    indptr, _, _ = core.rows(codes, np.array([0, 50_000]))
    assert indptr[-1] == 100_000


@pytest.mark.parametrize(
    ("templates", "message"),
    [
        ([()], "^a template of 0 parts; there may be 1 to 8$"),
        ([((0, 0),)] * 1025, "^at most 1024 templates$"),
        ([((0, 0), (-1, 0))], "^expected a column of 0 or more in each part of a template, found -1$"),
    ],
)
def test_templates_that_cannot_be(templates, message):
    with pytest.raises(ValueError, match=message):
        Templates(templates)


@pytest.mark.parametrize("n_lists", [-1, 17])
def test_lists_that_cannot_be(n_lists):
    with pytest.raises(ValueError, match=f"^expected 0 to 16 lists, found {n_lists}$"):
        Templates([((0, 0),)], n_lists)


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        ([0, 4], "^the sentences hold tokens that do not exist$"),
        ([-1, 3], "^the sentences hold tokens that do not exist$"),
        ([0, 4, 3], "^a sentence ends before it begins$"),
    ],
)
def test_sentences_that_cannot_be(starts, message):
    with pytest.raises(ValueError, match=message):
        Templates([((0, 0),)]).rows(np.zeros((1, 3), np.int32), np.array(starts, np.int64))


def test_too_few_columns():
    with pytest.raises(ValueError, match="^the templates look at 3 columns, but there are 1$"):
        Templates([((2, 0),)]).rows(np.zeros((1, 3), np.int32), np.array([0, 3], np.int64))


@pytest.mark.parametrize(
    ("nodes", "features", "message"),
    [
        ([5 << 32], [], "^node 0 is made of nodes or codes that do not exist$"),
        ([1 << 32 | 7], [], "^node 0 is made of nodes or codes that do not exist$"),
        ([0], [], "^node 0 has all parts of its template, as only a feature may$"),
        ([1 << 32, 2 << 32], [], "^node 1 has all parts of its template, as only a feature may$"),
        ([], [5 << 32], "^feature 0 is made of nodes or codes that do not exist$"),
        ([], [7], "^feature 0 is made of nodes or codes that do not exist$"),
        ([], [1 << 32], "^feature 0 has fewer parts than its template$"),
    ],
)
def test_damaged_arrays_are_refused(nodes, features, message):
    with pytest.raises(ValueError, match=message):
        Templates.from_arrays(
            [((0, 0),), ((0, 0), (0, 1))], np.array(nodes, np.uint64), np.array(features, np.uint64), 7
        )


def test_features_must_have_all_parts_of_their_template_and_no_more():
    """The one template has three parts: the nodes are (5), (5, 6) and (6), and only the second of them leads to features."""
    templates, nodes = [((0, 0), (0, 1), (0, 2))], np.array([5, 1 << 32 | 6, 6], np.uint64)
    core = Templates.from_arrays(templates, nodes, np.array([2 << 32 | 4], np.uint64), 7)
    assert core.codes(0) == (0, [5, 6, 4])
    with pytest.raises(ValueError, match="^feature 1 has fewer parts than its template$"):
        Templates.from_arrays(templates, nodes, np.array([2 << 32 | 4, 3 << 32 | 4], np.uint64), 7)
    with pytest.raises(ValueError, match="^node 3 has all parts of its template, as only a feature may$"):
        Templates.from_arrays(templates, np.append(nodes, np.uint64(2 << 32)), np.zeros(0, np.uint64), 7)


def test_more_features_than_numbers_are_refused():
    """The array says that it is too long, and none of it is read: there is no memory behind it."""
    none = np.zeros(0, np.uint64)
    endless = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint64), (2**31,), (8,))
    for nodes, features in ((none, endless), (endless, none)):
        with pytest.raises(ValueError, match="^expected at most 2147483647 nodes and as many features, found"):
            Templates.from_arrays([((0, 0),), ((0, 0), (0, 1))], nodes, features, 7)


@given(cases)
def test_the_first_tokens_may_be_left_out(case):
    templates, lengths, seed = case
    codes, starts = data(lengths, seed)
    core = Templates(templates)
    indptr, indices, _ = core.rows(codes, starts, True, 1)
    found = [[(m, *codes) for m, codes in map(core.codes, row)] for row in rows_of(indptr, indices)]
    known, rows = expected(templates, codes, starts)
    names, firsts = list(known), set(starts.tolist())
    assert found == [[names[j] for j in row] for t, row in enumerate(rows) if t not in firsts]


@given(st.lists(st.lists(st.integers(-1, 4), max_size=5), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_lists_are_sets_of_features_behind_the_templates(values, seed):
    codes, starts = data([len(values)], seed)
    templates = [((0, 0),), ((1, -1), (0, 0))]
    indptr = np.cumsum([0, *map(len, values)])
    flat = np.array([value for row in values for value in row], np.int32)
    core = Templates(templates, 1)
    cut, indices, _ = core.rows(codes, starts, True, lists=[(indptr, flat)])
    for t, row in enumerate(rows_of(cut, indices)):
        found = [core.codes(j) for j in row]
        expected_values = list(dict.fromkeys(value for value in values[t] if value >= 0))
        assert [codes for m, codes in found if m == 2] == [[value] for value in expected_values]
    again = Templates.from_arrays(templates, **core.arrays(), n_codes=9, n_lists=1)
    np.testing.assert_array_equal(again.rows(codes, starts, lists=[(indptr, flat)])[1], indices)
    with pytest.raises(ValueError, match="expected 1 lists, found 0"):
        core.rows(codes, starts)
