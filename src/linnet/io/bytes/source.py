"""Where the bytes come from: a file, stdin or a pipe, plain or compressed, in whatever encoding."""

from __future__ import annotations

import difflib
import io
import mmap
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, Any, Self

import pyarrow as pa

from linnet.errors import DataError, impossible_name
from linnet.io.bytes.encoding import BOM
from linnet.io.bytes.encoding_detection import WESTERN, detect, marked
from linnet.io.bytes.live import Live
from linnet.io.bytes.recoding import Recoded, codec_name, is_utf8_name
from linnet.io.bytes.unpacking import Content, most_content

CODECS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
_MAGIC = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd", "bz2": b"BZh"}
_BZ2_BLOCK = (b"1AY&SY", b"\x17rE8P\x90")  # the digits of pi begin a block, those of its root the end of the data
_SPOOL = 32 << 20
"""The bytes of a pipe that are copied into memory; if there are more, all of them are copied into a file."""
_PULLED = 1 << 20
_ENDLESS = {os.makedev(1, minor) for minor in (5, 7, 8, 9)}
"""The devices zero, full, random and urandom of Linux."""
_HEAD = 64 << 10
"""The number of bytes at the start of a file from which its encoding and its format are told."""


class Stream:
    """The bytes of a source as readers want them: decompressed, in UTF-8, and without a byte order mark."""

    def __init__(self, raw: Any, name: str, codec: str | None) -> None:
        self._raw = raw
        self.name = name
        self._codec = codec
        self._given = 0
        self.closed = False
        self._packed = _Counted(raw)
        if codec is not None:
            self._raw = pa.CompressedInputStream(pa.PythonFile(self._packed, mode="r"), codec)
        self._recoded: Recoded | None = None
        self._head = b""

    def as_utf8(self, encoding: str | None, *, is_guess: bool) -> Self:
        """Make the stream give UTF-8, and return it. This must be called before anything is read.

        encoding: that of the bytes; None: they are UTF-8 already, or no text. is_guess: whether it was guessed.
        """
        if encoding is None or is_utf8_name(encoding):
            self._head = self._pull(len(BOM)).removeprefix(BOM)
        else:
            self._recoded = Recoded(self._pull, encoding, self.name, is_guess=is_guess)
        return self

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, or all of them; b"" at the end."""
        if self._recoded is not None:
            return self._recoded.read(size)
        if size < 0:
            head, self._head = self._head, b""
            return head + self._pull(-1)
        head, self._head = self._head[:size], self._head[size:]
        return head + self._pull(size - len(head)) if len(head) < size else head

    def close(self) -> None:
        self._raw.close()
        self.closed = True

    def readable(self) -> bool:
        return not self.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _pull(self, size: int) -> bytes:
        if size < 0:
            return b"".join(iter(lambda: self._pull(_PULLED), b""))
        try:
            chunk: bytes = self._raw.read(size)
        except OSError as error:
            raise DataError(self._failure(error), self.name) from None
        self._given += len(chunk)
        if self._codec is not None and self._given > most_content(self._packed.given):
            raise DataError(
                f"{self._packed.given:,} bytes of {self._codec} data hold more than {self._given:,} bytes, which no text does. "
                "If it is as it should be, unpack it first.",
                self.name,
            )
        return chunk

    def _failure(self, error: OSError) -> str:
        if self._codec is None:
            return f"cannot be read: {error.strerror or error}."
        if "Truncated" in str(error):
            return (
                f"the {self._codec} data end too early, after {self._given:,} bytes of content. "
                "Copy or download the file again."
            )
        return (
            f"the {self._codec} data are damaged after {self._given:,} bytes of content ({error}). "
            "Copy or download the file again."
        )


class _Counted:
    """A file that counts the bytes that were read from it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.given = 0
        self.close = raw.close

    def read(self, size: int = -1) -> bytes:
        chunk: bytes = self._raw.read(size)
        self.given += len(chunk)
        return chunk

    def readable(self) -> bool:
        return True

    @property
    def closed(self) -> bool:
        return bool(self._raw.closed)


