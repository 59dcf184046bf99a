"""Ray Data: a model as a function over batches, in as many processes as there are cores."""

import pyarrow as pa
import ray

import linnet


def answered(data: ray.data.Dataset, model: str) -> ray.data.Dataset:
    def score(batch: pa.Table) -> pa.Table:
        return pa.Table.from_batches(linnet.answers(model, batch, keep=["id"]))

    return data.map_batches(score, batch_format="pyarrow")
