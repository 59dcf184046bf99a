"""Sentences in JSON lines: tokens with tags, texts with spans, what is refused, and that writing changes only the tags."""

import gzip
import io
import json
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_back import by_sentence, refusal, written

from linnet.errors import DataError
from linnet.io import SentenceWriter, read_sentence_batches, read_sentences
from linnet.io.sentences import json_sentences
from linnet.limits import SENTENCE

TAGGED = """{"id": 1, "tokens": ["The", "dog"], "tags": ["DT", "NN"]}
 {"tags":["PRP"],"tokens" : ["it"], "score": 1.50}

{"tokens": ["é\\u00e9", "\\n"], "tags": ["X", "Y"]}
"""
TEXT = 'Mr. O\'Hara saw "New York" twice.'
PLACES = {"start": 4, "end": 10, "label": "PER"}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json", "a.dat"])
def test_tokens_and_tags(put, name, end):
    content = TAGGED.replace("\n", end)
    sentences = read_sentences(put(name, f"\ufeff{content}"))
    assert list(sentences.columns) == ["w"]
    assert by_sentence(sentences.columns["w"], sentences) == [["The", "dog"], ["it"], ["éé", "\n"]]
    assert by_sentence(sentences.tags, sentences) == [["DT", "NN"], ["PRP"], ["X", "Y"]]
    assert written(sentences, sentences.tags).decode() == content
    for array in (sentences.columns["w"], sentences.tags):
        array.validate(full=True)
        assert (array.type, array.null_count) == (pa.large_string(), 0)


def test_tags_are_replaced_and_the_rest_stays(put):
    sentences = read_sentences(put("a.jsonl", TAGGED))
    expected = (
        TAGGED.replace('["DT", "NN"]', '["DT", "é"]').replace('["PRP"]', '["B\\tX"]').replace('["X", "Y"]', '["", "Y"]')
    )
    assert written(sentences, ["DT", "é", "B\tX", "", "Y"]).decode() == expected


def test_tags_are_added_where_there_were_none(put):
    content = '{"tokens": ["a", "b"] }\n{"tokens":[]}\n{ "tokens": ["c"], "n": {"tags": 1}}'
    sentences = read_sentences(put("a.jsonl", content), labelled=False)
    assert (sentences.tags, len(sentences)) == (None, 2)
    expected = (
        '{"tokens": ["a", "b"], "tags": ["X", "Y"] }\n{"tokens":[], "tags": []}\n'
        '{ "tokens": ["c"], "n": {"tags": 1}, "tags": ["Z"]}'
    )
    assert written(sentences, ["X", "Y", "Z"]).decode() == expected


def test_a_key_twice(put):
    content = '{"tags": ["X"], "tokens": ["a"], "tags": ["Y"]}\n'
    sentences = read_sentences(put("a.jsonl", content))
    assert sentences.tags.to_pylist() == ["Y"]
    assert written(sentences, ["Z"]).decode() == content.replace("Y", "Z")


def test_some_tags_when_none_are_demanded(put):
    name = put(
        "a.jsonl", '\n{"tokens": ["a"], "tags": ["X"]}\n{"tokens": ["b", "c"]}\n{"tokens": ["d"], "tags": [""]}\n'
    )
    assert read_sentences(name, labelled=False).tags.to_pylist() == ["X", "", "", ""]
    parts = list(read_sentence_batches(name, labelled=False, batch_bytes=1))
    assert [part.tags.to_pylist() for part in parts] == [["X"], ["", ""], [""]]


def test_null_is_no_tags(put):
    name = put("a.jsonl", '{"tokens": ["a"], "tags": null}\n')
    sentences = read_sentences(name, labelled=False)
    assert sentences.tags is None
    assert written(sentences, ["X"]).decode() == '{"tokens": ["a"], "tags": ["X"]}\n'
    assert refusal(name) == """a.jsonl:1: expected a list of strings such as ["a", "b"] under 'tags', found null."""


def test_another_key(put):
    content = '{"tokens": ["a", "b"], "ner": ["O", "B"], "tags": [1]}\n'
    sentences = read_sentences(put("a.jsonl", content), label_col="ner")
    assert sentences.tags.to_pylist() == ["O", "B"]
    assert written(sentences, ["O", "O"]).decode() == content.replace('"B"', '"O"')