class _Borrowed:
    """A spool, read from its start. Closing this leaves the spool itself open to be read again: pyarrow closes what it
    has read."""

    def __init__(self, spool: IO[bytes]) -> None:
        self._spool = spool
        self.read = spool.read
        self.seek = spool.seek
        self.closed = False
        spool.seek(0)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self.closed = True


class Source:
    """One path that can be read from its start as often as needed; stdin and pipes are first copied to a spool.

    encoding: that of the text, as Python calls it; None: the one that the bytes show (encoding_detection.py).
    live: whether stdin and pipes are read as their bytes come in, without a spool, since they may never end. They can then be
        read again only as long as their first part is kept (live.py).
    """

    def __init__(self, path: str, encoding: str | None = None, *, live: bool = False) -> None:
        self.path = path
        self.name = "stdin" if path == "-" else path
        self._asked = None if encoding is None else codec_name(encoding)
        self._found: tuple[str | None] | None = None  # the encoding, once it has been looked for; it may be None, too
        self._stack = ExitStack()
        self._spool: IO[bytes] | None = None
        self._head: bytes | None = None
        self._start: bytes | None = None
        mode = stat.S_IFIFO if path == "-" else _mode(path)
        self.is_folder = stat.S_ISDIR(mode)
        self._is_regular = stat.S_ISREG(mode)
        self.is_pipe = not self._is_regular and not self.is_folder
        """Whether it can be read only once: standard input, a named pipe, a device."""
        self.is_live = live and self.is_pipe
        """Whether the bytes are read as they come in."""
        self._live: Live | None = None

    @property
    def extension(self) -> str:
        """The extension in lower case, without that of a compression: '.csv' for 'Reviews.CSV.gz'."""
        stem, extension = os.path.splitext(self.path.lower())
        return os.path.splitext(stem)[1] if extension in CODECS else extension

    @property
    def encoding(self) -> str | None:
        """The encoding of the text: the one that was asked for, or that the bytes show; None for UTF-8, and where it is not
        clear."""
        if self._found is None:
            start = self.start()
            if self._asked is not None:
                _check_mark(marked(start), self._asked, self.name)
                self._found = (self._asked,)
            elif self.is_live:  # Only the first bytes are looked at: further ones may be long in coming.
                self._found = (detect(start, io.BytesIO()),)
            else:
                with self._open_bytes() as stream:
                    stream.read(len(start))
                    self._found = (detect(start, stream),)
        return self._found[0]

    @property
    def note(self) -> str | None:
        """What to tell the user about the encoding: the one that was found, unless it is UTF-8."""
        if self._asked is not None or self.is_folder or is_utf8_name(self.encoding):
            return None
        doubt = (
            " (Western European). If letters look wrong, name another --encoding" if self.encoding == WESTERN else ""
        )
        return f"{self.name}: the encoding is {self.encoding}{doubt}"

    def open(self) -> Stream:
        """The text from its start, in UTF-8. Where the encoding is not clear, the bytes are left as they are."""
        encoding = self.encoding
        return self._open_bytes().as_utf8(encoding, is_guess=self._asked is None and encoding == WESTERN)

    def _open_bytes(self) -> Stream:
        raw = self._open_raw()
        try:
            return Stream(raw, self.name, self._codec(raw))
        except BaseException:
            raw.close()
            raise

    def open_seekable(self) -> pa.NativeFile:
        """A file that can be read from any position, for formats that are no text. What is compressed or not a regular
        file is read into memory."""
        if self._is_regular:
            with open(self.path, "rb") as raw:
                codec = self._codec(raw)
            if codec is None:
                return pa.OSFile(self.path)
        with self._open_bytes() as stream:
            return pa.BufferReader(stream.read())

    def content(self, what: str) -> Content:
        """A count of what the file holds, for a format that is no text and may hold more than it has bytes."""
        if self._is_regular:
            size = os.stat(self.path).st_size
        else:
            size = sum(map(len, iter(partial(self._open_raw().read, _PULLED), b"")))
        return Content(size, what, self.name)

    def mapped(self) -> mmap.mmap | bytes:
        """All bytes, decompressed but in no other encoding: mapped into memory where they are a regular file without
        compression, and else read into memory."""
        if self._is_regular:
            with open(self.path, "rb") as raw:
                if self._codec(raw) is None and os.fstat(raw.fileno()).st_size:
                    return mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
        with self._open_bytes() as stream:
            return stream.read()

    def start(self) -> bytes:
        """The first bytes of the file, decompressed, but not recoded to UTF-8."""
        if self._start is None:
            with self._open_bytes() as stream:
                self._start = stream.read(_HEAD)
        return self._start

    def head(self) -> bytes:
        """The first bytes of the text in UTF-8, from which the format can be told."""
        if self._head is None:
            start = self.start()
            if (self._asked is None and start.isascii() and b"\0" not in start) or is_utf8_name(self.encoding):
                self._head = start.removeprefix(BOM)
            else:
                with self.open() as stream:
                    self._head = stream.read(_HEAD)
        return self._head

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _open_raw(self) -> Any:
        try:
            if self._is_regular:
                return open(self.path, "rb")
            if self.is_live:
                if self._live is None:
                    self._live = Live(self._stack.enter_context(_opened(self.path)), self.name)
                return self._live.opened()
            if self._spool is None:
                self._spool = self._stack.enter_context(_spooled(self.path))
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror or error}.", self.name) from None
        return _Borrowed(self._spool)

    def _codec(self, raw: Any) -> str | None:
        """The compression that the first bytes of an open file show, None for none. DataError where the name promises
        another one. Afterwards the file is at its start again."""
        head = raw.read(10)
        raw.seek(0)
        extension = os.path.splitext(self.path.lower())[1]
        named, found = CODECS.get(extension), _codec_of(head)
        if named is not None and head and found != named:
            message = f"is named {extension}, but does not hold {named} data. Rename it, or compress it again."
            raise DataError(message, self.name)
        return found


