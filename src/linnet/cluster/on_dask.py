"""Workers of Dask (distributed), as a place where tasks are done. The only module that imports Dask.

Dask does the tasks of a dead worker again, but cannot bring back data that only this worker held. Then the driver, which has
all shards, sends them once more. Tasks are pure functions, so that the results are the same.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from linnet.cluster.differences import Difference, difference
from linnet.cluster.place import Begin, Held, Task
from linnet.core.digits import whole_number
from linnet.core.types import Arrays
from linnet.errors import LinnetError, UsageError
from linnet.learners.examples import Examples
from linnet.limits import LOCAL_WORKERS

try:
    import dask
    import distributed
except ModuleNotFoundError as error:
    raise UsageError("a cluster needs Dask. Install it with: pip install 'linnet[dask]'.") from error

_LOCAL = "local:"
_TLS = "tls://"
_THIS_MACHINE = "127.0.0.1"
_NO_PAGES: dict[str, Any] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
"""Settings of Dask by which its servers have no page."""
_SECONDS = 30
"""The seconds to wait for the scheduler and for a first worker."""
_SECONDS_WITHOUT_WORKERS = 300
"""The seconds to wait for other workers where all have died."""
_SECONDS_BETWEEN_ATTEMPTS = 1
_SECONDS_BETWEEN_LOOKS = 5
"""How often to look whether there are workers, while results are waited for."""
_ATTEMPTS = 10
"""How often a task is begun anew because the worker with its data has died."""


Tls: TypeAlias = tuple[str, str, str]
"""The files with the certificate of the authority, with one's own certificate, and with its key."""


@contextmanager
def opened(cluster: str | distributed.Client, tls: Tls | None = None) -> Iterator[Dask]:
    """The workers of a cluster: of `local:N`, which are N processes of this machine; at the address of a scheduler, with the
    certificates of TLS where there are some; or of a client that is there already."""
    if tls is not None and not (isinstance(cluster, str) and cluster.startswith(_TLS)):
        raise UsageError(f"certificates are for a cluster at an address such as {_TLS}HOST:8786. Leave them out.")
    if isinstance(cluster, distributed.Client):
        yield Dask(cluster)
        return
    if cluster.startswith(_LOCAL):
        with _local_cluster(_workers(cluster)) as local, distributed.Client(local) as client:
            yield Dask(client)
        return
    _check_address(cluster)
    with _client(cluster, tls) as client:
        yield Dask(client)


def _local_cluster(n_workers: int) -> distributed.LocalCluster:
    """Processes of this machine. Whoever reaches a port of Dask can run code, and every user of this machine reaches its
    ports: so only those who have certificates are let in, which are made for this cluster and are in its memory alone. The
    pages of Dask, which need no certificate, are left out."""
    try:
        security = distributed.Security.temporary()
    except ImportError:
        raise UsageError("workers of this machine need certificates. Install: pip install 'linnet[dask]'.") from None
    with dask.config.set(_NO_PAGES):
        return distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            host=_THIS_MACHINE,
            security=security,
            dashboard_address=f"{_THIS_MACHINE}:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )


def _workers(cluster: str) -> int:
    typed = cluster.removeprefix(_LOCAL)
    number = whole_number(typed)
    if not number:
        raise UsageError(f"expected a number of workers after {_LOCAL!r}, such as local:4, found {typed!r:.60}.")
    if number > LOCAL_WORKERS.most:
        raise UsageError(
            f"{cluster!r:.60} are more than {LOCAL_WORKERS.shown} processes. Ask for as many as there are cores."
        )
    return number


def _check_address(address: str) -> None:
    """Raise UsageError for what is no address, and for one of another machine that is reached without TLS."""
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise UsageError(
            f"expected local:N, or the address of a scheduler of Dask such as tls://HOST:8786, found {address!r}."
        )
    if parts.scheme == "tcp" and not _is_this_machine(parts.hostname):
        raise UsageError(
            f"{address} is another machine: whoever listens could read the data, and run code on the workers. Use {_TLS}, with "
            "certificates (--tls CA CERT KEY), or give linnet.train a client of your own."
        )


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _client(address: str, tls: Tls | None) -> distributed.Client:
    more = {} if tls is None else {"security": _security(tls)}
    try:
        return distributed.Client(address, timeout=_SECONDS, **more)
    except (OSError, TypeError) as error:
        raise UsageError(
            f"no scheduler of Dask answers at {address} ({error}). Start one with `dask scheduler`, and see that both sides "
            "have certificates of the same authority where the address has tls."
        ) from None


