"""Plain lines without labels."""

from linnet.io import read, read_batches


def test_every_line_is_a_document(put):
    name = put("texts.txt", "\ufeffa fine film\r\n\n dull \n{not json\nlast")
    dataset = read(name, labelled=False)
    assert dataset.text.to_pylist() == ["a fine film", "", " dull ", "{not json", "last"]
    assert (dataset.labels, dataset.columns, dataset.label_col) == (None, None, None)


def test_only_newlines_end_a_line(put):
    dataset = read(put("texts.txt", "a\x0bb\u2028c\x1cd\x85e\nf"), labelled=False)
    assert dataset.text.to_pylist() == ["a\x0bb\u2028c\x1cd\x85e", "f"]


def test_answer_n_belongs_to_line_n(put):
    name = put("texts.txt", "\n" * 500 + "a\n" + "\n" * 500)
    parts = list(read_batches(name, labelled=False, batch_bytes=64))
    assert [text for part in parts for text in part.text.to_pylist()] == [""] * 500 + ["a"] + [""] * 500


def test_blank_lines_only(put, refusal):
    sentence = "texts.txt: the file holds only blank lines. Expected one document a line."
    assert refusal(put("texts.txt", "\n\n"), labelled=False) == sentence


def test_wrong_encoding(put, refusal):
    sentence = (
        "texts.txt:3: byte 0xff is not UTF-8 (near 'a b \\xff'). "
        "Name the encoding that the file has, for example: --encoding cp1252"
    )
    assert refusal(put("texts.txt", b"a\nb\n\xff\n"), labelled=False) == sentence


def test_lines_have_no_labels_to_learn_from(put, refusal):
    sentence = "texts.txt: lines of plain text have no labels. Give a file with a label column, or a folder per label."
    assert refusal(put("texts.txt", "a\n"), format="lines") == sentence
