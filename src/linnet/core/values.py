"""The values of a column of Arrow, of whatever type, as Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa


def values_of(column: pa.ChunkedArray | pa.Array, name: str) -> list[Any]:
    """The values of a column; as strings where some of them are none that Python has, such as a day beyond the year 9999, or a
    nanosecond. DataError where they are not even known as strings.

    >>> import pyarrow as pa
    >>> values_of(pa.array([19782, None], pa.date32()), "day")
    [datetime.date(2024, 2, 29), None]
    >>> values_of(pa.array([4_000_000], pa.date32()), "day")
    ['12921-08-18']
    """
    import pyarrow as pa

    try:
        return list(column.to_pylist())
    except (ValueError, ArithmeticError, LookupError, pa.ArrowException):
        return list(as_strings(column, name).to_pylist())


def as_strings(column: pa.ChunkedArray | pa.Array, name: str) -> pa.ChunkedArray | pa.Array:
    """A column as strings, as Arrow writes its values. DataError where it does not know how."""
    import pyarrow as pa

    try:
        return column.cast(pa.large_string())
    except (ValueError, pa.ArrowException) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise DataError(
            f"expected strings, numbers or times in column '{name}', found {column.type} ({why}). Leave the column out, or "
            "write its values as strings."
        ) from None
