"""Why there are two readers of some formats, and how the fast one hands over to the careful one.

pyarrow reads quickly but names no lines, and takes some damaged files for good ones. So a fast reader raises when it
cannot vouch for what it read, and a careful one then reads the same bytes: it either finds the line to blame, or
finds the bytes to be good after all. The careful readers define what a format means; the fast ones only save time.
"""

from __future__ import annotations

import pyarrow as pa


class DoubtError(Exception):
    """Raised by a fast reader when what it read may be wrong."""


# UnicodeDecodeError is among these as pyarrow decodes column names only when asked for them.
DOUBTFUL = (DoubtError, pa.ArrowException, UnicodeDecodeError)
