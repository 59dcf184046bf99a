"""The commands that make models, and their options: from data, from typed weights, from larger models, and from a person."""

from __future__ import annotations

from typing import Annotated

import typer

from linnet.cli.options import (
    Data,
    Delimiter,
    Encoding,
    Force,
    Format,
    LabelCol,
    Quiet,
    TaskName,
    TextCol,
    Threads,
    Tls,
)
from linnet.cli.running import run_command


def train(
    data: Data,
    output: Annotated[str, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")],
    task: TaskName = None,
    learner: Annotated[
        str | None,
        typer.Option(
            help="The learner; `linnet list learners` shows all with their other names, and `auto` searches for the best "
            "plan. Default for labels: nb-svm; for tags: crf."
        ),
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The features; `linnet list features` shows all. Default for labels: words:1-2 punct bm25 min=2; for "
            "tags: pos, chunk or ner.",
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="The number of passes over the data.")] = None,
    dev: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATA|0.1",
            help="Held-out data, several times for several files, or the share of DATA to hold out. Training stops when "
            "results on it no longer improve. What was held out of DATA is learned from in the end, unless --set refit=no.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="The seed of the shuffling. The same seed gives the same model.")
    ] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="An option of the learner, such as C=0.1, or of the task (`linnet list` shows both); or patience, tol, "
            "class-weight, calibrate=sigmoid, shuffle=no, state=keep, support=keep, refit=no, estimate=no, memory=rows, "
            "most=100000 or every=10.",
        ),
    ] = None,
    unlabelled: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Texts without labels, or sentences without tags, to learn from, too, where labels are few. Several times for "
            "several files. Of a file that is DATA, too, the rows without a label are meant.",
        ),
    ] = None,
    lexicon: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=FILE",
            help="Words that speak for a label, one on each line: --lexicon positive=good-words.txt. Several times for several "
            "labels. DATA need no labels then. (As features without a label, word lists are lexicon:FILE in --features.)",
        ),
    ] = None,
    parallel: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="For word alignment: pairs of sentences without links, to learn word translations from.",
        ),
    ] = None,
    rerank: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="For tags and trees: train a second model that chooses among the K best outputs, such as 20.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="MODEL", help="Go on training from this model with more data, which may have new labels."
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from MODEL.part, which an interrupted training has left, if there is one; else begin.",
        ),
    ] = False,
    once: Annotated[
        bool,
        typer.Option(
            "--once",
            help="Learn from each example as it is read, in one pass, and keep none of them: DATA may be a stream that never "
            "ends. Each example is predicted before it is learned from. MODEL is written every 10 minutes (--set every=N), at "
            "the end, and on Ctrl-C.",
        ),
    ] = False,
    threads: Threads = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="local:N|ADDRESS",
            help="Learn in N processes of this machine, or on the workers of the Dask scheduler at ADDRESS, such as "
            "tls://HOST:8786. The model does not depend on it, but on the shards.",
        ),
    ] = None,
    shards: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Cut the examples into N shards that are learned apart and mixed after each epoch, as a cluster does. "
            "Default with --cluster: 16.",
        ),
    ] = None,
    tls: Tls = None,
    trace: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Show the first N steps of learning: the example, its features, the scores, the loss, and the weights before "
            "and after.",
        ),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            metavar="F",
            help="Write what there is to know of the model as an HTML page; with --trace the steps, to be turned one by one.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --trace: print each step as one JSON object in a line.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also say how learning went, and what theory says of the result.")
    ] = False,
    quiet: Quiet = False,
    force: Force = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Train a model on labelled text, tagged sentences, trees or other examples.

    The defaults work well. For labels, they are words and pairs of words weighted
    by BM25, with parts and shapes of words for short texts, and an SVM weighted
    by naive Bayes.
    """
    run_command("train", locals())


def make(
    weights: Annotated[
        str, typer.Argument(metavar="WEIGHTS", help="A JSON file, or a table with a column for each label.")
    ],
    output: Annotated[str, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")],
    features: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="What the features in WEIGHTS are of, such as words:1-2. Default: what the file says, or words:1.",
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C", help="All labels in their order. Needed if one without weights is not in WEIGHTS."
        ),
    ] = None,
    quiet: Quiet = False,
    force: Force = False,
) -> None:
    """Make a model of weights that you type yourself, without learning anything.

    WEIGHTS is JSON, such as {"features": "words:1", "labels": ["neg", "pos"],
    "weights": {"pos": {"bias": 0.1, "fine": 2.5}}}, or a table with the columns
    feature, neg, pos. A weight that is not there is 0: of two labels, the one
    with weights has the probability sigma(w.x + b).
    """
    run_command("make", locals())


def compact(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL...", help="A model file; or several with the same task, features and labels, to be merged."
        ),
    ],
    output: Annotated[str, typer.Option("-o", "--output", metavar="SMALLER", help="The model file to write.")],
    size: Annotated[
        str | None,
        typer.Option(metavar="5MB|25%", help="How large the file may be, in KB, MB, GB or percent of what it is."),
    ] = None,
    keep: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Instead of --size: make the file as small as it can be while this share of the answers on --dev, such as "
            "0.99, stays the same.",
        ),
    ] = None,
    dev: Annotated[
        str | None,
        typer.Option(metavar="DATA", help="The file of examples for --keep. They need no labels."),
    ] = None,
    eight_bit: Annotated[
        bool,
        typer.Option("--8bit", help="Round weights to 255 values, so that each takes one byte of the file, not four."),
    ] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Make a model smaller: leave out the weights that matter least, and round the others. Several models are merged first.

    linnet compact reviews.linnet -o small.linnet --size 5MB --8bit
    linnet compact reviews.linnet -o small.linnet --keep 0.99 --dev new.csv
    linnet compact monday.linnet tuesday.linnet -o both.linnet
    """
    run_command("compact", locals())


def label(
    data: Data,
    journal: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="JOURNAL",
            help="The file that keeps the answers. One that is there is gone on with.",
        ),
    ],
    task: Annotated[
        str,
        typer.Option(
            help="What is labelled: labels, ordinal, hierarchy, labelset, ranking, tag, compress, parse, brackets, align or "
            "rerank."
        ),
    ] = "labels",
    labels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The labels, beside those in the data. Others can be added on the page."),
    ] = None,
    spans: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...", help="For tags: the types of spans to mark, such as PER,LOC. Tags are then BIO."
        ),
    ] = None,
    seed_words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=WORD,...", help="Words that speak for a label, to begin with texts that have them."
        ),
    ] = None,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Start no server, but write what was labelled: .csv, .jsonl, .conll, .conllu, .bitext, or a model: .linnet.",
        ),
    ] = None,
    held_out: Annotated[
        float,
        typer.Option(
            min=0, max=0.5, metavar="SHARE", help="The share of texts that are never learned from, to measure."
        ),
    ] = 0.2,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The features to learn with. By default those that suit the texts: for labels of texts n-grams, and vectors "
            "and topics that are learned from all of them in the background.",
        ),
    ] = None,
    force: Force = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on. Any but this machine alone needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any that is free.")] = 8642,
) -> None:
    """Label texts in the browser, while a model learns from each answer and asks for what it is least sure of.

    linnet label reviews.txt -o reviews.journal --labels pos,neg
    linnet label reviews.txt -o reviews.journal --export reviews.csv
    linnet label news.txt -o names.journal --task tag --spans PER,LOC
    """
    run_command("label", locals())
