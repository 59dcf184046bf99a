"""Values of Python that are no data: each is refused with one sentence, whatever the task."""

import json

import pytest

import linnet
from linnet.errors import DataError

HALF = "\ud800"
TEXTS = ["good film", "bad film here", "a fine good day", "poor bad day"] * 3
LABELS = ["pos", "neg"] * 6
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (PRP it)) (VP (VBZ barks) (NP (NN well))))"] * 3


def refusal(function, *arguments, **how):
    with pytest.raises(DataError) as caught:
        function(*arguments, **how)
    return str(caught.value)


@pytest.fixture(scope="module")
def texts():
    return linnet.train((TEXTS, LABELS), task="labels", features="words:1")


@pytest.fixture(scope="module")
def tagger():
    return linnet.train(([["the", "dog"], ["it", "barks"]] * 3, [["DT", "NN"], ["PR", "VB"]] * 3), task="tag", epochs=2)


@pytest.fixture(scope="module")
def aligner(tmp_path_factory):
    pair = {"source": ["das", "haus"], "target": ["the", "house"], "sure": [[0, 0], [1, 1]]}
    path = tmp_path_factory.mktemp("pairs") / "a.jsonl"
    path.write_text(f"{json.dumps(pair)}\n" * 8)
    return linnet.train(path)


@pytest.mark.parametrize(
    ("task", "outputs", "message"),
    [
        ("labels", ["pos", f"neg{HALF}"] * 6, "the label 'neg\\ud800' holds half of a surrogate pair"),
        ("labelset", [["a"], [f"b{HALF}"]] * 6, "the label 'b\\ud800' holds half of a surrogate pair"),
        ("hierarchy", ["A/b", f"A/c{HALF}"] * 6, "holds half of a surrogate pair, which is no character. Rename it."),
        (
            "labels",
            [10**400, 1] * 6,
            "expected labels of at most 64 bits, found 1000000000000000000000000000000000000000",
        ),
    ],
)
def test_outputs_of_texts(task, outputs, message):
    assert message in refusal(linnet.train, (TEXTS, outputs), task=task, features="words:1")


@pytest.mark.parametrize("task", ["labels", "labelset", "ordinal", "hierarchy", "ranking"])
def test_half_a_character_in_a_text(task):
    outputs = {"labelset": [["a"], ["b"]] * 6, "ranking": [["a"], ["b"]] * 6, "ordinal": ["1", "2"] * 6}.get(
        task, ["A/b", "A/c"] * 6
    )
    message = refusal(linnet.train, ([f"a {HALF}"] * 12, outputs), task=task, features="words:1")
    assert message == "the text at position 0 holds half a surrogate pair, which is not a character: 'a \\ud800'."


def test_half_a_character_to_predict(texts, tagger, aligner):
    message = "the text at position 0 holds half a surrogate pair, which is not a character: '\\ud800'."
    assert refusal(texts.predict, [HALF]) == refusal(texts.explain, HALF) == message
    assert refusal(tagger.predict, [[HALF, "a"]]) == refusal(tagger.explain, [HALF, "a"]) == message
    assert "expected tokens that are strings of whole characters, found '\\ud800'." in refusal(
        aligner.predict, [([HALF], ["a"])]
    )


def test_half_a_character_in_a_lesson(texts):
    session = texts.session()
    assert "the label '\\ud800' holds half of a surrogate pair" in refusal(session.learn, "a", HALF)


@pytest.mark.parametrize("wrong", [1, 2.5, True])
def test_what_are_no_texts(texts, wrong):
    assert refusal(texts.predict, wrong) == (
        f"expected many texts, found {type(wrong).__name__}: {wrong!r}. Pass a list: [text]."
    )


@pytest.mark.parametrize(("wrong", "n"), [([], 0), (["a", "b"], 2)])
def test_what_is_not_one_text_to_explain(texts, wrong, n):
    assert refusal(texts.explain, wrong) == f"expected one text, found {n}. Pass them one by one."


@pytest.mark.parametrize("wrong", [None, 1, 2.5, b"b", {"a": 1}, object])
def test_what_is_no_token(tagger, wrong):
    for message in (
        refusal(tagger.predict, [["a", wrong]]),
        refusal(tagger.explain, ["a", wrong]),
        refusal(linnet.train, ([["a", wrong]] * 6, [["A", "B"]] * 6), task="tag"),
    ):
        assert message.startswith(
            f"expected each token as a string, or as a tuple of strings, found {type(wrong).__name__}: "
        )


