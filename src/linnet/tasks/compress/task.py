"""The task `compress`: which tokens of a sentence to keep, so that it gets shorter and still says what matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.blocks import Block
from linnet.core.types import Data
from linnet.errors import DataError, UsageError
from linnet.evaluate.sentences import per_sentence
from linnet.fitting.contract import Columns, Counts, Known, Plan, how_of
from linnet.fitting.progress import SILENT, Steps
from linnet.io.python_values import Rows
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.compress.features import CompressionFeatures
from linnet.tasks.compress.gold import Compressed, kept_of, sentences_with_keep
from linnet.tasks.compress.model import CompressModel, blocks_of, neighbours_of
from linnet.tasks.defaults import is_pair
from linnet.tasks.sentences.columns import tokens_in
from linnet.tasks.sentences.gold import OverSentences

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation
    from linnet.tasks.commands import Commands

# Features, learner and its C were chosen by cross-validation over the training documents of the Clarke and Lapata corpus.
_FEATURES = " ".join(
    (
        "lower[-1..1] lower[-1]|lower lower|lower[1] suffix:2-3[-1..1] short-shape[-1..1] cap digit hyphen length",
        "gap <lower|>lower <suffix:2|>suffix:2 <short-shape|>short-shape gap|<lower gap|>lower",
        "gap|<lower[1] gap|>lower[-1] <lower[1]|>lower[-1] <lower[1]|>lower <lower|>lower[-1]",
    )
)


class CompressTask(OverSentences[Compressed, CompressionFeatures]):
    name = "compress"
    description = "which tokens of a sentence to keep, to make it shorter"
    per_place = True
    settings: ClassVar[Mapping[str, str]] = {}
    model = CompressModel

    @property
    def commands(self) -> Commands:
        from linnet.tasks.compress import commands

        return commands

    def taken(self, rows: Rows, columns: Columns, remembered: Mapping[str, str]) -> Data:
        """The tokens of each sentence, and a flag for each whether it is kept."""
        keep = rows.find("flags", ("keep",), columns.get("label_col"), "label")
        return tokens_in(rows, columns.get("text_col")), rows.values(keep)

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Compressed:
        if columns.get("text_col") is not None:
            raise UsageError("sentences of tokens have no text column. Leave out --text-col.")
        if isinstance(data, Sentences):
            sentences = data
        elif is_pair(data):
            sentences = sentences_with_keep(*data)
        else:
            sentences = io.read_sentences(
                data, label_col=columns.get("label_col") or "keep", framed=False, **how_of(columns)
            )
        y = kept_of(sentences)
        if known is None and len(set(y.tolist())) < 2:
            raise DataError(
                "expected kept and dropped tokens to learn from, found only one of the two.", sentences.source
            )
        return Compressed(sentences, y)

    def plan(self, spec: str | None, gold: Compressed) -> Plan:
        return Plan(_FEATURES if spec is None else spec, "averaged-mira", {"C": 0.005})

    def fit(self, spec: str, gold: Compressed, steps: Steps = SILENT) -> tuple[CompressionFeatures, tuple[Block, ...]]:
        columns = gold.sentences.columns
        features = CompressionFeatures(spec, tuple(columns))
        pairs = neighbours_of(gold.sentences)
        return features, features.fit_blocks(columns, gold.y_at, pairs, gold.y, gold.labels)

    def begin(self, spec: str, gold: Compressed, steps: Steps = SILENT) -> CompressionFeatures:
        """Features that have seen nothing yet, unless some look at what is learned of words: these learn from the first
        sentences."""
        features = CompressionFeatures(spec, tuple(gold.sentences.columns))
        return self.fit(spec, gold, steps)[0] if features.tokens.learns_first else features

    def grow(self, features: CompressionFeatures, gold: Compressed) -> tuple[Block, ...]:
        return features.grow_blocks(gold.sentences.columns, gold.y_at, neighbours_of(gold.sentences))

    def blocks(self, features: CompressionFeatures, gold: Compressed) -> tuple[Block, ...]:
        return blocks_of(features, gold.sentences)

    def notation(self, features: CompressionFeatures, gold: Compressed, gen: Structure, i: int) -> Notation:
        """The names of features; places are tokens, and pairs of tokens that may become neighbours."""
        from linnet.fitting.notation import Notation

        sentence = gold.part(np.array([i])).sentences
        words = sentence.columns["w"].to_pylist()
        pairs = [*zip(*(side.tolist() for side in neighbours_of(sentence)[0]), strict=True)]
        ends = ["<s>", *words, "</s>", "..."]
        return Notation(
            text=" ".join(words),
            feature=lambda block, j: (features.name, features.pair_name)[block](j),
            outcome=lambda block, k: gold.labels[k] if block == 0 else "",
            output=lambda y: " ".join(word for word, kept in zip(words, y, strict=True) if kept) or "nothing",
            place=lambda block, place: words[place] if block == 0 else " ".join(ends[k] for k in pairs[place]),
        )

    def counts(self, gold: Compressed, y_hat: npt.NDArray[np.int32], y_hat_at: npt.NDArray[np.int64]) -> Counts:
        """The F1 of kept tokens: 2 both / (gold + kept)."""
        wanted, kept = gold.y == 1, y_hat == 1
        both, of_gold, of_kept = (per_sentence(part, gold.y_at) for part in (wanted & kept, wanted, kept))
        return Counts("token F1", 2 * both.astype(np.float64), (of_gold + of_kept).astype(np.float64))


TASK = CompressTask()
