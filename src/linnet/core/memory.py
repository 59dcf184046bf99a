"""Giving freed memory back to the system: Arrow and the C library would keep it for later."""

from __future__ import annotations

import ctypes
import sys

import pyarrow as pa


def give_back() -> None:
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only glibc has it
        if trim is not None:
            trim(0)
