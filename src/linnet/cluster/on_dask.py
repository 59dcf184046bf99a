"""Workers of Dask (distributed), as a place where tasks are done. The only module that imports Dask.

Dask does the tasks of a dead worker again, but cannot bring back data that only this worker held. Then the driver, which has
all shards, sends them once more. Tasks are pure functions, so that the results are the same.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from linnet.cluster.place import Held, Task
from linnet.errors import LinnetError, UsageError
from linnet.learners.examples import Examples

try:
    import distributed
except ModuleNotFoundError as error:
    raise UsageError("a cluster needs Dask. Install it with: pip install 'linnet[dask]'.") from error

_LOCAL = "local:"
_SECONDS = 30
"""The seconds to wait for the scheduler and for a first worker."""
_ATTEMPTS = 10
"""How often a task is begun anew because the worker with its data has died."""


@contextmanager
def opened(cluster: str | distributed.Client) -> Iterator[Dask]:
    """The workers of a cluster: of `local:N`, which are N processes of this machine; at the address of a scheduler; or of a
    client that is there already."""
    if isinstance(cluster, distributed.Client):
        yield Dask(cluster)
        return
    if cluster.startswith(_LOCAL):
        with (
            distributed.LocalCluster(
                n_workers=_workers(cluster),
                threads_per_worker=1,
                dashboard_address=":0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            ) as local,
            distributed.Client(local) as client,
        ):
            yield Dask(client)
        return
    _check_address(cluster)
    with _client(cluster) as client:
        yield Dask(client)


def _workers(cluster: str) -> int:
    number = cluster.removeprefix(_LOCAL)
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(f"expected a number of workers after {_LOCAL!r}, such as local:4, found {number!r}.")
    return int(number)


def _check_address(address: str) -> None:
    """Raise UsageError for what is no address, and for one of another machine that is reached without TLS."""
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise UsageError(
            f"expected local:N, or the address of a scheduler of Dask such as tls://HOST:8786, found {address!r}."
        )
    if parts.scheme == "tcp" and not _is_this_machine(parts.hostname):
        raise UsageError(
            f"{address} is another machine: whoever listens could read the data, and run code on the workers. Use tls://, with "
            "the certificates in the configuration of Dask (distributed.comm.tls), or give linnet.train a client of your own."
        )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _client(address: str) -> distributed.Client:
    try:
        return distributed.Client(address, timeout=_SECONDS)
    except OSError as error:
        raise UsageError(
            f"no scheduler of Dask answers at {address} ({error}). Start one with `dask scheduler`."
        ) from None


class Dask:
    """The workers of a client of Dask."""

    def __init__(self, client: distributed.Client) -> None:
        self._client = client
        try:
            client.wait_for_workers(1, timeout=_SECONDS)
        except TimeoutError:
            raise UsageError(
                f"the cluster at {client.scheduler.address} has no workers. Start some with `dask worker`."
            ) from None

    def hold(self, shards: Sequence[Examples]) -> Held:
        return _HeldOnDask(self._client, shards)


class _HeldOnDask:
    def __init__(self, client: distributed.Client, shards: Sequence[Examples]) -> None:
        self._client = client
        self._shards = shards
        self._held = client.scatter(list(shards), hash=False)

    def each(self, task: Task, begins: Callable[[int], Any]) -> Iterator[Any]:
        """Begin the tasks of all shards, and yield their results in order."""
        sent = self._client.scatter([begins(k) for k in range(len(self._shards))], hash=False)
        futures = {k: self._begun(task, begin, k) for k, begin in enumerate(sent)}
        for k in range(len(self._shards)):
            for _ in range(_ATTEMPTS):
                try:
                    result = futures.pop(k).result()
                    break
                except CancelledError:
                    self._held[k], begin = self._client.scatter([self._shards[k], begins(k)], hash=False)
                    futures[k] = self._begun(task, begin, k)
                except distributed.KilledWorker as error:
                    raise LinnetError(
                        f"the workers that were learning shard {k} of {len(self._shards)} died, one after the other. They "
                        "may have too little memory: use more shards, or larger workers."
                    ) from error
            else:
                raise LinnetError(f"shard {k} of {len(self._shards)} was lost {_ATTEMPTS} times with its worker.")
            yield result

    def _begun(self, task: Task, begin: distributed.Future, k: int) -> distributed.Future:
        return self._client.submit(task, begin, self._held[k], pure=False)