@pytest.mark.parametrize("wrong", [None, 1, "a text"])
def test_what_is_no_sentence(tagger, wrong):
    assert refusal(tagger.predict, [wrong]).startswith("expected each sentence as a list of words, found ")


def test_what_are_no_sentences(tagger):
    assert refusal(tagger.predict, 1) == "expected sentences as lists of words, found int: 1."


@pytest.mark.parametrize("wrong", [None, 1, ["B"]])
def test_what_is_no_tag(wrong):
    message = refusal(linnet.train, ([["a", "b"]] * 6, [["A", wrong]] * 6), task="tag")
    assert message.startswith(f"expected tags that are strings, found {type(wrong).__name__}: ")


def test_half_a_character_in_a_tag():
    message = refusal(linnet.train, ([["a", "b"]] * 6, [["A", f"B{HALF}"]] * 6), task="tag")
    assert message == "the text at position 1 holds half a surrogate pair, which is not a character: 'B\\ud800'."


@pytest.mark.parametrize("wrong", [1, None, ["a"]])
def test_what_is_no_token_of_a_pair(aligner, wrong):
    assert f"expected tokens that are strings of whole characters, found {wrong!r}." in refusal(
        aligner.predict, [([wrong], ["a"])]
    )


@pytest.mark.parametrize("values", [[10**400, 1], [2**64, 1], [1, "a"], [{}, {}], [b"\xff", b"a"], [HALF, "a"]])
@pytest.mark.parametrize("kind", ["number", "column"])
def test_columns_that_features_cannot_look_at(kind, values):
    people = {"text": TEXTS, "label": LABELS, "n": values * 6}
    if (kind, values) == ("column", [1, "a"]):
        return
    message = refusal(linnet.train, people, features=f"words:1 {kind}:n")
    assert (
        message
        == "dict: expected a column 'n' of text or numbers beside the text, found none. Pass a table that has it, with values "
        "of one kind."
    )


@pytest.mark.parametrize("kind", ["number", "column"])
def test_a_column_of_lists_is_a_vector_and_no_value(kind):
    people = {"text": TEXTS, "label": LABELS, "n": [[1], [2]] * 6}
    message = refusal(linnet.train, people, features=f"words:1 {kind}:n")
    assert "expected text or numbers in column 'n', found lists. Where each is a vector, take embedding:n." in message


def test_columns_to_predict_with(texts):
    people = {"text": TEXTS, "label": LABELS, "n": [1.0, 2.0] * 6}
    model = linnet.train(people, features="words:1 number:n")
    for wrong in ([1], 10**400, {}, HALF, True, "x"):
        assert "'n'" in refusal(model.predict, [{"text": "a", "n": wrong}])
    assert model.predict([{"text": "good", "n": None}])[0] in LABELS


def test_a_name_of_a_column_that_cannot_be_written():
    people = {"text": TEXTS, "label": LABELS, f"n{HALF}": [1.0, 2.0] * 6}
    assert linnet.train(people, features="words:1").predict(["good"])[0] in LABELS


def test_a_token_of_millions_of_characters():
    """The number of columns of tokens is not the length of a word."""
    words = [["a", "b" * 3_000_000]] * 2
    model = linnet.train((words, [["A", "B"]] * 2), task="tag", epochs=1)
    assert [len(tags) for tags in model.predict(words)] == [2, 2]


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
@pytest.mark.parametrize(
    "use",
    [
        lambda name: linnet.train(name),
        lambda name: linnet.train(["a", "b"] * 5, ["x", "y"] * 5, unlabelled=name),
        lambda name: linnet.train(["a", "b"] * 5, ["x", "y"] * 5, features=f"words:1 lexicon:{name}"),
        lambda name: linnet.train(["a", "b"] * 5, ["x", "y"] * 5, features=f"words:1 vectors:{name}"),
        lambda name: linnet.train([["a"], ["b"]] * 5, [["x"], ["y"]] * 5, task="tag", features=f"cluster:{name}"),
        lambda name: linnet.train(["a", "b"] * 5, ["x", "y"] * 5).save(name, force=True),
    ],
)
def test_a_name_that_no_file_can_have(use, name):
    with pytest.raises(DataError, match="no file can have this name"):
        use(name)
