"""The files that pages load: style sheets, scripts and a picture. They are in the package, and read once."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from linnet.report.page import COLOURS, STYLE
from linnet.web.problems import refusal

_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class StaticFiles:
    """Serves files by their names from what was read at the start, so that no name of a request reaches the file system."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[bytes, str]] = {"pages.css": ((COLOURS + STYLE).encode(), "text/css")}
        for one in files("linnet.web").joinpath("static").iterdir():
            kind = _KINDS.get("." + one.name.rpartition(".")[2])
            if kind is not None:
                self._files[one.name] = one.read_bytes(), kind

    async def answer(self, request: Request) -> Response:
        """The file that a request names, or 304 where the browser has it already."""
        return self._file(request, request.path_params["name"])

    async def icon(self, request: Request) -> Response:
        """The icon, which browsers ask for as /favicon.ico."""
        return self._file(request, "linnet.svg")

    def _file(self, request: Request, name: str) -> Response:
        found = self._files.get(name)
        if found is None:
            return refusal(404, "there is no such file.")
        content, kind = found
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=kind)
