"""Who may ask the server: the names under which it is asked for, where a page that asks came from, and the token.

A page of a stranger in the same browser can send requests to a server on this machine. Two rules keep it out. The `Host` of a
request must be a name of this machine or an address: a stranger who makes a name of their own point here (DNS
rebinding) sends that name, and is refused. And the `Origin` that browsers add must be the server itself.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True)
class Access:
    """Who may ask. `names` are those under which the server may be asked for, `token` is "" where none is needed."""

    names: frozenset[str]
    addresses: bool
    """Whether any address, written in numbers, is a name of the server."""
    token: str

    @classmethod
    def on(cls, host: str, names: Sequence[str] = ()) -> Access:
        """The access to a server that listens on a host: without a token on this machine alone, otherwise with a new one."""
        known = {*_LOOPBACK, *(name.lower() for name in names)}
        if is_loopback(host):
            return cls(frozenset(known), False, "")
        known |= {host.lower(), socket.gethostname().lower()}
        return cls(frozenset(known), True, secrets.token_urlsafe(24))

    def knows_host(self, host: str) -> bool:
        """Whether the `Host` of a request names this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["v6"] or found["name"]).lower()
        return name in self.names or (self.addresses and _is_address(name))

    def is_own(self, origin: str, host: str) -> bool:
        """Whether the `Origin` of a request is the server that it was sent to."""
        return origin.partition("://")[2].lower() == host.lower()

    def admits(self, token: str) -> bool:
        """Whether a token is the right one, or none is needed."""
        return not self.token or hmac.compare_digest(token.encode(), self.token.encode())


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens on this host.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    return host in _LOOPBACK or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
