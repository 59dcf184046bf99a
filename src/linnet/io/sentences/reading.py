"""Read sentences of tokens from any source, whole or in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Unpack

from linnet.core.room import Room
from linnet.errors import DataError, UsageError
from linnet.io.bytes.binary_files import refuse_binary, refuse_markup
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions, Path, paths_of, refuse_delimiter, tell
from linnet.io.sentences.contract import SentenceRequest, Tokenise
from linnet.io.sentences.detection import is_prose
from linnet.io.sentences.on_disk import kept
from linnet.io.sentences.registry import SENTENCE_FORMATS, choose
from linnet.io.sentences.sentences import Sentences, rebatch


def read_sentences(
    source: Path | Sequence[Path],
    *,
    label_col: str | None = None,
    labelled: bool = True,
    framed: bool = True,
    tokenise: Tokenise | None = None,
    room: Room | None = None,
    **how: Unpack[FileOptions],
) -> Sentences:
    """Read one path, several, or "-" for stdin.

    `labelled` demands a tag for every token. `label_col` names the column of the tags: a number from 1 or a name.
    `framed` keeps what is needed to write the same file with other tags (frames.py).
    `tokenise` cuts a text of jsonl into tokens; without it, runs of letters and digits and every other character.
    `room` is where sentences are kept that are more than memory holds, without a frame; None: in memory.
    """
    parts = _parts(source, SentenceRequest(label_col, labelled, tokenise=tokenise), how)
    return kept((part if framed else replace(part, frame=None) for part in parts), room)


def read_sentence_batches(
    source: Path | Sequence[Path],
    *,
    label_col: str | None = None,
    labelled: bool = True,
    batch_bytes: int = 1 << 20,
    tokenise: Tokenise | None = None,
    live: bool = False,
    **how: Unpack[FileOptions],
) -> Iterator[Sentences]:
    """The sentences that `read_sentences` gives, in order, in batches of about `batch_bytes`.

    The whole file is never in memory. The sentences before an error are given before the error is raised. With `live`,
    stdin and pipes are read as their bytes come in, since they may never end; a batch then has what has come in so far.
    """
    if batch_bytes < 1:
        raise UsageError(f"expected batch_bytes of at least 1, found {batch_bytes}.")
    parts = _parts(source, SentenceRequest(label_col, labelled, batch_bytes, tokenise), how, live=live)
    return (part for part in parts if len(part)) if live else rebatch(parts, batch_bytes)


def _parts(
    source: Path | Sequence[Path], request: SentenceRequest, how: FileOptions, *, live: bool = False
) -> Iterator[Sentences]:
    paths = paths_of(source)
    refuse_delimiter(how, "these are sentences of tokens")
    format = how.get("format")
    if format is not None:
        SENTENCE_FORMATS.named(format)
    return (part for path in paths for part in _read_one(path, request, how, live))


def _read_one(path: str, request: SentenceRequest, how: FileOptions, live: bool) -> Iterator[Sentences]:
    with Source(path, how.get("encoding"), live=live) as source:
        if source.is_folder:
            raise UsageError(f"'{source.name}' is a folder, expected a file of sentences. Pass the files in it.")
        if not source.head():
            raise DataError("the file is empty. Expected sentences of tokens.", source.name)
        refuse_binary(source)
        if how.get("format") is None:
            refuse_markup(source)
            if is_prose(source):
                raise DataError(
                    "holds running text, expected a token on each line with its columns, and a blank line after each "
                    "sentence. Cut it into tokens, or name its --format.",
                    source.name,
                )
        reader = choose(source, how.get("format"))
        tell(source, how.get("note"))
        found = False
        for part in reader.read(source, request):
            found = found or len(part) > 0
            yield part
        if not found:
            raise DataError(reader.empty, source.name)
