"""Polars: the answers of a model as columns of a lazy query, batch by batch."""

import polars as pl

import linnet


def answered(frame: pl.LazyFrame, model: str) -> pl.LazyFrame:
    def score(part: pl.DataFrame) -> pl.DataFrame:
        return pl.from_arrow(list(linnet.answers(model, part.to_arrow(), keep=["id"])))

    schema = {"id": pl.Int64, "prediction": pl.String, "confidence": pl.Float32}
    return frame.map_batches(score, schema=schema, streamable=True)
