"""The page of a model as a file."""

from __future__ import annotations

import os

from linnet import io
from linnet.cli.console import say
from linnet.model import Model


def write_page(path: str, model_path: str, model: Model) -> None:
    """Write the page of a model to a file."""
    from linnet.plot.model_page import model_page

    with io.atomic(path) as file:
        file.write(model_page(os.path.basename(model_path), model).encode())
    say(f"wrote {path}")
