"""Text to rows: cut and lower-cased as Python does it, whatever the characters. test_markup.py has texts with HTML in them."""

import os
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from words_by_re import RUN, WORD, named, words

from linnet.core.extract.text import Analyser, mean_counts
from linnet.errors import DataError

# Letters whose lower case is longer, shorter or depends on their neighbours; marks that join; planes beyond the first.
ODD = "ΣσςİIıẞßǅﬁȺⱥKÅéÉ\u0301\u0307\u200d\u00ad_'’-. \t\n\u00a0\u2028\u3000𝔘𐐀🙂٣²½中文ไม่ดีひらカナ한국a1Z\0\x1c"
texts = st.text(
    st.sampled_from(ODD) | st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="<&"), max_size=40
)


def column(*documents):
    return pa.array(documents, pa.large_string())


def counts(text, **options):
    """Each feature of a text by name."""
    analyser = Analyser(**options)
    _, indices, values = analyser.rows(column(text), grow=True)
    return Counter({analyser.vocabulary.name(int(j)): int(x) for j, x in zip(indices, values, strict=True)})


def raw(*documents):
    """A column of bytes that claims to be text."""
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return pa.LargeStringArray.from_buffers(len(documents), pa.py_buffer(offsets), pa.py_buffer(b"".join(documents)))


@given(texts)
def test_words_are_those_of_re(text):
    assert counts(text) == Counter(words(text.lower()))


@given(texts)
def test_words_with_their_case(text):
    assert counts(text, lower=False) == Counter(words(text))


def test_every_character_is_cut_and_lower_cased_as_python_does_it():
    codes = [*range(0x33000), *range(0xE0000, 0xE0200)]
    characters = [chr(c) for c in codes if unicodedata.category(chr(c)) not in ("Cs", "Cn")]
    documents = [" ".join(f"x{c}y" for c in characters[i : i + 4096]) for i in range(0, len(characters), 4096)]
    for text in documents:
        assert counts(text) == Counter(words(text.lower()))


@pytest.mark.parametrize("span", [(1, 1), (1, 2), (2, 3), (1, 8)])
@given(text=texts)
def test_word_ngrams_are_those_of_scikit_learn(span, text):
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer
    analyse = vectorizer(tokenizer=words, token_pattern=None, ngram_range=span).build_analyzer()
    assert counts(text, words=span) == Counter(map(named, analyse(text)))


@pytest.mark.parametrize("span", [(1, 1), (1, 3), (3, 5)])
@pytest.mark.parametrize("lower", [True, False])
@given(text=texts)
def test_characters_across_words_are_those_of_scikit_learn(span, lower, text):
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer
    analyse = vectorizer(analyzer="char", ngram_range=span, lowercase=lower).build_analyzer()
    text = re.sub(r"\s", " ", text)  # scikit-learn folds runs of white space, but leaves a single tab
    assert counts(text, words=(0, 0), across=span, lower=lower) == Counter(analyse(text))


@pytest.mark.parametrize("span", [(1, 1), (2, 4), (3, 5)])
@given(text=texts)
def test_characters_within_words_are_those_of_scikit_learn(span, text):
    vectorizer = pytest.importorskip("sklearn.feature_extraction.text").CountVectorizer
    analyse = vectorizer(analyzer="char_wb", ngram_range=span, lowercase=False).build_analyzer()
    runs = " ".join(RUN.findall(text.lower()))  # scikit-learn cuts at white space only
    assert counts(text, words=(0, 0), chars=span) == Counter(analyse(runs))


def test_a_word_shorter_than_the_ngrams_counts_once():
    assert counts("ab", words=(0, 0), chars=(3, 5)) == {" ab": 1, "ab ": 1, " ab ": 1}


def test_the_final_sigma():
    assert counts("ΟΔΟΣ ΟΔΟΣΑ Σ") == {"οδος": 1, "οδοσα": 1, "σ": 1}