def _check_mark(found: str | None, asked: str, name: str) -> None:
    """Raise DataError where a file begins with the byte order mark of another encoding than the one asked for."""
    if found is not None and not asked.startswith(found.removesuffix("-sig")):
        raise DataError(
            f"the file begins with the byte order mark of {found.removesuffix('-sig')}, expected {asked}. "
            "Convert the file, or name the encoding that it has.",
            name,
        )


def _codec_of(head: bytes) -> str | None:
    codec = next((codec for codec, magic in _MAGIC.items() if head.startswith(magic)), None)
    # A text may begin with "BZh"; the block mark that follows in bzip2 data is in no text.
    return None if codec == "bz2" and head[4:10] not in _BZ2_BLOCK else codec


def _opened(path: str) -> AbstractContextManager[Any]:
    """A context with standard input, which it does not close, or with a pipe, which it closes."""
    if path == "-" and sys.stdin is None:
        raise DataError("stdin is closed. Pipe a file into it, or name the file.", "stdin")
    return nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb")


@contextmanager
def _spooled(path: str) -> Iterator[IO[bytes]]:
    """A copy of all bytes of standard input or of a pipe."""
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(max_size=_SPOOL) as spool:
        with _opened(path) as pipe:
            shutil.copyfileobj(pipe, spool)
        yield spool


def _mode(path: str) -> int:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise DataError(f"no such file.{nearest(path)}", path) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}.", path) from None
    except ValueError:
        raise impossible_name(path) from None
    if stat.S_ISCHR(found.st_mode) and found.st_rdev in _ENDLESS:
        raise DataError("is a device that never ends. Name a file, or - for stdin.", path)
    return found.st_mode


def nearest(path: str) -> str:
    """A sentence, with a space before it, to help find a file that is missing: which file may have been meant, or that
    its folder is missing, too. It is empty where no name is alike."""
    folder = Path(path).parent
    if not folder.is_dir():
        return f" There is no folder '{folder}' either."
    near = difflib.get_close_matches(Path(path).name, sorted(entry.name for entry in folder.iterdir()), n=1)
    return f" Did you mean '{os.path.join(os.path.dirname(path), near[0])}'?" if near else ""
