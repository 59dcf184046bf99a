"""Telling formats apart."""

import pytest

from linnet.errors import UsageError
from linnet.io import read, text_formats
from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.registry import FORMATS, choose


def test_the_extensions_that_are_known_before_a_reader_is_imported_are_its_own():
    assert FORMATS._endings == {name: reader.extensions for name, reader in FORMATS.items() if reader.extensions}


def chosen(name, labelled=True):
    with Source(name) as source:
        return choose(source, None, Request(labelled=labelled)).name


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.csv", "csv"),
        ("a.TSV", "tsv"),
        ("a.tab", "tsv"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson.gz", "jsonl"),
        ("a.json", "jsonl"),
        ("a.parquet", "parquet"),
        ("a.pq", "parquet"),
        ("a.arrow", "arrow"),
        ("a.feather", "arrow"),
        ("a.ft", "fasttext"),
    ],
)
def test_by_extension(put, name, format):
    assert chosen(put(name, "")) == format


SNIFFED = [
    ('{"text": "a"}\n', "jsonl", "jsonl"),
    (' \n{ "text": "a"}', "jsonl", "jsonl"),
    ('[{"text": "a"}]', "jsonl", "jsonl"),
    ("__label__x a\n", "fasttext", "fasttext"),
    ("a fine film\tpos\n", "tsv", "lines"),
    ("text\tlabel\n", "tsv", "tsv"),
    ("Text,Label\na,b\n", "csv", "csv"),
    ('"id","text"\r\n', "csv", "csv"),
    ("PAR1", "parquet", "parquet"),
    ("ARROW1", "arrow", "arrow"),
    ("text;label\na;b\n", "csv", "csv"),
    ("text|label\na|b\n", "csv", "csv"),
    ("Review Text,Label\na,b\nc,d\n", "csv", "csv"),
    ("words,verdict\na,b\nc,d\n", "csv", "csv"),
    ("text\na film\n", "csv", "csv"),
    ("a comment, said the king\n", None, "lines"),
    ("Comment, said the king\n", None, "lines"),
    ("{curly}, text\n", None, "lines"),
    ("text\n", None, "lines"),
]


@pytest.mark.parametrize("name", ["a.txt", "a.dat", "a", "a.txt.gz"])
@pytest.mark.parametrize(("content", "labelled", "unlabelled"), SNIFFED)
def test_by_the_first_bytes(put, refusal, name, content, labelled, unlabelled):
    import gzip

    name = put(name, gzip.compress(content.encode()) if name.endswith(".gz") else content)
    assert chosen(name, labelled=False) == unlabelled
    if labelled is not None:
        assert chosen(name) == labelled
    else:
        sentence = (
            f"{name}: cannot tell the format from the name or the first line. "
            "Pass --format: parquet, arrow, excel, jsonl, fasttext, tsv, csv, lines, folder."
        )
        assert refusal(name) == sentence


def test_a_format_that_is_named_goes_before_the_extension(put):
    name = put("a.csv", "text\tlabel\na\tx\nb\ty\n")
    assert read(name, format="tsv").labels.to_pylist() == ["x", "y"]


def test_unknown_format(put):
    name = put("a.csv", "text,label\na,x\n")
    message = (
        r"^unknown format 'jsnl'\. Did you mean 'jsonl'\? "
        r"There are: parquet, arrow, excel, jsonl, fasttext, tsv, csv, lines, folder\.$"
    )
    with pytest.raises(UsageError, match=message):
        read(name, format="jsnl")


def test_descriptions():
    assert text_formats()["csv"] == "comma separated, with a header line"
    assert sorted(text_formats()) == ["arrow", "csv", "excel", "fasttext", "folder", "jsonl", "lines", "parquet", "tsv"]
    assert all(description and "\n" not in description for description in text_formats().values())
