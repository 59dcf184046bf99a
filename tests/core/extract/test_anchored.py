"""Features of arcs, against the same in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.core.extract.anchored import (
    ARCS,
    BETWEEN,
    DIRECTION,
    GRANDPARENTS,
    LENGTH,
    SIBLINGS,
    SPANS,
    SPLITS,
    A,
    Anchored,
    B,
    C,
    length_name,
)
from linnet.core.extract.places import Places
from linnet.structures.siblings import SiblingTree

N_CODES = (5, 3)
TEMPLATES = [
    ((A, 0, 0), (DIRECTION, 0, 0)),
    ((B, 0, 0), (LENGTH, 0, 0)),
    ((A, 0, 0), (B, 0, 0), (LENGTH, 0, 0)),
    ((A, 1, 0), (A, 1, 1), (B, 1, -1), (B, 1, 0)),
    ((A, 1, 0), (BETWEEN, 1, 0), (B, 1, 0)),
    ((A, 1, 0), (C, 0, 0), (B, 1, 0)),
    ((C, 1, 1), (B, 0, 0), (DIRECTION, 0, 0)),
]

sentences = st.lists(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 2)), max_size=6), min_size=1, max_size=4)


def before(heads, h, m):
    """The child of h before m, going away from h; h if there is none."""
    step = 1 if h > m else -1
    return next(s for s in range(m + step, h + step, step) if s == h or heads[s - 1] == h)


def names(sentence, h, s, m, templates=TEMPLATES, kind=ARCS):
    """The features of one arc and its sibling (h: none) as tuples of strings; a missing code (-1) makes none."""

    def at(column, i):
        if i < 0 or i > len(sentence):
            return "before" if i < 0 else "behind"
        return "root" if i == 0 else sentence[i - 1][column] if sentence[i - 1][column] >= 0 else None

    direction = (">" if h < m else "<") + ("^" if kind == GRANDPARENTS and (s > h) == (m > h) else "")
    length = abs(h - m)
    far = next(name for most, name in ((4, str(length)), (6, "5-6"), (10, "7-10"), (999, "11+")) if length <= most)
    found = []
    for t, parts in enumerate(templates):
        row, between = [], None
        for q, (who, column, offset) in enumerate(parts):
            if who in (A, B):
                row.append(at(column, (h if who == A else m) + offset))
            elif who == C:
                row.append("nobody" if s == h else at(column, s + offset))
            elif who == BETWEEN:
                between = q
                row.append("")
            else:
                row.append(direction if who == DIRECTION else direction + far)
        if None in row:
            continue
        inner = range(min(h, m) + 1, max(h, m))
        values = {at(parts[between][1], i) for i in inner} - {None} if between is not None else {""}
        for value in values:
            found.append((t, *(value if q == between else one for q, one in enumerate(row))))
    return found


def name(arcs, feature):
    t, codes = arcs.codes(feature)
    row = []
    for (who, _, _), code in zip(arcs.templates[t], codes, strict=True):
        if who in (DIRECTION, LENGTH):
            row.append(length_name(code, who == DIRECTION))
        else:
            row.append(("before", "behind", "root", "nobody")[code] if code < 4 else code - 4)
    return (t, *row)


def laid_out(data):
    starts = np.concatenate([[0], np.cumsum([len(sentence) for sentence in data])])
    tokens = [token for sentence in data for token in sentence]
    return np.ascontiguousarray(np.array(tokens, np.int32).reshape(-1, 2).T), starts.astype(np.int64)


def places_of(kind, n):
    """a, c and b of each place; None where there are no features."""
    if kind == SIBLINGS:
        return SiblingTree.triples(n).T.tolist()
    if kind in (ARCS, GRANDPARENTS):
        arcs = [(h, m) for m in range(1, n + 1) for h in range(n + 1)]
        if kind == ARCS:
            return [(h, h, m) if h != m else None for h, m in arcs]
        return [(h, g, m) if len({h, g, m}) == 3 and h else None for h, m in arcs for g in range(n + 1)]
    spans = [(i, j) for j in range(1, n + 1) for i in range(1, j + 1)]
    return (
        [(i, i, j) for i, j in spans] if kind == SPANS else [(i, k, j) for i, j in spans for k in range(i + 1, j + 1)]
    )


@pytest.mark.parametrize("kind", [ARCS, SIBLINGS, GRANDPARENTS, SPANS, SPLITS])
@settings(deadline=None)
@given(sentences, st.randoms(use_true_random=False))
def test_places_have_the_features_of_the_reference(kind, data, random):
    codes, starts = laid_out(data)
    templates = [parts for parts in TEMPLATES if kind in (ARCS, SPANS) or all(who != BETWEEN for who, _, _ in parts)]
    places = [(s, place) for s in data for place in places_of(kind, len(s))]
    if kind in (SPANS, SPLITS):
        chosen = [[place for place in places_of(kind, len(s)) if random.random() < 0.5] for s in data]
        at = np.concatenate([[0], np.cumsum([len(some) for some in chosen])]).astype(np.int64)
        rows = np.array([place for some in chosen for place in some], np.int32).reshape(-1, 3).T
        core = Anchored(templates, N_CODES, kind).learn_places(codes, starts, at, np.ascontiguousarray(rows))
    else:
        heads = [random.choice([h for h in range(len(s) + 1) if h != m]) for s in data for m in range(1, len(s) + 1)]
        core = Anchored(templates, N_CODES, kind).learn(codes, starts, np.array(heads, np.int32))
        chosen = []
        for sentence, start in zip(data, starts, strict=False):
            own = heads[start : start + len(sentence)]
            third = {
                ARCS: lambda h, m, own: h,
                SIBLINGS: lambda h, m, own: before(own, h, m),
                GRANDPARENTS: lambda h, m, own: own[h - 1],
            }[kind]
            chosen.append([(h, third(h, m, own), m) for m, h in enumerate(own, 1) if h or kind != GRANDPARENTS])
    known = {one for s, some in zip(data, chosen, strict=True) for p in some for one in names(s, *p, templates, kind)}
    assert {name(core, j) for j in range(core.n_features)} == known
    indptr, indices, values, cut = Places(core, codes, starts).arrays()
    assert len(indptr) == len(places) + 1 == cut[-1] + 1
    assert (values == 1).all()
    for i, (sentence, place) in enumerate(places):
        expected = sorted(one for one in (names(sentence, *place, templates, kind) if place else []) if one in known)
        assert sorted(name(core, int(j)) for j in indices[indptr[i] : indptr[i + 1]]) == expected


@pytest.mark.parametrize("kind", [ARCS, SIBLINGS, GRANDPARENTS])
def test_places_that_need_an_arc_that_is_out_have_no_features(kind):
    n = 4
    codes, starts = laid_out([[(i % 4, i % 3) for i in range(n)]])
    templates = [parts for parts in TEMPLATES if all(who != BETWEEN for who, _, _ in parts)]
    core = Anchored(templates, N_CODES, kind).learn(codes, starts, np.array([2, 0, 4, 2], np.int32))
    out = (np.arange(n * (n + 1)) % 3 == 0).astype(np.uint8)
    indptr, indices, _, _ = Places(core, codes, starts).arrays()
    fewer_at, fewer, _, _ = Places(core, codes, starts, out).arrays()
    left = 0
    for i, place in enumerate(places_of(kind, n)):
        a, c, b = place or (0, 0, 0)
        needed = [(a, b), *{ARCS: [], SIBLINGS: [(a, c)] if c != a else [], GRANDPARENTS: [(c, a)]}[kind]]
        there = place is not None and not any(out[(m - 1) * (n + 1) + h] for h, m in needed)
        row = indices[indptr[i] : indptr[i + 1]] if there else []
        assert fewer[fewer_at[i] : fewer_at[i + 1]].tolist() == list(row)
        left += len(row)
    assert 0 < left < len(indices)


def test_they_are_the_same_from_their_arrays():
    codes, starts = laid_out([[(0, 1), (2, 0), (4, 2)], [(1, 1), (1, 1)]])
    core = Anchored(TEMPLATES, N_CODES).learn(codes, starts, np.array([2, 0, 2, 0, 1], np.int32))
    again = Anchored.from_arrays(TEMPLATES, N_CODES, core.arrays()["keys"])
    rows, same = Places(core, codes, starts).arrays(), Places(again, codes, starts).arrays()
    assert all(np.array_equal(a, b) for a, b in zip(rows, same, strict=True))


def test_many_features_are_all_found_again():
    """More than a table has room for at first, the key of zeros among them: what is before the sentence has the code 0."""
    rng = np.random.default_rng(5)
    data = [[(int(a), int(b)) for a, b in rng.integers(0, 3000, (4, 2))] for _ in range(1500)]
    codes, starts = laid_out(data)
    heads = np.tile([2, 0, 2, 3], len(data)).astype(np.int32)
    core = Anchored([((A, 0, -1),), ((B, 0, 0), (A, 1, 0)), ((B, 1, 0),)], (3000, 3000)).learn(codes, starts, heads)
    places = [(s, h, m) for s in data for m, h in enumerate((2, 0, 2, 3), 1)]
    known = {one for s, h, m in places for one in names(s, h, h, m, core.templates)}
    assert len(known) > 7000
    assert (0, "before") in known
    assert {name(core, j) for j in range(core.n_features)} == known
    keys = core.arrays()["keys"]
    again = Anchored.from_arrays(core.templates, (3000, 3000), keys)
    assert again.arrays()["keys"].tolist() == keys.tolist()
    indptr, indices, _, _ = Places(again, codes, starts).arrays()
    for i in (0, 7, 5999):
        sentence, h, m = places[i]
        row = i // 4 * 20 + (m - 1) * 5 + h
        found = sorted(name(again, int(j)) for j in indices[indptr[row] : indptr[row + 1]])
        assert found == sorted(names(sentence, h, h, m, core.templates))


def test_rare_features_can_be_left_out():
    codes, starts = laid_out([[(0, 1)], [(0, 1)], [(2, 1)]])
    core = Anchored([((B, 0, 0),), ((A, 0, 0), (B, 1, 0))], N_CODES).learn(codes, starts, np.zeros(3, np.int32))
    assert sorted(name(core, j) for j in range(core.n_features)) == [(0, 0), (0, 2), (1, "root", 1)]
    few = core.frequent(2)
    assert sorted(name(few, j) for j in range(few.n_features)) == [(0, 0), (1, "root", 1)]


def test_learning_begins_anew_after_an_error():
    codes, starts = laid_out([[(0, 1)], [(0, 1)], [(2, 1)]])
    core = Anchored([((B, 0, 0),)], N_CODES)
    with pytest.raises(ValueError, match="head 3 of token 1 in a sentence of 1"):
        core.learn(codes, starts, np.array([0, 0, 3], np.int32), least=2)
    core.learn(codes, starts, np.zeros(3, np.int32))
    assert sorted(name(core, j) for j in range(core.n_features)) == [(0, 0), (0, 2)]


def test_what_does_not_fit_is_refused():
    codes, starts = laid_out([[(0, 1), (2, 0)]])
    with pytest.raises(ValueError, match="head 3 of token 1 in a sentence of 2"):
        Anchored(TEMPLATES, N_CODES).learn(codes, starts, np.array([3, 0], np.int32))
    with pytest.raises(ValueError, match="code 2 in a column of 2"):
        Places(Anchored(TEMPLATES, (2, 3)), codes, starts)
    with pytest.raises(ValueError, match="look at nothing between them"):
        Places(Anchored(TEMPLATES, N_CODES, SIBLINGS), codes, starts)
    with pytest.raises(OverflowError, match="more values than fit into 64 bits"):
        Anchored([((A, 0, 0),) * 4], (1 << 20,))
    with pytest.raises(ValueError, match="of no template"):
        Anchored.from_arrays(TEMPLATES, N_CODES, np.array([99], np.uint64))
    core = Anchored(TEMPLATES, N_CODES).learn(codes, starts, np.array([2, 0], np.int32))
    with pytest.raises(ValueError, match="feature 1 is there twice"):
        Anchored.from_arrays(TEMPLATES, N_CODES, core.arrays()["keys"][[0, 0]])


@pytest.mark.parametrize("n", [0, 1, 717, 718, 30_000])
def test_any_number_of_features_is_restored(n):
    keys = (np.random.default_rng(n).permutation(40_000).astype(np.uint64)[:n] + np.uint64(4)) << np.uint64(7)
    core = Anchored.from_arrays([((B, 0, 0),)], (50_000,), keys)
    assert core.arrays()["keys"].tobytes() == keys.tobytes()
    assert core.n_features == n