def test_the_dotted_capital_i_becomes_two_characters():
    assert counts("İstanbul", across=(2, 2), words=(0, 0))["i\u0307"] == 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Well, isn't it?", ["well", ",", "isn", "'t", "it", "?"]),
        ("Well, isn’t it?", ["well", ",", "isn", "'t", "it", "?"]),
        ("the dogs' 'n' cats", ["the", "dogs", "'", "'", "n", "'", "cats"]),
        ("rock'n'roll", ["rock", "'n", "'roll"]),
        ("'tis", ["'", "tis"]),
        ("a''b", ["a", "'", "'", "b"]),
        ("50% … 🙂!", ["50", "%", "…", "🙂", "!"]),
        ("e\u0301", ["e", "\u0301"]),
    ],
)
def test_punctuation(text, tokens):
    assert counts(text, punctuation=True) == Counter(tokens)
    assert list(counts(text, punctuation=True)) == list(dict.fromkeys(tokens))


NEGATIONS = ("not", "no", "never", "'t")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I do not like this film, but you", "i do not NOT_like NOT_this NOT_film but you"),
        ("never. good", "never good"),
        ("not not good", "not not NOT_good"),
        ("no - never so good", "no never NOT_so NOT_good"),
        ("We don't like it. Fine", "we don t NOT_like NOT_it fine"),
        ("We don’t like it. Fine", "we don t NOT_like NOT_it fine"),
        ("a t good", "a t good"),
        ("nothing notable", "nothing notable"),
    ],
)
def test_negation(text, tokens):
    assert counts(text, negations=NEGATIONS) == Counter(tokens.split())


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_negation_with_punctuation(apostrophe):
    found = counts(f"don{apostrophe}t go , go", negations=NEGATIONS, punctuation=True)
    assert found == {"don": 1, "'t": 1, "NOT_go": 1, ",": 1, "go": 1}


def test_negation_is_of_words_not_of_their_pieces():
    assert counts("not up", words=(0, 0), chars=(9, 9), negations=NEGATIONS) == {" not ": 1, " up ": 1}


def test_position_is_the_quarter_of_the_text():
    assert list(counts("a b c d e f g h", position=True)) == ["a@1", "b@1", "c@2", "d@2", "e@3", "f@3", "g@4", "h@4"]
    assert list(counts("a b c", position=True)) == ["a@1", "b@2", "c@3"]
    assert counts("a a a a", position=True, words=(1, 2))["a@1 a@2"] == 1


def test_position_and_negation():
    assert list(counts("not good", position=True, negations=NEGATIONS)) == ["not@1", "NOT_good@3"]


LEXICONS = [
    ("count", "count", ("good", "it")),
    ("presence", "presence", ("good", "!")),
    ("marks", "count", ("!", "?")),
    ("length", "log-length", ()),
]


def handmade(text, **options):
    analyser = Analyser(words=(0, 0), lexicons=LEXICONS, **options)
    _, indices, values = analyser.rows(column(text), grow=True)
    return {analyser.vocabulary.name(int(j)): float(x) for j, x in zip(indices, values, strict=True)}


@pytest.mark.parametrize("punctuation", [False, True])
def test_lexicons(punctuation):
    # good, good and it; `good` and `!` are there; one `?` and two `!`; four words and four marks.
    assert handmade("Good it is, GOOD!?!", punctuation=punctuation) == {
        "count": 3,
        "presence": 1,
        "marks": 3,
        "length": pytest.approx(np.log(8)),
    }


def test_lexicons_in_one_word_and_in_none():
    assert handmade("good") == {"count": 1, "presence": 1}  # ln 1 = 0
    assert handmade("") == {}


def test_a_lexicon_counts_words_not_their_parts():
    assert "count" not in handmade("goods itself")


def test_at_most_32_lexicons():
    with pytest.raises(ValueError, match="^at most 32 hand-made features$"):
        Analyser(lexicons=[(str(i), "count", ("a",)) for i in range(33)])


@pytest.mark.parametrize("text", ["", " \t\n", "... --- !!", "\u0301\u0301"])
def test_documents_without_words(text):
    indptr, indices, values = Analyser(words=(1, 3), chars=(2, 3)).rows(column("a", text, "b"), grow=True)
    assert indptr[1] == indptr[2]
    assert len(indices) == len(values) == indptr[3]


def test_null_characters_part_words():
    assert counts("a\0b\0") == {"a": 1, "b": 1}
    assert counts("a\0b", punctuation=True) == {"a": 1, "\0": 1, "b": 1}


def test_no_documents():
    indptr, indices, _ = Analyser().rows(column(), grow=True)
    assert (indptr.tolist(), indices.tolist()) == ([0], [])


def test_a_slice_of_a_column_and_several_chunks():
    analyser = Analyser()
    whole = column("zero", "one two", "two two", "three")
    indptr, indices, values = analyser.rows(pa.chunked_array([whole[1:2], whole[2:3], column(), whole[:1]]), grow=True)
    assert [analyser.vocabulary.name(int(j)) for j in indices] == ["one", "two", "two", "zero"]
    assert (indptr.tolist(), values.tolist()) == ([0, 2, 3, 4], [1, 1, 2, 1])


def test_a_word_of_8_and_of_more_than_8_letters():
    words = [("abcdefghijklmnopqrst" * 3)[:n] for n in range(1, 40)]
    assert list(counts(" ".join(words))) == words


@pytest.mark.parametrize("n", [7, 8, 15, 16, 17])
def test_a_capital_at_every_place_of_a_word(n):
    for i in range(n):
        assert list(counts("x" * i + "A" + "x" * (n - i - 1) + "-b")) == ["x" * i + "a" + "x" * (n - i - 1), "b"]


MEGABYTE = 1 << 20


def test_a_word_of_more_than_a_megabyte_is_found_again():
    # Words are cut at 2^20 - 1 bytes, so two that differ only behind that are one.
    analyser = Analyser()
    word = "x" * (MEGABYTE + 5)
    ids = [analyser.rows(column(text), grow=True)[1].tolist() for text in (word, word + "y", word)]
    assert ids == [[0], [0], [0]]


def test_a_word_of_more_than_a_megabyte_survives_the_choice_of_features():
    analyser = Analyser()
    word = "x" * (MEGABYTE + 5)
    analyser.rows(column(word), grow=True)
    kept = Analyser(vocabulary=analyser.vocabulary.kept(np.array([0], np.uint32)))
    assert kept.rows(column(word))[1].tolist() == [0]


def test_a_document_of_more_than_64_megabytes_is_refused():
    text = " " * (64 * MEGABYTE)
    for look in (lambda: Analyser().rows(column(text)), lambda: Analyser().occurrences(text)):
        with pytest.raises(DataError, match="^found a text of 64 MB, at most 64 MB can be read. Split it.$"):
            look()


@given(texts, st.integers(4, 10))
def test_hashed_features_are_within_bounds_and_lose_no_count(text, bits):
    analyser = Analyser(words=(1, 2), hash_bits=bits)
    _, indices, values = analyser.rows(column(text))
    n = len(words(text.lower()))
    assert analyser.n_features == 2**bits
    assert all(j < 2**bits for j in indices.tolist())
    assert values.sum() == 2 * n - 1 if n else len(values) == 0


def test_hashing_parts_what_differs():
    words = [f"word{i}" for i in range(300)] + [f"{i}" for i in range(300)]
    _, indices, _ = Analyser(hash_bits=24).rows(column(" ".join(words)))
    assert len(set(indices.tolist())) == 600
    assert Analyser(hash_bits=24).rows(column("word7"))[1][0] == indices[7]


def test_a_hashed_pair_knows_its_order():
    a_b, b_a = (set(Analyser(words=(2, 2), hash_bits=24).rows(column(text))[1].tolist()) for text in ("a b", "b a"))
    assert a_b.isdisjoint(b_a)


def test_31_hash_bits_are_2_147_483_648_features():
    assert Analyser(hash_bits=31).n_features == 2**31


@given(texts)
def test_words_stand_where_occurrences_say(text):
    analyser = Analyser(lower=False, words=(1, 2))
    analyser.rows(column(text), grow=True)
    found = [
        (analyser.vocabulary.name(int(j)), int(a), int(b)) for j, a, b in zip(*analyser.occurrences(text), strict=True)
    ]
    places = [(match.group(), match.start(), match.end()) for match in WORD.finditer(text)]
    pairs = [(named(f"{v} {w}"), a, b) for (v, a, _), (w, _, b) in zip(places, places[1:], strict=False)]
    assert sorted(found) == sorted(places + pairs)


