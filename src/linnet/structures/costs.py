"""The cost of a wrong tag: cost[c, d] for tag d where c is right, for `Chain(..., cost=...)` and learners that use a
margin.

    hamming   1 for every wrong tag
    spans     2 for a wrong tag on a token of a span, which loses the span, and 1 for one on a token outside

Weights multiply the costs of the tag that is right: to miss a tag of weight 5 is five times as bad.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from linnet.errors import UsageError
from linnet.structures.schemes import code

KINDS = ("hamming", "spans")
_MISSED = 2.0
"""The cost, by kind=spans, of a wrong tag on a token of a span."""


def costs(
    labels: Sequence[str], kind: str = "hamming", weights: Mapping[str, float] | None = None
) -> npt.NDArray[np.float32]:
    """The matrix of costs over these tags, with the right tag in rows.

    >>> costs(["O", "B-X", "I-X"], "spans", {"B-X": 1.5}).tolist()
    [[0.0, 1.0, 1.0], [3.0, 0.0, 3.0], [2.0, 2.0, 0.0]]
    """
    if kind not in KINDS:
        raise UsageError(
            f"expected the costs of tags to be balanced, {', '.join(KINDS)} or tag=weight, found {kind!r}."
        )
    unknown = [label for label in weights or {} if label not in labels]
    if unknown:
        raise UsageError(f"weight for {unknown[0]!r}, but the labels are {', '.join(labels)}.")
    of_tag = np.array([(weights or {}).get(label, 1.0) for label in labels], np.float32)
    if not ((of_tag >= 0) & (of_tag < np.inf)).all():
        raise UsageError("expected weights of 0 or more.")
    if kind == "spans":
        of_tag = of_tag * np.where(code(labels).kind >= 0, _MISSED, 1.0).astype(np.float32)
    table: npt.NDArray[np.float32] = of_tag[:, None] * (1 - np.eye(len(labels), dtype=np.float32))
    return table
