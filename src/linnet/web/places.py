"""Places for files that are uploaded: so many come at once, and who sends too little gives way to the next one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from linnet.web.limits import Limits
from linnet.web.problems import RefusedError


class Place:
    """The place of one upload. `came` is the number of its bytes so far."""

    def __init__(self, least_rate: float) -> None:
        self.came = 0
        self.least_rate = least_rate
        self.time = asyncio.timeout(None)
        self._begun = asyncio.get_running_loop().time()

    def debt(self, now: float) -> float:
        """For how many seconds the upload has been coming, less those that its bytes pay for at the least rate."""
        return now - self._begun - self.came / self.least_rate


class Places:
    """The places of all uploads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._taken: set[Place] = set()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[Place]:
        """Have a place while the block runs. Raise RefusedError in its midst where it gives way to another upload."""
        now = asyncio.get_running_loop().time()
        if len(self._taken) >= self.limits.uploads:
            last = max(self._taken, key=lambda one: one.debt(now))
            self._taken.remove(last)
            last.time.reschedule(now)
        place = Place(self.limits.least_rate)
        self._taken.add(place)
        try:
            async with place.time:
                yield place
        except TimeoutError:
            raise RefusedError(503, "too many files come at once, and this one came slowest. Send it again.") from None
        finally:
            self._taken.discard(place)