def test_pieces_stand_where_occurrences_say():
    # ` hé ` of 3: the spaces are not in the text, so ` hé` covers hé; offsets count characters, not bytes.
    text = "é hé"
    analyser = Analyser(words=(0, 0), chars=(3, 3))
    analyser.rows(column(text), grow=True)
    found = [
        (analyser.vocabulary.name(int(j)), int(a), int(b)) for j, a, b in zip(*analyser.occurrences(text), strict=True)
    ]
    assert found == [(" é ", 0, 1), (" hé", 2, 4), ("hé ", 2, 4)]


@pytest.mark.parametrize("span", [(1, 1), (1, 3), (2, 8)])
@given(text=texts)
def test_the_start_is_the_first_words(span, text):
    first = words(text.lower())[: span[1]]
    sizes = range(span[0], len(first) + 1)
    assert counts(text, words=(0, 0), start=span) == Counter(named(" ".join(first[:n])) for n in sizes)


@pytest.mark.parametrize("span", [(1, 1), (1, 3), (2, 8)])
@given(text=texts)
def test_skips_are_pairs_with_so_many_words_between(span, text):
    found = words(text.lower())
    pairs = [f"{v} {w}" for k in range(span[0], span[1] + 1) for v, w in zip(found, found[k + 1 :], strict=False)]
    assert counts(text, words=(0, 0), skip=span) == Counter(pairs)


def shape(word):
    letters = ("X" if c.isupper() else "d" if c.isdecimal() else "x" if c.isalnum() else c for c in word)
    return re.sub(r"([Xxd])\1+", r"\1", "".join(letters))


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("span", [(1, 1), (1, 3), (2, 8)])
@given(text=texts)
def test_shapes_are_those_of_the_words_before_they_are_lower_cased(span, lower, text):
    shapes = [shape(word) for word in words(text)]
    grams = [" ".join(shapes[i : i + n]) for n in range(span[0], span[1] + 1) for i in range(len(shapes) - n + 1)]
    assert counts(text, words=(0, 0), shapes=span, lower=lower) == Counter(map(named, grams))


def test_shapes_of_marks_digits_and_letters_without_case():
    # `’t` is a word of its own and its apostrophe the plain one, as among words; ² is no decimal digit.
    found = counts("R2D2 isn’t in İzmir_7, 1,000 m² 東京!", words=(0, 0), shapes=(1, 1), punctuation=True)
    assert found == {"XdXd": 1, "x": 5, "'x": 1, "Xx_d": 1, ",": 2, "d": 2, "!": 1}


def test_words_are_the_same_beside_shapes():
    text = "ΟΔΟΣ İz not so"
    options = {"words": (1, 2), "chars": (2, 3), "position": True, "negations": NEGATIONS}
    assert counts(text, shapes=(2, 2), **options) == counts(text, **options) + Counter(["X Xx", "Xx x", "x x"])


def places(analyser, text):
    analyser.rows(column(text), grow=True)
    return [
        (analyser.vocabulary.name(int(j)), int(a), int(b)) for j, a, b in zip(*analyser.occurrences(text), strict=True)
    ]


def test_both_words_of_a_skip_and_the_whole_start_have_their_places():
    found = places(Analyser(words=(0, 0), start=(2, 2), skip=(1, 1)), "É is so")
    assert found == [("é is", 0, 4), ("é so", 0, 1), ("é so", 5, 7)]


def test_places_of_shapes_and_words_where_one_letter_becomes_two():
    # In lower case İ is i and a dot above, which is part of no word.
    found = places(Analyser(shapes=(2, 2)), "ȺX Ⱥb İc")
    assert found == [("X Xx", 0, 5), ("Xx Xx", 3, 8), ("ⱥx", 0, 2), ("ⱥb", 3, 5), ("i", 6, 7), ("c", 7, 8)]


