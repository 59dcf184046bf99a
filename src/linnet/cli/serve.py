"""The command `linnet serve`."""

from __future__ import annotations

from linnet.cli.console import say
from linnet.errors import UsageError
from linnet.limits import MB


def run(
    *, models: list[str] | None, host: str, port: int, names: list[str] | None, rate: float | None, body: int
) -> None:
    try:
        from linnet.web.access import Access, is_loopback
        from linnet.web.limits import Limits
        from linnet.web.server import run as serve
        from linnet.web.workbench import workbench
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the server needs the package {error.name!r}. Install it with linnet: pip install 'linnet[web]'."
        ) from None
    access = Access.on(host, names or ())
    usual = Limits.rate if is_loopback(host) else Limits.rate_of_others
    limits = Limits(body=body * MB, rate=rate or usual)
    app = workbench(models or (), access, limits)
    serve(app, access, limits, host, port, lambda address: say(f"open {address} (Ctrl-C ends the server)"))
