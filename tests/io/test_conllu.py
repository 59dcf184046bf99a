"""CoNLL-U: the tokens among comments, ranges and empty nodes, and that writing changes only the tags."""

import gzip
import io

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_back import columns_of, refusal, written

from linnet.errors import DataError, UsageError
from linnet.io import SentenceWriter, read_sentence_batches, read_sentences

SNIPPET = """# newdoc id = letters-1
# sent_id = letters-1-1
# text = We don't know it _ .
1 We we PRON PRP Case=Nom|Number=Plur 4 nsubj 4:nsubj _
2-3 don't _ _ _ _ _ _ _ SpaceAfter=No
2 do do AUX VBP Mood=Ind 4 aux 4:aux _
3 n't not PART RB _ 4 advmod 4:advmod _
4 know know VERB VB VerbForm=Inf 0 root 0:root _
4.1 know know VERB VB _ _ _ 0:root CopyOf=4
5 it _ PRON _ _ 4 obj 4:obj _
6 _ _ SYM NFP _ 4 punct 4:punct _
7 . . PUNCT . _ 4 punct 4:punct _

# sent_id = letters-1-2
1 Yes yes INTJ UH _ 0 root 0:root _

""".replace(" ", "\t")
SNIPPET = "".join(
    line.replace("\t", " ") if line.startswith("#") else line for line in SNIPPET.splitlines(keepends=True)
)
UPOS = ["PRON", "AUX", "PART", "VERB", "PRON", "SYM", "PUNCT", "INTJ"]
COLUMNS = {
    "w": ["We", "do", "n't", "know", "it", "_", ".", "Yes"],
    "lemma": ["we", "do", "not", "know", "", "_", ".", "yes"],
    "xpos": ["PRP", "VBP", "RB", "VB", "", "NFP", ".", "UH"],
    "feats": ["Case=Nom|Number=Plur", "Mood=Ind", "", "VerbForm=Inf", "", "", "", ""],
    "head": ["4", "4", "4", "0", "4", "4", "4", "0"],
    "deprel": ["nsubj", "aux", "advmod", "root", "obj", "punct", "punct", "root"],
}


@pytest.mark.parametrize("name", ["a.conllu", "a.CoNLL-U", "a.dat"])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_tokens_and_columns(put, name, end):
    blank = f"{end}{end}".join(part.replace("\n", end.strip(" ")) for part in SNIPPET.split("\n\n"))
    sentences = read_sentences(put(name, blank))
    assert columns_of(sentences) == COLUMNS
    assert sentences.tags.to_pylist() == UPOS
    assert sentences.starts.tolist() == [0, 7, 8]
    for array in (*sentences.columns.values(), sentences.tags):
        array.validate(full=True)
        assert (array.type, array.null_count) == (pa.large_string(), 0)
    assert written(sentences, sentences.tags) == blank.encode()


def test_without_a_blank_line_or_a_newline_at_the_end(put):
    content = "\ufeff" + SNIPPET.rstrip("\n")
    sentences = read_sentences(put("a.conllu", content))
    assert sentences.tags.to_pylist() == UPOS
    assert written(sentences, sentences.tags) == SNIPPET.rstrip("\n").encode()


@pytest.mark.parametrize(
    ("label_col", "tags"),
    [
        ("upos", UPOS),
        ("UPOS", UPOS),
        ("deprel", COLUMNS["deprel"]),
        ("feats", [feats or "_" for feats in COLUMNS["feats"]]),
        ("lemma", COLUMNS["lemma"]),
        ("xpos", COLUMNS["xpos"]),
    ],
)
def test_the_column_of_the_tag(put, label_col, tags):
    name = put("a.conllu", SNIPPET)
    sentences = read_sentences(name, label_col=label_col, labelled=False)
    assert sentences.tags.to_pylist() == tags
    assert columns_of(sentences) == {k: v for k, v in ({"upos": UPOS} | COLUMNS).items() if k != label_col.lower()}
    assert written(sentences, sentences.tags) == SNIPPET.encode()


def test_tags_are_replaced(put):
    sentences = read_sentences(put("a.conllu", SNIPPET))
    expected = SNIPPET.replace("\tVERB\t", "\tX\t", 1).replace("\tINTJ\t", "\té\t").replace("\tSYM\t", "\t_\t")
    tags = ["PRON", "AUX", "PART", "X", "PRON", "", "PUNCT", "é"]
    assert written(sentences, tags) == expected.encode()
    sentences = read_sentences("a.conllu", label_col="xpos", labelled=False)
    assert written(sentences, ["x"] * 8).count(b"\tx\t") == 8


