"""The grammar of features: every word of it, and every sentence that refuses one."""

import pytest

from linnet.errors import DataError, UsageError
from linnet.features import GRAMMAR, FeatureSpec
from linnet.features.kinds import KINDS
from linnet.features.spec import lexicons, read_words

parse = FeatureSpec.parse


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("words", {"words": (1, 1)}),
        ("words:2", {"words": (2, 2)}),
        ("words:1-3", {"words": (1, 3)}),
        ("chars", {"chars": (3, 5)}),
        ("chars:2-4", {"chars": (2, 4)}),
        ("chars-across", {"across": (3, 5)}),
        ("chars-across:1-32", {"across": (1, 32)}),
        ("start", {"start": (1, 3)}),
        ("start:2", {"start": (2, 2)}),
        ("skip", {"skip": (1, 3)}),
        ("skip:2-8", {"skip": (2, 8)}),
        ("shapes", {"shapes": (1, 3)}),
        ("shapes:2", {"shapes": (2, 2)}),
        ("words*2 chars:3*.5 chars-across:4*.25 start*3 skip:1*4 shapes*5", {"weights": (2, 0.5, 0.25, 3, 4, 5)}),
        ("words*1e-1", {"weights": (0.1, 1, 1, 1, 1, 1)}),
        ("words counts", {"value": "counts", "idf": "none", "norm": "none"}),
        ("words presence", {"value": "presence"}),
        ("words log", {"value": "log"}),
        ("words:1 sequence", {"value": "sequence"}),
        ("chars-across:2 sequence", {"value": "sequence", "across": (2, 2)}),
        ("words tfidf", {"idf": "tfidf", "norm": "l2"}),
        ("words bm25", {"idf": "bm25", "norm": "l2"}),
        ("words l1", {"norm": "l1", "idf": "none"}),
        ("words l2", {"norm": "l2"}),
        ("words tfidf l1", {"idf": "tfidf", "norm": "l1"}),
        ("words l1 tfidf", {"idf": "tfidf", "norm": "l1"}),
        ("words tfidf raw", {"idf": "tfidf", "norm": "none"}),
        ("words raw tfidf", {"idf": "tfidf", "norm": "none"}),
        ("words min=2", {"min_df": 2}),
        ("words min=0.01", {"min_df": 0.01}),
        ("words max=0.5", {"max_df": 0.5}),
        ("words max=100", {"max_df": 100}),
        ("words top=10000", {"top": 10000}),
        ("words hash=20", {"hash_bits": 20}),
        ("words hash=4", {"hash_bits": 4}),
        ("words punct", {"punctuation": True}),
        ("words case", {"case": True}),
        ("words not", {"negation": True}),
        ("words position", {"position": True}),
        ("sentiment", {"handmade": ("sentiment",)}),
        ("sentiment:a,b lexicon:c*2", {"handmade": ("sentiment:a,b", "lexicon:c*2")}),
    ],
)
def test_every_word_means_something(text, fields):
    spec = parse(text)
    assert {name: getattr(spec, name) for name in fields} == fields


def test_what_is_not_said_is_off():
    spec = parse("words")
    assert spec.ranges == ((1, 1), *[(0, 0)] * 5)
    assert spec.handmade == ()
    assert (spec.min_df, spec.max_df, spec.top, spec.hash_bits) == (1, 1, 0, 0)
    assert (spec.punctuation, spec.case, spec.negation, spec.position) == (False, False, False, False)


def test_the_grammar_that_is_listed_can_be_parsed():
    for entry in [*GRAMMAR, *(kind.typed for kind in KINDS.values())]:
        for word in entry.split():
            if not word.startswith("..."):
                spec = word if word.startswith(("words", "chars", "sentiment", "lexicon")) else f"words {word}"
                assert str(parse(spec)) == spec


def test_white_space_is_folded():
    assert str(parse("  words:1-2\n\ttfidf ")) == "words:1-2 tfidf"


def test_the_order_of_words_does_not_matter():
    assert parse("min=2 punct words").words == (1, 1)
    assert parse("min=2 punct words").min_df == 2


