"""`linnet.train`: its parameters, and the type of the model for each task."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Unpack, overload

from linnet.core.room import Room
from linnet.core.types import Data
from linnet.fitting.contract import ClassWeight
from linnet.learners import Progress
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks.texts.lexicon import Words
from linnet.training.data_to_model import training
from linnet.training.how import How

if TYPE_CHECKING:
    from distributed import Client

    from linnet.fitting.traced import Step
    from linnet.tasks.align.model import AlignModel
    from linnet.tasks.brackets.model import BracketsModel
    from linnet.tasks.compress.model import CompressModel
    from linnet.tasks.hierarchy.model import HierarchyModel
    from linnet.tasks.labels.model import LabelsModel
    from linnet.tasks.labelset.model import LabelsetModel
    from linnet.tasks.ordinal.model import OrdinalModel
    from linnet.tasks.parse.model import ParseModel
    from linnet.tasks.ranking.model import RankingModel
    from linnet.tasks.rerank.model import RerankModel
    from linnet.tasks.tag.model import TagModel


@overload
def train(data: Data, labels: Data = None, *, task: Literal["align"], **how: Unpack[How]) -> AlignModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["brackets"], **how: Unpack[How]) -> BracketsModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["compress"], **how: Unpack[How]) -> CompressModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["hierarchy"], **how: Unpack[How]) -> HierarchyModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["labels"], **how: Unpack[How]) -> LabelsModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["labelset"], **how: Unpack[How]) -> LabelsetModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["ordinal"], **how: Unpack[How]) -> OrdinalModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["parse"], **how: Unpack[How]) -> ParseModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["ranking"], **how: Unpack[How]) -> RankingModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["rerank"], **how: Unpack[How]) -> RerankModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: Literal["tag"], **how: Unpack[How]) -> TagModel: ...
@overload
def train(data: Data, labels: Data = None, *, task: str | None = None, **how: Unpack[How]) -> Model: ...
def train(
    data: Data,
    labels: Data = None,
    *,
    task: str | None = None,
    learner: str | None = None,
    features: str | None = None,
    epochs: int | None = None,
    dev: Data | float | None = None,
    seed: int = 0,
    options: Options | None = None,
    class_weight: ClassWeight = None,
    patience: int = 3,
    tol: float = 1e-3,
    shuffle: bool = True,
    calibrate: str | None = None,
    rerank: int | None = None,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    start: Model | str | os.PathLike[str] | None = None,
    keep_state: bool = False,
    keep_support: bool = False,
    refit: bool = True,
    estimate: bool = True,
    most: int | None = None,
    memory: str | Room | None = None,
    watch: Callable[[Step], bool] | None = None,
    cluster: str | Client | None = None,
    shards: int | None = None,
    threads: int | None = None,
    unlabelled: Data = None,
    lexicon: Words | None = None,
    tls: tuple[str, str, str] | None = None,
) -> Model:
    """Train a model on files, on a table, or on examples and their outputs. Task, learner and features have good defaults.

    data: a path or several; a data frame, an Arrow table, a Hugging Face dataset, a dict of lists or a list of dicts; pairs of
        an example and its output; or examples alone, such as texts, if `labels` follow.
    text, label: the names of the columns with the text and with the label, where these are not the usual ones.

    dev: a share of the data to hold out, or other data. Learning then stops when results on these no longer improve. A share
        that was held out is then learned from, too: all data are learned once more for as many epochs, unless `refit` is False.
    class_weight: "balanced", or a weight for each label. For tags it is the cost of missing them, and may be "spans".
    estimate: whether to find out on held-out examples how right a model of labels will be (`model.report["expected"]`) and how
        sure of its answers it may be (`model.predict_proba`). It takes a fraction of the time of training, for learners that
        need to learn once more about as long.
    encoding, delimiter: those of the files; without them, they show themselves, and `report["notes"]` of the model says so.
    calibrate: "sigmoid" turns scores into probabilities, fitted to the scores of held-out parts of the data.
    rerank: for tags and trees, the number of best outputs among which a second model chooses by features of whole outputs.
    checkpoint: a file that keeps the state of a long training until there is a model; with `resume`, training goes on from it,
        if it is there, to the same bits as if it had never stopped.
    start: a model or a model file to go on from; its features, labels and weights grow with the data.
    keep_state: whether the model keeps the state of learning, so that a later training goes on as if it had not stopped.
    keep_support: whether the model keeps the rows and texts of its support vectors, for `model.support_vectors()`.
    most: the largest number of features of texts or tags, those that the most texts or tokens have. Of texts, little more than
        four times as many are in memory while they are counted.
    memory: "rows" keeps texts and their features, and the features of tags, in files without a name, beside the checkpoint if
        there is one, and little more than the weights in memory; "all" keeps everything in memory. By default, texts that take
        more than an eighth of the memory go into files. What is learned is the same.
    watch: a function that is told each step of learning (fitting/traced.py), as long as it returns True.
    cluster: where to learn: "local:4" for 4 processes of this machine, the address of a scheduler of Dask, or a client of Dask.
    shards: the number of parts of the examples that are learned apart and mixed after each epoch; 16 for a cluster. The model
        depends on it, and not on the cluster.
    threads: the largest number of threads that read, count and learn at once; as many as cores by default. The model does not
        depend on it.
    unlabelled: a path or several, or texts, or a table: texts without labels to learn from, too, where labels are few. Vectors
        of words and topics are learned from them, and a student learns from what a teacher says about them. Where it is `data`
        itself, or a file of it, the rows without a label are meant. For tags and parsers, sentences whose tags are not looked
        at: clusters of words are learned from them, and what words are like.
    lexicon: words that speak for labels, {"positive": ["superb", ...], "negative": "words.txt"}: lists, or files with a word on
        each line. Each word is an example that weighs less than a labelled text. The texts need no labels then.
    tls: for a cluster at tls://HOST:PORT, the files with the certificate of the authority, one's own certificate, and its key.

    >>> model = train(["good", "fine", "bad", "poor"], ["+", "+", "-", "-"], features="words:1")
    >>> model.predict(["a good film"])
    ['+']
    """
    with training(
        data,
        labels,
        task=task,
        learner=learner,
        features=features,
        epochs=epochs,
        dev=dev,
        seed=seed,
        options=options,
        class_weight=class_weight,
        patience=patience,
        tol=tol,
        shuffle=shuffle,
        calibrate=calibrate,
        rerank=rerank,
        text=text,
        label=label,
        format=format,
        encoding=encoding,
        delimiter=delimiter,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
        keep_state=keep_state,
        keep_support=keep_support,
        refit=refit,
        estimate=estimate,
        most=most,
        memory=memory,
        watch=watch,
        cluster=cluster,
        shards=shards,
        tls=tls,
        threads=threads,
        unlabelled=unlabelled,
        lexicon=lexicon,
        start=start,
    ) as model:
        return model
