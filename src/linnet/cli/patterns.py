"""Patterns in the place of names of data files, such as 'in/*.parquet', for more files than a command line can name."""

from __future__ import annotations

import glob
import os

from linnet.errors import UsageError


def expanded(paths: list[str]) -> list[str]:
    """The files that are named, those of a pattern in the order of their names. A file whose name is a pattern is a file."""
    found: list[str] = []
    for path in paths:
        if not glob.has_magic(path) or os.path.lexists(path):
            found.append(path)
            continue
        files = sorted(glob.glob(path, recursive=True))
        if not files:
            raise UsageError(f"no file fits the pattern {path!r}. Check the folder and the ending.")
        found += files
    return found
