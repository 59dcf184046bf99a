"""Features by name that are not n-grams: values of another column of the table, or strings found in the text.

    column:country   a feature for each value: `country=DE`. An empty value is one too, `country=`; one that was not seen while
                     learning has none.
    number:age       three features: `age`, which is x = (age - mean) / (2 standard deviations), so that it varies about
                     as much as a feature that is 0 or 1 (Gelman 2008); `age^2`, which is x^2; and `age=`, which is 1
                     where the number is missing, and the others are 0 then.

With the square, a label can be most likely at middling ages, and naive Bayes can have a normal distribution for each
label. A function of the user's own that finds strings in a text gives a feature for each string (`found`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from linnet.core.schema import ListOf, Real, Row, Text, check_arrays
from linnet.core.types import Array, Arrays, Json
from linnet.core.values import as_strings
from linnet.features.columns import as_text
from linnet.features.fields import FARTHEST, NUMBER, WORD, Fields, Floats, Ints, number_features, rows_of
from linnet.features.rows import RowsInMemory, SparseRows
from linnet.features.table import Column, Table
from linnet.limits import LARGEST
from linnet.registry import Registry

if TYPE_CHECKING:
    from linnet.features.vector_parts import VectorPart


_AT_A_TIME = 2000
"""The number of rows that are made at a time."""


class Part(Protocol):
    """The features of one column."""

    name: str

    @property
    def names(self) -> Sequence[str]: ...

    def fields(self, number: int) -> Fields:
        """The field of each feature (fields.py). `number` is that of the column among all columns, from 1."""

    def learn(self, table: Table) -> None: ...

    def features(self, table: Table) -> tuple[Ints, Floats]:
        """Two tables with a row for each row of the table: the numbers of its features within this part, and their
        values. -1 stands for no feature."""

    def said(self, feature: int, x: float) -> str:
        """A feature and its value x for people, as the table had it, such as `country=DE`. Of a number it is the second
        feature."""

    def learned(self) -> Json:
        """What was learned, for the header of the model file."""

    def arrays(self) -> dict[str, Array]:
        """The arrays that were learned, for the model file."""

    def restore(self, learned: Json, arrays: Arrays) -> None:
        """Restore what was learned from `learned()` and `arrays()`, as a model file holds them. ValueError where they
        cannot be right."""

    def take(self, names: Sequence[str]) -> None:
        """Take as features those of the typed names that belong to this column, instead of learning features from a
        table."""


NO_ARRAYS: Arrays = {}
_VALUES = ListOf(Text(), distinct=True)
_SCALE = Row((Real(), Real(least=1e-300)))
"""The mean of a number, and its unit."""


class Values:
    """Features for the values of a column, `column:NAME`."""

    def __init__(self, name: str, weight: float) -> None:
        self.name, self.weight = name, weight
        self._number: dict[str, int] = {}

    @property
    def names(self) -> Sequence[str]:
        return [f"{self.name}={value}" for value in self._number]

    def fields(self, number: int) -> Fields:
        return np.full(len(self._number), number, np.int32)

    def learn(self, table: Table) -> None:
        self.restore(dict.fromkeys(_strings(table.plain_column(self.name), self.name)))

    def features(self, table: Table) -> tuple[Ints, Floats]:
        values = _strings(table.plain_column(self.name), self.name)
        features = np.fromiter((self._number.get(value, -1) for value in values), np.int64, len(values))
        return features[:, None], np.full((len(values), 1), self.weight)

    def said(self, feature: int, x: float) -> str:
        return self.names[feature]

    def learned(self) -> list[str]:
        return list(self._number)

    def arrays(self) -> dict[str, Array]:
        return {}

    def restore(self, learned: Json, arrays: Arrays = NO_ARRAYS) -> None:
        check_arrays(arrays, {})
        _VALUES.check(list(learned), f"the values of {self.name}")
        self._number = {value: number for number, value in enumerate(learned)}

    def take(self, names: Sequence[str]) -> None:
        start = f"{self.name}="
        self.restore(dict.fromkeys(name.removeprefix(start) for name in names if name.startswith(start)))


class Number:
    """The three features of a column of numbers, `number:NAME`."""

    def __init__(self, name: str, weight: float) -> None:
        self.name, self.weight = name, weight
        self._mean, self._unit = 0.0, 1.0

    @property
    def names(self) -> Sequence[str]:
        return [f"{self.name}=", self.name, f"{self.name}^2"]

    def fields(self, number: int) -> Fields:
        return np.full(3, NUMBER, np.int32)

    def learn(self, table: Table) -> None:
        x = _numbers(table, self.name)
        x = x[~np.isnan(x)]
        self._mean = float(x.mean()) if len(x) else 0.0
        self._unit = 2 * float(x.std()) if len(x) and x.std() > 0 else 1.0

    def features(self, table: Table) -> tuple[Ints, Floats]:
        x = _numbers(table, self.name)
        z = self.weight * (x - self._mean) / self._unit
        row = int(np.argmax(np.where(np.isnan(z), 0, np.abs(z)))) if len(z) else 0
        if len(z) and abs(z[row]) > FARTHEST:
            message = (
                f"found {x[row]:g} in column {self.name!r}, where {self._mean:.4g} was the mean and {self._unit:.4g} twice the "
                "standard deviation: its square would be no number. Leave it empty, or learn from logarithms."
            )
            raise table.fault(self.name, _strings(table.plain_column(self.name), self.name)[row], message)
        return number_features(z)

    def said(self, feature: int, x: float) -> str:
        return f"{self.name}={self._mean + self._unit * x / self.weight:.4g}"

    def learned(self) -> list[float]:
        return [self._mean, self._unit]

    def arrays(self) -> dict[str, Array]:
        return {}

    def restore(self, learned: Json, arrays: Arrays = NO_ARRAYS) -> None:
        check_arrays(arrays, {})
        _SCALE.check(learned, f"the scale of {self.name}")
        self._mean, self._unit = map(float, learned)

    def take(self, names: Sequence[str]) -> None:
        """Take a number as it is: without data, its mean is taken to be 0 and its unit 1."""
        self.restore([0.0, 1.0])


class Strings(Values):
    """Features for the strings that a function finds in each text, or in each value of a column: `host=example.org`."""

    def __init__(self, kind: str, found: Callable[[str], Iterable[str]], name: str, weight: float) -> None:
        super().__init__(f"{kind}:{name}" if name else kind, weight)
        self._column, self._found = name, found

    def _all(self, table: Table) -> list[list[str]]:
        texts = _strings(table.plain_column(self._column) if self._column else table.text, self._column or "text")
        return [list(dict.fromkeys(self._found(text))) for text in texts]

    def fields(self, number: int) -> Fields:
        return np.full(len(self._number), WORD, np.int32)

    def learn(self, table: Table) -> None:
        self.restore(dict.fromkeys(string for strings in self._all(table) for string in strings))

    def features(self, table: Table) -> tuple[Ints, Floats]:
        found = self._all(table)
        features = np.full((len(found), max(map(len, found), default=0)), -1, np.int64)
        for row, strings in zip(features, found, strict=True):
            row[: len(strings)] = [self._number.get(string, -1) for string in strings]
        return features, np.full(features.shape, self.weight)


class Kind(NamedTuple):
    """A kind of features: its name in specifications, and `part`, which makes its features, given a column and a
    weight."""

    name: str
    summary: str
    part: Callable[[str, float], Part]
    column: str = ""
    """An example of what must follow its name and a colon: a column, or something else. Empty where it needs nothing,
    and looks at the text unless a column is named."""

    of_text: bool = False
    """Whether it looks at the text, so that what follows the colon is something else than a column."""

    numbers: bool = False
    """Whether its column is one of lists of numbers, which readers pass on only if they are asked to."""

    @property
    def typed(self) -> str:
        return f"{self.name}:{self.column}" if self.column else self.name


def found(name: str, summary: str, of: Callable[[str], Iterable[str]]) -> Kind:
    """A kind with a feature for each string that a function finds in a text."""
    return Kind(name, summary, partial(Strings, name, of))


def _vectors(name: str, weight: float) -> Part:
    if name.isdecimal():
        from linnet.features.vectors import Vectors

        return Vectors(name, weight)
    from linnet.features.file_vectors import FileVectors

    return FileVectors(name, weight)


def _topics(name: str, weight: float) -> Part:
    from linnet.features.vectors import Topics

    return Topics(name, weight)


def _embedding(name: str, weight: float) -> Part:
    from linnet.features.embedding import Embedding

    return Embedding(name, weight)


KINDS: Registry[Kind] = Registry(
    "feature",
    Kind("column", "another column of the table: a feature for each value, `country=DE`", Values, "country"),
    Kind(
        "number",
        "another column, of numbers: `age` and its square, in units of two standard deviations from the mean",
        Number,
        "age",
    ),
    Kind(
        "vectors",
        "where the words of the text lie among all words, here in 200 directions, learned from which words stand near which; "
        "vectors:FILE takes the words of a file of GloVe, word2vec or fastText, vectors:FILE,top=20000 so many of them",
        _vectors,
        "200",
        of_text=True,
    ),
    Kind(
        "topics",
        "what the text is about, here in 100 directions, learned from which words stand in the same texts",
        _topics,
        "100",
        of_text=True,
    ),
    Kind(
        "embedding",
        "another column, of vectors that any encoder has made: a list of numbers for each row, made as long as its weight; "
        "embedding:minilm,raw takes the numbers as they are",
        _embedding,
        "minilm",
        numbers=True,
    ),
)


class Columns:
    """The features of the columns that a specification names; they are learned from a table."""

    def __init__(self, wanted: Sequence[tuple[str, str, float]]) -> None:
        self._parts = [KINDS[kind].part(name, weight) for kind, name, weight in wanted]
        self._use()

    def _use(self) -> None:
        self.names = [name for part in self._parts for name in part.names]
        none: list[Fields] = [np.zeros(0, np.int32)]
        self.fields: Fields = np.concatenate(none + [part.fields(k) for k, part in enumerate(self._parts, 1)])

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def n_features(self) -> int:
        return len(self.names)

    def fit(self, table: Table) -> None:
        for part in self._parts:
            part.learn(table)
        self._use()

    def rows(self, table: Table) -> SparseRows:
        """The rows of a table. They are made some at a time, since the tables they are made of take several times as
        much memory."""
        found, first = [], 0
        for part in self._parts:
            found.append((*part.features(table), first))
            first += len(part.names)

        def some(rows: slice) -> SparseRows:
            of_rows = [(features[rows], values[rows], first) for features, values, first in found]
            return rows_of([(np.where(j < 0, -1, j + first), x) for j, x, first in of_rows])

        return RowsInMemory(
            some(slice(at, at + _AT_A_TIME)) for at in range(0, max(len(table), 1), _AT_A_TIME)
        ).joined()

    def said(self, feature: int, x: float) -> str:
        for part in self._parts:
            if feature < len(part.names):
                break
            feature -= len(part.names)
        return part.said(feature, x)

    def learned(self) -> list[Json]:
        return [part.learned() for part in self._parts]

    def arrays(self) -> dict[str, Array]:
        """The arrays of all parts. Their names begin with the number of the part."""
        return {f"{k}.{name}": array for k, part in enumerate(self._parts) for name, array in part.arrays().items()}

    def take(self, names: Sequence[str]) -> None:
        """Take the features of the typed names, instead of learning features from a table."""
        for part in self._parts:
            part.take(names)
        self._use()

    def restore(self, learned: Sequence[Json], arrays: Arrays = NO_ARRAYS) -> None:
        for k, (part, of_part) in enumerate(zip(self._parts, learned, strict=True)):
            prefix = f"{k}."
            own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            part.restore(of_part, own)
        self._use()

    def vectors(self) -> list[tuple[int, VectorPart]]:
        """The parts that are vectors, each with the number of its first feature."""
        from linnet.features.vector_parts import VectorPart

        first = np.cumsum([0, *(len(part.names) for part in self._parts)]).tolist()
        return [(at, part) for at, part in zip(first, self._parts, strict=False) if isinstance(part, VectorPart)]


def _strings(column: Column, name: str) -> list[str]:
    """The values of a column as strings: 1, 1.0 and true become '1', '1' and 'true', whatever a file holds."""
    if not (pa.types.is_dictionary(column.type) or _is_string(column.type)):
        column = as_strings(column, name)
    texts: list[str] = as_text(column).to_pylist()
    return texts


def _is_string(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _numbers(table: Table, name: str) -> Floats:
    """The numbers of a column, nan where there is none."""
    texts = _strings(table.plain_column(name), name)
    x = np.empty(len(texts))
    for row, text in enumerate(texts):
        try:
            x[row] = float(text) if text.strip() else math.nan
        except ValueError:
            x[row] = math.inf  # refused below, like an infinite number
        if math.isinf(x[row]):
            message = (
                f"expected a number in column {name!r}, found {text!r:.60}. Leave it empty where there is none, or take the "
                f"values as they are: column:{name}."
            )
            raise table.fault(name, text, message)
    largest = int(np.argmax(np.where(np.isnan(x), 0, np.abs(x)))) if len(x) else 0
    if len(x) and abs(x[largest]) > LARGEST.most:
        most, found = f"{LARGEST.most:g}", f"{x[largest]:g}"
        message = f"expected numbers of at most {most} in column {name!r}, found {found}. Take their logarithm."
        raise table.fault(name, texts[largest], message)
    return x
