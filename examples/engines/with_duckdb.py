"""DuckDB: a table is scored batch by batch, and the answers are queried as any other table."""

import duckdb
import pyarrow as pa

import linnet


def answered(connection: duckdb.DuckDBPyConnection, query: str, model: str) -> pa.RecordBatchReader:
    """The answers to the rows of a query, as a table that DuckDB reads by another cursor: cursor.from_arrow(answered(...))."""
    rows = connection.sql(query).fetch_record_batch(10_000)
    batches = linnet.answers(model, rows, keep=["id"])
    first = next(batches)
    return pa.RecordBatchReader.from_batches(first.schema, (batch for part in ([first], batches) for batch in part))
