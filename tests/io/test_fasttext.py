"""fastText lines."""

import pytest

from linnet.io import read, read_batches


def rows_of(dataset):
    return list(zip(dataset.text.to_pylist(), dataset.labels.to_pylist(), strict=True))


def test_labels_and_texts(put):
    name = put(
        "reviews.ft", "\ufeff__label__pos a fine film \r\n\n__label__neg\tdull\n__label__pos\n  __label__naïve é\n"
    )
    dataset = read(name)
    assert rows_of(dataset) == [("a fine film", "pos"), ("dull", "neg"), ("", "pos"), ("é", "naïve")]
    assert (dataset.text_col, dataset.label_col, dataset.columns) == ("text", "label", None)


def test_without_labels(put):
    dataset = read(put("reviews.ft", "a fine film\ndull\n"), labelled=False)
    assert dataset.text.to_pylist() == ["a fine film", "dull"]
    assert (dataset.labels, dataset.label_col) == (None, None)


def test_some_labels_when_none_are_demanded(put):
    dataset = read(put("reviews.ft", "__label__pos fine\ndull\n"), labelled=False)
    assert rows_of(dataset) == [("fine", "pos"), ("dull", "")]


def test_a_prefix_inside_a_word_is_no_label(put):
    assert rows_of(read(put("reviews.ft", "__label__x a__label__b\n__label__y c\n"))) == [
        ("a__label__b", "x"),
        ("c", "y"),
    ]


BAD = {
    "several labels": (
        b"__label__x a\n__label__x __label__y b\n",
        "reviews.ft:2: expected one __label__, found several. Several labels per line need --task labelset.",
    ),
    "several labels, one behind the text": (
        b"__label__x a __label__y\n",
        "reviews.ft:1: expected one __label__, found several. Several labels per line need --task labelset.",
    ),
    "no label": (
        b"__label__x a\n\na film without a label\n",
        "reviews.ft:3: expected a line that begins with __label__, found 'a film without a lab'. "
        "Put the label before the text.",
    ),
    "an empty label": (
        b"__label__ a\n",
        "reviews.ft: 1 of 1 rows have no label (empty), the first on row 1. Name another column with --label-col, or give the "
        "rows labels.",
    ),
    "Latin-1": (
        b"__label__x a\n__label__y caf\xff\n",
        "reviews.ft:2: byte 0xff is not UTF-8 (near 'l__y caf\\xff'). "
        "Name the encoding that the file has, for example: --encoding cp1252",
    ),
    "a NUL byte": (
        b"__label__x a\n__label__y \0\n",
        "reviews.ft:2: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding.",
    ),
    "blank lines only": (
        b"\n \n",
        "reviews.ft: the file holds only blank lines. Expected lines such as: __label__pos a fine film",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, refusal, content, sentence):
    assert refusal(put("reviews.ft", content)) == sentence


def test_batches_know_their_lines(put):
    name = put("reviews.ft", "__label__x a\n" * 1000 + "b\n")
    batches = read_batches(name, batch_bytes=100)
    with pytest.raises(ValueError, match=r"^reviews\.ft:1001: expected a line that begins with __label__, found 'b'\."):
        list(batches)
