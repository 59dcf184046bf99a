"""Where bytes come from: plain and compressed files, stdin, pipes, and files that are not there."""

import bz2
import gzip
import io
import os
import sys
import threading

import pyarrow as pa
import pytest

from linnet.errors import DataError
from linnet.io import read, read_batches
from linnet.io.bytes.source import Source

CSV = b"text,label\na,x\n" + b"b,y\n" * 20_000
CODECS = {
    "gzip": (".gz", gzip.compress),
    "bz2": (".bz2", bz2.compress),
    "zstd": (".zst", lambda data: pa.compress(data, "zstd", asbytes=True)),
}


@pytest.mark.parametrize(("codec", "extension", "compress"), [(name, *pair) for name, pair in CODECS.items()])
class TestCompressed:
    def test_by_name(self, put, codec, extension, compress):
        assert read(put(f"reviews.csv{extension}", compress(CSV))).text.to_pylist() == ["a"] + ["b"] * 20_000

    def test_by_content(self, put, codec, extension, compress):
        assert len(read(put("reviews.csv", compress(CSV)))) == 20_001

    def test_members_one_after_the_other(self, put, codec, extension, compress):
        content = compress(CSV) + compress(b"c,z\n")
        assert read(put(f"reviews.csv{extension}", content)).labels.to_pylist()[-2:] == ["y", "z"]

    def test_the_careful_reader_reads_it_too(self, put, refusal, codec, extension, compress):
        name = put(f"reviews.csv{extension}", compress(CSV + b"c\n"))
        assert refusal(name) == f"{name}:20003: expected 2 columns, found 1. Add what is missing, or remove the row."

    def test_cut_short(self, put, refusal, codec, extension, compress):
        noise = b"text,label\n" + os.urandom(150_000).hex().encode()
        name = put(f"reviews.csv{extension}", compress(noise)[:-9])
        sentence = refusal(name)
        assert sentence.startswith(f"{name}: the {codec} data end too early, after ")
        assert sentence.endswith(" bytes of content. Copy or download the file again.")

    def test_damaged(self, put, refusal, codec, extension, compress):
        content = bytearray(compress(CSV))
        content[12:30] = bytes(18)
        name = put(f"reviews.csv{extension}", bytes(content))
        sentence = refusal(name)
        assert sentence.startswith(f"{name}: the {codec} data are damaged after 0 bytes of content (")
        assert sentence.endswith("). Copy or download the file again.")

    def test_not_compressed_at_all(self, put, refusal, codec, extension, compress):
        name = put(f"reviews.csv{extension}", CSV)
        sentence = f"{name}: is named {extension}, but does not hold {codec} data. Rename it, or compress it again."
        assert refusal(name) == sentence

    def test_empty_inside(self, put, refusal, codec, extension, compress):
        name = put(f"reviews.csv{extension}", compress(b""))
        assert refusal(name) == f"{name}: the file is empty. Expected rows with a text and a label."


def test_a_text_that_begins_like_bzip2(put):
    assert read(put("a.txt", "BZh is how bzip2 begins\n"), labelled=False).text.to_pylist() == [
        "BZh is how bzip2 begins"
    ]


@pytest.fixture
def feed(monkeypatch):
    """Give bytes to stdin."""
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_stdin(feed, compress):
    feed(compress(CSV))
    dataset = read("-")
    assert dataset.text.to_pylist() == ["a"] + ["b"] * 20_000
    assert dataset.source == "stdin"


def test_stdin_is_read_again_by_the_careful_reader(feed, refusal):
    feed(gzip.compress(CSV + b"c\n"))
    assert refusal("-") == "stdin:20003: expected 2 columns, found 1. Add what is missing, or remove the row."


def test_empty_stdin(feed, refusal):
    feed(b"")
    assert refusal("-") == "stdin: the file is empty. Expected rows with a text and a label."


def test_of_an_empty_file_no_label_is_expected_where_none_is_needed(tmp_path):
    (tmp_path / "new.csv").touch()
    with pytest.raises(DataError, match=r"the file is empty. Expected rows with a text\.$"):
        read(tmp_path / "new.csv", labelled=False)


def test_closed_stdin(refusal, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-") == "stdin: stdin is closed. Pipe a file into it, or name the file."


def test_parquet_on_stdin(feed, tmp_path):
    from linnet.io import write_columns

    write_columns(tmp_path / "a.parquet", {"text": ["a", "b"], "label": ["x", "y"]})
    feed((tmp_path / "a.parquet").read_bytes())
    assert read("-").labels.to_pylist() == ["x", "y"]


def test_a_named_pipe(put, tmp_path):
    put("other", "")
    os.mkfifo("pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(CSV,))
    writer.start()
    assert len(read("pipe", format="csv")) == 20_001
    writer.join()


def test_no_such_file(put, refusal):
    put("data/reviews.csv", "")
    assert refusal("data/reviws.csv") == "data/reviws.csv: no such file. Did you mean 'data/reviews.csv'?"
    assert refusal("data/zzz.parquet") == "data/zzz.parquet: no such file."
    assert refusal("dta/reviews.csv") == "dta/reviews.csv: no such file. There is no folder 'dta' either."


def test_a_path_that_cannot_be_opened(put, refusal):
    name = put("reviews.csv", "")
    assert refusal(f"{name}/x") == "reviews.csv/x: cannot be read: Not a directory."


def test_a_file_that_cannot_be_opened(put, refusal, monkeypatch):
    name = put("reviews.csv", "text,label\n")

    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert refusal(name) == "reviews.csv: cannot be read: Permission denied."


@pytest.mark.parametrize("content", [b"abcdef", b"\xef\xbb\xbfabcdef"], ids=["plain", "byte order mark"])
def test_reads_of_any_size(put, content):
    with Source(put("a", content)) as source, source.open() as stream:
        pieces = [stream.read(1), stream.read(1), stream.read(3), stream.read(), stream.read(1)]
    assert pieces == [b"a", b"b", b"cde", b"f", b""]


def test_extension(put):
    put("Reviews.CSV.gz", "")
    assert Source("Reviews.CSV.gz").extension == ".csv"


def test_a_reader_that_is_not_read_to_its_end_closes_its_file(put):
    batches = read_batches(put("reviews.csv", CSV), batch_bytes=10)
    next(batches)
    batches.close()