def _security(tls: Tls) -> distributed.Security:
    for path in tls:
        if not os.path.isfile(path):
            raise UsageError(f"there is no file {path!r}. Expected the files CA CERT KEY with certificates for TLS.")
    ca, cert, key = tls
    return distributed.Security(tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True)


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

    def as_ready(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Call a function with each of these arguments, and yield the number of a call and its result as soon as it is there.
        A call is made again where its worker has died."""
        futures = {self._client.submit(function, *call, pure=False): k for k, call in enumerate(calls)}
        waiting = set(futures)
        while waiting:
            first = partial(distributed.wait, waiting, return_when="FIRST_COMPLETED")
            for future in sorted(_waited_for(self._client, first).done, key=futures.__getitem__):
                waiting.remove(future)
                try:
                    yield futures[future], future.result()
                except distributed.KilledWorker as error:
                    raise LinnetError(
                        f"the workers with call {futures[future] + 1} of {len(calls)} died, one after the other. They may "
                        "have too little memory."
                    ) from error


class _HeldOnDask:
    def __init__(self, client: distributed.Client, shards: Sequence[Examples]) -> None:
        self._client = client
        self._shards = shards
        # One after the other, since a shard whose rows are in a file is in memory while it is sent.
        self._held = [_scattered(client, shard) for shard in shards]
        self._sent: dict[int, tuple[Arrays, distributed.Future]] = {}
        """The arrays that each shard began the last pass with, here and at the workers."""

    def each(self, task: Task, begins: Callable[[int], Begin]) -> Iterator[Any]:
        """Begin the tasks of all shards, and yield their results in order."""
        futures = {k: self._begun(task, begins(k), k) for k in range(len(self._shards))}
        for k in range(len(self._shards)):
            for _ in range(_ATTEMPTS):
                try:
                    result = _waited_for(self._client, futures.pop(k).result)
                    break
                except CancelledError:
                    self._sent.pop(k, None)
                    self._held[k] = _scattered(self._client, self._shards[k])
                    futures[k] = self._begun(task, begins(k), k)
                except distributed.KilledWorker as error:
                    raise LinnetError(
                        f"the workers that were learning shard {k} of {len(self._shards)} died, one after the other. They "
                        "may have too little memory: use more shards, or larger workers."
                    ) from error
            else:
                raise LinnetError(f"shard {k} of {len(self._shards)} was lost {_ATTEMPTS} times with its worker.")
            yield result

    def _begun(self, task: Task, begin: Begin, k: int) -> distributed.Future:
        """Send what shard k begins with, as a difference to what it began with before, and begin its task."""
        if k in self._sent:
            before, there = self._sent[k]
            change = _scattered(self._client, difference(before, begin.arrays))
            arrays = self._client.submit(Difference.applied, change, there, pure=False)
        else:
            arrays = _scattered(self._client, begin.arrays)
        self._sent[k] = begin.arrays, arrays
        rest = replace(begin, arrays={})  # type: ignore[type-var]
        return self._client.submit(_with_arrays, task, rest, arrays, self._held[k], pure=False)


def _scattered(client: distributed.Client, data: object) -> distributed.Future:
    """Send data to one of the workers, and return the future for them. If the worker dies meanwhile, they are sent again;
    if all have died, wait for others. Raise LinnetError where none come."""
    for _ in range(_ATTEMPTS):
        try:
            (sent,) = client.scatter([data], hash=False, timeout=_SECONDS_WITHOUT_WORKERS)
            return sent
        except TimeoutError:
            break
        except OSError:
            time.sleep(_SECONDS_BETWEEN_ATTEMPTS)
    raise _alone()


def _waited_for(client: distributed.Client, get: Callable[..., Any]) -> Any:
    """What `get` returns, a function of Dask that waits for results and takes a timeout. Raise LinnetError where there
    have been no workers for _SECONDS_WITHOUT_WORKERS; Dask by itself would wait without end."""
    since: float | None = None
    while True:
        try:
            return get(timeout=_SECONDS_BETWEEN_LOOKS)
        except TimeoutError:
            now = time.monotonic()
            since = None if _has_workers(client) else since or now
            if since is not None and now - since >= _SECONDS_WITHOUT_WORKERS:
                raise _alone() from None


def _has_workers(client: distributed.Client) -> bool:
    try:
        return bool(client.nthreads())
    except OSError:  # The scheduler cannot be reached.
        return False


def _alone() -> LinnetError:
    return LinnetError(
        f"the cluster has had no workers for {_SECONDS_WITHOUT_WORKERS} seconds, or cannot be reached. Start some with `dask "
        "worker`, and go on with --resume."
    )


def _with_arrays(task: Task, rest: Any, arrays: Arrays, shard: Examples) -> Any:
    return task(replace(rest, arrays=arrays), shard)
