"""datatrove: a filter that keeps the documents of one label, as quality filters for training data do."""

from datatrove.data import Document
from datatrove.pipeline.filters.base_filter import BaseFilter

import linnet


class LinnetFilter(BaseFilter):
    """Keeps the documents to which a model gives a label with at least some probability."""

    name = "linnet"

    def __init__(self, model: str, label: str, at_least: float = 0.5, batch_size: int = 1000) -> None:
        super().__init__(batch_size=batch_size)
        self.model, self.label, self.at_least = model, label, at_least
        self._loaded: linnet.Model | None = None

    def filter(self, doc: Document) -> bool:
        return bool(self.filter_batch([doc])[0])

    def filter_batch(self, batch: list[Document]) -> list[bool]:
        if self._loaded is None:  # Each process of a pipeline reads the model when it begins.
            self._loaded = linnet.load(self.model)
        column = self._loaded.labels.index(self.label)
        return [bool(p[column] >= self.at_least) for p in self._loaded.predict_proba([doc.text for doc in batch])]
