"""Texts as words with the numbers of their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import GoldSentences


@dataclass(frozen=True)
class WordsGold(GoldSentences):
    """Texts cut into words, with a gold label for each word: y[k] is the number of the label of word k in `labels`, or -1 where
    `labels` does not have it. `details` are facts about the data that the model keeps."""

    sentences: Sentences
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    details: Mapping[str, Json]

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.sentences.starts

    def part(self, rows: npt.NDArray[np.int64]) -> WordsGold:
        sentences, words = self.sentences.part(rows)
        return WordsGold(sentences, self.y[words], self.labels, self.details)
