"""The examples that the weights of a dual learner are made of, kept in the model with their texts."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from linnet.errors import UsageError
from linnet.fitting.contract import Gold
from linnet.fitting.fitting import Fitting, Learned
from linnet.learners import Learning
from linnet.model.support import kept, no_support
from linnet.tasks.texts.gold import Texts


class KeptSupport:
    """A finisher that adds the support vectors to the report of the model."""

    needs_learning: ClassVar[bool] = True

    def __init__(self, gold: Gold, learning: Learning) -> None:
        if not learning.preset.supported(learning.options):
            raise UsageError(f"{no_support(learning.preset.name)} Leave out support=keep.")
        self.gold = gold

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        numbers, alpha = learning.support_vectors(fitting.examples)
        rows = self.gold.rows()[numbers] if isinstance(self.gold, Texts) else numbers
        texts = self.gold.part(np.asarray(numbers, np.int64)).texts()
        return replace(learned, report={**learned.report, **kept(rows.tolist(), texts, alpha)})
