"""Sentences that are kept in files are those that are kept in memory."""

import pytest

from linnet import io
from linnet.core.room import Room, is_mapped


@pytest.fixture
def paths(tmp_path):
    """Three files, of which the second lacks a column and the last has one sentence."""
    texts = ["the DT B-NP\ndog NN I-NP\n\nruns VB B-VP\n", "a B-NP\ncat I-NP\n", "\nit PR B-NP\n\n"]
    found = []
    for k, text in enumerate(texts):
        found.append(tmp_path / f"{k}.conll")
        found[-1].write_text(text)
    return found


@pytest.mark.parametrize("which", [[0], [0, 2], [0, 1, 2]], ids=str)
def test_columns_tags_and_starts_are_the_same(paths, which, tmp_path):
    some = [paths[k] for k in which]
    expected = io.read_sentences(some, framed=False)
    kept = io.read_sentences(some, framed=False, room=Room(tmp_path, 0))
    assert list(kept.columns) == list(expected.columns)
    for name, column in expected.columns.items():
        assert kept.columns[name].equals(column)
    assert kept.tags.equals(expected.tags)
    assert kept.starts.tolist() == expected.starts.tolist()
    assert kept.source == expected.source
    assert is_mapped(kept.starts)


@pytest.mark.parametrize(("most", "on_disk"), [(10, True), (10**6, False)])
def test_they_go_into_files_when_they_turn_out_to_be_large(paths, most, on_disk, tmp_path):
    room = Room(tmp_path, most)
    found = io.read_sentences(paths[0], framed=False, room=room)
    assert room.on_disk is on_disk
    assert is_mapped(found.starts) is on_disk
    assert found.columns["w"].to_pylist() == ["the", "dog", "runs"]
