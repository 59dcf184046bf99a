"""Encodings are found where they are clear, asked for otherwise, and recoded in blocks."""

from __future__ import annotations

import gzip
import random

import pytest

from linnet.errors import DataError, UsageError
from linnet.io import read, read_sentences
from linnet.io.bytes.encoding_detection import is_western
from linnet.io.bytes.source import Source

WESTERN = {
    "French": "L'été où j'ai déjà vu « Noël », ma sœur créée à l'hôtel : 5 € – ça va… J’aime.",
    "German": "Größe, Übermut, „Straße“ und ‚Äpfel‘ – weiß, 20 °C, § 3, m²",
    "Spanish": "¿Dónde está el niño? ¡Mañana! 1ª y 2º",
    "Portuguese": "São razões e corações, avô; põe o pão",
    "Italian": "Così è, lunedì; perché città più",
    "Danish": "Blåbærgrød på øen, æble, år 2000",
    "Swedish": "Räksmörgås åt älgen i ån",
    "Finnish": "Hyvää yötä, äiti",
    "Dutch": "geïnd, coöperatie, één",
}
NOT_WESTERN = {
    "Polish": ("cp1250", "Zażółć gęślą jaźń"),
    "Polish of ISO": ("iso8859-2", "Zażółć gęślą jaźń"),
    "Czech": ("cp1250", "Příliš žluťoučký kůň pěl"),
    "Hungarian": ("cp1250", "Árvíztűrő tükörfúrógép"),
    "Romanian": ("cp1250", "şi ţară încă şase"),
    "Turkish": ("cp1254", "Pijamalı hasta yağız şoföre"),
    "Russian": ("cp1251", "Съешь ещё этих мягких булок"),
    "Russian of Unix": ("koi8-r", "Съешь ещё этих мягких булок"),
    "Greek": ("cp1253", "Ξεσκεπάζω την ψυχοφθόρα"),
    "Hebrew": ("cp1255", "דג סקרן שט בים"),
    "Chinese": ("gb18030", "我能吞下玻璃"),
    "Chinese of Taiwan": ("big5", "我能吞下玻璃"),
    "Japanese": ("shift_jis", "いろはにほへと テスト"),
    "Korean": ("euc_kr", "나는 유리를 먹을"),
    "Thai": ("tis-620", "ฉันกินกระจกได้"),
    "a Macintosh": ("mac-roman", "l'été “déjà” à l’hôtel"),
    "DOS": ("cp850", "l'été déjà; schöne Grüße"),
}


@pytest.mark.parametrize("text", WESTERN.values(), ids=WESTERN)
def test_western_text_is_clear(text):
    assert is_western(text.encode("cp1252"))


@pytest.mark.parametrize(("encoding", "text"), NOT_WESTERN.values(), ids=NOT_WESTERN)
def test_other_text_is_not_taken_for_western(encoding, text):
    assert not is_western(text.encode(encoding))


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_recoding_in_blocks_gives_the_same_text(put, encoding):
    """Files of many blocks, read in pieces of every size, so that characters lie across the ends of blocks."""
    seeded = random.Random(7)
    words = ["été", "plain", "à", "Größe", "ñ", "x" * 50]
    lines = [" ".join(seeded.choices(words, k=8)) for _ in range(20_000)]
    text = "\n".join(lines) + "\n"
    with Source(put("a.txt", text.encode(encoding))) as source:
        assert source.encoding == encoding
        for size in (1000, 65_537, 1 << 20):
            with source.open() as stream:
                chunks = list(iter(lambda: stream.read(size), b""))  # noqa: B023
            assert b"".join(chunks) == text.encode()
            assert {len(chunk) for chunk in chunks[:-1]} <= {size}


def test_compressed_text_is_recoded_too(put):
    content = gzip.compress("text,label\ncafé,x\nthé,y\n".encode("utf-16"))
    notes: list[str] = []
    assert read(put("a.csv.gz", content), note=notes.append).text.to_pylist() == ["café", "thé"]
    assert notes == ["a.csv.gz: the encoding is utf-16"]


def test_what_is_found_is_said_with_what_to_do(put):
    notes: list[str] = []
    read(put("a.csv", "text;label\ncafé;x\nthé;y\n".encode("latin-1")), note=notes.append)
    assert notes == [
        "a.csv: the encoding is cp1252 (Western European). If letters look wrong, name another --encoding",
        "a.csv: the columns are separated by semicolons",
    ]


def test_what_is_asked_for_is_not_said(put):
    notes: list[str] = []
    content = "text;label\nźdźbło;x\nłódź;y\n".encode("cp1250")
    dataset = read(put("a.csv", content), encoding="cp1250", delimiter=";", note=notes.append)
    assert dataset.text.to_pylist() == ["źdźbło", "łódź"]
    assert notes == []


def test_sentences_too(put):
    notes: list[str] = []
    sentences = read_sentences(put("a.conll", "le D\ncafé N\n\n".encode("cp1252")), note=notes.append)
    assert sentences.columns["w"].to_pylist() == ["le", "café"]
    assert len(notes) == 1
    russian = put("b.conll", "он P\nтут A\n\n".encode("cp1251"))
    assert read_sentences(russian, encoding="cp1251").columns["w"].to_pylist() == ["он", "тут"]
    with pytest.raises(DataError, match=r"^b\.conll:1: byte 0xee is not UTF-8 .* --encoding cp1252$"):
        read_sentences(russian)


def test_a_folder_has_an_encoding_for_each_file(put):
    put("f/x/1.txt", "café noir".encode("cp1252"))
    put("f/y/2.txt", "thé".encode("utf-16"))
    put("f/y/3.txt", "plain é".encode())
    notes: list[str] = []
    assert read("f", note=notes.append).text.to_pylist() == ["café noir", "thé", "plain é"]
    assert [note.partition(":")[0] for note in notes] == ["f/x/1.txt", "f/y/2.txt"]
    put("f/y/4.txt", b"%PDF-1.4")
    with pytest.raises(DataError, match=r"^f/y/4\.txt: is a PDF document"):
        read("f")


def test_carriage_returns_end_lines(put):
    assert read(put("a.txt", b"one\rtwo\rthree"), labelled=False).text.to_pylist() == ["one", "two", "three"]
    lines = b'{"text": "a", "label": "x"}\r{"text": "b", "label": "y"}\r'
    assert read(put("a.jsonl", lines)).text.to_pylist() == ["a", "b"]


@pytest.mark.parametrize("name", ["latn-1", "base64", "nope"])
def test_an_unknown_encoding(put, name):
    with pytest.raises(UsageError, match=f"^there is no encoding '{name}'"):
        read(put("a.csv", "text,label\na,x\n"), encoding=name)


def test_the_line_of_what_cannot_be_read(put, refusal):
    name = put("a.csv", b"text,label\na,x\nb\x81,y\n")
    assert (
        refusal(name, encoding="cp1252") == "a.csv:3: byte 0x81 is not cp1252. Name the --encoding that the file has."
    )
