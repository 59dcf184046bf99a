"""Lists of candidates as JSON lines and as Moses writes them, and every way in which they can be wrong."""

import json

import pytest

from linnet import io
from linnet.errors import DataError, UsageError
from linnet.io.lists.reading import BATCH, as_json, as_nbest
from linnet.tasks.guessing import task_of_file


def written(tmp_path, text, name="lists.jsonl"):
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def test_json_lines(tmp_path):
    path = written(
        tmp_path,
        '{"id": 7, "source": "x", "reference": "r", "candidates": ["a", {"text": "b", "score": -1.5, "cost": 2, "ok": true}]}\n'
        '\n{"candidates": [{"text": "c", "rank": 1, "n": 3, "features": {"f": 2}}]}\n',
    )
    first, second = io.read_lists(path).lists
    assert (first.id, first.x, first.reference) == ("7", "x", "r")
    assert [(c.text, c.numbers, c.cost) for c in first.candidates] == [("a", {}, None), ("b", {"score": -1.5}, 2)]
    (c,) = second.candidates
    assert (c.text, c.numbers, c.features, c.cost) == ("c", {"n": 3}, {"f": 2}, 1)


def test_another_key_for_the_cost(tmp_path):
    path = written(tmp_path, '{"candidates": [{"text": "a", "ter": 0.5, "score": 3}]}')
    (candidate,) = io.read_lists(path, cost="ter").candidates
    assert (candidate.cost, candidate.numbers) == (0.5, {"score": 3})


@pytest.mark.parametrize(("key", "cost"), [(None, 2), ("ter", 0.5)])
def test_what_tells_the_answer_is_no_score(tmp_path, key, cost):
    path = written(tmp_path, '{"candidates": [{"text": "a", "ter": 0.5, "cost": 2, "rank": 1, "score": 3}]}')
    (candidate,) = io.read_lists(path, cost=key).candidates
    assert candidate.cost == cost
    assert set(candidate.numbers) == ({"score", "ter"} if key is None else {"score"})


def test_moses(tmp_path):
    text = (
        "0 ||| a dog ||| LM0= -2.5 TM0= -1 -3 ||| -4.5 ||| 0-0\n"
        "0 ||| the dog ||| LM0= -3 TM0= 0 1 ||| -5\n"
        "1 ||| a cat\n"
    )
    for name in ("x.nbest", "x.txt"):
        lists = io.read_lists(written(tmp_path, text, name))
        assert lists.at.tolist() == [0, 2, 3]
        assert [one.id for one in lists.lists] == ["0", "1"]
        assert lists.candidates[0].text == "a dog"
        assert lists.candidates[0].numbers == {"LM0": -2.5, "TM0_1": -1, "TM0_2": -3, "score": -4.5}
        assert lists.candidates[2].numbers == {}


def test_in_batches_and_from_several_files(tmp_path):
    many = "".join(f'{{"candidates": ["{i}"]}}\n' for i in range(BATCH + 1))
    paths = [written(tmp_path, many), written(tmp_path, '{"candidates": ["last"]}', "b.jsonl")]
    batches = list(io.read_list_batches(paths))
    assert [len(batch) for batch in batches] == [BATCH, 2]
    assert batches[1].candidates[1].text == "last"


def test_what_is_written_can_be_read(tmp_path):
    path = written(
        tmp_path, '{"id": "7", "source": "x", "candidates": [{"text": "a b", "s": 1, "cost": 3}, {"text": "c"}]}'
    )
    (one,) = io.read_lists(path).lists
    line = as_json(one, [1, 0], [0.5, 0.25])
    assert json.loads(line)["candidates"] == [
        {"text": "c", "score": 0.5},
        {"s": 1.0, "cost": 3.0, "text": "a b", "score": 0.25},
    ]
    (again,) = io.read_lists(written(tmp_path, as_nbest(one, 0, [0], [0.25]), "b.nbest")).lists
    assert (again.id, again.candidates[0].text) == ("7", "a b")
    assert again.candidates[0].numbers == {"s": 1, "score": 0.25}


JSON = '{"candidates": [{"text": "a dog", "cost": 0}, {"text": "the dog", "cost": 1}]}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1}', f"1: expected the key 'candidates', found 'a'. Write lines such as {JSON}."),
        ('{"candidates": []}', f"1: expected a list of candidates, found []. Write lines such as {JSON}."),
        (
            '\n{"candidates": [{"cost": 1}]}',
            '2: expected a candidate to be a string or an object with a text, found {"cost": 1}. '
            f"Write lines such as {JSON}.",
        ),
        ('{"candidates": [{"text": 5}]}', "1: expected a string under 'text', found 5. Put the text in quotes."),
        ('{"source": 5, "candidates": ["a"]}', "1: expected a string under 'source', found 5. Put the text in quotes."),
        (
            '{"candidates": [{"text": "a", "cost": "x"}]}',
            "1: expected a number under 'cost', found \"x\". Correct it, or leave it out.",
        ),
        (
            '{"candidates": [{"text": "a", "score": NaN}]}',
            "1: expected a number under 'score', found NaN. Correct it, or leave it out.",
        ),
        (
            '{"candidates": [{"text": "a", "features": 5}]}',
            "1: expected an object of numbers under 'features', found 5.",
        ),
    ],
)
def test_what_is_wrong_in_json(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(DataError) as caught:
        io.read_lists(path)
    assert str(caught.value) == f"{path}:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a dog", "1: expected 'id ||| text ||| features ||| score', found \"a dog\". Is it a file of n-best lists?"),
        ("0 ||| a ||| L= x ||| 1", "1: expected a number, found 'x'. Write features as 'LM0= -12.5 TM0= -1 -2'."),
        ("0 ||| a ||| L= 1 ||| inf", "1: expected a number, found 'inf'. Write features as 'LM0= -12.5 TM0= -1 -2'."),
        ("", " the file holds no candidates. Expected lines such as 'id ||| text ||| features ||| score'."),
    ],
)
def test_what_is_wrong_in_moses(tmp_path, text, message):
    path = written(tmp_path, text, "a.nbest")
    with pytest.raises(DataError) as caught:
        io.read_lists(path)
    assert str(caught.value) == f"{path}:{message}"


def test_what_cannot_be_asked(tmp_path):
    with pytest.raises(UsageError, match="n-best lists have no column 'ter' of costs. Leave out --label-col."):
        io.read_lists(written(tmp_path, "0 ||| a", "a.nbest"), cost="ter")
    with pytest.raises(UsageError, match="is a folder, expected a file of candidates. Pass the files in it."):
        io.read_lists(str(tmp_path))
    with pytest.raises(
        DataError, match="cannot tell the format from the name or the first line. Pass --format: jsonl, nbest."
    ):
        io.read_lists(written(tmp_path, "a dog", "a.txt"))


@pytest.mark.parametrize(
    ("name", "text", "task"),
    [
        ("a.jsonl", '{"source": "x", "candidates": ["a"]}', "rerank"),
        ("a.nbest", "0 ||| a", "rerank"),
        ("a.txt", "0 ||| a dog ||| L= 1 ||| 2", "rerank"),
        ("b.jsonl", '{"text": "the candidates: [", "label": "x"}', "labels"),
    ],
)
def test_what_a_file_is_for(tmp_path, name, text, task):
    assert task_of_file(written(tmp_path, text, name)) == task
