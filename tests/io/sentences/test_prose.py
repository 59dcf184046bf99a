"""Tokens and sentences of plain text: by hand, as properties of any text, and against a treebank."""

import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linnet.io.sentences.prose import split_sentences, tokenise

pieces = st.sampled_from(
    """
    a I the Dog Mr. U.S. e.g. J. do n't don't 's it's ' " “ ” ( ) . .. ... ! ? … , ; : - -- — 1,000.50 10:30 5 % $ & @ #
    a@b.org http://a.b/c. www.x.com x.y.z a-b AT&T cannot gonna <3 :) ^^ _ é ß İ Σ 👍 漢 字 か 。 हि ि مرحبا ؟ \u0301 \u200d
    """.split()
)
texts = st.text() | st.lists(pieces | st.sampled_from([" ", "\n", "\n\n", "\t", "\u00a0"]), max_size=30).map("".join)


def words(text):
    return [text[start:end] for start, end in tokenise(text)]


def cut(text):
    return [text[tokens[0][0] : tokens[-1][1]] for tokens in split_sentences(text)]


@pytest.mark.parametrize(
    "tokens",
    [
        "The dog , the cat ; and a bird .",
        "1,000.50 and 10:30 on 08/16/2000 , 3.5 % of $ 12 or .50",
        "Dr. J. Smith of the U.S. , e.g. at 5 p.m. , met Mrs. Jones etc. in No. 10",
        "do n't ca n't wo n’t Is N'T it 's we 're I 've he 'll I 'd I 'm",
        "I 'd 've",
        "soldiers ' O'Brien 's ma'am l'homme aujourd'hui",
        "can not GON NA got ta wan na panna cotta cannots",
        "e-mail mother-in-law 's 713-664-7478 well -- no — yes -",
        "http://a.b/c?d=e . www.x.com , https://x.org/a_(b ) google.com alt.animals.cat notes.pdf",
        "me@x.org , first.last+tag@mail.example.co.uk .",
        ":-) :) ;) :D =( <3 ^^ a : b ( c )",
        "wait ... what … no !!! why ?? ? ! ( ( x ) )",
        "and / or AT&T R&D C & A #tag @me # 1",
        "'em '90s 80's 'tis rock",
        "the letter ' m '",
        "漢 字 と か な 한국어 는",
        "हिन्दी है । שָׁלוֹם مرحبا ؟ naïve café",
        "¿ Qué ? ¡ Sí ! « Oui » „ Ja “",
        "snake_case ___ x = ( y )",
    ],
)
def test_a_text_that_is_tokenised_stays_as_it_is(tokens):
    assert words(tokens) == tokens.split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I'm sure he didn't.", "I 'm sure he did n't ."),
        ("IT'S", "IT 'S"),
        ("I'd've", "I 'd 've"),
        ("“Hi!” (he said), 'no'.", "“ Hi ! ” ( he said ) , ' no ' ."),
        ("Wait...what?!", "Wait ... what ? !"),
        ("etc...", "etc ..."),
        ("$5, 5%.", "$ 5 , 5 % ."),
        ("J.K.Rowling and J.R.R. Tolkien", "J.K. Rowling and J.R.R. Tolkien"),
        ("So do I. Plan B.", "So do I . Plan B ."),
        ("(see http://a.b/c).", "( see http://a.b/c ) ."),
        ("mail me@x.org.", "mail me@x.org ."),
        ("cannot", "can not"),
        ("漢字とabc", "漢 字 と abc"),
        ("", ""),
        (" \n\t", ""),
    ],
)
def test_tokens_by_hand(text, tokens):
    assert words(text) == tokens.split()


def test_offsets_are_characters():
    assert tokenise("👍 é\u0301 ok") == [(0, 1), (2, 4), (5, 7)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rained.", "It stopped!", "Did it?", "Yes…", "Well... ok."],
        ['He said "No."', "(She left.)", "“Why?” he asked.", "‘So.’", "Then 5 more."],
        ["I met Mr. Smith, Dr. J. Jones and J.R. Ewing.", "See No. 5 and e.g. John."],
        ["1. Buy milk.", "2. Go home.", "B. This."],
        ["A title", "a small start"],
        ["今日は。", "元気？", "はい"],
        ["यह घर है।", "वह बड़ा है।"],
        ["Was it 3.5 or www.x.com?", "3 of them."],
        ["no end"],
    ],
)
def test_sentences(sentences):
    by = "\n \n" if sentences[0] == "A title" else " "
    text = by.join(sentences)
    assert cut(text) == sentences


def test_a_new_line_alone_ends_nothing():
    assert cut("one\ntwo\n\nthree\r\n\r\nfour") == ["one\ntwo", "three", "four"]


def test_nothing():
    assert split_sentences("") == split_sentences(" \n\n ") == []


@given(texts)
@example("'t" * 9)
@example("A.\u0301 B.")
def test_tokens_cover_every_character_in_order(text):
    at, covered = 0, []
    for start, end in tokenise(text):
        assert at <= start < end
        covered += range(start, end)
        at = end
    assert covered == [i for i, character in enumerate(text) if not character.isspace()]


@given(texts)
def test_sentences_are_the_tokens_in_groups(text):
    sentences = split_sentences(text)
    assert all(sentences)
    assert sum(sentences, []) == tokenise(text)


@given(texts, texts)
@example("A.", "A")
@example("It is No.", "5 left")
def test_a_blank_line_parts_texts(one, other):
    shift = len(one) + 2
    moved = [[(start + shift, end + shift) for start, end in sentence] for sentence in split_sentences(other)]
    assert split_sentences(f"{one}\n\n{other}") == split_sentences(f"{one}\n\n") + moved


def gold(text, rows):
    """The borders of the words of a treebank; of words that are written as one, those that make up its letters."""
    found, at, done = [], 0, 0
    forms = {row[0]: row[1] for row in rows}
    for number, form in forms.items():
        first, _, last = number.partition("-")
        if "." in number or (not last and int(number) <= done):
            continue
        parts = [forms[str(k)] for k in range(int(first), int(last or first) + 1)]
        done = int(last or first)
        for part in parts if "".join(parts) == form else [form]:
            at = text.index(part, at)
            found.append((at, at + len(part)))
            at += len(part)
    return found


def test_tokens_are_those_of_a_treebank(shared_data):
    blocks = gzip.decompress((shared_data / "ewt-dev.conllu.gz").read_bytes()).decode().strip().split("\n\n")
    right = n_gold = n_found = 0
    for block in blocks:
        lines = block.split("\n")
        text = next(line[len("# text = ") :] for line in lines if line.startswith("# text = "))
        words = {*gold(text, [line.split("\t") for line in lines if not line.startswith("#")])}
        found = {*tokenise(text)}
        right, n_gold, n_found = right + len(words & found), n_gold + len(words), n_found + len(found)
    # Most of the others are hyphens, which the treebank cuts, and apostrophes that the writers forgot.
    assert 2 * right / (n_gold + n_found) > 0.98
