"""The formats of tagged sentences that can be read. A further one is a module and a line in `_READERS`."""

from __future__ import annotations

from linnet.errors import UsageError, meant
from linnet.io.conll import Conll
from linnet.io.conllu import ConllU
from linnet.io.json_sentences import JsonSentences
from linnet.io.sentence_contract import SentenceReader
from linnet.io.source import Source

# In the order in which they are asked about a file of unknown extension; the last one takes what is left.
_READERS: tuple[SentenceReader, ...] = (JsonSentences(), ConllU(), Conll())
_BY_NAME = {reader.name: reader for reader in _READERS}


def sentence_formats() -> dict[str, str]:
    """Name and one line of description for every format of sentences that can be read."""
    return {reader.name: reader.description for reader in _READERS}


def named(name: str) -> SentenceReader:
    if name not in _BY_NAME:
        hint = meant(name, _BY_NAME)
        raise UsageError(f"unknown format of sentences '{name}'; the formats are {', '.join(_BY_NAME)}.{hint}")
    return _BY_NAME[name]


def choose(source: Source, format: str | None) -> SentenceReader:
    """By name, or else by extension, or else by the first bytes."""
    if format is not None:
        return named(format)
    known = {extension: reader for reader in _READERS for extension in reader.extensions}
    found = known.get(source.extension)
    return found or next(reader for reader in _READERS if reader.sniff(source.head()))
