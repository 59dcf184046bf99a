"""The arguments of `train` beside the data and the task, as a type for the functions that pass them on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from linnet.core.room import Room
from linnet.core.types import Data
from linnet.fitting.contract import ClassWeight
from linnet.learners import Progress
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks.texts.lexicon import Words

if TYPE_CHECKING:
    from distributed import Client

    from linnet.fitting.traced import Step


class How(TypedDict, total=False):
    """The arguments of `train` beside the data and the task, which says what they mean. This class is for types
    alone."""

    learner: str | None
    features: str | None
    epochs: int | None
    dev: Data | float | None
    seed: int
    options: Options | None
    class_weight: ClassWeight
    patience: int
    tol: float
    shuffle: bool
    calibrate: str | None
    rerank: int | None
    text: str | None
    label: str | None
    format: str | None
    encoding: str | None
    delimiter: str | None
    progress: Callable[[Progress], None] | None
    checkpoint: str | os.PathLike[str] | None
    resume: bool
    start: Model | str | os.PathLike[str] | None
    keep_state: bool
    keep_support: bool
    refit: bool
    estimate: bool
    most: int | None
    memory: str | Room | None
    watch: Callable[[Step], bool] | None
    cluster: str | Client | None
    shards: int | None
    threads: int | None
    unlabelled: Data
    lexicon: Words | None
    tls: tuple[str, str, str] | None
