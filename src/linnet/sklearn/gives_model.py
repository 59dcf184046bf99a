"""Estimators that have a model of linnet give it, save it, and explain by it."""

from __future__ import annotations

import os
from typing import Any


class GivesModel:
    """Such an estimator has a model of linnet when it is fitted."""

    @property
    def model_(self) -> Any:
        """This is the model, as `linnet.load` gives it. It stays as it is when the estimator learns more."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model to a file that `linnet predict` and `linnet.load` read.

        force: whether to replace a file that is not a model. Without it, raise UsageError.
        """
        self.model_.save(path, force=force)

    def explain(self, x: Any) -> Any:
        """Say why the output of one example is the best, as the model explains it."""
        return self.model_.explain(x)
