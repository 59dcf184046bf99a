"""Spark: `mapInArrow` hands over batches of Arrow, and takes them back."""

from pyspark.sql import DataFrame

import linnet


def answered(frame: DataFrame, model: str) -> DataFrame:
    return frame.mapInArrow(
        lambda batches: linnet.answers(model, batches, keep=["id"]), "id long, prediction string, confidence float"
    )
