"""Features of arcs, against the same in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linnet.core.arcs import BETWEEN, CHILD, DIRECTION, HEAD, LENGTH, SIBLING, Arcs, length_name
from linnet.structures.siblings import SiblingTree

N_CODES = (5, 3)
TEMPLATES = [
    ((HEAD, 0, 0), (DIRECTION, 0, 0)),
    ((CHILD, 0, 0), (LENGTH, 0, 0)),
    ((HEAD, 0, 0), (CHILD, 0, 0), (LENGTH, 0, 0)),
    ((HEAD, 1, 0), (HEAD, 1, 1), (CHILD, 1, -1), (CHILD, 1, 0)),
    ((HEAD, 1, 0), (BETWEEN, 1, 0), (CHILD, 1, 0)),
    ((HEAD, 1, 0), (SIBLING, 0, 0), (CHILD, 1, 0)),
    ((SIBLING, 1, 1), (CHILD, 0, 0), (DIRECTION, 0, 0)),
]

sentences = st.lists(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 2)), max_size=6), min_size=1, max_size=4)


def before(heads, h, m):
    """The child of h before m, going away from h; h if there is none."""
    step = 1 if h > m else -1
    return next(s for s in range(m + step, h + step, step) if s == h or heads[s - 1] == h)


def names(sentence, h, s, m, templates=TEMPLATES):
    """The features of one arc and its sibling (h: none) as tuples of strings; a missing code (-1) makes none."""

    def at(column, i):
        if i < 0 or i > len(sentence):
            return "before" if i < 0 else "behind"
        return "root" if i == 0 else sentence[i - 1][column] if sentence[i - 1][column] >= 0 else None

    direction = ">" if h < m else "<"
    length = abs(h - m)
    far = next(name for most, name in ((4, str(length)), (6, "5-6"), (10, "7-10"), (999, "11+")) if length <= most)
    found = []
    for t, parts in enumerate(templates):
        row, between = [], None
        for q, (who, column, offset) in enumerate(parts):
            if who in (HEAD, CHILD):
                row.append(at(column, (h if who == HEAD else m) + offset))
            elif who == SIBLING:
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


@settings(deadline=None)
@given(sentences, st.randoms(use_true_random=False))
def test_arcs_have_the_features_of_the_reference(data, random):
    codes, starts = laid_out(data)
    heads = [random.choice([h for h in range(len(s) + 1) if h != m]) for s in data for m in range(1, len(s) + 1)]
    of_arcs = [(s, h, h, m) for s in data for m in range(1, len(s) + 1) for h in range(len(s) + 1)]
    of_triples = [(s, *triple) for s in data for triple in SiblingTree.triples(len(s)).T.tolist()]
    for places, triples in ((of_arcs, False), (of_triples, True)):
        templates = [parts for parts in TEMPLATES if not triples or all(who != BETWEEN for who, _, _ in parts)]
        arcs = Arcs(templates, N_CODES).learn(codes, starts, np.array(heads, np.int32))
        known = set()
        for sentence, a in zip(data, starts, strict=False):
            own = heads[a : a + len(sentence)]
            for m, h in enumerate(own, 1):
                known |= set(names(sentence, h, before(own, h, m), m, templates))
        assert {name(arcs, j) for j in range(arcs.n_features)} == known
        indptr, indices, values = arcs.rows(codes, starts, triples)
        assert len(indptr) == len(places) + 1
        assert (values == 1).all()
        for i, (sentence, h, s, m) in enumerate(places):
            expected = sorted(one for one in (names(sentence, h, s, m, templates) if h != m else []) if one in known)
            assert sorted(name(arcs, int(j)) for j in indices[indptr[i] : indptr[i + 1]]) == expected


def test_they_are_the_same_from_their_arrays():
    codes, starts = laid_out([[(0, 1), (2, 0), (4, 2)], [(1, 1), (1, 1)]])
    arcs = Arcs(TEMPLATES, N_CODES).learn(codes, starts, np.array([2, 0, 2, 0, 1], np.int32))
    again = Arcs.from_arrays(TEMPLATES, N_CODES, arcs.arrays()["arcs"])
    assert all(np.array_equal(a, b) for a, b in zip(arcs.rows(codes, starts), again.rows(codes, starts), strict=True))
    few = arcs.kept((np.arange(arcs.n_features) % 2).astype(np.uint8))
    assert few.n_features == arcs.n_features // 2
    assert name(few, 0) == name(arcs, 1)


def test_what_does_not_fit_is_refused():
    codes, starts = laid_out([[(0, 1), (2, 0)]])
    with pytest.raises(ValueError, match="head 3 of token 1 in a sentence of 2"):
        Arcs(TEMPLATES, N_CODES).learn(codes, starts, np.array([3, 0], np.int32))
    with pytest.raises(ValueError, match="code 2 in a column of 2"):
        Arcs(TEMPLATES, (2, 3)).rows(codes, starts)
    with pytest.raises(ValueError, match="look at nothing between tokens"):
        Arcs(TEMPLATES, N_CODES).rows(codes, starts, triples=True)
    with pytest.raises(OverflowError, match="more values than fit into 64 bits"):
        Arcs([((HEAD, 0, 0),) * 4], (1 << 20,))
    with pytest.raises(ValueError, match="of no template"):
        Arcs.from_arrays(TEMPLATES, N_CODES, np.array([99], np.uint64))
