"""Values of Python that are no data: each is refused with one sentence, whatever the task."""

import contextlib
import json
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

import linnet
from linnet.errors import DataError, LinnetError, UsageError

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


class Nested(list):
    """A tree as NLTK has it."""

    def __init__(self, label, parts):
        super().__init__(parts)
        self.name = label

    def label(self):
        return self.name

    def leaves(self):
        return [leaf for part in self for leaf in (part.leaves() if isinstance(part, Nested) else [part])]

    def __str__(self):
        return f"({self.name}\n  {' '.join(map(str, self))})"


class Aligned:
    """A pair of sentences as NLTK has it."""

    def __init__(self, words, mots, alignment):
        self.words, self.mots, self.alignment = words, mots, alignment


def test_tagged_sentences_of_nltk(tagger):
    pairs = [[("the", "DT"), ("dog", "NN")], [("it", "PR"), ("barks", "VB")]] * 3
    model = linnet.train(pairs, epochs=2)
    assert model.task == "tag"
    assert [w.tobytes() for w in model.weights] == [w.tobytes() for w in tagger.weights]
    assert str(model.evaluate(pairs)) == str(
        model.evaluate(*zip(*[zip(*one, strict=True) for one in pairs], strict=True))
    )


def test_trees_of_nltk():
    def tree(subject, *more):
        return Nested("S", [Nested("NP", [Nested("N", [subject])]), Nested("VP", [Nested("V", ["barks"]), *more])])

    trees = [tree("it"), tree("rex", Nested("R", ["well"]))] * 4
    model = linnet.train(trees, epochs=2)
    wanted = linnet.train([one.leaves() for one in trees], [str(one) for one in trees], epochs=2)
    assert (model.task, model.labels) == ("brackets", wanted.labels)
    assert [w.tobytes() for w in model.weights] == [w.tobytes() for w in wanted.weights]
    trees[0].append(trees[0])
    assert refusal(linnet.train, trees) == "a tree is nested too deeply, or is a part of itself. Leave it out."


def test_aligned_sentences_of_nltk():
    pair = Aligned(["das", "haus"], ["the", "house"], {(0, 0), (1, 1), (1, None)})
    model = linnet.train([pair] * 8, epochs=2)
    assert model.task == "align"
    assert [sorted(links) for links in model.predict([(["das", "haus"], ["the", "house"])])] == [[(0, 0), (1, 1)]]


def test_tokens_with_a_label_are_no_trees():
    tokens = [["a", "film"], ["a", "dog"]] * 4
    message = "expected text at position 0, found list: ['a', 'film']. Join its words with blanks."
    assert refusal(linnet.train, tokens, ["good", "bad"] * 4) == message


RECURSIVE: list[object] = []
RECURSIVE.append(RECURSIVE)
ODD = {
    "none": None, "set": {"a"}, "bytes": b"abc", "number": 3, "NumPy's number": np.int64(3), "nan": float("nan"),
    "nans": [float("nan")] * 4, "nones": [None] * 4, "list of lists": [[]], "recursive": RECURSIVE, "object": object(),
    "array without a dimension": np.array(3), "array of objects": np.array([None, "a"], object), "matrix": np.zeros((3, 2)),
    "dates": [np.datetime64("NaT")] * 2, "bytes in a list": [b"a", b"b"], "dicts": [{}], "dict of nothing": {},
    "dict of none": {"text": None}, "tuples of one": [("a",)], "words that are numbers": [[1, 2]], "range": range(3),
    "table with holes": pd.DataFrame({"text": ["a", None, np.nan], "label": ["x", "y", None]}),
    "column with holes": pd.Series(["a", np.nan]), "table of nothing": pd.DataFrame(),
    "columns of one name": pd.DataFrame([[1, 2]], columns=["a", "a"]), "Polars": pl.DataFrame({"text": ["a", None]}),
    "iterator": iter, "memory": memoryview(b"ab"),
}  # fmt: skip
"""Values that are no data, or hardly; `iter` stands for a generator, which has to be new each time."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ODD)
def test_every_door_takes_odd_values_or_says_a_sentence(texts, tagger, name):
    doors = [
        linnet.train,
        lambda odd: linnet.train(TEXTS, odd),
        lambda odd: linnet.train(odd, LABELS),
        linnet.compare,
        lambda odd: linnet.compare(TEXTS, odd),
        lambda odd: linnet.stream(odd),
        linnet.Pool,
    ]
    for model in (texts, tagger):
        doors += [model.predict, model.evaluate, model.explain]
        doors += [partial(model.evaluate, TEXTS if model is texts else [["the", "dog"]])]
        x, y = ("good", "pos") if model is texts else (["the", "dog"], ["DT", "NN"])
        session = model.session()
        doors += [partial(session.learn, x), lambda odd, s=session, y=y: s.learn(odd, y)]
    answered = 0
    for door in doors:
        odd = (one for one in [None, 1]) if name == "iterator" else ODD[name]
        with contextlib.suppress(LinnetError):
            door(odd)
            answered += 1
    assert answered < len(doors)


@pytest.mark.parametrize("number", ["²", "٣", "9" * 30, "9" * 5000, "-1", "1e3", "nan", ""])
@pytest.mark.parametrize(
    "features",
    ["words:{}", "words:1-{}", "chars:{}", "words:1 vectors:{}", "words:1 topics:{}", "words:1 top={}", "words:1 min={}",
     "words:1*{}", "words:1 hash={}", "words:1 most={}", "words:1 vectors:none.txt,top={}"],
)  # fmt: skip
def test_numbers_in_features(features, number):
    """Some are numbers to Python, and `top` may be any; what is none is a sentence."""
    never = number == "²" or (len(number) == 5000 and not features.endswith(("top={}", "most={}")))
    with pytest.raises(LinnetError) if never else contextlib.suppress(LinnetError):
        linnet.train((TEXTS, LABELS), task="labels", features=features.format(number))


@pytest.mark.parametrize("number", ["²", "٣", "9" * 30, "9" * 5000, "0"])
def test_other_numbers_that_are_typed(number):
    lists = [{"candidates": [{"text": "a", "cost": 0}, {"text": "b", "cost": 1}]}] * 4
    with pytest.raises(UsageError, match="given:N with N at least 1"):
        linnet.train(lists, task="rerank", features=f"given:{number}")
    pairs = [(["das"], ["the"])] * 4, [{(0, 0)}] * 4
    with pytest.raises(UsageError):
        linnet.train(pairs, task="align", features=f"s.w:{number}")
    for cluster in (f"local:{number}", "local:1001"):
        with pytest.raises(UsageError, match="workers after 'local:'|more than 1,000 processes"):
            linnet.train((TEXTS, LABELS), cluster=cluster)


def test_values_that_are_nested_without_end(texts):
    endless: list[object] = []
    endless.append(endless)
    deep: list[object] = []
    for _ in range(20_000):
        deep = [deep]
    for value in (endless, deep):
        assert len(texts.predict([{"text": "a good film", "x": value}] * 2)) == 2


def test_values_that_cannot_be_written_into_a_message(texts):
    with pytest.raises(LinnetError, match="expected many texts, found int: int. Pass a list"):
        texts.predict(10**5000)