def test_occurrences_of_an_apostrophe_ending():
    text = "it isn’t so"
    analyser = Analyser(punctuation=True)
    analyser.rows(column(text), grow=True)
    spans = [text[a:b] for _, a, b in zip(*analyser.occurrences(text), strict=True)]
    assert spans == ["it", "isn", "’t", "so"]


ALL = {"words": (1, 2), "chars": (1, 3), "across": (1, 3), "punctuation": True, "negations": ("no",), "position": True}
NONE = {"words": (0, 0), "chars": (0, 0), "across": (0, 0)}
ONE_AT_A_TIME = [NONE | {name: ALL[name]} for name in NONE]


@given(st.lists(st.binary(max_size=30), max_size=5), st.booleans())
def test_bytes_that_are_not_text_do_no_harm_to_the_next_text(documents, lower):
    analyser = Analyser(lower=lower, **ALL)
    indptr, indices, values = analyser.rows(raw(*documents, b"good bad"), grow=True)
    last = slice(indptr[-2], indptr[-1])
    found = Counter()
    for j, x in zip(indices[last], values[last], strict=True):
        found[analyser.vocabulary.name(int(j))] += int(x)
    assert found == sum((counts("good bad", lower=lower, **{**ALL, **only}) for only in ONE_AT_A_TIME), Counter())


@pytest.mark.parametrize(
    "bad",
    [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x99", b"\xc0\xaf", b"\xf8\x88\x80\x80", b"\xf4\x90\x80\x80"],
)
@pytest.mark.parametrize("around", ["good {} bad", "{} good bad", "good bad {}", "good{}bad"])
def test_words_beside_bytes_that_are_not_text(bad, around):
    analyser = Analyser()
    before, after = around.encode().split(b"{}")
    _, indices, _ = analyser.rows(raw(before + bad + after), grow=True)
    assert [analyser.vocabulary.name(int(j)) for j in indices] == ["good", "bad"]


@pytest.mark.parametrize("overlong", [b"\xe0\x81\x81", b"\xf0\x80\x81\x81", b"\xe0\x80\xa0"])
def test_a_letter_in_more_bytes_than_it_needs_is_no_letter(overlong):
    # Unicode 15, table 3-7: E0 is followed by A0 to BF, F0 by 90 to BF; these would be A, A and a space.
    analyser = Analyser()
    analyser.rows(raw(b"x" + overlong + b"y"), grow=True)
    assert [analyser.vocabulary.name(i) for i in range(len(analyser.vocabulary))] == ["x", "y"]


def test_capital_sigma_beside_bytes_that_are_not_text():
    analyser = Analyser()
    _, indices, _ = analyser.rows(raw("ΟΔΟΣ ".encode() + b"\xff good"), grow=True)
    assert [analyser.vocabulary.name(int(j)) for j in indices] == ["οδος", "good"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我喜歡iPhone手機。", ["我", "喜", "歡", "iphone", "手", "機", "。"]),
        ("カメラは、良い", ["カ", "メ", "ラ", "は", "、", "良", "い"]),
        ("ไม่ดี ๒๕ a", ["ไ", "ม", "่", "ด", "ี", "๒๕", "a"]),
        ("ល្អ", ["ល", "្", "អ"]),
        ("don't说'好'", ["don", "'t", "说", "'", "好", "'"]),
        ("한국어 영화", ["한국어", "영화"]),
    ],
)
def test_each_character_of_a_script_without_blanks_is_a_word(text, tokens):
    assert list(counts(text, punctuation=True)) == list(dict.fromkeys(tokens))
    assert counts(text, punctuation=True) == Counter(tokens)


def test_ngrams_of_characters_without_blanks_have_names_without_blanks():
    assert list(counts("不好 ok", words=(2, 3))) == ["不好", "好 ok", "不好 ok"]
    assert list(counts("不太好", words=(0, 0), start=(2, 2), skip=(1, 1))) == ["不太", "不 好"]


