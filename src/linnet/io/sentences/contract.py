"""What every reader of sentences is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from linnet.io.bytes.source import Source
from linnet.io.formats import Sniffing
from linnet.io.sentences.sentences import Sentences

# A function that gives the places (start, end) of the tokens of a text, in code points and in order.
Tokenise: TypeAlias = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class SentenceRequest:
    """What is asked of a reader: where the tags are (None for the usual place), whether every token needs one, and how
    texts become tokens."""

    label_col: str | None = None
    labelled: bool = True
    batch_bytes: int = 1 << 20
    tokenise: Tokenise | None = None


class SentenceReader(Sniffing, Protocol):
    """A reader of one file format. To add a format, write a module with such an object, and a line in the registry."""

    def read(self, source: Source, request: SentenceRequest) -> Iterator[Sentences]:
        """Yield the sentences in order, in parts of bounded size. A part may have no sentence, but a frame with lines
        that are to be written again, such as comments."""
