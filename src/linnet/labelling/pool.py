"""What is to be labelled: all examples of a file, with the answers that the data have for some of them already."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from linnet.core.types import I64
from linnet.errors import DataError
from linnet.io.formats import FileOptions
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs
from linnet.labelling.kind import Kind


@dataclass(frozen=True, eq=False)
class Pool:
    """Examples, and the answers that the data have for some of them."""

    inputs: Inputs
    given: dict[int, Answer]
    """The answers that the data have, keyed by the number of the example."""
    data: str
    """A fingerprint of the examples and of these answers."""
    order: I64
    """The examples without an answer in a random order, which depends on the examples alone."""

    def __len__(self) -> int:
        return len(self.inputs)

    def text(self, row: int) -> str:
        return self.inputs.text(row)

    @classmethod
    def read(
        cls,
        paths: Sequence[str],
        kind: Kind,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> Pool:
        """Read the examples of files. A row whose output is missing has no answer yet."""
        return cls.of(*kind.read(list(paths), text, label, how))

    @classmethod
    def of(cls, inputs: Inputs, given: dict[int, Answer] | None = None) -> Pool:
        """The pool of these examples."""
        if not len(inputs):
            raise DataError("there is nothing to label.", inputs.source)
        given = given or {}
        data = fingerprint(inputs, given)
        without = np.array([row for row in range(len(inputs)) if row not in given], np.int64)
        return cls(inputs, given, data, np.random.default_rng(int(data, 16)).permutation(without))


def fingerprint(inputs: Inputs, given: Mapping[int, Answer]) -> str:
    """A hexadecimal number that changes when the examples, their order or their answers change."""
    digest = hashlib.sha256()
    for row in range(len(inputs)):
        answer = (json.dumps(given[row]),) if row in given else ()
        for part in (inputs.key(row), *answer):
            encoded = part.encode()
            # The length stands before each part, so that parts that are cut elsewhere do not give the same bytes.
            digest.update(b"%d:" % len(encoded) + encoded)
        digest.update(b";")
    return digest.hexdigest()[:32]