def test_tags_that_are_missing_when_none_are_demanded(put):
    sentences = read_sentences(put("a.conllu", SNIPPET.replace("\tINTJ\t", "\t_\t")), labelled=False)
    assert sentences.tags.to_pylist() == [*UPOS[:-1], ""]


WORD = "1\ta\ta\tDET\tDT\t_\t0\troot\t_\t_\n"

BAD = {
    "too few columns": (
        f"{WORD}2\tb\tb\n",
        "a.conllu:2: expected 10 columns separated by tabs, found 3. Write _ where there is nothing.",
    ),
    "spaces": (
        WORD + WORD.replace("\t", " "),
        "a.conllu:2: expected 10 columns separated by tabs, found 1. Is the file one of another format (--format)?",
    ),
    "no number": (
        f"{WORD}\nx{WORD[1:]}",
        "a.conllu:3: expected a number such as 3, 3-4 or 3.1 in the first column, found 'x'. Number the words from 1.",
    ),
    "an empty number": (
        WORD[1:],
        "a.conllu:1: expected a number such as 3, 3-4 or 3.1 in the first column, found ''. Number the words from 1.",
    ),
    "a very long number": (
        f"1234567890{WORD[1:]}",
        "a.conllu:1: expected a number such as 3, 3-4 or 3.1 in the first column, found '1234567890'. "
        "Number the words from 1.",
    ),
    "word 0": (
        f"0{WORD[1:]}",
        "a.conllu:1: expected a number such as 3, 3-4 or 3.1 in the first column, found '0'. Number the words from 1.",
    ),
    "a missing word": (
        f"{WORD}3{WORD[1:]}",
        "a.conllu:2: expected word 2 of the sentence, found 3. Number the words of a sentence from 1.",
    ),
    "a missing blank line": (
        f"# text = a\n{WORD}# text = a\n{WORD}",
        "a.conllu:4: expected word 2 of the sentence, found 1. Put a blank line between sentences.",
    ),
    "an empty form": (
        WORD.replace("1\ta\t", "1\t\t"),
        "a.conllu:1: the word (FORM) in column 2 is missing. Fill it in.",
    ),
    "no tag": (
        WORD + "2" + WORD[1:].replace("DET", "_"),
        "a.conllu:2: the tag (UPOS) in column 4 is missing. Fill it in, or choose another column with --label-col.",
    ),
    "the first of several faults": (
        f"{WORD}3{WORD[1:].replace('DET', '_')}\nx\n",
        "a.conllu:2: expected word 2 of the sentence, found 3. Number the words of a sentence from 1.",
    ),
    "a NUL byte": (
        WORD.replace("a", "\0"),
        "a.conllu:1: found a NUL byte, which no text file holds. "
        "Is the file binary? If it is text, name its --encoding.",
    ),
    "nothing": ("", "a.conllu: the file is empty. Expected sentences of tokens."),
    "no tokens": (
        "# text = a\n\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n",
        "a.conllu: the file holds no tokens. Expected lines of ten columns that begin with 1, 2, ...",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, content, sentence):
    assert refusal(put("a.conllu", content)) == sentence


def test_another_encoding_that_is_not_clear(put):
    sentence = (
        "a.conllu:2: byte 0xff is not UTF-8 (near 't = a 1 \\xff a DET'). "
        "Name the encoding that the file has, for example: --encoding cp1252"
    )
    content = "# text = a\n" + WORD.replace("1\ta", "1\tÿ")
    assert refusal(put("a.conllu", content.encode("latin1"))) == sentence


@pytest.mark.parametrize(("label_col", "hint"), [("pos", " Did you mean 'xpos'?"), ("head", "")])
def test_a_column_that_holds_no_tags(put, label_col, hint):
    with pytest.raises(UsageError) as caught:
        read_sentences(put("a.conllu", SNIPPET), label_col=label_col)
    assert (
        str(caught.value)
        == f"expected --label-col upos, xpos, feats, lemma, deprel or tree, found '{label_col}'.{hint}"
    )


@pytest.mark.parametrize("size", [1, 500, 1 << 20])
def test_batches_are_what_is_read_whole(put, size):
    content = SNIPPET * 50 + "# the end\n"
    whole = read_sentences(put("a.conllu", content))
    parts = list(read_sentence_batches("a.conllu", batch_bytes=size))
    assert [len(part) for part in parts if not len(part)] == []
    for name in whole.columns:
        assert pa.concat_arrays([part.columns[name] for part in parts]).equals(whole.columns[name])
    assert pa.concat_arrays([part.tags for part in parts]).to_pylist() == UPOS * 50
    assert sum(map(len, parts)) == len(whole) == 100
    out = io.BytesIO()
    with SentenceWriter.open(out) as writer:
        for part in parts:
            writer.write(part, part.tags)
    assert out.getvalue() == content.encode()


def test_what_is_good_comes_before_the_error(put):
    name = put("a.conllu", f"{WORD}\n" * 100 + "x\n")
    parts = []
    with pytest.raises(DataError, match=r"^a\.conllu:201: expected 10 columns separated by tabs, found 1\."):
        parts.extend(read_sentence_batches(name, batch_bytes=100))
    assert sum(map(len, parts)) == 100


def test_compressed(put):
    sentences = read_sentences(put("a.conllu.gz", gzip.compress(SNIPPET.encode())))
    assert columns_of(sentences) == COLUMNS


values = st.text(st.sampled_from("ab_#é日 \u00a0|="), min_size=1, max_size=4)
kept = st.sampled_from(["# text = a\tb", "range", "empty"])


@st.composite
def files(draw):
    """Lines and the words, lemmas and tags in them."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines, rows = [], []
    for sentence in draw(st.lists(st.lists(st.one_of(st.lists(values, min_size=9, max_size=9), kept)), min_size=1)):
        words = 0
        for line in sentence:
            words += isinstance(line, list)
            spelled = {"range": f"{words}-{words + 1}\ta" + "\t_" * 8, "empty": f"{words}.1\ta" + "\t_" * 8}
            lines.append("\t".join([str(words), *line]) if isinstance(line, list) else spelled.get(line, line))
        rows += [line for line in sentence if isinstance(line, list)]
        lines.append(draw(st.sampled_from(["", "", " "])))
    return end.join(lines) + draw(st.sampled_from(["", end])), rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(files(), st.sampled_from([1, 100, 1 << 20]))
def test_any_file_is_read_and_written_back(put, file, size):
    text, rows = file
    name = put("a.conllu", text)
    if not rows:
        with pytest.raises(DataError, match="empty|no tokens"):
            read_sentences(name)
        return
    parts = list(read_sentence_batches(name, labelled=False, batch_bytes=size))
    assert [word for part in parts for word in part.columns["w"].to_pylist()] == [row[0] for row in rows]
    lemmas = ["" if row[1] == "_" != row[0] else row[1] for row in rows]
    assert [lemma for part in parts for lemma in part.columns["lemma"].to_pylist()] == lemmas
    tags = ["" if row[2] == "_" else row[2] for row in rows]
    assert [tag for part in parts for tag in part.tags.to_pylist()] == tags
    out = io.BytesIO()
    with SentenceWriter.open(out) as writer:
        for part in parts:
            writer.write(part, part.tags)
    assert out.getvalue() == text.encode()


@pytest.mark.parametrize(("name", "count"), [("ewt-dev.conllu.gz", 2001), ("nl_lassysmall-dev.conllu.gz", 350)])
def test_treebanks(shared_data, name, count):
    sentences = read_sentences(shared_data / name)
    raw = gzip.decompress((shared_data / name).read_bytes())
    rows = [line.split("\t") for line in raw.decode().split("\n") if line[:1].isdigit()]
    rows = [row for row in rows if row[0].isdigit()]
    assert len(sentences) == count
    assert sentences.columns["w"].to_pylist() == [row[1] for row in rows]
    assert sentences.columns["feats"].to_pylist() == [
        row[5].replace("_", "") if row[5] == "_" else row[5] for row in rows
    ]
    assert sentences.tags.to_pylist() == [row[3] for row in rows]
    assert written(sentences, sentences.tags) == raw


def test_of_three_kinds_of_faults_the_earliest_is_told(put):
    name = put("a.conllu", f"{WORD}\n{WORD[2:]}\n{WORD}\n".encode() + b"1\t\0\n\n1\t\xff\n")
    with pytest.raises(DataError, match="a.conllu:3: expected 10 columns"):
        read_sentences(name, encoding="utf-8")
