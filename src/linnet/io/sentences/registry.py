"""The formats of tagged sentences that can be read. To add one, write a module with its reader, and a line here."""

from __future__ import annotations

from linnet.io.bytes.source import Source
from linnet.io.formats import Formats
from linnet.io.sentences.conll import Conll
from linnet.io.sentences.conllu import ConllU
from linnet.io.sentences.contract import SentenceReader
from linnet.io.sentences.json_sentences import JsonSentences
from linnet.io.sentences.mrg import Mrg

_REST = Conll()
SENTENCE_FORMATS: Formats[SentenceReader] = Formats("format of sentences", JsonSentences(), ConllU(), Mrg(), _REST)


def sentence_formats() -> dict[str, str]:
    """The name of every format of sentences that can be read, with a line of description."""
    return SENTENCE_FORMATS.described()


def choose(source: Source, format: str | None) -> SentenceReader:
    """The reader for a source. A file that shows no sign of another format is read as columns."""
    return SENTENCE_FORMATS.choose(source, format, lambda reader, head: reader.sniff(head)) or _REST


def sentence_format(path: str, format: str | None = None, encoding: str | None = None) -> str:
    """The name of the format in which a file would be read; for standard input the one that was given, or ""."""
    if format is not None or path == "-":
        return format or ""
    with Source(path, encoding) as source:
        return "" if source.is_folder else choose(source, None).name
