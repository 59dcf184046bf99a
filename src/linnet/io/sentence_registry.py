"""The formats of tagged sentences that can be read. A further one is a module and a line here."""

from __future__ import annotations

from linnet.io.conll import Conll
from linnet.io.conllu import ConllU
from linnet.io.formats import Formats
from linnet.io.json_sentences import JsonSentences
from linnet.io.mrg import Mrg
from linnet.io.sentence_contract import SentenceReader
from linnet.io.source import Source

_REST = Conll()
SENTENCE_FORMATS: Formats[SentenceReader] = Formats("format of sentences", JsonSentences(), ConllU(), Mrg(), _REST)


def sentence_formats() -> dict[str, str]:
    """Name and one line of description for every format of sentences that can be read."""
    return SENTENCE_FORMATS.described()


def choose(source: Source, format: str | None) -> SentenceReader:
    """What shows no sign of another format is in columns."""
    return SENTENCE_FORMATS.of(source, format, lambda reader, head: reader.sniff(head)) or _REST


def sentence_format(path: str, format: str | None = None) -> str:
    """The name of the format in which a file would be read; of standard input what was said."""
    if format is not None or path == "-":
        return format or ""
    with Source(path) as source:
        return "" if source.is_folder else choose(source, None).name
