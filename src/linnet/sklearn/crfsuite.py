"""The arguments of sklearn-crfsuite's CRF become learners of linnet and their options here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linnet.errors import UsageError

_ALGORITHMS = {"lbfgs": "crf", "l2sgd": "crf", "ap": "averaged-perceptron", "pa": "averaged-mira"}
_ARGUMENTS = {"lbfgs": {"c1", "c2"}, "l2sgd": {"c2"}, "ap": set(), "pa": {"c", "pa_type", "averaging"}}


@dataclass(frozen=True)
class Arguments:
    """These are the words of CRFsuite that a user has said. None stands for what was not said."""

    algorithm: str | None
    c1: float | None
    c2: float | None
    c: float | None
    pa_type: int | None
    averaging: bool | None

    @property
    def given(self) -> set[str]:
        """These are the names of the arguments that were said."""
        return {name for name, value in vars(self).items() if value is not None}

    def choose(self, n: int | None) -> tuple[str, dict[str, Any]]:
        """Choose the learner and its options for n sentences; AttributeError where it must know how many, and n is None."""
        algorithm = self.algorithm or "lbfgs"
        if algorithm not in _ALGORITHMS:
            raise UsageError(f"there is no algorithm {algorithm!r} in linnet. There are: {', '.join(_ALGORITHMS)}.")
        for name in sorted(self.given - {"algorithm"} - _ARGUMENTS[algorithm]):
            raise UsageError(f"algorithm {algorithm!r} has no {name}. Leave it out.")
        if algorithm == "pa":
            return "mira" if self.averaging is False else "averaged-mira", {"C": self._C}
        return _ALGORITHMS[algorithm], self._find_penalties(n)

    def _find_penalties(self, n: int | None) -> dict[str, Any]:
        by_lbfgs = self.algorithm == "lbfgs" or bool(self.c1)
        if not by_lbfgs and self.c2 is None:
            return {}
        if n is None:
            raise AttributeError(
                "c1, c2 and algorithm 'lbfgs' need all sentences at once. Use fit, or learner='crf' and options={'lam': ...}."
            )
        if by_lbfgs:
            return {"by": "lbfgs", "l1": (self.c1 or 0.0) / n, "lam": 2 * (1.0 if self.c2 is None else self.c2) / n}
        return {"lam": 2 * float(self.c2 or 0) / n}

    @property
    def _C(self) -> float:
        if self.pa_type not in (None, 0, 1):
            raise UsageError(f"pa_type {self.pa_type} is not in linnet. Use 0 or 1.")
        return np.inf if self.pa_type == 0 else 1.0 if self.c is None else self.c


def check_all_possible(asked: Mapping[str, bool | None]) -> None:
    """Raise UsageError where a user wants fewer weights than one for every pair."""
    for name, value in asked.items():
        if value not in (None, True):
            raise UsageError(f"linnet has a weight for every pair: {name} is always so. Leave it out.")
