"""Arrays that travel as differences arrive as they were, to the bit."""

import numpy as np

from linnet.cluster.differences import difference


def test_few_changes_are_sent_as_entries():
    old = {"v": np.arange(12, dtype=np.float32).reshape(4, 3), "idle": np.zeros(6, np.uint32)}
    new = {"v": old["v"].copy(), "idle": np.arange(6, dtype=np.uint32)}
    new["v"][1, 2] = -1
    new["v"][3, 0] = np.nan
    found = difference(old, new)
    at, values = found.entries["v"]
    assert (at.tolist(), list(found.entries), list(found.whole)) == ([5, 9], ["v"], ["idle"])
    assert values[0] == -1
    arrived = found.applied(old)
    assert [(name, a.tobytes()) for name, a in arrived.items()] == [(name, a.tobytes()) for name, a in new.items()]
    assert old["v"][1, 2] == 5


def test_zero_and_minus_zero_differ():
    old, new = {"v": np.zeros(9, np.float32)}, {"v": np.zeros(9, np.float32)}
    new["v"][4] = -0.0
    assert np.signbit(difference(old, new).applied(old)["v"]).tolist() == [False] * 4 + [True] + [False] * 4


def test_arrays_of_another_shape_are_sent_whole():
    found = difference({"v": np.zeros(3, np.float32)}, {"v": np.zeros(4, np.float32), "m": np.zeros(2)})
    assert (list(found.whole), found.entries) == (["v", "m"], {})
