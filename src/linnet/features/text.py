"""Turn texts into sparse rows: an analyser with a vocabulary counts features, a weighting turns counts into values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

import linnet.core.sparse as sparse
from linnet.core.extract.text import Analyser
from linnet.core.extract.text_rows import TextRows
from linnet.core.extract.text_views import TextViews
from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.extract.weighting import Weighting
from linnet.core.products import length
from linnet.core.schema import Anything, ListOf, Numbers, Real, Record, Row, Schema, Text, Whole, check_arrays
from linnet.core.threads import each
from linnet.core.types import Array, Arrays, Json
from linnet.errors import DataError, UsageError
from linnet.features.columns import TextLike, as_text
from linnet.features.equals import first_of_equals
from linnet.features.fields import NUMBER, WORD, Fields
from linnet.features.kinds import KINDS, Columns
from linnet.features.rows import RowsInMemory, SparseRows, first_rows, renumbered
from linnet.features.sentiment import NEGATIONS
from linnet.features.spec import KINDS_OF_STRINGS, FeatureSpec, lexicons
from linnet.features.table import Table

if TYPE_CHECKING:
    from linnet.core.room import Room
    from linnet.features.rows_file import RowsFile
    from linnet.features.vector_parts import VectorPart

_VALUES = {"counts": 0, "presence": 1, "log": 2, "bm25": 3}
_NORMS = {"none": 0, "l1": 1, "l2": 2}
_NONE = np.uint32(0xFFFFFFFF)
"""The new number of a feature that is left out."""
_AT_A_TIME = 500
"""The number of texts whose vectors are made and added to their rows at a time: before, they take several times the memory."""
_SOME = 1 << 20
"""About how many bytes of texts become rows at a time, where rows are kept in a file."""
_MOST_DOCUMENTS = 2**53
"""The largest number of texts that is counted to: up to it a float has every whole number."""
_STRETCH = 256
"""The number of texts after which rare features may be dropped, where `most` bounds their number. It does not depend on
whether data are in memory or in files, so that the same features are chosen."""
_TIMES = 4
"""How many times as many features as `most` asks for may be in memory while they are counted."""
R = TypeVar("R", RowsInMemory, "RowsFile")


class TextFeatures:
    """The features of a specification, once they have seen some text.

    >>> features = TextFeatures("words:1-2")
    >>> rows = features.fit_transform(["a fine film", "a dull film"])
    >>> features.names()
    ['a', 'fine', 'film', 'a fine', 'fine film', 'dull', 'a dull', 'dull film']
    >>> rows.values[rows.indptr[1] : rows.indptr[2]].tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """

    missed: int = 0
    """The largest number of texts that a feature may have and still be missing, since rare features are dropped while
    candidates are counted (`most`); 0 where none were dropped."""

    def __init__(self, spec: str | FeatureSpec) -> None:
        self.spec = FeatureSpec.parse(spec) if isinstance(spec, str) else spec
        self._lexicons, self._handmade_weight = lexicons(self.spec)
        self._columns = Columns(self.spec.columns)
        self._start()

    @classmethod
    def of_names(cls, spec: str | FeatureSpec, names: Sequence[str]) -> tuple[TextFeatures, list[int]]:
        """The features that a person names, without having seen any text, and the number of the feature of each name.
        Numbers of columns are taken as they are. Raise FeatureNameError for a name that no feature of a text could
        have.

        >>> features, numbers = TextFeatures.of_names("words:1-2 number:year", ["year", "not bad"])
        >>> features.names(), numbers
        (['not bad', 'year=', 'year', 'year^2'], [2, 0])
        """
        from linnet.features.typed_names import check_typed, vocabulary_of

        self = cls(spec)
        check_typed(self.spec)
        self._columns.take(names)
        columns = {name: j for j, name in enumerate(self._columns.names)}
        of_text = {name: j for j, name in enumerate(name for name in names if name not in columns)}
        self._use(self._analyser(vocabulary_of(list(of_text), self.spec, self.analyser, list(columns))))
        first = self._n_of_text
        return self, [of_text[name] if name in of_text else first + columns[name] for name in names]

    def _start(self) -> None:
        self.n_documents = 0
        self._df: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._totals = np.zeros(len(KINDS_OF_STRINGS) + 1)
        self.missed = 0
        self._use(self._analyser(None))

    def _analyser(self, vocabulary: Vocabulary | None) -> Analyser:
        spec = self.spec
        return Analyser(
            words=spec.words,
            chars=spec.chars,
            across=spec.across,
            start=spec.start,
            skip=spec.skip,
            shapes=spec.shapes,
            lower=not spec.case,
            punctuation=spec.punctuation,
            negations=NEGATIONS if spec.negation else (),
            position=spec.position,
            lexicons=self._lexicons,
            markup=spec.markup,
            sequence=spec.value == "sequence",
            hash_bits=spec.hash_bits,
            vocabulary=vocabulary,
        )

    def _use(self, analyser: Analyser) -> None:
        self.analyser = analyser
        self._idf: npt.NDArray[np.float32] | None = None
        self._weighting: Weighting | None = None
        self._parts: npt.NDArray[np.uint8] | None = None

    @property
    def _vocabulary(self) -> Vocabulary:
        """The names of the features, where these are not hashed."""
        assert self.analyser.vocabulary is not None
        return self.analyser.vocabulary

    @property
    def _n_of_text(self) -> int:
        return int(self.analyser.n_features)

    @property
    def n_features(self) -> int:
        return self._n_of_text + self._columns.n_features

    @property
    def fields(self) -> Fields | None:
        """Which features belong together; None where each stands by itself."""
        return np.append(np.full(self._n_of_text, WORD, np.int32), self._columns.fields) if self._columns else None

    @property
    def numbers(self) -> bool:
        """Whether rows are points: there are numbers of a table, perhaps values of other columns, and no features of
        words."""
        fields = self.fields
        return fields is not None and NUMBER in fields and WORD not in fields

    @property
    def sequences(self) -> bool:
        """Whether the features of a row are in the order of the text, with their positions in it as values."""
        return self.spec.value == "sequence"

    def fit_transform(self, texts: TextLike, unlabelled: Table | None = None) -> SparseRows:
        """Learn the vocabulary of these texts anew, choose features, and return the rows of the texts. With
        `unlabelled`, everything is learned from those texts, too, but their rows are not returned."""
        table = Table.from_texts(texts)
        whole = table if unlabelled is None else table.followed_by(unlabelled)
        return self._fit(whole, None, RowsInMemory, len(table)).joined()

    def to_learn(self, rows: SparseRows) -> SparseRows:
        """The rows of labelled texts to learn from where there are others without labels: without the n-grams that fewer than
        `labelled=` of them have. The arrays of `rows` are overwritten."""
        if self.spec.labelled == 1:
            return rows
        often = np.bincount(rows.indices, minlength=self.n_features) >= self.spec.labelled
        often[self._n_of_text :] = True
        return renumbered(np.where(often, np.arange(self.n_features, dtype=np.uint32), _NONE), rows)

    def fit_words(self, words: Sequence[str], texts: TextLike) -> SparseRows:
        """Take as features, in this order, those of `words` that the analyser finds as one word and spells the same.
        Learn from the texts how many of them have each, and return their rows."""
        self._start()
        rows = SparseRows(*self.analyser.rows(as_text(words), grow=True))
        alone = np.flatnonzero(np.diff(rows.indptr) == 1)
        found = zip(alone.tolist(), rows.indices[rows.indptr[alone]].tolist(), strict=True)
        chosen = [feature for k, feature in found if self._vocabulary.name(feature) == words[k]]
        self._use(self._analyser(self._vocabulary.kept(np.array(chosen, np.uint32))))
        counted = self._seen_again(Table.from_texts(texts))
        self._add_lengths(counted)
        return self._weigh(counted)

    @property
    def document_frequency(self) -> npt.NDArray[np.uint32]:
        """The number of texts that have each feature of words."""
        return self._df

    def in_order(self, spec: FeatureSpec, texts: TextLike) -> SparseRows:
        """The words of each text in their order, left out where they are no features. `spec` is a specification with
        `sequence`."""
        ordered = copy(self)
        ordered.spec = spec
        return SparseRows(*ordered._analyser(self._vocabulary).rows(Table.from_texts(texts).text))

    def vectors(self) -> list[tuple[int, VectorPart]]:
        """The parts that are vectors, each with the number of its first feature."""
        return [(self._n_of_text + first, part) for first, part in self._columns.vectors()]

    def fit_file(self, texts: TextLike, room: Room) -> RowsFile:
        """As `fit_transform`, with the rows in a file: some texts at a time become rows there."""
        from linnet.features.rows_file import RowsFile  # not imported by programs that only predict

        table = Table.from_texts(texts)
        rows = self._fit(table, room, partial(RowsFile, room, len(table)), len(table))
        if not self.spec.hash_bits:  # Free what only reading texts needs; it is made again when it is needed.
            self._use(self._analyser(self._vocabulary))
            self._vocabulary.drop_index()
        return rows

    def _fit(self, table: Table, room: Room | None, keep: Callable[[Iterable[SparseRows]], R], n: int) -> R:
        """Learn from a table, and return its first n rows, as `keep` keeps them. room: where rows are kept, which are
        then made some at a time; None: all are made at once."""
        parts = partial(_parts, table, room)
        self._start()
        if self.spec.most:
            self._find_candidates(_stretches(table, room, _STRETCH))
            rows = keep(map(self._seen_again, parts()))
        else:
            rows = keep(self._first_seen(parts(), len(table)))
        new = self._choose() if not self.spec.hash_bits and self.spec.counts_words else None
        self._totals = np.zeros(len(KINDS_OF_STRINGS) + 1)
        if new is not None and not self.spec.unknown:
            rows.change(partial(renumbered, new), self._add_lengths)
        else:
            if self.spec.unknown:  # Words that were just left out count as unknown, so rows are made again.
                from linnet.features.counting import rows_of

                rows = keep(rows for part in parts() for rows in rows_of(self.analyser, part.text))
            for some in rows:
                self._add_lengths(some)
        self._weighting = None
        if n < len(table):
            rows = keep(first_rows(rows, n))
        if self.weighting is not None:
            rows.weigh(self.weighting)
        if not self._columns:
            return rows
        self._columns.fit(table)
        return keep(self._beside_columns(rows, table))

    def _first_seen(self, pieces: Iterable[Table], n: int) -> Iterator[SparseRows]:
        """Yield the rows of the texts of some pieces, which are parts of n texts in all. All their features are
        counted; new ones are added to the vocabulary."""
        from linnet.features.counting import first_seen  # not imported by programs that only predict

        for piece in pieces:
            rows = first_seen(self.analyser, partial(self._analyser, None), piece.text, more=len(piece) < n)
            self._count(rows)
            yield from rows

    def _seen_again(self, table: Table) -> SparseRows:
        """The rows of texts, and count their features. Only those that are in the vocabulary already have a number."""
        rows = SparseRows(*self.analyser.rows(table.text))
        self._count([rows])
        return rows

    def _find_candidates(self, stretches: Iterable[Table]) -> None:
        """Find candidates for the N most frequent features (`most=N`), with a bounded number of features in memory.
        They are counted again afterwards.

        Whenever there are more than 4 N features after a stretch of texts, the rarest so far are dropped until 2 N are
        left; among equally rare ones those that were seen last. A feature that was dropped and comes back is counted
        from 0. It may so have lost as many texts, each time that features are dropped, as the most frequent of these
        had (lossy counting, Manku and Motwani 2002). `missed` is the sum of these numbers.
        """
        most = limit = _TIMES * self.spec.most
        for stretch in stretches:
            for _ in self._first_seen([stretch], len(stretch) + 1):
                pass
            if self._n_of_text > limit:
                self._leave(most // 2)
                # What n-grams are made of stays, so that there may still be many. Enough new ones must come before it
                # is done again.
                limit = max(most, 2 * self._n_of_text)
        self._df, self.n_documents = np.zeros(0, np.uint32), 0

    def _leave(self, n: int) -> None:
        """Drop all but the n most frequent features from the vocabulary. Hand-made features and the parts of n-grams
        that are kept are kept, too."""
        order = np.argsort(np.uint32(0xFFFFFFFF) - self._df, kind="stable")
        self.missed += int(self._df[order[n]])
        stays = np.zeros(len(order), np.bool_)
        stays[order[:n]] = self._df[order[:n]] > 0
        stays |= self._vocabulary.kinds() == len(KINDS_OF_STRINGS)
        chosen = np.flatnonzero(stays).astype(np.uint32)
        self._df = self._df[chosen]
        vocabulary = self._vocabulary.kept(chosen)
        vocabulary.count_all()
        self._use(self._analyser(vocabulary))

    @property
    def notes(self) -> list[str]:
        """What the user should know of the choice of features: whether some may be missing."""
        if not self.missed:
            return []
        least = int(self._df.min()) if self._n_of_text >= self.spec.most else self._documents(self.spec.min_df, 1)
        if self.missed < least:
            return []
        return [
            f"most={self.spec.most}: features of up to {self.missed:,} texts may have been missed, as they came and went. "
            "A larger number misses fewer."
        ]

    def _beside_columns(self, rows: Iterable[SparseRows], table: Table) -> Iterator[SparseRows]:
        """Yield the rows of texts, some at a time, with what the columns of the table add to them."""
        at = 0
        for some in rows:
            yield some.beside(self._columns.rows(table.slice(at, len(some))), self._n_of_text)
            at += len(some)

    def partial_fit_transform(self, texts: TextLike) -> SparseRows:
        """The rows of more texts. New features are appended to the vocabulary."""
        if self._columns:
            kinds = ", ".join(dict.fromkeys(kind for kind, _, _ in self.spec.columns))
            raise UsageError(f"features that need all rows at once: {kinds}. Use fit, or leave them out.")
        rows = SparseRows(*self.analyser.rows(as_text(texts), grow=True))
        self._count([rows])
        self._use(self.analyser)
        self._add_lengths(rows)
        self._weighting = None
        return self._weigh(rows)

    def transform(self, texts: TextLike) -> SparseRows:
        """The rows of these texts. Features that are not in the vocabulary are passed over."""
        table = Table.from_texts(texts)
        if not self._columns:
            return self._rows_of_text(table)
        parts = [table.slice(at, _AT_A_TIME) for at in range(0, max(len(table), 1), _AT_A_TIME)]
        return RowsInMemory(self._beside_columns(map(self._rows_of_text, parts), table)).joined()

    def _rows_of_text(self, table: Table) -> SparseRows:
        """The rows of texts, without what other columns of the table add to them."""
        return self._weigh(SparseRows(*self.analyser.rows(table.text)))

    def on_demand(self, texts: Table | list[str], weights: Array | None = None) -> TextRows:
        """The rows of texts as `transform` makes them, but each is made only when it is scored. A list has no other
        columns.

        weights: an array with a row for the bias and for each feature, which scoring will read. While a row is made,
            the rows of weights that it needs are fetched into the cache.
        """
        if isinstance(texts, list):
            return TextRows(self.analyser, self.weighting, _views(texts), self.n_features, None, weights)
        others: tuple[Array, ...] | None = None
        if self._columns:
            indptr, indices, values = self._columns.rows(texts)
            others = indptr, indices, values
        return TextRows(self.analyser, self.weighting, TextViews(texts.text), self.n_features, others, weights)

    def _count(self, parts: Sequence[SparseRows]) -> None:
        """Count in how many rows each feature stands."""
        n = self._n_of_text
        if len(self._df) < n:
            self._df = np.concatenate([self._df, np.zeros(n - len(self._df), np.uint32)])
        if len(parts) == 1:
            sparse.count_documents(self._df, self._once(parts[0]))
        else:
            for found in each(self._document_frequency, parts):
                self._df += found
        self.n_documents = min(self.n_documents + sum(map(len, parts)), _MOST_DOCUMENTS)

    def _document_frequency(self, rows: SparseRows) -> npt.NDArray[np.uint32]:
        """The number of rows that each feature stands in."""
        df = np.zeros(self._n_of_text, np.uint32)
        sparse.count_documents(df, self._once(rows))
        return df

    def _once(self, rows: SparseRows) -> npt.NDArray[np.uint32]:
        """The features of all rows, each once for a row that has it."""
        if not self.sequences:
            return rows.indices
        row, n = np.repeat(np.arange(len(rows)), np.diff(rows.indptr)), max(self._n_of_text, 1)
        return (np.unique(row * n + rows.indices) % n).astype(np.uint32)

    def _choose(self) -> npt.NDArray[np.uint32] | None:
        """Choose the features that the specification asks for. If these are all, they keep their numbers, and None is
        returned. Else they are numbered anew, the most frequent first; return the new number of each old feature, _NONE
        if it is left out.
        """
        least = self._documents(self.spec.min_df, 1)
        most = self._documents(self.spec.max_df, self.n_documents)
        keep = (self._df >= max(least, 1)) & (self._df <= most)
        if self._lexicons:
            keep |= self._vocabulary.kinds() == len(KINDS_OF_STRINGS)
        n = self.spec.top or self.spec.most
        if len(keep) and keep.all() and not n:
            return None
        chosen = np.flatnonzero(keep).astype(np.uint32)
        # NumPy sorts numbers of 16 bits by radix, which is fast. Frequent features come first to make learning fast,
        # for which the order among those of 65,535 documents and more does not matter; `top` and `most` need it
        # exactly.
        chosen = chosen[np.argsort(_cut(self._df[chosen], exact=bool(n)), kind="stable")]
        if n:
            kinds = self._vocabulary.kinds()[chosen]
            free = (kinds == len(KINDS_OF_STRINGS)) & bool(self.spec.most)
            # Of equals the hand-made ones come first, then those whose string does.
            found = first_of_equals(
                self._df[chosen], ~free, n, lambda i: (-int(kinds[i]), self._vocabulary.name(int(chosen[i])))
            )
            chosen = chosen[free | found]
        if len(chosen) == 0:
            raise DataError(
                f"no feature of {str(self.spec)!r} is left in these {self.n_documents} texts. "
                "Lower min=, raise max=, or look whether the texts are empty."
            )
        new = np.full(len(keep), _NONE, np.uint32)
        new[chosen] = np.arange(len(chosen), dtype=np.uint32)
        self._df = self._df[chosen]
        self._vocabulary.drop_index()  # Its tables are not needed any more, and need not be in memory beside the new one.
        self._use(self._analyser(self._vocabulary.kept(chosen)))
        return new

    def _documents(self, bound: float, whole: int) -> float:
        """A bound as a number of documents. It is given as a share of all documents, if below 1, or as a number of
        them; 1 means `whole`, the bound that leaves nothing out."""
        if bound == 1:
            return whole
        return bound * self.n_documents if bound < 1 else bound

    def _weigh(self, rows: SparseRows) -> SparseRows:
        if self.weighting is not None:
            self.weighting.rows(*rows)
        return rows

    @property
    def weighting(self) -> Weighting | None:
        """What turns counts into values; None for sequences, whose values are positions in the text."""
        if self._weighting is None and not self.sequences:
            spec, parts = self.spec, self.parts
            weights = np.array([*spec.weights, self._handmade_weight])
            self._weighting = Weighting(
                count=_VALUES["bm25" if spec.idf == "bm25" else spec.value],
                idf=self.idf,
                norm=_NORMS[spec.norm],
                parts=parts,
                weights=weights if parts is not None else weights[self._only_part :][:1],
                average=np.maximum(self._totals, 1e-9) / max(self.n_documents, 1),
                # The values of hand-made features are only multiplied by their weight. Where all features are one part,
                # its number is 0, which is free only if they are hand-made.
                free_from=len(KINDS_OF_STRINGS)
                if parts is not None
                else 1 - (self._only_part == len(KINDS_OF_STRINGS)),
            )
        return self._weighting

    @property
    def _only_part(self) -> int:
        """The number of the part of all features, where there is only one part."""
        return next((b for b, span in enumerate(self.spec.ranges) if span != (0, 0)), len(KINDS_OF_STRINGS))

    def _add_lengths(self, rows: SparseRows) -> None:
        sparse.add_lengths(self._totals, *rows, self.parts)

    @property
    def parts(self) -> npt.NDArray[np.uint8] | None:
        """The part of each feature, one of KINDS_OF_STRINGS or hand-made; None where there is only one part."""
        spec = self.spec
        several = sum(span != (0, 0) for span in spec.ranges) + bool(self._lexicons) > 1
        if not several or spec.hash_bits:
            return None
        if self._parts is None:
            self._parts = self._vocabulary.kinds()[: self._n_of_text]
        return self._parts

    @property
    def idf(self) -> npt.NDArray[np.float32] | None:
        if self.spec.idf == "none":
            return None
        if self._idf is None:
            most = int(self._df.max(initial=0))
            # Many features have the same document frequency, so that each logarithm is taken once and then looked up.
            looked_up = most < len(self._df)
            of_each = self._inverse(np.arange(most + 1) if looked_up else self._df)
            self._idf = of_each.take(self._df) if looked_up else of_each
        return self._idf

    def _inverse(self, documents: npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """The inverse document frequencies of features that are in so many documents."""
        df, n = documents.astype(np.float64), self.n_documents
        if self.spec.idf == "bm25":
            return np.log1p((n - df + 0.5) / (df + 0.5)).astype(np.float32)
        return (np.log((1 + n) / (1 + df)) + 1).astype(np.float32)

    @property
    def _writes(self) -> int:
        """The number of the block from whose features texts can be written: words, or characters where there are no
        words."""
        return next((b for b, span in enumerate(self.spec.ranges[:3]) if span != (0, 0)), 0)

    def written(self) -> tuple[npt.NDArray[np.int64], float]:
        """The features from which a text can be written, and about how many of them a text has.

        They are the shortest n-grams of words, usually single words, or where there are no words those of characters.
        Their number follows from that of all n-grams: a text of n words has n + (n - 1) + ... of them, less those that
        min= and the like have left out.
        """
        part = self._writes
        least, most = self.spec.ranges[part]
        if most == 0:
            return np.zeros(0, np.int64), 0.0
        of_part = np.arange(self._n_of_text) if self.parts is None else np.flatnonzero(self.parts == part)
        names = map(self._vocabulary.name, of_part.tolist())
        size = [len(name if KINDS_OF_STRINGS[part].startswith("chars") else name.split(" ")) for name in names]
        orders = np.arange(least, most + 1)
        count = self._totals[0 if self.parts is None else part] / max(self.n_documents, 1)
        return of_part[np.array(size) == least], float(count + (orders - least).sum()) / len(orders)

    def as_text(self, features: Iterable[int], values: Iterable[float]) -> str:
        """The text that these features make: words with blanks between them, or n-grams of characters without; and what the
        other columns of the table hold, as `name=value`."""
        first, words, others = self._n_of_text, [], []
        for feature, x in zip(features, values, strict=True):
            if feature < first:
                words.append(self._vocabulary.name(feature))
            else:
                others.append(self._columns.said(feature - first, x))
        text = ("" if KINDS_OF_STRINGS[self._writes].startswith("chars") else " ").join(words)
        return " ".join([text, *others] if text else others)

    def name(self, feature: int) -> str:
        """The name of a feature as the text has it. Where there are several blocks, those of blocks other than words
        have the name of their block as a prefix, as in `chars=ing`."""
        if feature >= self._n_of_text:
            return self._columns.names[feature - self._n_of_text]
        if self.spec.hash_bits:
            return f"hash={feature}"
        name = self._vocabulary.name(feature)
        if self.parts is None or self.parts[feature] in (0, len(KINDS_OF_STRINGS)):
            return name
        return f"{KINDS_OF_STRINGS[self.parts[feature]]}={name}"

    def names(self) -> list[str]:
        return [self.name(j) for j in range(self.n_features)]

    def occurrences(self, text: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The occurrences of features in a text: features, starts, ends (in characters). Hand-made features have none."""
        return self.analyser.occurrences(text)

    def places(self, text: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The places of words and punctuation marks in a text: starts, ends (in characters). HTML tags have none."""
        return self.analyser.places(text)

    def usual_values(self) -> npt.NDArray[np.float32] | None:
        """About how large the value of each feature is: the root of its mean square over all texts, before rows are
        normalised, if it occurs once in each text that has it. None if it is not known how many texts have it."""
        if self.spec.idf == "none" or self._columns:
            return None
        weights = np.array([*self.spec.weights, self._handmade_weight])
        weight = weights[self._only_part] if self.parts is None else weights[self.parts]
        share = np.sqrt(self._df / max(self.n_documents, 1))
        found: npt.NDArray[np.float32] = (self.idf * weight * share).astype(np.float32)
        return found

    def without(self, wanted: npt.NDArray[np.bool_]) -> tuple[TextFeatures, npt.NDArray[np.float32]]:
        """A copy with the features that are wanted, given a flag for each, and a factor for the weights of each
        feature, 0 if it is left out. Hashed features, those of columns and hand-made ones are always kept. Where rows
        are divided by their length (l2), the values that are left become larger when others are left out, so that the
        factor makes weights smaller by as much, on average."""
        n, factor = self._n_of_text, np.ones(self.n_features, np.float32)
        if self.spec.hash_bits or not self.spec.counts_words:
            return self, factor
        stays = wanted[:n] | (self._vocabulary.kinds()[:n] == len(KINDS_OF_STRINGS))
        chosen = np.flatnonzero(stays).astype(np.uint32)
        usual = self.usual_values()
        factor[:n] = stays
        if self.spec.norm == "l2" and usual is not None and stays.any():
            factor[:n] *= np.float32(length(usual[stays]) / length(usual))
        small = copy(self)
        small._df = np.zeros(0, np.uint32) if self.spec.idf == "none" else self._df[chosen]
        small._use(small._analyser(self._vocabulary.kept(chosen)))
        return small, factor

    @classmethod
    def united(
        cls, several: Sequence[TextFeatures]
    ) -> tuple[TextFeatures, list[tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]]]:
        """One object with the features of several that have the same specification. And for each of these, the new
        numbers of its features, and factors for their weights: document frequencies change, and with them the values of
        features."""
        first = several[0]
        if first._columns:
            raise UsageError(f"models with {KINDS} are not merged: their scales differ. Train on all data at once.")
        whole = copy(first)
        whole.n_documents = min(sum(one.n_documents for one in several), _MOST_DOCUMENTS)
        whole._totals = np.sum([one._totals for one in several], axis=0)
        if first.spec.hash_bits:
            numbers = [np.arange(first._n_of_text)] * len(several)
            vocabulary = None
        else:
            joined = Vocabulary()
            numbers = [one._vocabulary.added_to(joined) for one in several]
            chosen = np.unique(np.concatenate(numbers))
            vocabulary = joined.kept(chosen.astype(np.uint32))
            numbers = [np.searchsorted(chosen, some) for some in numbers]
        whole._use(whole._analyser(vocabulary))
        if first.spec.idf == "none":
            whole._df = np.zeros(0, np.uint32)
            return whole, [(some, np.ones(len(some), np.float32)) for some in numbers]
        whole._df = np.zeros(whole._n_of_text, np.uint32)
        for one, some in zip(several, numbers, strict=True):
            whole._df[some] += one._df
        idf = np.asarray(whole.idf)
        return whole, [(some, np.asarray(one.idf) / idf[some]) for one, some in zip(several, numbers, strict=True)]

    def arrays(self) -> dict[str, Array]:
        """Arrays for the model file: what it keeps of the features, beside `header()`."""
        arrays: dict[str, Array] = {}
        if self.spec.idf != "none":
            arrays["df"] = self._df
        if not self.spec.hash_bits:
            arrays |= self._vocabulary.arrays()
            index = self._vocabulary.index()
            if index is not None:
                arrays["index"] = index
        return arrays | {f"columns.{name}": array for name, array in self._columns.arrays().items()}

    def header(self) -> dict[str, Json]:
        return {
            "spec": str(self.spec),
            "n_features": self._n_of_text,
            "n_documents": self.n_documents,
            "totals": self._totals.tolist(),
            "handmade_weight": self._handmade_weight,
            "lexicons": [[name, mode, list(words)] for name, mode, words in self._lexicons],
            "columns": self._columns.learned(),
        }

    header_schema: ClassVar[Schema] = Record(
        {
            "spec": Text(),
            "n_features": Whole(),
            "n_documents": Whole(0, _MOST_DOCUMENTS),
            "totals": ListOf(Real(0, 1e30), len(KINDS_OF_STRINGS) + 1, len(KINDS_OF_STRINGS) + 1),
            "handmade_weight": Real(0, 1e30),
            "lexicons": ListOf(Row((Text(), Text(), ListOf(Text())))),
            "columns": ListOf(Anything()),
        }
    )
    """What `header()` may be, as a model file has it."""

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> TextFeatures:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        cls.header_schema.check(header, "features")
        self = cls.__new__(cls)
        self.spec = FeatureSpec.parse(header["spec"])
        n_features = 1 << self.spec.hash_bits if self.spec.hash_bits else header["n_features"]
        prefix = "columns."
        of_columns = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        arrays = {name: array for name, array in arrays.items() if not name.startswith(prefix)}
        check_arrays(arrays, cls._layout(self.spec, n_features, "index" in arrays))
        self._lexicons = [(name, mode, tuple(words)) for name, mode, words in header["lexicons"]]
        self._handmade_weight = float(header["handmade_weight"])
        self._columns = Columns(self.spec.columns)
        self._columns.restore(header["columns"], of_columns)
        self.n_documents = int(header["n_documents"])
        self._totals = np.array(header["totals"], np.float64)
        self._df = np.asarray(arrays.get("df", np.zeros(0, np.uint32)))
        vocabulary = None
        if not self.spec.hash_bits:
            vocabulary = Vocabulary.from_arrays(
                arrays["info"], arrays["pool"], int(header["n_features"]), arrays.get("index")
            )
        self._use(self._analyser(vocabulary))
        if self._n_of_text != header["n_features"]:
            raise ValueError(f"{header['n_features']} features, but {self._n_of_text} of them have names")
        return self

    @staticmethod
    def _layout(spec: FeatureSpec, n_features: int, indexed: bool) -> dict[str, Numbers]:
        """What `arrays()` may be. The vocabulary itself checks the contents of its arrays, when it is restored and
        later."""
        of_documents = {} if spec.idf == "none" else {"df": Numbers(np.uint32, (n_features,))}
        if spec.hash_bits:
            return of_documents
        index = {"index": Numbers(np.uint32)} if indexed else {}
        return of_documents | {"info": Numbers(np.uint64), "pool": Numbers(np.uint8)} | index


def _views(texts: list[str]) -> TextViews:
    """Views of strings in the memory where they are. Raise DataError for a string with half a surrogate pair, and say
    which it is."""
    try:
        return TextViews(texts)
    except UnicodeEncodeError:
        return TextViews(as_text(texts))


def _cut(df: npt.NDArray[np.uint32], *, exact: bool) -> Array:
    """Numbers by which features are sorted, the highest document frequency first. Unless `exact`, all frequencies from
    65,535 on are equal."""
    return np.uint32(0xFFFFFFFF) - df if exact else np.uint16(65535) - np.minimum(df, 65535).astype(np.uint16)


def _parts(table: Table, room: Room | None) -> Iterator[Table]:
    """Yield the parts of a table that become rows at a time: parts of about _SOME bytes with a room, else the whole
    table."""
    if room is None:
        return iter([table])
    # `nbytes` would look into every chunk, and bring its pages into memory.
    each = max(table.text.get_total_buffer_size() // max(len(table), 1), 1)
    return _stretches(table, room, max(_SOME // each, 1))


def _stretches(table: Table, room: Room | None, size: int) -> Iterator[Table]:
    """Yield `size` rows of a table at a time. The memory of mapped files is given back after each."""
    for begin in range(0, len(table), size):
        yield table.slice(begin, size)
        if room is not None:
            room.give_back()
