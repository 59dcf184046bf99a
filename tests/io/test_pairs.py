"""Pairs of sentences with their links, in every format, and what can be wrong with them."""

import gzip

import numpy as np
import pytest

from linnet.errors import DataError, UsageError
from linnet.io.pairs.formats import as_json, as_pharaoh, pair_formats, read_pair_batches, read_pairs
from linnet.io.pairs.pairs import flags_of, join, links_of
from linnet.tasks.guessing import task_of_file

JSON = (
    '{"source": ["a", "dog"], "target": ["un", "chien", "."], "sure": [[0, 0], [1, 1]], "possible": [[1, 2], [0, 0]]}\n'
    '{"source": ["no"], "target": ["non"], "sure": []}\n'
)
TEXT = "a dog ||| un chien . ||| 0-0 1-1 1?2\nno ||| non |||\n"


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(("name", "text"), [("a.jsonl", JSON), ("a.bitext", TEXT), ("a.txt", TEXT), ("b", JSON)])
def test_all_formats_say_the_same(tmp_path, name, text):
    pairs = read_pairs(write(tmp_path, name, text))
    assert pairs.words() == [(["a", "dog"], ["un", "chien", "."]), (["no"], ["non"])]
    assert pairs.links[0].sure == {(0, 0), (1, 1)}
    assert pairs.links[0].possible == {(0, 0), (1, 1), (1, 2)}
    assert pairs.links[1].sure == frozenset()
    assert pairs.places.tolist() == [0, 6, 7]
    assert flags_of(pairs).tolist() == [1, 0, 0, 0, 1, 2, 0]
    assert links_of(flags_of(pairs), pairs) == [[(0, 0), (1, 1)], []]


def test_links_in_a_file_beside_the_text(tmp_path):
    path = write(tmp_path, "a.txt", "a dog ||| un chien\n\nno ||| non\n")
    write(tmp_path, "a.align", "0-0 1?1\n\n0-0\n")
    pairs = read_pairs(path)
    assert [sorted(one.sure) for one in pairs.links] == [[(0, 0)], [(0, 0)]]
    assert sorted(pairs.links[0].possible) == [(0, 0), (1, 1)]


def test_text_without_links(tmp_path):
    path = write(tmp_path, "a.txt.gz", gzip.compress(b"a dog ||| un chien\nno ||| non\n"))
    pairs = read_pairs(path, labelled=False)
    assert pairs.links is None
    assert len(pairs) == 2
    both = join([pairs, *read_pair_batches(write(tmp_path, "b.jsonl", JSON))])
    assert both.links is None
    assert len(both) == 4


def test_some_pairs(tmp_path):
    part = read_pairs(write(tmp_path, "a.jsonl", JSON)).part(np.array([1, 0]))
    assert part.words()[1] == (["a", "dog"], ["un", "chien", "."])
    assert flags_of(part).tolist() == [0, 1, 0, 0, 0, 1, 2]


def test_what_is_written_can_be_read(tmp_path):
    words, links = (["a", "dög"], ["un", "chien"]), [(0, 0), (1, 1)]
    again = read_pairs(write(tmp_path, "a.jsonl", as_json(words, links) + "\n"))
    assert again.words() == [words]
    assert again.links[0].sure == set(links)
    again = read_pairs(write(tmp_path, "a.txt", f"a dög ||| un chien ||| {as_pharaoh(links)}\n"))
    assert again.links[0].sure == set(links)


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("a.jsonl", JSON + "{", 3, "malformed JSON"),
        ("a.jsonl", JSON + "[1]", 3, "expected a JSON object, found"),
        ("a.jsonl", '{"target": ["x"]}', 1, "expected the key 'source', found"),
        ("a.jsonl", '{"source": "a b", "target": ["x"]}', 1, "expected a list of tokens under 'source'"),
        ("a.jsonl", '{"source": ["a", ""], "target": ["x"]}', 1, "Give each token its own string"),
        ("a.jsonl", '{"source": ["a"], "target": ["x"]}', 1, "the links are missing"),
        ("a.jsonl", '{"source": ["a"], "target": ["x"], "sure": 1}', 1, "expected a list of links"),
        ("a.jsonl", '{"source": ["a"], "target": ["x"], "sure": [[0]]}', 1, "Write two numbers, from 0"),
        ("a.jsonl", '{"source": ["a"], "target": ["x"], "sure": [[0, true]]}', 1, "Write two numbers, from 0"),
        (
            "a.jsonl",
            '{"source": ["a"], "target": ["x"], "sure": [[0, 1]]}',
            1,
            "leads to token 1 of the target, which has 1",
        ),
        ("a.txt", TEXT + "a dog ||| ||| 0-0", 3, "expected source ||| target"),
        ("a.txt", TEXT + "a dog", 3, "expected source ||| target"),
        ("a.txt", "a ||| b ||| 0-0 ||| 4", 1, "expected source ||| target"),
        (
            "a.txt",
            "a ||| b ||| 0:0",
            1,
            "expected links such as 0-0, or 1?2 for one that is only possible, found '0:0'",
        ),
        ("a.txt", "a ||| b ||| 3-0", 1, "leads to token 3 of the source, which has 1"),
        ("a.txt", "a ||| b", 1, "the links are missing. Write them after another |||, or into"),
        ("a.txt", b"a ||| b ||| 0-0\n\xff ||| b ||| 0-0\n", 2, "is not UTF-8"),
    ],
)
def test_broken_lines_are_refused(tmp_path, name, text, line, message):
    path = write(tmp_path, name, text)
    with pytest.raises(DataError) as caught:
        read_pairs(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_links_beside_the_text_are_refused_there(tmp_path):
    path = write(tmp_path, "a.txt", "a ||| b\nc ||| d\n")
    beside = write(tmp_path, "a.align", "0-0\n0+0\n")
    with pytest.raises(DataError, match=r"expected links such as 0-0") as caught:
        read_pairs(path)
    assert str(caught.value).startswith(f"{beside}:2: ")
    beside.write_text("0-0\n")
    with pytest.raises(DataError, match=r"a\.align has no such line. Give every pair a line of links."):
        read_pairs(path)


def test_what_is_no_file_of_pairs(tmp_path):
    with pytest.raises(DataError, match="cannot tell the format from the name or the first line"):
        read_pairs(write(tmp_path, "a.txt", "hello\n"))
    with pytest.raises(DataError, match="the file holds no pairs"):
        read_pairs(write(tmp_path, "a.jsonl", "\n"))
    with pytest.raises(UsageError, match="is a folder, expected a file of pairs"):
        read_pairs(tmp_path)
    with pytest.raises(UsageError, match="unknown format of pairs 'csv'"):
        read_pairs(write(tmp_path, "b.txt", TEXT), format="csv")
    assert set(pair_formats()) == {"jsonl", "bitext"}


@pytest.mark.parametrize(
    ("name", "text", "task"),
    [
        ("a.jsonl", JSON, "align"),
        ("a.txt", TEXT, "align"),
        ("a.txt", "a ||| b\n", "align"),
        ("a.jsonl", '{"text": "source", "label": "target"}\n', "labels"),
        ("a.jsonl", '{"tokens": ["a"], "tags": ["X"]}\n', "tag"),
    ],
)
def test_the_task_is_told_from_the_first_line(tmp_path, name, text, task):
    assert task_of_file(str(write(tmp_path, name, text))) == task
    assert task_of_file("-", {"format": "bitext"}) == "align"
