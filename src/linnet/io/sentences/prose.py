"""Plain text to sentences of tokens, for prose in any language that puts spaces between words.

Tokens are those of the Penn and Universal Dependencies treebanks of English: marks stand alone (a run of the same one
together), clitics are cut off (do n't, it 's), numbers keep their separators, abbreviations their dots, words their hyphens.
Ideographs and kana are tokens one by one. Every character that is not white space is in exactly one token.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TypeAlias

Token: TypeAlias = tuple[int, int]

_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Python's \w leaves out the marks that scripts of India, Arabic, Hebrew and Thai write on letters.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3\u200c\u200d\u20d0-\u20f0\u3099\u309a\ufe00-\ufe0f"
)
_JOINED = "\u0300-\u036f\u200d\u20d0-\u20f0\u3099\u309a\ufe00-\ufe0f"  # marks that any character can have
_LETTER = r"[^\W\d_]"
_PIECE = rf"[^\W{_IDEOGRAPHS}]++(?:[{_MARKS}]++[^\W{_IDEOGRAPHS}]*+)*"
_CLITIC = r"['’](?:(?<=\w['’])|(?!\w\w?['’]))(?:[sdmSDM]|[rvRV][eE]|[lL][lL])(?!\w)"  # 's, but not 'm' in quotes
_NEAR = r"[^\S\n\u2029]*+\n?[^\S\n\u2029]*+"  # white space without a blank line
_NOT = r"[nN]['’][tT](?!\w)"

# Words that seldom end a sentence; then those that are abbreviations only before a number.
_ABBREVIATIONS = """
    Mr Mrs Ms Mx Dr Drs Prof Rev Fr Hon Pres Gov Sen Rep Gen Col Maj Capt Cpt Lt Sgt Cpl Pvt PVT Cmdr Adm Supt Messrs Mme Mlle
    St Sts Ave Blvd Rd Hwy Mt Ft Jr Sr Esq Inc Ltd LTD Co Corp Bros Dept Univ Assn Intl
    vs etc ect ext cf al ca approx est incl resp viz Ph Jan Feb Apr Aug Sept Sep Oct Nov Dec
    Hr Nr Str bzw usw ggf Bd dhr mevr bijv enz blz Sra Dra Av Sig Dott
""".split()
_BEFORE_NUMBERS = """
    No Nos no Art Arts art Fig Figs fig Eq Vol vol Ch ch Sec sec p pp Mar Jun Jul Mon Tue Wed Thu Fri Sat Sun
""".split()
_DOMAINS = """
    com org net edu gov mil int info biz io uk ca de fr nl eu es ch se dk fi ie au nz jp cn ru br tv co
    html? asp php pdf docx? xlsx? pptx? jpe?g gif png txt zip exe csv xml json py
