"""CoNLL columns: what is a token, what is refused and in which words, and that writing changes only the tags."""

import gzip
import io
import os
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_back import by_sentence, columns_of, refusal, written

from linnet.errors import DataError, UsageError
from linnet.io import (
    Sentences,
    SentenceWriter,
    read_sentence_batches,
    read_sentences,
    sentence_formats,
    write_sentences,
)
from linnet.io.sentences import sentence_blocks as paragraphs
from linnet.limits import SENTENCE

CHUNKS = """Rockwell NNP B-NP
said VBD B-VP
# NN B-NP
. . O

- : O
It PRP B-NP
"""
CHUNK_WORDS = ["Rockwell", "said", "#", ".", "-", "It"]


@pytest.mark.parametrize("separator", [" ", "\t", "  "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_words_columns_and_tags(put, separator, end):
    name = put("a.conll", CHUNKS.replace(" ", separator).replace("\n", end))
    sentences = read_sentences(name)
    assert columns_of(sentences) == {"w": CHUNK_WORDS, "col2": ["NNP", "VBD", "NN", ".", ":", "PRP"]}
    assert by_sentence(sentences.tags, sentences) == [["B-NP", "B-VP", "B-NP", "O"], ["O", "B-NP"]]
    assert (len(sentences), sentences.n_tokens, sentences.source) == (2, 6, "a.conll")
    assert sentences.starts.tolist() == [0, 4, 6]
    assert sentences.starts.dtype == np.int64


def test_arrays_are_large_strings_without_nulls(put):
    sentences = read_sentences(put("a.conll", CHUNKS))
    for array in (*sentences.columns.values(), sentences.tags):
        array.validate(full=True)
        assert (array.type, array.null_count) == (pa.large_string(), 0)


GOOD = {
    "byte order mark": ("\ufeffa X\n", [["a"]]),
    "no newline at the end": ("a X\n\nb Y", [["a"], ["b"]]),
    "blank lines around and several": ("\n\na X\n\n\n\nb Y\n\n\n", [["a"], ["b"]]),
    "blank lines with spaces": ("a X\n  \nb Y\n \t\nc Z\n", [["a"], ["b"], ["c"]]),
    "blank lines of tabs": ("a\tX\n\t\nb\tY\n", [["a"], ["b"]]),
    "spaces around": (" a X\nb  Y \n", [["a", "b"]]),
    "documents": ("-DOCSTART- -X- O O\n\na X\n-DOCSTART-\nb Y\n", [["a"], ["b"]]),
    "a word that begins like a document": ("-DOC- X\n- Y\n", [["-DOC-", "-"]]),
    "comments with a key": ("# text = a b\n# newdoc id = 1\na X\n#id = 7\nb Y\n", [["a", "b"]]),
    "a key and as many columns": ("# id = 1\na b c X\nd e f Y\n", [["a", "d"]]),
    "comments of another width": ("# a line to read\na X\n# and one more\nb Y\n", [["a", "b"]]),
    "the word # among tokens": ("a b X\n# NN O\n#tag NN O\n", [["a", "#", "#tag"]]),
    "a word that begins with #": ("a b X\n#fine = O\n# = O\n", [["a", "#fine", "#"]]),
    "the word # first": ("# NN O\na b X\n", [["#", "a"]]),
    "the word # alone": ("# NN O\n", [["#"]]),
    "the word # before a tab": ("#\tNN\nb\tX\n", [["#", "b"]]),
    "other white space is part of a word": ("a\u00a0b X\nc\u3000d Y\ne\x1cf Z\n", [["a\u00a0b", "c\u3000d", "e\x1cf"]]),
    "spaces between tabs": ("New York\tB\nis\tO\n", [["New York", "is"]]),
    "letters of several bytes": ("español X\n日本 Y\n😀 Z\n", [["español", "日本", "😀"]]),
}


@pytest.mark.parametrize(("content", "expected"), GOOD.values(), ids=GOOD)
def test_good_files(put, content, expected):
    name = put("a.conll", content)
    sentences = read_sentences(name)
    assert by_sentence(sentences.columns["w"], sentences) == expected
    parts = list(read_sentence_batches(name, batch_bytes=1))
    assert [words for part in parts for words in by_sentence(part.columns["w"], part)] == expected
    assert written(sentences, sentences.tags) == content.removeprefix("\ufeff").encode()


def test_an_empty_column_between_tabs(put):
    sentences = read_sentences(put("a.conll", "a\t\tX\nb\tB\tY\n"))
    assert columns_of(sentences) == {"w": ["a", "b"], "col2": ["", "B"]}


@pytest.mark.parametrize(
    ("label_col", "tags", "others"),
    [
        (None, ["O", "B"], {"col2": ["DT", "NN"], "col3": ["x", "y"]}),
        ("4", ["O", "B"], {"col2": ["DT", "NN"], "col3": ["x", "y"]}),
        ("2", ["DT", "NN"], {"col3": ["x", "y"], "col4": ["O", "B"]}),
        ("col3", ["x", "y"], {"col2": ["DT", "NN"], "col4": ["O", "B"]}),
    ],
)
def test_the_column_of_the_tag(put, label_col, tags, others):
    name = put("a.conll", "the DT x O\ndog NN y B\n")
    sentences = read_sentences(name, label_col=label_col)
    assert sentences.tags.to_pylist() == tags
    assert columns_of(sentences) == {"w": ["the", "dog"], **others}
    assert read_sentences(name, label_col=label_col or "4", labelled=False).tags.to_pylist() == tags


def test_without_tags(put):
    sentences = read_sentences(put("a.txt", "the DT\ndog NN\n"), labelled=False)
    assert columns_of(sentences) == {"w": ["the", "dog"], "col2": ["DT", "NN"]}
    assert sentences.tags is None


def test_one_column(put):
    sentences = read_sentences(put("a.txt", "the\ndog\n\n# text = it\nit\n# two words\n"), labelled=False)
    assert by_sentence(sentences.columns["w"], sentences) == [["the", "dog"], ["it"]]
    assert written(sentences, ["DT", "NN", "PRP"]) == b"the DT\ndog NN\n\n# text = it\nit PRP\n# two words\n"


def test_a_tag_that_is_missing_when_none_is_demanded(put):
    sentences = read_sentences(put("a.conll", "a\tX\nb\t\n"), label_col="2", labelled=False)
    assert sentences.tags.to_pylist() == ["X", ""]


BAD = {
    "too few columns": (
        b"the DT O\ndog NN\n",
        "a.conll:2: expected 3 columns as on line 1, found 2 columns. "
        "Give every token the same columns, and put a blank line between sentences.",
    ),
    "too many columns": (
        b"# text = x\n\nthe DT\n\ndog NN O\n",
        "a.conll:5: expected 2 columns as on line 3, found 3 columns. "
        "Give every token the same columns, and put a blank line between sentences.",
    ),
    "spaces for tabs": (
        b"the\tDT\ndog NN\n",
        "a.conll:2: expected 2 columns as on line 1, found 1 column. Separate the columns by tabs.",
    ),
    "a comment without a space": (
        b"the DT\n#comment\n",
        "a.conll:2: expected 2 columns as on line 1, found 1 column. "
        "Give every token the same columns, and put a blank line between sentences.",
    ),
    "one column": (
        b"-DOCSTART-\n\nthe\ndog\n",
        "a.conll:3: expected a word and its tag, found one column. Separate the two by a tab or a space.",
    ),
    "an empty word": (
        b"the\tDT\n\n\tNN\n",
        "a.conll:3: the word is missing. Give the line a word in column 1, or remove it.",
    ),
    "an empty tag": (
        b"the\tDT\tO\r\ndog\tNN\t\r\n",
        "a.conll:2: the tag is missing. Give the line a tag in column 3, or remove it.",
    ),
    "the first of several faults": (
        b"the\tDT\ndog\t\n\tNN\nx\n",
        "a.conll:2: the tag is missing. Give the line a tag in column 2, or remove it.",
    ),
    "Latin-1": (
        b"the DT\ncaf\xff NN\n",
        "a.conll:2: byte 0xff is not UTF-8 (near 'e DT caf\\xff NN'). "
        "Name the encoding that the file has, for example: --encoding cp1252",
    ),
    "a NUL byte": (
        b"the DT\nd\0g NN\n",
        "a.conll:2: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding.",
    ),
    "nothing": (b"", "a.conll: the file is empty. Expected sentences of tokens."),
    "no tokens": (
        b"\n# text = a\n-DOCSTART- O\n",
        "a.conll: the file holds no tokens. Expected lines such as: dog NN O",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, content, sentence):
    assert refusal(put("a.conll", content)) == sentence


@pytest.mark.parametrize("label_col", ["0", "4", "pos", "-1", "²"])
def test_a_column_that_is_not_there(put, label_col):
    sentence = (
        f"a.conll:1: expected a column '{label_col}', found 'w', 'col2', 'col3'. "
        "Name the tag column with --label-col: a number from 2, or a name."
    )
    assert refusal(put("a.conll", "the DT O\n"), label_col=label_col) == sentence


@pytest.mark.parametrize("label_col", ["1", "w"])
def test_the_word_is_no_tag(put, label_col):
    with pytest.raises(UsageError) as caught:
        read_sentences(put("a.conll", "the DT O\n"), label_col=label_col)
    sentence = f"--label-col {label_col} is the word, which is in the first column. Name a column after it."
    assert str(caught.value) == sentence


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_sentence_that_never_ends(put, monkeypatch, end):
    monkeypatch.setattr(paragraphs, "SENTENCE", replace(SENTENCE, most=1 << 20, shown="1 MB"))
    name = put("a.conll", "a X\n\n" + "b Y\n" * 300_000 + end)
    sentence = "a.conll:3: the sentence that begins here is longer than 1 MB. Put a blank line after each."
    assert refusal(name) == sentence
    assert len(read_sentences(put("b.conll", "a X\n\n" + "b Y\n" * 200_000 + end))) == 2


MANY = "".join(f"# id = {i}\n" + "".join(f"w{j} p{j} t{j % 3}\n" for j in range(i % 9 + 1)) + "\n" for i in range(300))


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
@pytest.mark.parametrize("size", [1, 100, 5000, 1 << 25])
def test_batches_are_what_is_read_whole(put, end, size):
    name = put("a.conll", MANY.replace("\n", end) + f"# that is the end{end}")
    whole = read_sentences(name)
    assert (len(whole), whole.n_tokens) == (300, sum(i % 9 + 1 for i in range(300)))
    parts = list(read_sentence_batches(name, batch_bytes=size))
    assert all(len(part) for part in parts)
    assert sum(map(len, parts)) == 300
    for column in whole.columns:
        assert pa.concat_arrays([part.columns[column] for part in parts]).equals(whole.columns[column])
    assert pa.concat_arrays([part.tags for part in parts]).equals(whole.tags)
    assert np.concatenate([np.diff(part.starts) for part in parts]).tolist() == np.diff(whole.starts).tolist()
    out = io.BytesIO()
    with SentenceWriter.open(out) as writer:
        for part in parts:
            writer.write(part, part.tags)
    assert out.getvalue() == (MANY.replace("\n", end) + f"# that is the end{end}").encode()


def test_batches_are_bounded(put):
    parts = list(read_sentence_batches(put("a.conll", MANY * 10), batch_bytes=10_000))
    assert max(part.nbytes for part in parts) <= 60_000
    assert sum(part.nbytes for part in parts) > 500_000


def test_what_is_good_comes_before_the_error(put):
    name = put("a.conll", "a X\n\n" * 1000 + "b\n\n" + "c X\n\n" * 1000)
    parts = []
    with pytest.raises(DataError, match=r"^a\.conll:2001: expected 2 columns as on line 1, found 1 column\."):
        parts.extend(read_sentence_batches(name, batch_bytes=100))
    assert 900 < sum(map(len, parts)) <= 1000


@pytest.mark.parametrize("extension", ["gz", "zst"])
def test_compressed(tmp_path, extension):
    path = tmp_path / f"a.conll.{extension}"
    codec = {"gz": "gzip", "zst": "zstd"}[extension]
    with pa.CompressedOutputStream(str(path), codec) as file:
        file.write(MANY.encode())
    assert read_sentences(path).n_tokens == sum(i % 9 + 1 for i in range(300))


def test_several_files(put):
    put("a.conll", "a A X\nb B Y")
    put("b.conll", "c\tC\tD\tZ\r\n")
    sentences = read_sentences(["a.conll", "b.conll"])
    assert columns_of(sentences) == {"w": ["a", "b", "c"], "col2": ["A", "B", "C"]}
    assert by_sentence(sentences.tags, sentences) == [["X", "Y"], ["Z"]]
    assert sentences.source == "a.conll, b.conll"
    assert written(sentences, ["1", "2", "3"]) == b"a A 1\nb B 2\n\nc\tC\tD\t3\r\n"


def test_formats_by_name_and_extension(put):
    assert list(sentence_formats()) == ["jsonl", "conllu", "mrg", "conll"]
    for name in ("a.conll", "a.iob", "a.BIO", "a.txt", "a.dat", "a"):
        assert read_sentences(put(name, CHUNKS)).n_tokens == 6
    assert read_sentences(put("a.json", CHUNKS), format="conll").n_tokens == 6
    with pytest.raises(UsageError) as caught:
        read_sentence_batches("a.conll", format="conl")
    sentence = "unknown format of sentences 'conl'. Did you mean 'conll'? There are: jsonl, conllu, mrg, conll."
    assert str(caught.value) == sentence


def test_wrong_arguments(put, tmp_path):
    with pytest.raises(UsageError, match=r"^expected at least one file to read, found none\. Name a file, or - for"):
        read_sentences([])
    with pytest.raises(UsageError, match=r"^expected batch_bytes of at least 1, found 0\.$"):
        read_sentence_batches(put("a.conll", CHUNKS), batch_bytes=0)
    os.mkdir("folder")
    with pytest.raises(UsageError, match=r"^'folder' is a folder, expected a file of sentences\. Pass the files in it"):
        read_sentences("folder")


def test_tags_are_replaced(put):
    content = "# id = 1\r\nthe  DT O\r\n-DOCSTART-\r\n\r\ndog NN B-X \r\n"
    sentences = read_sentences(put("a.conll", content))
    expected = "# id = 1\r\nthe  DT B-NP\r\n-DOCSTART-\r\n\r\ndog NN I-é \r\n"
    assert written(sentences, ["B-NP", "I-é"]) == expected.encode()


@pytest.mark.parametrize("separator", [" ", "\t"])
def test_tags_are_added_where_there_were_none(put, separator):
    content = f"the{separator}DT\n\ndog{separator}NN"
    sentences = read_sentences(put("a.conll", content), labelled=False)
    expected = f"the{separator}DT{separator}O\n\ndog{separator}NN{separator}B"
    assert written(sentences, ["O", "B"]) == expected.encode()


def test_another_column_is_replaced(put):
    sentences = read_sentences(put("a.conll", "the DT O\ndog NN B\n"), label_col="2")
    assert written(sentences, ["X", "YY"]) == b"the X O\ndog YY B\n"


def test_sentences_from_no_file(tmp_path):
    words = pa.array(["the", "dog", "it"], pa.large_string())
    sentences = Sentences({"w": words, "pos": words}, np.array([0, 2, 3]), None, "memory", None)
    write_sentences(tmp_path / "a.conll", sentences, ["O", "B", "O"])
    expected = "the\tthe\tO\ndog\tdog\tB\n\nit\tit\tO\n\n"
    assert (tmp_path / "a.conll").read_text() == expected
    sentences = Sentences({"w": pa.array(["a\nb"], pa.large_string())}, np.array([0, 1]), None, "memory", None)
    with pytest.raises(UsageError, match=r"^cannot write a word that holds a tab or a line end into columns\. Write"):
        write_sentences(tmp_path / "b.conll", sentences, ["O"])


@pytest.mark.parametrize("path", [None, "-"])
def test_stdout(put, capfdbinary, path):
    write_sentences(path, read_sentences(put("a.conll", "a X\n")), ["Y"])
    assert capfdbinary.readouterr().out == b"a Y\n"


def test_an_exception_leaves_nothing(put, tmp_path):
    sentences = read_sentences(put("a.conll", CHUNKS))
    with pytest.raises(UsageError, match=r"^expected 6 tags, one for each token, found 1\.$"):
        write_sentences("b.conll", sentences, ["O"])
    assert os.listdir(tmp_path) == ["a.conll"]


def test_the_file_appears_at_the_end(put, tmp_path):
    sentences = read_sentences(put("a.conll", CHUNKS))
    writer = SentenceWriter.open("b.conll")
    writer.write(sentences, sentences.tags)
    assert not (tmp_path / "b.conll").exists()
    writer.close()
    writer.close()
    assert (tmp_path / "b.conll").read_text() == CHUNKS


REFUSED = {
    "a space": ("a X\n", "B X", "separated by white space. Read from a file with tabs, or jsonl."),
    "no tag": ("a X\n", "", "separated by white space. Read from a file with tabs, or jsonl."),
    "a tab": ("a\tX\n", "B\tX", "into a column: it holds a tab or ends the line. Use jsonl."),
    "a line end": ("a\tX\n", "B\nX", "into a column: it holds a tab or ends the line. Use jsonl."),
}


@pytest.mark.parametrize(("content", "tag", "sentence"), REFUSED.values(), ids=REFUSED)
def test_tags_that_would_break_a_column(put, content, tag, sentence):
    sentences = read_sentences(put("a.conll", content))
    with pytest.raises(UsageError) as caught:
        written(sentences, [tag])
    assert str(caught.value).startswith(f"cannot write the tag {tag!r} into ")
    assert str(caught.value).endswith(sentence)


def test_compressed_names_are_not_written(put):
    with pytest.raises(UsageError) as caught:
        write_sentences("out.conll.gz", read_sentences(put("a.conll", CHUNKS)), ["O"] * 6)
    sentence = "cannot write 'out.conll.gz': .gz is for compressed data. Leave it out, and compress the file."
    assert str(caught.value) == sentence


cells = st.text(st.sampled_from("ab#-é日=\u00a0\x1c"), min_size=1, max_size=4)
tokens = st.tuples(cells, cells, cells)
kept = st.sampled_from(["", "  ", "# text = a b", "-DOCSTART- -X- O", "# one more comment here"])


@st.composite
def files(draw):
    """Lines and what a slow reader would find in them."""
    separator = draw(st.sampled_from([" ", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = draw(st.lists(st.one_of(tokens, kept), min_size=1, max_size=30))
    lines = [("first", "x", "y"), *lines]
    sentences = [[]]
    for line in lines:
        if isinstance(line, tuple):
            sentences[-1].append(line)
        elif not line.startswith("#"):
            sentences.append([])
    text = end.join(separator.join(line) if isinstance(line, tuple) else line for line in lines)
    return text + draw(st.sampled_from(["", end])), [sentence for sentence in sentences if sentence]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(files(), st.sampled_from([1, 20, 1 << 20]))
def test_any_file_is_read_and_written_back(put, file, size):
    text, expected = file
    parts = list(read_sentence_batches(put("a.conll", text), batch_bytes=size))
    found = []
    for part in parts:
        rows = list(zip(*(column.to_pylist() for column in part.columns.values()), part.tags.to_pylist(), strict=True))
        found += [rows[i:j] for i, j in zip(part.starts[:-1], part.starts[1:], strict=True)]
    assert found == expected
    out = io.BytesIO()
    with SentenceWriter.open(out) as writer:
        for part in parts:
            writer.write(part, part.tags)
    assert out.getvalue() == text.encode()


COUNTS = {
    "conll2000-train.txt.gz": (8936, 211727),
    "conll2000-test.txt.gz": (2012, 47377),
    "conll2002-esp-train.txt.gz": (8323, 264715),
    "conll2002-esp-testa.txt.gz": (1915, 52923),
    "conll2002-esp-testb.txt.gz": (1517, 51533),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_shared_tasks(shared_data, name):
    sentences = read_sentences(shared_data / name)
    assert (len(sentences), sentences.n_tokens) == COUNTS[name]
    lines = gzip.decompress((shared_data / name).read_bytes())
    rows = [line.split(" ") for line in lines.decode().split("\n") if line.strip()]
    assert sentences.columns["w"].to_pylist() == [row[0] for row in rows]
    assert sentences.columns["col2"].to_pylist() == [row[1] for row in rows]
    assert sentences.tags.to_pylist() == [row[2] for row in rows]
    assert written(sentences, sentences.tags) == lines