def test_keep(put):
    content = '{"tokens": ["a", "b", "c"], "keep": [0,1,0], "exact": true}\n'
    sentences = read_sentences(put("a.jsonl", content), label_col="keep")
    assert sentences.tags.to_pylist() == ["0", "1", "0"]
    assert written(sentences, sentences.tags).decode() == content
    assert written(sentences, ["1", "1", "0"]).decode() == content.replace("[0,1,0]", "[1, 1, 0]")
    sentences = read_sentences(put("b.jsonl", '{"tokens": ["a"]}'), label_col="keep", labelled=False)
    assert written(sentences, ["1"]).decode() == '{"tokens": ["a"], "keep": [1]}'


@pytest.mark.parametrize("form", ["list", "object"])
def test_text_and_spans(put, form):
    spans = [{"start": 16, "end": 24, "label": "LOC"}, PLACES]
    line = json.dumps({"text": TEXT, "spans": spans if form == "object" else [list(span.values()) for span in spans]})
    sentences = read_sentences(put("a.jsonl", line))
    words = ["Mr", ".", "O", "'", "Hara", "saw", '"', "New", "York", '"', "twice", "."]
    tags = ["O", "O", "B-PER", "I-PER", "I-PER", "O", "O", "B-LOC", "I-LOC", "O", "O", "O"]
    assert sentences.columns["w"].to_pylist() == words
    assert sentences.tags.to_pylist() == tags
    assert written(sentences, tags).decode() == line
    found = json.loads(written(sentences, ["I-PER", "I-PER", *["O"] * 8, "I-X", "B-X"]))["spans"]
    new = [{"start": 0, "end": 3, "label": "PER"}, {"start": 26, "end": 31, "label": "X"}]
    new.append({"start": 31, "end": 32, "label": "X"})
    assert found == (new if form == "object" else [list(span.values()) for span in new])


def test_spans_count_code_points(put):
    line = '{"text": "\\ud83d\\ude00 日本 é", "spans": [[2, 4, "LOC"]]}'
    sentences = read_sentences(put("a.jsonl", line))
    assert sentences.columns["w"].to_pylist() == ["😀", "日本", "é"]
    assert sentences.tags.to_pylist() == ["O", "B-LOC", "O"]


def test_text_without_spans(put):
    content = '{"text": "a b"}\n{"text": " "}\n'
    sentences = read_sentences(put("a.jsonl", content), labelled=False)
    assert sentences.tags is None
    assert written(sentences, ["DT", "B-X"]).decode() == (
        '{"text": "a b", "spans": [[0, 1, "DT"], [2, 3, "X"]]}\n{"text": " ", "spans": []}\n'
    )


def test_a_tokeniser(put):
    def whole(text):
        return [(0, len(text))]

    name = put("a.jsonl", '{"text": "a b.", "entities": [[0, 4, "X"]]}')
    sentences = read_sentences(name, tokenise=whole, label_col="entities")
    assert (sentences.columns["w"].to_pylist(), sentences.tags.to_pylist()) == (["a b."], ["B-X"])


def lines_with_spans(*spans):
    return json.dumps({"text": "a fine film", "spans": []}) + "\n" + json.dumps({"text": "a fine film", "spans": spans})


