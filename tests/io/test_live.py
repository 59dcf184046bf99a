"""Bytes that come in while they are read: what is there is given at once, and the first part can be read again."""

import os

import pytest

from linnet.errors import DataError
from linnet.io.bytes import live
from linnet.io.bytes.live import Live


def test_what_is_there_is_given_without_waiting_for_more(monkeypatch):
    monkeypatch.setattr(live, "_KEPT", 16)
    read, write = os.pipe()
    with open(read, "rb") as pipe:
        os.write(write, b"first\nsec")
        found = Live(pipe, "stdin")
        assert found.opened().read(4) == b"firs"  # the format is looked at
        reader = found.opened()
        assert reader.read(100) == b"first\nsec"
        os.write(write, b"ond\n")
        assert reader.read(100) == b"ond\n"
        assert found.opened().read(100) == b"first\nsecond\n"
        os.write(write, b"third\n")
        assert reader.read(100) == b"third\n"
        with pytest.raises(DataError, match="have gone by, and cannot be read again"):
            found.opened()
        os.close(write)
        assert reader.read(100) == b""
