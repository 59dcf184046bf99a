"""Code that all models of texts share. A text has one place with its features, and an output of labels."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import pyarrow as pa

from linnet import io
from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.extract.text_rows import TextRows
from linnet.core.form import Structure
from linnet.core.predictor import Predictor
from linnet.core.products import times
from linnet.core.schema import DictOf, Either, ListOf, Real, Record, Schema, Text
from linnet.core.types import F32, Array, Arrays, Bools, Data, Integers, Json, Label, Setting
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.sureness import Sureness
from linnet.features import SparseRows, Table, TextFeatures, TextLike
from linnet.features.sizes import Sizes
from linnet.fitting.kinds import S
from linnet.io.formats import FileOptions
from linnet.learners import learner
from linnet.model.base import Model
from linnet.tasks.texts.answers import best_labels, shares_of
from linnet.tasks.texts.costs import cheapest
from linnet.tasks.texts.label_types import LABEL_TYPE, chosen, column_of, spelled, value_of
from linnet.tasks.texts.tables import looked_at, pieces

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from linnet.explain import Strong
    from linnet.features.rows_file import RowsFile
    from linnet.fitting.contract import Columns
    from linnet.model.decisions import Decided
    from linnet.structures.hierarchy import Hierarchy
    from linnet.structures.labels import Labels
    from linnet.structures.ordinal import Ordinal
    from linnet.tasks.texts.gold import Floats, Found, Ints, Offsets, Row
    from linnet.tasks.texts.why import Explanation

    C = TypeVar("C", bound=Labels | Hierarchy | Ordinal, default=Any)
else:
    from typing import TypeVar

    C = TypeVar("C")

COLUMNS = DictOf(Either(Text()))
"""The names of columns that the text and the label are in."""
_KINDS: dict[str, Schema] = {
    "columns": COLUMNS,
    LABEL_TYPE: Text(("int", "float", "bool")),
    "separator": Either(Text()),
}
_SCORES: dict[str, Schema] = {"costs": Either(ListOf(ListOf(Real(0))), Text()), "score": Text(("own", "shared"))}
DETAILS = Record({}, {**_KINDS, **_SCORES, "paths": DictOf(ListOf(Text(), 1))}, open=True)
"""What the details of models of texts may be."""
_PIECE = 2048
"""The number of texts that are scored by one call of the compiled loop, which nothing interrupts."""
_BATCH_BYTES = 2 << 20
"""The number of bytes of a batch of a file. Threads answer several batches at once, and each batch waits until those
before it are written, so a batch is not larger."""
_CELLS = 1 << 22
"""The largest number of labels times texts whose scores a batch may have."""


class TextModel(Model[TextFeatures, S]):
    """A model of texts."""

    details_schema: ClassVar[Schema] = DETAILS
    several: ClassVar[bool] = False
    """Whether a text may have several labels."""

    def __post_init__(self) -> None:
        super().__post_init__()
        values = [value_of(label, self.details.get(LABEL_TYPE)) for label in self.labels]
        self._names = np.array(values, np.object_)
        first = self.weights[0]
        # The weights that are prefetched while the rows of texts are made; only full rows of floats can be.
        self._read_rows = first if first.dtype == np.float32 and first.shape[1:] and first.flags.c_contiguous else None

    @classmethod
    @abstractmethod
    def structure(cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]) -> S:
        """GEN(x) for these labels, which is the same whatever the features are."""

    @classmethod
    def sizes(cls, features: TextFeatures, gen: S) -> Sizes:
        others = gen.outcomes[1:]
        n_features, fields = (features.n_features, *(0 for _ in others)), (features.fields, *(None for _ in others))
        return Sizes(n_features, fields, features.sequences, features.numbers)

    @classmethod
    def usual_values(cls, features: TextFeatures, gen: S) -> tuple[F32 | None, ...]:
        return features.usual_values(), *(None for _ in gen.outcomes[1:])

    @classmethod
    def without(cls, features: TextFeatures, gen: S, wanted: Sequence[Bools]) -> tuple[TextFeatures, tuple[F32, ...]]:
        small, factor = features.without(wanted[0])
        return small, (factor, *(np.zeros(0, np.float32) for _ in gen.outcomes[1:]))

    @classmethod
    def united(cls, features: Sequence[TextFeatures]) -> tuple[TextFeatures, list[tuple[tuple[Integers, F32], ...]]]:
        whole, rows = TextFeatures.united(features)
        return whole, [(row,) for row in rows]

    @classmethod
    def strongest_of(
        cls, features: TextFeatures, gen: S, weights: Sequence[Array], labels: Sequence[str], top: int
    ) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each label, without the numbers of vectors, which say nothing to people."""
        hidden = {name for _, part in features.vectors() for name in part.names}
        found = super().strongest_of(features, gen, weights, labels, top + len(hidden))
        return {label: [one for one in best if one.feature not in hidden][:top] for label, best in found.items()}

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> TextFeatures:
        return TextFeatures.from_arrays(header, arrays)

    @staticmethod
    def blocks(gen: Structure, rows: SparseRows | RowsFile | TextRows) -> tuple[Block, ...]:
        """The blocks of texts: the first has their rows of features, and all others have the bias alone."""
        return rows.block(), *(Block(*no_features(len(rows))) for _ in gen.outcomes[1:])

    @property
    def label_values(self) -> tuple[Label, ...]:
        """The labels as they came in, strings or numbers, in the order of the columns of `scores` and `predict_proba`."""
        return tuple(self._names.tolist())

    def table(self, texts: TextLike) -> Table:
        """Texts with the columns that the features need, from texts, from rows with named columns, or from the file of a path.
        The text is in the column that it was in when the model was trained, or in one that has a usual name."""
        if isinstance(texts, os.PathLike):
            texts = io.read(
                texts, labelled=False, several=self.several, text_names=self._text_names, **self.features.spec.reads
            )
        return looked_at(texts, self.features.spec, next(iter(self._text_names), None))

    @property
    def _reads_text(self) -> bool:
        """Whether the features look at texts, and not at other columns alone."""
        return self.features.spec.reads_text

    @property
    def _text_names(self) -> tuple[str, ...]:
        """The name of the column that the model has its texts from, if they had one."""
        name = self.details.get("columns", {}).get("text")
        return () if name is None else (name,)

    def labelled(self, data: Data, labels: Data, columns: Columns) -> Found:
        """Texts with their labels as strings, from whatever `linnet.train` takes; those without a label are left out."""
        from linnet.fitting.contract import Known
        from linnet.io.python_values import Rows, brought
        from linnet.tasks.texts.gold import labelled_rows, read_texts

        given, columns = brought(data, labels), {**columns, **self.features.spec.reads}
        if isinstance(given, Rows):
            given, columns = labelled_rows(given, columns, self.details.get("columns", {}), self.several), {}
        several = {"several": True, "separator": self.details.get("separator")} if self.several else {}
        found = read_texts(given, columns, least_labels=1, known=Known(self.labels, self.details), **several)
        return found._replace(table=looked_at(found.table, self.features.spec))

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Table]:
        """Read the texts of files in batches, each small enough for a table of the scores of all labels. The text is in the
        column that it was in when the model was trained, or in one that has a usual name."""
        found = io.read_batches(
            source,
            text_col=text,
            text_names=self._text_names,
            labelled=False,
            several=self.several,
            **self.features.spec.reads,
            batch_bytes=_BATCH_BYTES,
            **how,
        )
        for batch in found:
            table = replace(self.table(batch), given=batch.rows(several=self.several))
            yield from pieces(table, max(1, _CELLS // len(self.labels)))

    def _pieces(self, texts: TextLike) -> Iterator[tuple[Block, ...]]:
        """Yield the features of some texts at a time. The row of a text is made when it is scored. Plain strings are read where
        they are: to make a table of one text takes longer than to answer it."""
        plain = isinstance(texts, list) and self._reads_text and all(isinstance(text, str) for text in texts)
        some = texts if plain and not self.features.spec.columns else self.table(texts)
        for piece in pieces(some, _PIECE):
            yield self.blocks(self._gen, self.features.on_demand(piece, self._read_rows))

    def outputs(self, texts: TextLike) -> tuple[Ints, Offsets]:
        """The predicted output of each text as numbers, and where each output starts."""
        with self._predictor() as predictor:
            found = [self.decided(predictor, piece, self.probabilistic) for piece in self._pieces(texts)]
        if len(found) == 1:
            return found[0]
        sizes = np.concatenate([np.diff(at) for _, at in found])
        return np.concatenate([y for y, _ in found]), np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    def scores(self, texts: TextLike) -> Floats:
        """The scores w.f(x, y): a row for each text, a column for each label."""
        with self._predictor() as predictor:
            found = [self.scores_of_labels(self._gen, predictor.scores(piece)) for piece in self._pieces(texts)]
        return np.concatenate(found)

    @classmethod
    def scores_of_labels(cls, gen: S, theta: Sequence[Floats]) -> Floats:
        """The scores of labels, given those of outcomes: sum over blocks g of theta_g M_g."""
        parts = zip(theta, cls.indicators(gen), strict=True)
        total: Floats = sum(table if M is None else times(table, M) for table, M in parts)  # type: ignore[assignment]
        return total

    def best_labels(self, texts: TextLike, top: int) -> pa.Table:
        """The best labels of each text with their probabilities, or with their scores if the model has no probabilities."""
        if self.has_probabilities:
            return best_labels(self.label_values, self.predict_proba(texts), top, "confidence")
        return best_labels(self.label_values, self.scores(texts), top, "score")

    def predict_proba(self, texts: TextLike) -> Floats:
        """The probabilities p(y | x): a row for each text, a column for each label. Scores that are no probabilities
        are converted to some by what was learned from held-out examples. Raise UsageError where no examples were held
        out for that."""
        self._check_probabilities()
        with self._predictor() as predictor:
            found = [
                predictor.each(piece, outputs=False, scores=True, marginals=self.probabilistic)
                for piece in self._pieces(texts)
            ]
        return np.concatenate([self._probabilities(theta, mu) for _, _, theta, mu in found])

    def _check_probabilities(self) -> None:
        if not self.has_probabilities:
            raise UsageError(
                f"the scores of learner {self.learner!r} are not probabilities, and no examples were held out to tell how sure "
                "they are. Train with 'logistic' or 'naive-bayes'."
            )

    def _probabilities(self, theta: Sequence[Floats], mu: Sequence[Floats]) -> Floats:
        """The probabilities of labels, given the scores of outcomes and, if the model decides by these, the marginals."""
        if not self.probabilistic:
            return self.sure(Sureness(**self.report["sureness"]), self.scores_of_labels(self._gen, theta))
        p = self.probabilities(self._gen, mu)
        least = learner(self.learner).impossible(self.options)
        if least == -np.inf:
            return p
        best = self.scores_of_labels(self._gen, theta).max(axis=1, keepdims=True)
        return np.where(best < least, np.float32(0), p)

    @classmethod
    def sure(cls, sureness: Sureness, scores: Floats) -> Floats:
        """The probabilities of labels, of which a text has one, given their scores and how sure these are."""
        return sureness(scores)

    @classmethod
    def probabilities(cls, gen: S, mu: Sequence[Floats]) -> Floats:
        """The probabilities of labels, computed from the marginals of outcomes."""
        return mu[0]

    def number(self, label: Label) -> int:
        """The number of a label. Raise UsageError, with the label that was probably meant, if the model does not have it."""
        name = spelled(label)
        if name not in self.labels:
            some = ", ".join(self.labels[:20]) + (", ..." if len(self.labels) > 20 else "")
            raise UsageError(f"the model has no label {label!r}.{meant(name, self.labels)} It has: {some}.")
        return self.labels.index(name)

    def explain(self, text: Row, label: Label = None, against: Label = None) -> Explanation:
        """Explain the label of a text against the best other one, or one label against another: what each feature and each word
        adds."""
        return self._explain(text, label, against)

    def _explain(self, text: Row, label: Label, against: Label, *, alone: bool = False) -> Explanation:
        """Explain a label against another, or the score of a label itself; by default the one that is predicted. Raise
        DataError where the text is too long."""
        # Imported when it is needed: who only predicts does not wait for it.
        from linnet.tasks.texts.why import check_length, explain_text

        row = self.row(text)
        check_length(row.text[0].as_py())
        rows = self.features.transform(row)
        y = self._to_explain(rows) if label is None else self.number(label)
        other = None if against is None else self.number(against)
        return explain_text(self.features, self.V, self.labels, row.text[0].as_py(), rows, y, other, alone=alone)

    def _to_explain(self, rows: SparseRows) -> int | None:
        """The number of the label that is explained where none is asked for, given the features of the text; None for the
        label that scores highest."""
        return None

    def decisions(self, data: TextLike) -> list[Decided]:
        """The label of each text, or its labels, which can be corrected."""
        self._check_linear()
        table = self.table(data)
        return [self._decision(table.slice(i, 1)) for i in range(len(table))]

    @abstractmethod
    def _decision(self, row: Table) -> Decided:
        """The decisions of one text."""

    def _explain_numbers(self, row: Table, y: int, other: int | None) -> Explanation:
        """Explain the label with number y against another, or its score alone."""
        values = self.label_values
        return self._explain(row, values[y], None if other is None else values[other], alone=other is None)

    @staticmethod
    def _taught(row: Table) -> str | dict[str, Json]:
        """One text as a session learns from it: alone, or with its other columns."""
        text: str = row.text[0].as_py()
        return text if row.columns is None else {"text": text, **row.columns.to_pylist()[0]}

    def row(self, text: Row) -> Table:
        found = self.table([text] if isinstance(text, str | Mapping) else text)
        if len(found) != 1:
            raise DataError(f"expected one text, found {len(found):,}. Pass them one by one.")
        return found


class OneLabelModel(TextModel[C]):
    """A model that gives each text one label."""

    @classmethod
    def decided(cls, predictor: Predictor[C], blocks: tuple[Block, ...], probable: bool) -> tuple[Ints, Offsets]:
        """The predicted labels: those of least expected cost, if errors differ in cost and there are probabilities."""
        C = predictor.gen.costs if probable else None
        if C is None:
            return super().decided(predictor, blocks, probable)
        y_hat = cheapest(cls.probabilities(predictor.gen, predictor.marginals(blocks)), C)
        return y_hat, np.arange(len(y_hat) + 1)

    def predict(self, texts: TextLike) -> list[Label]:
        """Predict the label of each text, as the labels came in."""
        labels: list[Label] = self._names[self.outputs(texts)[0]].tolist()
        return labels

    def answers(self, data: TextLike, *, proba: bool = False, top: int | None = None, **decide: Setting) -> pa.Table:
        """A table with the `prediction` for each text and, with `proba`, its probability as `confidence`; with `top`, the best
        labels instead, as prediction_1, confidence_1 (or score_1, if the model has no probabilities) and so on."""
        table = self.table(data)
        if top is not None:
            return self.best_labels(table, top)
        if not proba and not decide:
            return arrow.table({"prediction": chosen(self.label_values, self.outputs(table)[0])})
        if not proba:
            return arrow.table({"prediction": column_of(self.predict(table, **decide))})
        if decide:
            labels = self.predict(table, **decide)
            p = self.probability_of(table, labels, **decide)
            return arrow.table({"prediction": column_of(labels), "confidence": arrow.numbers(p)})
        y, p = self._with_probabilities(table)
        return arrow.table({"prediction": chosen(self.label_values, y), "confidence": arrow.numbers(p)})

    def _with_probabilities(self, texts: TextLike) -> tuple[Ints, Floats]:
        """The predicted label of each text as a number, and its probability, with the features of a text made once for both."""
        self._check_probabilities()
        C = self._gen.costs if self.probabilistic else None
        found: list[tuple[Ints, Floats]] = []
        with self._predictor() as predictor:
            for piece in self._pieces(texts):
                y, _, theta, mu = predictor.each(piece, scores=True, marginals=self.probabilistic)
                if C is not None:
                    y = cheapest(self.probabilities(self._gen, mu), C)
                found.append((y, self._probabilities(theta, mu)[np.arange(len(y)), y]))
        return np.concatenate([y for y, _ in found]), np.concatenate([p for _, p in found])

    def probability_of(self, texts: TextLike, labels: Sequence[Label], **decide: Setting) -> Floats:
        """The probability of the label that `predict` gives each text."""
        return shares_of(self.label_values, labels, self.predict_proba(texts))

    def _decision(self, row: Table) -> Decided:
        from linnet.tasks.texts.decisions import LabelDecision

        best = int(self.outputs(row)[0][0])
        return LabelDecision(self._taught(row), "label", self.label_values, best, partial(self._explain_numbers, row))

    def _to_explain(self, rows: SparseRows) -> int | None:
        """The number of the label that is predicted, which costs may make another than the one that scores highest."""
        with self._predictor() as predictor:
            y, _ = self.decided(predictor, self.blocks(self._gen, rows), self.probabilistic)
        return int(y[0])


def no_features(n: int) -> SparseRows:
    """Rows without features, for n places that have the bias alone."""
    return SparseRows(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
