"""Messy files are read rightly, or refused in a sentence that says what to do; none is silently misread."""

from __future__ import annotations

import pytest
from messy_files import messy_files

from linnet.errors import DataError
from linnet.io import read

FILES = messy_files()


def test_there_are_many():
    assert len(FILES) >= 100
    assert len({file.id for file in FILES}) == len(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.id)
def test_a_messy_file_is_read_or_refused(put, file):
    name = put(file.name, file.content)
    notes: list[str] = []
    if file.rows is None:
        with pytest.raises(DataError) as caught:
            read(name, note=notes.append, **file.options)
        message = str(caught.value)
        assert message.startswith(name)
        assert file.refusal in message
        return
    dataset = read(name, note=notes.append, **file.options)
    assert list(zip(dataset.text.to_pylist(), dataset.label_list(), strict=True)) == file.rows
    assert len(notes) == len(file.notes)
    assert all(said in note for said, note in zip(file.notes, notes, strict=True)), notes