def test_characters_without_blanks_that_follow_each_other_are_one_word_for_chars():
    assert list(counts("好吃!不 x", words=(0, 0), chars=(3, 3))) == [" 好吃", "好吃 ", " 不 ", " x "]
    assert places(Analyser(words=(0, 0), chars=(3, 3)), "a不好吃") == [
        (" a ", 0, 1),
        (" 不好", 1, 3),
        ("不好吃", 1, 4),
        ("好吃 ", 2, 4),
    ]


def test_mean_counts_of_characters_letters_and_letters_without_blanks():
    several = pa.chunked_array([column("我喜歡 ab", "", "!?"), column(), column("x", "ไม่")])
    assert mean_counts(several, 10) == (12 / 5, 9 / 5, 6 / 5)
    assert mean_counts(several, 3) == (
        (6 + 2 + 3) / 3,
        (5 + 0 + 3) / 3,
        (3 + 0 + 3) / 3,
    )  # the first, the third, the fifth
    assert mean_counts(several[1:3], 10) == (1, 0, 0)
    assert mean_counts(column(), 10) == (0, 0, 0)


@pytest.mark.parametrize("n", [*range(50, 70), *range(120, 135)])
@pytest.mark.parametrize("between", [" ", "é", "ß ", "'", "’", ",", "中", "\n\n", "\u00a0"])
def test_words_that_end_at_every_place_of_a_block(n, between):
    """Bytes are classified 16 at a time, and tokens are looked for in 64: neither is seen in what is found."""
    text = "Ab" * (n // 2) + "c" * (n % 2) + between + "D" * 7 + between + "e" * n
    assert counts(text) == Counter(words(text.lower()))


@pytest.mark.parametrize(
    ("spans", "how"),
    [
        (1, {"words": (1, 3), "chars": (2, 4), "start": (1, 2), "shapes": (1, 2)}),
        (1, {"words": (0, 0), "across": (2, 4)}),
        (1, {"words": (1, 2), "chars": (3, 3), "hash_bits": 12}),
        (2, {"words": (0, 0), "skip": (1, 2)}),
    ],
)
def test_a_very_long_text_has_the_counts_of_its_occurrences(spans, how):
    """Its pieces are looked up, and its features counted, in parts; those of the whole come out, in the order of first sight. A
    pair that skips words has two spans."""
    rng = random.Random(5)
    long = " ".join(rng.choices("the film is not good naïve 中文 Ünder extraordinarily 1995".split(), k=400_000))
    analyser = Analyser(**how)
    analyser.rows(
        column("the film is not good", "Ünder naïve 中文", "extraordinarily good film not 1995"), "hash_bits" not in how
    )
    expected = Counter(analyser.occurrences(long)[0].tolist())
    indptr, indices, counts = analyser.rows(column(long, "good film", long))
    assert dict(zip(indices[: indptr[1]].tolist(), counts.tolist(), strict=False)) == {
        j: n // spans for j, n in expected.items()
    }
    assert indices[: indptr[1]].tolist() == list(expected)
    for of in (indices, counts):
        assert of[: indptr[1]].tobytes() == of[indptr[2] :].tobytes()


@pytest.mark.skipif(
    sys.platform != "linux" or "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="needs /proc, and memory that is given back as soon as it is freed, as AddressSanitizer does not",
)
@pytest.mark.parametrize("grow", [False, True])
def test_a_very_long_text_takes_memory_for_its_tokens_alone(grow):
    """Of 16 MB: some 15 bytes for each of the text, of which 9 are its tokens; and nothing when it has been read."""
    code = f"""
import resource
import pyarrow as pa
from linnet.core.extract.text import Analyser
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
analyser = Analyser(words=(1, 2), chars=(3, 5), across=(3, 4), start=(1, 3), skip=(1, 3), shapes=(1, 3), punctuation=True)
analyser.rows(pa.array(["the dog saw"], pa.large_string()), True)
text = pa.array(["the dog saw " * 1_400_000], pa.large_string())
before = peak()
analyser.rows(text, {grow})
now = int(open("/proc/self/statm").read().split()[1]) << 12
print((peak() - before) / text.nbytes, (now - before) / text.nbytes)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    most, left = map(float, run.stdout.split())
    assert most < 30
    assert left < 2
