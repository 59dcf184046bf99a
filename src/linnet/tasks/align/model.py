"""Models of word alignment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import pyarrow as pa

from linnet.core import arrow
from linnet.core.schema import Real, Record, Schema, Text
from linnet.core.types import Arrays, Data, Json, Setting
from linnet.errors import DataError, UsageError
from linnet.explain import Strong, strongest
from linnet.features.sizes import Sizes
from linnet.io.formats import FileOptions
from linnet.io.pairs.formats import BETWEEN, read_pair_batches, read_pairs
from linnet.io.pairs.pairs import Link, Pairs, flags_of, links_of, pairs_of
from linnet.io.python_values import rows_of, several
from linnet.model.base import Model
from linnet.structures.alignment import Alignment, OneToMany
from linnet.structures.itg import Itg
from linnet.structures.matching import Matching
from linnet.structures.monotone import Monotone
from linnet.tasks.align.answers import links_of_pairs, links_with_scores, words_of_pairs
from linnet.tasks.align.features import AlignmentFeatures
from linnet.tasks.align.gold import Ints
from linnet.tasks.align.measures import AlignmentReport, evaluate_alignments
from linnet.tasks.align.why import AlignmentExplanation, ScoredPair, explain_alignment
from linnet.tasks.sentences.answers import check_no_proba
from linnet.tasks.sentences.prose import refuse_text_col

if TYPE_CHECKING:
    from linnet.tasks.align.decisions import LinkDecisions

SIDES = ("source", "target")
"""The names of the columns of sentences and of their translations."""
Words = tuple[Sequence[str], Sequence[str]]
"""The tokens of a sentence and of its translation."""
SEARCHES = {"matching": Matching, "one-to-many": OneToMany, "monotone": Monotone, "itg": Itg}


class AlignModel(Model[AlignmentFeatures, Alignment]):
    """A model that links the tokens of a sentence to those of its translation."""

    task: ClassVar[str] = "align"
    own_labels: ClassVar[tuple[str, ...] | None] = ("link",)
    details_schema: ClassVar[Schema] = Record({"search": Text(tuple(SEARCHES)), "miss": Real(1e-30, 1e30)}, open=True)

    @classmethod
    def structure(cls, features: AlignmentFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Alignment:
        return SEARCHES[details["search"]](details["miss"])

    @classmethod
    def sizes(cls, features: AlignmentFeatures, gen: Alignment) -> Sizes:
        return Sizes((features.n_features, features.n_none_features))

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> AlignmentFeatures:
        return AlignmentFeatures.from_arrays(header, arrays)

    def align(self, pairs: Pairs) -> Ints:
        """Find the links of pairs of sentences: a flag for each pair of tokens, 1 for a link."""
        with self._predictor() as predictor:
            y_hat: Ints = predictor.argmax(self.features.blocks(pairs))[0]
        return y_hat

    def align_k_best(self, pairs: Pairs, k: int) -> list[list[tuple[list[Link], float]]]:
        """Find the k best alignments of each pair, with their scores, the best first."""
        with self._predictor() as predictor:
            found = predictor.kbest(self.features.blocks(pairs), k)
        one = (pairs.part(np.array([i])) for i in range(len(pairs)))
        return [
            [(links_of(y, pair)[0], score) for y, score in zip(rows, scores.tolist(), strict=True)]
            for pair, (rows, scores) in zip(one, found, strict=True)
        ]

    def answers(
        self, data: Pairs | Sequence[Words], *, proba: bool = False, top: int | None = None, **decide: Setting
    ) -> pa.Table:
        """A table with the tokens of `source` and `target`, and the `links` between them by number, from 0; with `top`, the
        `best` alignments instead."""
        check_no_proba(proba, "aligns")
        pairs = _pairs(data)
        columns = words_of_pairs(pairs)
        if top is not None:
            return arrow.table(columns | {"best": links_with_scores(self.align_k_best(pairs, top))})
        return arrow.table(columns | {"links": links_of_pairs(links_of(self.align(pairs, **decide), pairs))})

    def predict(self, pairs: Pairs | Sequence[Words]) -> list[list[Link]]:
        """Predict the links of pairs of sentences, which are lists of tokens. A link is the number of a source token and of a
        target token, from 0."""
        data = _pairs(pairs)
        return links_of(self.align(data), data)

    def typed(self, texts: Sequence[str]) -> Pairs:
        """What people type, `source ||| target`, as pairs of sentences."""
        return pairs_of([_pair(text) for text in texts], None)

    def decisions(self, data: Pairs | Sequence[Words]) -> list[LinkDecisions]:
        """The links of the target tokens of each pair, which can be corrected one by one."""
        from linnet.tasks.align.decisions import LinkDecisions

        self._check_linear()
        pairs, found = _pairs(data), []
        for i, (source, target) in enumerate(pairs.words()):
            blocks, predictor = self.features.blocks(pairs.part(np.array([i]))), self._predictor_over(self._gen)
            names = self.features.name, self.features.none_name
            scored = ScoredPair(blocks, names, predictor, len(source), len(target))
            found.append(LinkDecisions(source, target, predictor, scored))
        return found

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Pairs]:
        """Read the pairs of files, some at a time."""
        refuse_text_col(text)
        return read_pair_batches(source, labelled=False, **how)

    def evaluate(
        self,
        data: Data,
        links: Sequence[Sequence[Link]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> AlignmentReport:
        """Align pairs and compare with the links that they have. data: pairs, whose links follow; or a table or a file with
        both."""
        columns = {"text_col": text, "label_col": label, **how}
        pairs = data if isinstance(data, Pairs) else self.gold(data, links, columns).pairs
        if pairs.links is None:
            raise DataError("expected pairs with links to compare with, found none. Add the links.", pairs.name)
        return evaluate_alignments(flags_of(pairs), self.align(pairs), pairs.places)

    def explain(self, source: Sequence[str], target: Sequence[str]) -> AlignmentExplanation:
        """Explain why each token of a translation is linked as it is."""
        return self.explain_pairs(pairs_of([(source, target)], None))[0]

    def explain_pairs(self, pairs: Pairs) -> list[AlignmentExplanation]:
        """Explain the links of each pair."""
        self._check_linear()
        found = []
        names = self.features.name, self.features.none_name
        for i, (source, target) in enumerate(pairs.words()):
            blocks = self.features.blocks(pairs.part(np.array([i])))
            with self._predictor() as predictor:
                found.append(explain_alignment(source, target, blocks, names, predictor))
        return found

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for a link, and against one."""
        self._check_linear()
        w = self.weights[0][:, :1]
        return strongest(self.features, np.hstack([w, -w]), ("link", "no link"), top)


def _pairs(data: Data) -> Pairs:
    """Pairs as they were read, from the file of a path, from rows with `source` and `target`, or from lists of tokens."""
    if isinstance(data, Pairs):
        return data
    if isinstance(data, os.PathLike):
        return read_pairs(data, labelled=False)
    data = several(data)
    rows = rows_of(data)
    if rows is not None:
        data = list(
            zip(*(rows.values(rows.find(f"{name} tokens", (name,), None, "text")) for name in SIDES), strict=True)
        )
    return pairs_of(data, None)


def _pair(text: str) -> tuple[list[str], list[str]]:
    fields = [field.split() for field in text.split(BETWEEN)]
    if len(fields) != 2 or not all(fields):
        raise UsageError(f"expected the tokens of both sentences, 'source {BETWEEN} target', found {text!r:.60}.")
    return fields[0], fields[1]


MODEL = AlignModel
