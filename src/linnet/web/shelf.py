"""The models that a server has, keyed by name. Each can be replaced while it answers.

A request takes the model that is there when it comes, and keeps it to its end. A new one takes its place by one assignment, so
that no request waits or fails.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette

from linnet.errors import LinnetError, ModelError, UsageError
from linnet.model.base import Model
from linnet.model.private_copy import private_copy
from linnet.tasks import load
from linnet.web.problems import RefusedError

_LOG = logging.getLogger("linnet.web")
_EVERY = 1.0
"""The number of seconds after which files of models are looked at again."""


class Served:
    """A model under its name, and the file that it came from."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        self._seen = _stamp(path)
        """The stamp of the file that was last looked at, which may be damaged."""
        self.model: Model = _read(path)
        self._last_read = self.model, self._seen
        """The last model that was read from the file, and the stamp that the file had then."""
        self._reading = asyncio.Lock()
        """Held while the file is read: however many ask for that, one copy is made at a time."""
        self.replaced = 0
        """The number of times that another model took the place of the first one."""

    def replace(self, model: Model) -> None:
        """Answer with another model from now on."""
        self.model = model
        self.replaced += 1

    async def reload(self) -> None:
        """Read the file again, and answer with the model that is in it now. Raise ModelError, and keep the model, if it cannot
        be read."""
        async with self._reading:
            self._seen = seen = _stamp(self.path)
            model = await asyncio.to_thread(_read, self.path)
            self._last_read = model, seen
            self.replace(model)

    def file_in(self, folder: Path) -> Path:
        """A file with the model that answers now: the one that it came from, or where it has been taught or that has changed
        since, a new one in a folder."""
        model, (read, stamp) = self.model, self._last_read
        if model is read and _stamp(self.path) == stamp:
            return Path(self.path).absolute()
        model.save(folder / "model.linnet")
        return folder / "model.linnet"

    async def reload_if_changed(self) -> None:
        """Read the file again if it is another than before; if it cannot be read, say so and keep the model."""
        try:
            if _stamp(self.path) != self._seen:
                await self.reload()
        except (LinnetError, OSError) as error:
            _LOG.warning("the model %s stays as it was: %s", self.name, error)


class Shelf(Mapping[str, Served]):
    """The models of a server, keyed by name."""

    def __init__(self, paths: Sequence[str]) -> None:
        """Load the models of some files. The name of a model is that of its file without the ending."""
        self._served: dict[str, Served] = {}
        for path in paths:
            name = Path(path).name.removesuffix(".linnet")
            if name in self._served:
                raise UsageError(
                    f"two models would have the name {name!r}: {self._served[name].path} and {path}. Rename one of the files."
                )
            self.add(name, path)

    def add(self, name: str, path: str) -> None:
        """Serve one more model."""
        self._served[name] = Served(name, path)

    def __getitem__(self, name: str) -> Served:
        found = self._served.get(name)
        if found is None:
            raise RefusedError(404, f"there is no model {name!r:.80}. There are: {', '.join(self._served) or 'none'}.")
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._served

    def __iter__(self) -> Iterator[str]:
        return iter(self._served)

    def __len__(self) -> int:
        return len(self._served)

    @asynccontextmanager
    async def watched(self, app: Starlette) -> AsyncIterator[None]:
        """While the server runs, look at the files once a second, and take up new models."""
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_EVERY)
            for served in list(self._served.values()):
                await served.reload_if_changed()


def _read(path: str) -> Model:
    """The model in a file, of which a copy is mapped: others may write into the file while it is served."""
    with private_copy(path) as copy:
        try:
            model = load(copy)
            model.verify()
        except ModelError as error:
            raise ModelError(str(error).replace(copy, path)) from None
    return model


def _stamp(path: str) -> tuple[int, int, int]:
    """What changes when a file is replaced; zeros where there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino
