"""A real browser for tests; they are skipped, with a reason, where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator:
    """A browser while the block runs."""
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no chromium is installed: apt install chromium, or name one in the variable CHROMIUM")
    with sync.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=list(_FLAGS))
        yield browser
        browser.close()


def faults(page) -> list[str]:
    """The serious faults that axe-core finds in a page."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