ALL = (
    "words, chars, chars-across, start, skip, shapes, lexicon, sentiment, column, number, vectors, topics or embedding"
)
SENTENCES = {
    "": f"no features in '': it needs {ALL}.",
    "tfidf": f"no features in 'tfidf': it needs {ALL}.",
    "skip:1-9": "'skip:1-9': expected 1 <= N <= M <= 8.",
    "start start:2": "'start' is given twice in 'start start:2'; join the ranges, as in start:1-3.",
    "words start hash=20": "start, skip and shapes need a vocabulary. Leave out hash=.",
    "skip hash=20": "start, skip and shapes need a vocabulary. Leave out hash=.",
    "shapes hash=20": "start, skip and shapes need a vocabulary. Leave out hash=.",
    "wrods:1": "unknown feature 'wrods:1' in 'wrods:1'. Did you mean 'words'? `linnet list features` shows them all.",
    "words zzz": "unknown feature 'zzz' in 'words zzz'. `linnet list features` shows them all.",
    "words mni=2": "unknown feature 'mni=2' in 'words mni=2'. Did you mean 'min='? `linnet list features` shows them all.",
    "words:a": "expected words:N or words:N-M, found 'words:a'.",
    "words:1-": "expected words:N or words:N-M, found 'words:1-'.",
    "words:1-2-3": "expected words:N or words:N-M, found 'words:1-2-3'.",
    "chars:x-5": "expected chars:N or chars:N-M, found 'chars:x-5'.",
    "words:0": "'words:0': expected 1 <= N <= M <= 8.",
    "words:2-1": "'words:2-1': expected 1 <= N <= M <= 8.",
    "words:1-9": "'words:1-9': expected 1 <= N <= M <= 8.",
    "chars:1-33": "'chars:1-33': expected 1 <= N <= M <= 32.",
    "words words:2": "'words' is given twice in 'words words:2'; join the ranges, as in words:1-3.",
    "words*x": "expected a positive weight after the * of 'words*x'.",
    "words:1*": "expected a positive weight after the * of 'words:1*'.",
    "words*0": "expected a positive weight after the * of 'words*0'.",
    "chars*-1": "expected a positive weight after the * of 'chars*-1'.",
    "words min=x": "expected a number in 'min=x'.",
    "words min=": "expected a number in 'min='.",
    "words min=0": "'min=0': expected a positive whole number or a share.",
    "words max=-1": "'max=-1': expected a positive whole number or a share.",
    "words min=1.5": "'min=1.5': expected a positive whole number or a share.",
    "words top=0.5": "'top=0.5': expected a positive whole number.",
    "words top=0": "'top=0': expected a positive whole number.",
    "words labelled=0.5": "'labelled=0.5': expected a positive whole number.",
    "words hash=20 labelled=2": "labelled= chooses among n-grams that stand by themselves. Leave out hash= or sequence.",
    "words:1 sequence labelled=2": "labelled= chooses among n-grams that stand by themselves. Leave out hash= or sequence.",
    "words hash=3": "hash=3: expected a whole number of bits from 4 to 31.",
    "words hash=32": "hash=32: expected a whole number of bits from 4 to 31.",
    "words hash=10.5": "hash=10.5: expected a whole number of bits from 4 to 31.",
    "words hash=20 min=2": "hash= keeps no vocabulary, so min=, max=, top= and most= cannot choose from it.",
    "words hash=20 max=0.5": "hash= keeps no vocabulary, so min=, max=, top= and most= cannot choose from it.",
    "words hash=20 top=5": "hash= keeps no vocabulary, so min=, max=, top= and most= cannot choose from it.",
    "words*2 hash=20": "hash= mixes all features, so blocks cannot have weights, a lexicon or sentiment beside it.",
    "sentiment hash=20": "hash= mixes all features, so blocks cannot have weights, a lexicon or sentiment beside it.",
    **{
        text: f"sequence keeps the order of one kind of feature, and no other value; found {text!r}. Use 'words:1 sequence' "
        "or 'chars-across:1 sequence'."
        for text in (
            "words:1-2 sequence",
            "words chars:3 sequence",
            "start:1 sequence",
            "words skip:1 sequence",
            "words sentiment sequence",
            "words sequence tfidf",
            "words sequence l2",
            "words*2 sequence",
        )
    },
    "lexicon": "feature 'lexicon' needs a file of words: lexicon:FILE.",
    "lexicon:": "feature 'lexicon' needs a file of words: lexicon:FILE.",
    "lexicon:*2": "feature 'lexicon' needs a file of words: lexicon:FILE.",
    "sentiment*abc": "expected a positive weight after the * of 'sentiment*abc'.",
    "lexicon:a*0": "expected a positive weight after the * of 'lexicon:a*0'.",
    **{
        f"words {given}": f"{given.replace(' ', ' and ')} exclude each other, found in 'words {given}'. Keep one of them."
        for given in ("tfidf bm25", "bm25 tfidf", "l1 l2", "l2 raw", "counts log", "presence counts sequence")
    },
    "column": "feature 'column' needs the name of a column: column:NAME, with _ for a blank.",
    "number:*2": "feature 'number' needs the name of a column: number:NAME, with _ for a blank.",
    "number:age number:age*2": "'number:age' is given twice in 'number:age number:age*2'.",
    "number:age*x": "expected a positive weight after the * of 'number:age*x'.",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_what_is_not_in_the_grammar_is_refused_in_a_sentence(text):
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert str(caught.value) == SENTENCES[text]


@pytest.mark.parametrize("text", ["words*nan", "words*inf", "words min=nan", "words max=nan"])
def test_a_number_that_is_none_is_refused(text):
    with pytest.raises(UsageError):
        parse(text)


def test_sentiment_takes_two_files():
    with pytest.raises(UsageError) as caught:
        lexicons(parse("sentiment:a.txt"))
    assert str(caught.value) == ("expected sentiment:POSITIVE,NEGATIVE (two files of words), found 'sentiment:a.txt'.")


def test_a_lexicon_has_the_name_and_the_weight_of_its_file(tmp_path):
    (tmp_path / "colours.txt").write_text("red\nblue\n")
    found, weight = lexicons(parse(f"lexicon:{tmp_path / 'colours.txt'}*0.5"))
    assert found == [("lexicon=colours", "count", ("red", "blue"))]
    assert weight == 0.5


def test_a_list_of_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff; from somewhere\n# and more\n\n  Good \nbad\r\ngood\nÉTÉ\n".encode())
    assert read_words(str(path)) == ("good", "bad", "été")


def test_a_list_of_words_that_is_not_there(tmp_path):
    with pytest.raises(DataError) as caught:
        read_words("no-such-list.txt")
    assert str(caught.value) == "no-such-list.txt: cannot be read: No such file or directory."


def test_a_list_of_words_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"good\ncaf\xe9\n")
    with pytest.raises(DataError) as caught:
        read_words(str(path))
    assert str(caught.value) == f"{path}: is not UTF-8 (byte 8). Save it as UTF-8."


def test_a_list_of_words_that_is_a_folder(tmp_path):
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_words(str(tmp_path))
