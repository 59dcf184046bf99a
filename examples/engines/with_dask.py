"""Dask: every partition of a data frame is scored where it is."""

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

import linnet


def answered(frame: dd.DataFrame, model: str) -> dd.DataFrame:
    def score(part: pd.DataFrame) -> pd.DataFrame:
        batches = linnet.answers(model, pa.Table.from_pandas(part, preserve_index=False), keep=["id"])
        return pa.Table.from_batches(batches).to_pandas().astype(types)

    types = {"id": "int64", "prediction": "string[pyarrow]", "confidence": "float32"}
    return frame.map_partitions(score, meta=types)
