"""Bytes that come in while they are read: what is there is given at once, and the first part can be read again."""

import io
import os

import pytest

from linnet import io as readers
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


@pytest.fixture
def typed(monkeypatch):
    """Let standard input be a pipe into which bytes were written, and which has ended."""
    return lambda data: monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def until_the_error(parts):
    """The texts or words that are given before an error, and its line."""
    found = []
    try:
        for part in parts:
            found += (part.columns["w"] if hasattr(part, "starts") else part.text).to_pylist()
    except DataError as error:
        return found, error.line
    return found, None


ROWS = [(f"t{i}", "ab"[i % 2]) for i in range(30)]
WRONG = {
    "csv": ("text,label\n" + "".join(f"{text},{label}\n" for text, label in ROWS) + '"open,a\nb,a\n', 32),
    "csv without a comma": ("text,label\n" + "".join(f"{text},{label}\n" for text, label in ROWS) + "b\n", 32),
    "jsonl": ("".join(f'{{"text": "{text}", "label": "{label}"}}\n' for text, label in ROWS) + "null\n{}\n", 31),
    "fasttext": ("".join(f"__label__{label} {text}\n" for text, label in ROWS) + "b\n__label__a b\n", 31),
    "conll": ("".join(f"{text} {label}\n\n" for text, label in ROWS) + "b\n\n", 61),
}


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("batch_bytes", [20, 1 << 20])
@pytest.mark.parametrize("name", WRONG)
def test_what_comes_before_an_error_is_given_before_it_is_raised(typed, name, batch_bytes, live):
    content, line = WRONG[name]
    typed(content.encode())
    read = readers.read_sentence_batches if name == "conll" else readers.read_batches
    parts = read("-", format=name.split()[0], batch_bytes=batch_bytes, live=live)
    assert until_the_error(parts) == ([text for text, _ in ROWS], line)


def test_a_comment_that_comes_alone_is_not_taken_for_the_first_token():
    read, write = os.pipe()
    with open(read) as pipe, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", pipe)
        patch.setattr(live.Live, "_has_more", lambda self: False)
        os.write(write, b"# a comment of words\n")
        os.write(write, b"the DT\ndog NN\n\n")
        os.close(write)
        patch.setattr(live, "_FIRST", 1)
        patch.setattr(live.Live, "more", _line_by_line(live.Live.more))
        (part,) = readers.read_sentence_batches("-", format="conll", live=True)
    assert part.columns["w"].to_pylist() == ["the", "dog"]


def _line_by_line(more):
    """What reads a pipe, made to give no more than the 21 bytes of a first line at a time."""
    return lambda self, size: more(self, min(size, 21))
