"""Sentences with the numbers of their tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import OfSentences


@dataclass(frozen=True)
class Tagged(OfSentences):
    """Sentences with the numbers of their tags."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    scheme: str | None = None
    """That of the file: bio, bioes or iob1; None where tags are no spans. The labels are always bioes."""
    repaired: int = 0
    """Tags that no scheme allows, such as an I- that follows nothing."""

    @property
    def details(self) -> Mapping[str, Any]:
        return {"scheme": self.scheme, "repaired": self.repaired}

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> Tagged:
        sentences, tokens = self.sentences.part(rows)
        return Tagged(sentences, self.y[tokens], self.labels, self.scheme, self.repaired)
