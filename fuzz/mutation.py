"""Changes of bytes: one to four at a time, blind ones and such as know what hurts readers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

TOKENS = [
    b"", b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b",", b";", b"|", b'"', b'""', b"'", b"(", b")", b"[", b"]", b"{",
    b"}", b":", b"\0", b"\xff", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\xf0\x9f\x98\x80",
    b"\\ud800", b"\\u0000", b"\xe2\x80\xa8", b"\x1f", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"PAR1", b"ARROW1",
    b"PK\x03\x04", b"null", b"true", b"NaN", b"-1", b"0", b"1e999", b"-1e308", b"9" * 30, b"9" * 5000, b"2147483648",
    b"9223372036854775808", b"-", b"_", b"#", b"# a = b", b"-DOCSTART-", b"__label__", b"__label__x ", b"text", b"label",
    b"tokens", b"tags", b"||| ", b"0-0", b"[" * 2000, b"(" * 2000, b"1-2\t", b"1.1\t", b"(S ", b"*", b"../..", b"%s",
    b"\x1b[31m", b"O", b"B-PER", b"I-", b"=",
]  # fmt: skip
"""Bytes that mean something to one reader or another."""


def mutated(data: bytes, random: Random, others: Sequence[bytes] = (), tokens: Sequence[bytes] = TOKENS) -> bytes:
    """The data with one to four changes. `others` are further data, of which parts may be taken."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 4])):
        data = random.choice(_CHANGES)(data, random, others, tokens)[: 1 << 20]
    return data


def _flipped(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes([random.randrange(random.choice([128, 256]))]) + data[at + 1 :]


def _inserted(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(tokens) + data[at:]


def _replaced(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    begin, end = _part(data, random)
    return data[:begin] + random.choice(tokens) + data[end:]


def _removed(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    begin, end = _part(data, random)
    return data[:begin] + data[end:]


def _repeated(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    begin, end = _part(data, random)
    return data[:end] + data[begin:end] * random.choice([1, 2, 10, 300]) + data[end:]


def _cut(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _spliced(data: bytes, random: Random, others: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    begin, end = _part(other, random)
    at = random.randrange(len(data) + 1)
    return data[:at] + other[begin:end] + data[at:]


def _part(data: bytes, random: Random) -> tuple[int, int]:
    begin = random.randrange(len(data) + 1)
    return begin, min(len(data), begin + random.choice([1, 2, 4, 16, 100]))


_CHANGES = [_flipped, _flipped, _inserted, _inserted, _replaced, _replaced, _removed, _repeated, _cut, _spliced]