EXAMPLE = '{"tokens": ["a", "dog"], "tags": ["DT", "NN"]}'
FORM = '[start, end, "label"] or {"start": ..., "end": ..., "label": ...}'
BAD = {
    "malformed JSON": (
        '{"tokens": ["a"], "tags": ["X"]}\n\n{"tokens": ["a"] "tags": ["X"]}\n',
        "3: malformed JSON: Expecting ',' delimiter at column 18. Write one whole object on each line.",
    ),
    "a JSON array": (
        '[{"tokens": ["a"], "tags": ["X"]}]',
        "1: expected a JSON object, found a list. Write one object a line, for example with: jq -c '.[]'",
    ),
    "no object": ('"a"', f'1: expected a JSON object, found "a". Write lines such as {EXAMPLE}.'),
    "no tokens": (
        '{"words": ["a"], "tags": ["X"]}',
        f"1: expected the key 'tokens' or 'text', found 'words', 'tags'. Write lines such as {EXAMPLE}.",
    ),
    "no key": ("{}", f"1: expected the key 'tokens' or 'text', found no key. Write lines such as {EXAMPLE}."),
    "no tags": (
        '{"tokens": ["a"], "tags": ["X"]}\n{"tokens": ["a"], "ner": ["X"]}\n',
        "2: expected the key 'tags', found 'tokens', 'ner'. Name the tags with --label-col.",
    ),
    "no spans": ('{"text": "a"}', "1: expected the key 'spans', found 'text'. Name the tags with --label-col."),
    "tokens in a string": (
        '{"tokens": "a b", "tags": ["X"]}',
        """1: expected a list of strings such as ["a", "b"] under 'tokens', found "a b".""",
    ),
    "a token that is a number": (
        '{"tokens": ["a", 3], "tags": ["X", "Y"]}',
        "1: expected strings under 'tokens', found 3 at place 2. Give each token its own.",
    ),
    "an empty token": (
        '{"tokens": [""], "tags": ["X"]}',
        "1: expected strings under 'tokens', found \"\" at place 1. Give each token its own.",
    ),
    "an empty tag": (
        '{"tokens": ["a"], "tags": [""]}',
        "1: expected strings under 'tags', found \"\" at place 1. Give each token its own.",
    ),
    "a null tag": (
        '{"tokens": ["a"], "tags": [null]}',
        "1: expected strings under 'tags', found null at place 1. Give each token its own.",
    ),
    "fewer tags than tokens": (
        '{"tokens": ["a", "b"], "tags": ["X"]}',
        "1: expected 2 values under 'tags', one for each token, found 1. Give every token a tag.",
    ),
    "half a pair": (
        '{"tokens": ["\\ud83d"], "tags": ["X"]}',
        "1: 'tokens' holds \\ud83d, half of a pair that makes one character. Write both halves, or remove it.",
    ),
    "a text that is a list": (
        '{"text": ["a"], "spans": []}',
        "1: expected a string under 'text', found [\"a\"]. Put the text in quotes.",
    ),
    "spans that are no list": (
        '{"text": "a", "spans": "X"}',
        f'1: expected a list of spans, found "X". Write each as {FORM}.',
    ),
    "a span without a label": (lines_with_spans([0, 1]), f"2: expected a span such as {FORM}, found [0, 1]."),
    "a span with an empty label": (
        lines_with_spans([0, 1, ""]),
        f'2: expected a span such as {FORM}, found [0, 1, ""].',
    ),
    "a span of other keys": (
        lines_with_spans({"from": 0, "to": 1}),
        f'2: expected a span such as {FORM}, found {{"from": 0, "to": 1}}.',
    ),
    "a span of booleans": (
        lines_with_spans([False, True, "X"]),
        f'2: expected a span such as {FORM}, found [false, true, "X"].',
    ),
    "a span of nothing": (
        lines_with_spans([2, 2, "X"]),
        '2: expected 0 <= start < end in a span, found [2, 2, "X"]. Count characters from 0.',
    ),
    "a span before the text": (
        lines_with_spans([-1, 1, "X"]),
        '2: expected 0 <= start < end in a span, found [-1, 1, "X"]. Count characters from 0.',
    ),
    "a span behind the text": (
        lines_with_spans([7, 12, "X"]),
        '2: the span [7, 12, "X"] ends after the text, which has 11 characters. Correct its end.',
    ),
    "a span within a word": (
        lines_with_spans([2, 5, "X"]),
        '2: the span [2, 5, "X"], "fin", does not begin and end where tokens do. '
        "Let it hold whole words, without the spaces around them.",
    ),
    "a span with a space": (
        lines_with_spans([1, 6, "X"]),
        '2: the span [1, 6, "X"], " fine", does not begin and end where tokens do. '
        "Let it hold whole words, without the spaces around them.",
    ),
    "spans that overlap": (
        lines_with_spans([2, 11, "X"], [0, 6, "Y"]),
        '2: the spans [0, 6, "Y"] and [2, 11, "X"] overlap, so that no tags fit. Remove one of them.',
    ),
    "a NUL byte": (
        '{"tokens": ["a\0"], "tags": ["X"]}',
        "1: found a NUL byte, which no text file holds. Is the file binary? If it is text, name its --encoding.",
    ),
    "blank lines only": (
        "\n \n",
        " the file holds no tokens. Expected one JSON object a line, with tokens or a text.",
    ),
    "nothing": ("", " the file is empty. Expected sentences of tokens."),
}


@pytest.mark.parametrize(("content", "sentence"), BAD.values(), ids=BAD)
def test_bad_files_are_refused_in_one_sentence(put, content, sentence):
    assert refusal(put("a.jsonl", content)) == f"a.jsonl:{sentence}"


def test_another_encoding_that_is_not_clear(put):
    content = '{"tokens": ["a"], "tags": ["X"]}\n{"tokens": ["ÿ"], "tags": ["X"]}\n'.encode("latin1")
    assert refusal(put("a.jsonl", content)).startswith("a.jsonl:2: byte 0xff is not UTF-8 (near ")


@pytest.mark.parametrize("value", ["2", '"1"', "true", "null", "0.5"])
def test_keep_is_0_or_1(put, value):
    name = put("a.jsonl", f'{{"tokens": ["a", "b"], "keep": [1, {value}]}}')
    sentence = f"a.jsonl:1: expected 0 or 1 under 'keep', found {value} at place 2. Write 1 for what stays."
    assert refusal(name, label_col="keep") == sentence


