"""A folder per label."""

import gzip
import os

import pytest

from linnet.errors import UsageError
from linnet.io import read, read_batches


def test_labels_texts_and_paths_in_the_order_of_the_names(put):
    put("reviews/pos/2.txt", "\ufefftwo\n")
    put("reviews/pos/1.txt", "one")
    put("reviews/neg/deep/er/3.txt", "three\r\n")
    put("reviews/neg/4.txt.gz", gzip.compress(b"four"))
    put("reviews/neg/empty", "")
    put("reviews/README", "not a document")
    put("reviews/.hidden/5.txt", "hidden")
    put("reviews/pos/.DS_Store", b"\0\0")
    dataset = read("reviews")
    assert dataset.text.to_pylist() == ["four", "three\r\n", "", "one", "two\n"]
    assert dataset.labels.to_pylist() == ["neg", "neg", "neg", "pos", "pos"]
    expected = ["neg/4.txt.gz", "neg/deep/er/3.txt", "neg/empty", "pos/1.txt", "pos/2.txt"]
    assert dataset.columns.to_pydict() == {"path": expected}
    assert dataset.source == "reviews"


def test_batches(put):
    for index in range(10):
        put(f"reviews/{'pos' if index % 2 else 'neg'}/{index}", f"text {index}")
    parts = list(read_batches("reviews", batch_bytes=12))
    assert [len(part) for part in parts] == [2] * 5
    assert [text for part in parts for text in part.text.to_pylist()] == [
        f"text {i}" for i in [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    ]


def test_a_flat_folder_when_no_labels_are_demanded(put):
    put("texts/b.txt", "b")
    put("texts/a.txt", "a")
    dataset = read("texts", labelled=False)
    assert (dataset.text.to_pylist(), dataset.labels) == (["a", "b"], None)


def test_links_that_lead_back_are_not_followed(put, tmp_path):
    put("reviews/pos/1", "one")
    put("reviews/neg/2", "two")
    (tmp_path / "reviews/pos/back").symlink_to(tmp_path / "reviews")
    assert read("reviews").text.to_pylist() == ["two", "one"]


def test_files_without_sub_folders(put, refusal):
    put("reviews/a.txt", "a")
    sentence = (
        "reviews: expected a sub-folder per label, found files only. "
        "Move them into sub-folders, or pass the files themselves: reviews/*"
    )
    assert refusal("reviews") == sentence


def test_an_empty_folder(put, refusal, tmp_path):
    put("other", "")
    (tmp_path / "reviews").mkdir()
    sentence = (
        "reviews: expected a sub-folder per label, found an empty folder. "
        "Put one text file per document into a sub-folder per label."
    )
    assert refusal("reviews") == sentence


def test_sub_folders_without_documents(put, refusal, tmp_path):
    put("other", "")
    (tmp_path / "reviews/pos").mkdir(parents=True)
    sentence = "reviews: the folder holds no documents. Put one text file per document into a sub-folder per label."
    assert refusal("reviews") == sentence


def test_one_label(put, refusal):
    put("reviews/pos/1", "one")
    sentence = "reviews: every row has the label 'pos'; learning needs at least two. Add rows with another label."
    assert refusal("reviews") == sentence


def test_a_document_in_another_encoding_is_named(put, refusal):
    put("reviews/pos/1.txt", b"one\ncaf\xff")
    sentence = (
        "reviews/pos/1.txt:2: byte 0xff is not UTF-8 (near 'one caf\\xff'). "
        "Name the encoding that the file has, for example: --encoding cp1252"
    )
    assert refusal("reviews") == sentence


def test_a_binary_document_is_named(put, refusal):
    put("reviews/pos/1.bin", b"\x00\x01")
    sentence = (
        "reviews/pos/1.bin:1: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding."
    )
    assert refusal("reviews") == sentence


def test_a_name_that_is_not_utf8(put, refusal):
    put("reviews/neg/1", "one")
    os.makedirs(b"reviews/caf\xe9")
    with open(b"reviews/caf\xe9/2", "w") as file:
        file.write("two")
    sentence = "'reviews/caf\\udce9/2': the name of the file or its folder is not UTF-8. Rename it."
    assert refusal("reviews") == sentence


def test_a_folder_that_cannot_be_read(put, refusal, monkeypatch):
    put("reviews/pos/1", "one")

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    assert refusal("reviews") == "reviews: cannot be read: Permission denied."


def test_a_file_where_a_folder_was_asked_for(put):
    name = put("reviews.csv", "text,label\na,x\n")
    message = r"^'reviews\.csv' is a file; format 'folder' reads a folder with a sub-folder per label\.$"
    with pytest.raises(UsageError, match=message):
        read(name, format="folder")


def test_a_folder_where_files_were_asked_for(put):
    put("reviews/a.parquet", "a")
    message = r"^'reviews' is a folder, but format 'parquet' reads files\. Pass the files in it\.$"
    with pytest.raises(UsageError, match=message):
        read("reviews", format="parquet")
