"""Attributes of a word that follow from its letters alone. Templates name them, and `linnet list token-features` shows
them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa

from linnet.core.arrow import text, texts
from linnet.registry import Registry

Words: TypeAlias = pa.LargeStringArray
_LONG = 10
"""The length from which on words count as equally long."""


@dataclass(frozen=True)
class WordAttribute:
    """An attribute of words. `read` turns a column of distinct words into a column of values; an empty value is no feature."""

    name: str
    summary: str
    read: Callable[[Words], Words]


def each(value: Callable[[str], str]) -> Callable[[Words], Words]:
    """A function of columns that applies a function of one word to each word."""
    return lambda words: texts(map(value, words.to_pylist()))


def lower(words: Words) -> Words:
    import pyarrow.compute as pc

    return pc.utf8_lower(words)


def _shape(words: Words) -> Words:
    import pyarrow.compute as pc

    for pattern, letter in ((r"\p{Lu}", "X"), (r"[\p{Ll}\p{Lo}]", "x"), (r"\p{Nd}", "d")):
        words = pc.replace_substring_regex(words, pattern, letter)
    return words


def _short_shape(words: Words) -> Words:
    import pyarrow.compute as pc

    shape = _shape(words)
    for letter in "Xxd":
        shape = pc.replace_substring_regex(shape, f"{letter}+", letter)
    return shape


def _whether(pattern: str) -> Callable[[Words], Words]:
    def derive(words: Words) -> Words:
        import pyarrow.compute as pc

        yes, no = text("yes"), text("")
        return pc.if_else(pc.match_substring_regex(words, pattern), yes, no)

    return derive


def _length(words: Words) -> Words:
    import pyarrow.compute as pc

    return pc.cast(pc.min_element_wise(pc.utf8_length(words), _LONG), pa.large_string())


WORD_ATTRIBUTES: Registry[WordAttribute] = Registry(
    "attribute of words",
    WordAttribute("lower", "the word in lower case", lower),
    WordAttribute("shape", "Xxxxx for a capitalised word, dd-dd for 10-12", _shape),
    WordAttribute("short-shape", "the same with every run written once: Xx, d-d", _short_shape),
    WordAttribute("cap", "whether the word begins with a capital", _whether(r"^\p{Lu}")),
    WordAttribute("digit", "whether the word holds a digit", _whether(r"\p{Nd}")),
    WordAttribute("hyphen", "whether the word holds a hyphen", _whether("-")),
    WordAttribute("length", f"how many letters the word has, {_LONG} and more being the same", _length),
)
