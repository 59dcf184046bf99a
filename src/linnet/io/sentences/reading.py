"""Read sentences of tokens from any source, whole or in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from linnet.errors import DataError, UsageError
from linnet.io.bytes.source import Source
from linnet.io.formats import Path, paths_of
from linnet.io.sentences.contract import SentenceRequest, Tokenise
from linnet.io.sentences.registry import SENTENCE_FORMATS, choose
from linnet.io.sentences.sentences import Sentences, join, rebatch


def read_sentences(
    source: Path | Sequence[Path],
    *,
    format: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    framed: bool = True,
    tokenise: Tokenise | None = None,
) -> Sentences:
    """Read one path, several, or "-" for stdin.

    `labelled` demands a tag for every token. `label_col` names the column of the tags: a number from 1 or a name.
    `framed` keeps what is needed to write the same file with other tags.
    `tokenise` cuts a text of jsonl into tokens; without it, runs of letters and digits and every other character.
    """
    parts = _parts(source, format, SentenceRequest(label_col, labelled, tokenise=tokenise))
    return join([part if framed else replace(part, frame=None) for part in parts])


def read_sentence_batches(
    source: Path | Sequence[Path],
    *,
    format: str | None = None,
    label_col: str | None = None,
    labelled: bool = True,
    batch_bytes: int = 8 << 20,
    tokenise: Tokenise | None = None,
) -> Iterator[Sentences]:
    """The sentences that `read_sentences` gives, in order, in batches of about `batch_bytes`.

    The whole file is never in memory, and what is good before an error is given before it is raised.
    """
    if batch_bytes < 1:
        raise UsageError(f"expected batch_bytes of at least 1, found {batch_bytes}.")
    return rebatch(_parts(source, format, SentenceRequest(label_col, labelled, batch_bytes, tokenise)), batch_bytes)


def _parts(source: Path | Sequence[Path], format: str | None, request: SentenceRequest) -> Iterator[Sentences]:
    paths = paths_of(source)
    if format is not None:
        SENTENCE_FORMATS.named(format)
    return (part for path in paths for part in _read_one(path, format, request))


def _read_one(path: str, format: str | None, request: SentenceRequest) -> Iterator[Sentences]:
    with Source(path) as source:
        if source.is_folder:
            raise UsageError(f"'{source.name}' is a folder, expected a file of sentences. Pass the files in it.")
        if not source.head():
            raise DataError("the file is empty. Expected sentences of tokens.", source.name)
        reader = choose(source, format)
        found = False
        for part in reader.read(source, request):
            found = found or len(part) > 0
            yield part
        if not found:
            raise DataError(reader.empty, source.name)
