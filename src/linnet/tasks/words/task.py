"""What tasks that label the words of a text do alike: read well-made texts, and make features of tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet import io
from linnet.core.blocks import Block
from linnet.core.types import Data, Json
from linnet.errors import DataError
from linnet.features.tokens import TokenFeatures
from linnet.fitting.contract import Columns, Known, how_of
from linnet.fitting.progress import SILENT, Steps
from linnet.structures.chain import Chain
from linnet.tasks.defaults import Defaults, is_pair
from linnet.tasks.sentences.gold import as_sentences
from linnet.tasks.words.gold import WordsGold
from linnet.tasks.words.model import WordsModel

if TYPE_CHECKING:
    from linnet.core.form import Structure
    from linnet.fitting.notation import Notation

Labelled = Sequence[tuple[str, str]]
"""The words of a text, each with its label."""


class WordsTask(Defaults, ABC):
    """A task whose gold data are texts as they should be. A task of one's own defines `labelled`, `plan` and
    `counts`."""

    model: ClassVar[type[WordsModel]]

    @abstractmethod
    def labelled(self, text: str) -> Labelled:
        """The words of a gold text, as `words` of the model has them, each with its label."""

    def details(self, texts: Sequence[str], known: Mapping[str, Json]) -> Mapping[str, Json]:
        """What a model has to know of gold texts later, beside what it knows already."""
        return known

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> WordsGold:
        """The gold texts of files; in Python texts as they come, and the same as they should be."""
        texts, source = self._texts(data, columns)
        pairs = [words for text in texts if (words := self.labelled(text))]
        found = [label for words in pairs for _, label in words]
        labels = tuple(sorted(set(found))) if known is None else known.labels_with(found)
        if known is None and len(labels) < 2:
            raise DataError(f"found {len(labels)} different labels of words; learning needs at least two.", source)
        number = {label: k for k, label in enumerate(labels)}
        y = np.array([number.get(label, -1) for label in found], np.int32)
        sentences = as_sentences([[word for word, _ in words] for words in pairs], ("w",))
        details = self.details(texts, {} if known is None else known.details)
        return WordsGold(replace(sentences, source=source), y, labels, details)

    def _texts(self, data: Data, columns: Columns) -> tuple[list[str], str]:
        """The gold texts, and where they are from."""
        if not is_pair(data):
            batches = io.read_batches(data, labelled=False, text_col=columns.get("text_col"), **how_of(columns))
            texts = [text for batch in batches for text in batch.text.to_pylist()]
            return texts, ", ".join(map(str, data)) if isinstance(data, list) else str(data)
        texts = list(data[1])
        for x, text in zip(data[0], texts, strict=True):
            if self.model.words(x) != [word for word, _ in self.labelled(text)]:
                raise DataError(f"expected the words of {x!r:.40}, found {text!r:.40}. Give both the same words.")
        return texts, "texts"

    def fit(self, spec: str, gold: WordsGold, steps: Steps = SILENT) -> tuple[TokenFeatures, tuple[Block, ...]]:
        features = TokenFeatures(spec, ("w",))
        return features, features.fit_blocks(gold.sentences.columns, gold.y_at, gold.y, gold.labels)

    def begin(self, spec: str, gold: WordsGold, steps: Steps = SILENT) -> TokenFeatures:
        """Features that have seen nothing yet; where they look at what is learned of words, they learn it from the first
        texts."""
        features = TokenFeatures(spec, ("w",))
        return self.fit(spec, gold, steps)[0] if features.learns_first else features

    def grow(self, features: TokenFeatures, gold: WordsGold) -> tuple[Block, ...]:
        return features.grow_blocks(gold.sentences.columns, gold.y_at)

    def notation(self, features: TokenFeatures, gold: WordsGold, gen: Structure, i: int) -> Notation:
        """The names of labels and of features, and the words of the text."""
        from linnet.tasks.notation import of_tags

        words = gold.part(np.array([i])).sentences.columns["w"].to_pylist()
        assert isinstance(gen, Chain)
        return of_tags((features.name, features.pair_name), gold.labels, words, gen)

    def blocks(self, features: TokenFeatures, gold: WordsGold) -> tuple[Block, ...]:
        return features.blocks(gold.sentences.columns, gold.y_at)