""".split()

# The first alternatives are for most tokens; (?=\S) is there for speed alone, as all of them fail at a space. Whatever looks
# beyond its own token is bounded, so that a text without spaces takes no longer. Only single characters are repeated
# possessively: Python before 3.11.5 gets groups wrong.
_TOKEN = re.compile(
    r"(?=\S)(?:"
    + "|".join(
        [
            r"[cC](?i:an(?=not\b))|[gG](?i:on(?=na\b)|ot(?=ta\b))|[wW](?i:an(?=na\b))",
            r"[A-Za-z]++(?=[\s,;!?)\"])",
            r"[,.](?=\s)",
            rf"[{_IDEOGRAPHS}][{_JOINED}]*+",
            rf"(?={_LETTER}{{1,40}}+['’][tT](?!\w)){_LETTER}+?(?={_NOT})|{_NOT}|{_CLITIC}",
            r"(?:[hH][tT][tT][pP][sS]?://|[fF][tT][pP]://|[wW][wW][wW]\.)[^\s<>\"]*[^\s<>\".,;:!?'’”)\]}…]",
            r"\w[\w.+%-]{0,63}+@[\w-]{1,63}+(?:\.[\w-]{1,63}+)+",
            rf"(?:[\w-]{{1,63}}+\.){{1,8}}(?:{'|'.join(_DOMAINS)})(?![\w@])(?:/[^\s<>\"]*[^\s<>\".,;:!?'’”)\]}}…])?",
            r"(?:[a-z-]{1,63}+\.){2,8}[a-z]{2,63}+(?![\w.])",
            rf"{_LETTER}(?:\.{_LETTER})+(?!\w)\.?",
            rf"(?={_LETTER}{{1,6}}\.)(?:{'|'.join(_ABBREVIATIONS)}|(?:{'|'.join(_BEFORE_NUMBERS)})(?=\.{_NEAR}\d))\.(?!\.)",
            rf"[A-HJ-ZÀ-ÖØ-ÞΑ-ΩА-Я]\.(?={_NEAR}[^\W\d_a-zß-öø-ÿα-ωа-я])",
            rf"{_PIECE}(?:(?:[-‐‑]|(?<=0)['’](?=s(?!\w))|(?!{_CLITIC})['’]|(?<=\d)[.,:/](?=\d)|(?<=[A-Z])&(?=[A-Z])){_PIECE})*",
            r"[:;=]['’]?-?(?:[)(\]\[|*}{\\]++|[DPpOoXx/])(?![\w/])|<3(?![\w.])|\^[_.]?\^",
            r"['’](?:[eE]m|[tT]is|[tT]was|[tT]il|[cC]ause|\d\ds?)(?!\w)",
            rf"[@#]{_LETTER}\w*+|(?<![\w.])\.\d++(?![\w.])",
            r"[()\[\]{}\"“”„«»]",
            rf"([^\w\s])\1*[{_JOINED}]*+",
        ]
    )
    + ")"
)
_END = re.compile(r"(?<![.!?…؟۔।॥])[.!?…؟۔।॥]++[\"'”’»)\]}]*+(?=\s)|[。！？｡]++[\"'”’»）」』]*+|\n\s*\n|\u2029")
_NOT_FIRST = frozenset(",;:.!?…)]}%»”’")


def tokenise(text: str) -> list[Token]:
    """The tokens of a text as (start, end), counted in characters.

    >>> text = "Mr. Smith's e-mail didn't cost $1,000.50..."
    >>> [text[start:end] for start, end in tokenise(text)]
    ['Mr.', 'Smith', "'s", 'e-mail', 'did', "n't", 'cost', '$', '1,000.50', '...']
    """
    return [found.span() for found in _TOKEN.finditer(text)]


def split_sentences(text: str) -> list[list[Token]]:
    """The tokens of each sentence.

    A sentence ends at a blank line, and after . ! ? or … and the quotes and brackets that close there, if white space
    and something other than a small letter follow.

    >>> text = "I met Dr. Who. (He said: “Hi!”) Did you?"
    >>> [text[tokens[0][0] : tokens[-1][1]] for tokens in split_sentences(text)]
    ['I met Dr. Who.', '(He said: “Hi!”)', 'Did you?']
    """
    tokens = tokenise(text)
    sentences, first = [], 0
    for found in _END.finditer(text):
        behind = bisect_left(tokens, (found.end(),), first)
        if behind > first and _ends(text, tokens, first, behind, found):
            sentences.append(tokens[first:behind])
            first = behind
    return [*sentences, tokens[first:]] if first < len(tokens) else sentences


def _ends(text: str, tokens: list[Token], first: int, behind: int, found: re.Match[str]) -> bool:
    """Whether the tokens from `first` up to, not including, `behind` are a sentence, given the end mark that was found
    after them."""
    if found[0].isspace() or behind == len(tokens):
        return True
    follows = text[tokens[behind][0]]
    if follows.islower() or follows in _NOT_FIRST:
        return False
    start, end = tokens[bisect_left(tokens, (found.start() + 1,), first) - 1]
    is_abbreviation = text[start].isalnum() and end > found.start()
    return not is_abbreviation and not (found[0] == "." and _is_number_of_item(text, tokens[first:behind]))


def _is_number_of_item(text: str, tokens: list[Token]) -> bool:
    """Whether these are the number or the letter of an item in a list, and its dot."""
    start, end = tokens[0]
    return len(tokens) == 2 and (end - start == 1 or text[start:end].isdigit())
