"""What the tests of readers share: a folder of their own, files to read, and the sentence of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import DataError
from linnet.io import read


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str | bytes], str]:
    """Write a file into an empty working folder and give its name, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The whole message with which `read` refuses a source."""

    def message(source: Any, **options: Any) -> str:
        with pytest.raises(DataError) as caught:
            read(source, **options)
        return str(caught.value)

    return message
