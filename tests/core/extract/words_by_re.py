"""The words of a text, by `re` and `unicodedata`: what the analyser must find."""

import re
import sys
import unicodedata
from itertools import groupby

_NAMES = (
    "BOPOMOFO", "CJK ", "COMBINING KATAKANA", "HALFWIDTH KATAKANA", "HANGZHOU", "HENTAIGANA", "HIRAGANA", "IDEOGRAPHIC",
    "KATAKANA", "KHMER", "LAO", "MASU", "MYANMAR", "NEW TAI LUE", "TAI LE", "TAI THAM", "TAI VIET", "THAI", "TIBETAN",
    "VERTICAL IDEO", "VERTICAL KANA",
)  # fmt: skip


def is_unspaced(character):
    """Whether this is a letter, or a mark on one, of a script without blanks between words."""
    category = unicodedata.category(character)
    return (category[0] in "LM" or category == "Nl") and unicodedata.name(character, "").startswith(_NAMES)


def _ranges(codes):
    """Code points as the inside of a character class: `a-z中-中`."""
    runs = [[c for _, c in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


_UNSPACED = _ranges(c for c in range(0x0E00, sys.maxunicode + 1) if is_unspaced(chr(c)))
WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")
RUN = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])\w)+")
_BETWEEN = re.compile(rf"(?<=[{_UNSPACED}]) (?=[{_UNSPACED}])")


def words(text):
    """Runs of \\w, and each character of a script without blanks."""
    return WORD.findall(text)


def named(ngram):
    """The name of an n-gram whose words are joined by blanks: between characters without blanks there is none."""
    return _BETWEEN.sub("", ngram)