def test_keep_is_a_list(put):
    name = put("a.jsonl", '{"tokens": ["a"], "keep": 1}')
    sentence = "a.jsonl:1: expected a list of 0 and 1 such as [0, 1] under 'keep', found 1."
    assert refusal(name, label_col="keep") == sentence


def test_several_files(put):
    put("a.jsonl", '{"tokens": ["a"], "tags": ["X"]}')
    put("b.jsonl", '{"text": "b", "spans": []}\n')
    sentences = read_sentences(["a.jsonl", "b.jsonl"])
    assert by_sentence(sentences.tags, sentences) == [["X"], ["O"]]
    assert written(sentences, ["X", "O"]).decode() == '{"tokens": ["a"], "tags": ["X"]}\n{"text": "b", "spans": []}\n'


def test_what_is_good_comes_before_the_error(put):
    name = put("a.jsonl", '{"tokens": ["a"], "tags": ["X"]}\n' * 100 + "x\n")
    parts = []
    with pytest.raises(DataError, match=r"^a\.jsonl:101: malformed JSON"):
        parts.extend(read_sentence_batches(name, batch_bytes=100))
    assert 95 < sum(map(len, parts)) <= 100


def test_compressed(put):
    sentences = read_sentences(put("a.jsonl.gz", gzip.compress(TAGGED.encode())))
    assert sentences.n_tokens == 5


strings = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
pairs = st.lists(st.tuples(strings, strings), max_size=5)
others = st.dictionaries(strings, st.one_of(st.integers(), st.floats(), strings, st.lists(strings)), max_size=2)


@st.composite
def files(draw):
    lines, rows = [], []
    for sentence in draw(st.lists(pairs, min_size=1, max_size=5)):
        values = {"tokens": [token for token, _ in sentence], "tags": [tag for _, tag in sentence]}
        line = draw(others) | values if draw(st.booleans()) else values | draw(others) | values
        separators = draw(st.sampled_from([(",", ":"), (" , ", " : "), (", ", ": ")]))
        lines.append(json.dumps(line, ensure_ascii=draw(st.booleans()), separators=separators))
        lines += [""] * draw(st.integers(0, 1))
        rows += sentence
    end = draw(st.sampled_from(["\n", "\r\n", " \n"]))
    return end.join(lines) + draw(st.sampled_from(["", end])), rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(files(), st.sampled_from([1, 100, 1 << 20]))
def test_any_file_is_read_and_written_back(put, file, size):
    text, rows = file
    name = put("a.jsonl", text)
    if not rows:
        with pytest.raises(DataError, match="no tokens"):
            read_sentences(name)
        return
    parts = list(read_sentence_batches(name, batch_bytes=size))
    assert [word for part in parts for word in part.columns["w"].to_pylist()] == [word for word, _ in rows]
    assert [tag for part in parts for tag in part.tags.to_pylist()] == [tag for _, tag in rows]
    same, other = io.BytesIO(), io.BytesIO()
    with SentenceWriter.open(same) as writer, SentenceWriter.open(other) as changed:
        for part in parts:
            writer.write(part, part.tags)
            changed.write(part, [f"{tag}x" for tag in part.tags.to_pylist()])
    assert same.getvalue() == text.encode()
    before = [json.loads(line) for line in text.split("\n") if line.strip()]
    after = [json.loads(line) for line in other.getvalue().decode().split("\n") if line.strip()]
    for old, new in zip(before, after, strict=True):
        assert list(old) == list(new)
        assert new["tags"] == [f"{tag}x" for tag in old["tags"]]


def test_compression(shared_data):
    name = shared_data / "compression-clarke-written.jsonl"
    sentences = read_sentences(name, label_col="keep")
    assert len(sentences) == 1629
    assert set(sentences.tags.to_pylist()) == {"0", "1"}
    assert written(sentences, sentences.tags) == name.read_bytes()


def test_a_sentence_that_is_too_long(put, monkeypatch):
    monkeypatch.setattr(json_sentences, "SENTENCE", replace(SENTENCE, most=1000, shown="1 kB"))
    name = put("a.jsonl", '{"tokens": ["a"], "tags": ["A"]}\n{"tokens": ["' + "a" * 1000 + '"], "tags": ["A"]}\n')
    with pytest.raises(DataError) as caught:
        read_sentences(name)
    assert str(caught.value) == "a.jsonl:2: the sentence is longer than 1 kB. Give each sentence a line."
