"""What the server counts, in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

_BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0)
"""The upper bounds of the buckets of the histogram of times, in seconds."""


class Metrics:
    """Counts of responses by status, and for each kind of question the number of examples and the times that it took."""

    def __init__(self) -> None:
        self._statuses: Counter[int] = Counter()
        self._examples: Counter[tuple[str, str]] = Counter()
        self._times: dict[tuple[str, str], list[int]] = {}
        self._seconds: dict[tuple[str, str], float] = {}

    def answered(self, status: int) -> None:
        """Count a response."""
        self._statuses[status] += 1

    def took(self, model: str, question: str, examples: int, seconds: float) -> None:
        """Count what a question asked of a model took."""
        key = model, question
        self._examples[key] += examples
        self._seconds[key] = self._seconds.get(key, 0.0) + seconds
        self._times.setdefault(key, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1

    def text(self) -> str:
        """All counts, as Prometheus reads them."""
        lines = ["# HELP linnet_responses_total Responses by status.", "# TYPE linnet_responses_total counter"]
        lines += [f'linnet_responses_total{{status="{status}"}} {n}' for status, n in sorted(self._statuses.items())]
        lines += ["# HELP linnet_examples_total Examples by question.", "# TYPE linnet_examples_total counter"]
        lines += [f"linnet_examples_total{{{_named(key)}}} {n}" for key, n in sorted(self._examples.items())]
        lines += ["# HELP linnet_seconds Time for a question.", "# TYPE linnet_seconds histogram"]
        for key, counts in sorted(self._times.items()):
            total = 0
            for bound, n in zip((*map(str, _BOUNDS), "+Inf"), counts, strict=True):
                total += n
                lines.append(f'linnet_seconds_bucket{{{_named(key)},le="{bound}"}} {total}')
            lines.append(f"linnet_seconds_sum{{{_named(key)}}} {self._seconds[key]:.6f}")
            lines.append(f"linnet_seconds_count{{{_named(key)}}} {total}")
        return "\n".join(lines) + "\n"


def _named(key: tuple[str, str]) -> str:
    model, question = key
    safe = model.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'model="{safe}",question="{question}"'
