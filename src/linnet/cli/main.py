"""The commands and their options. The module that does the work of a command is imported when it runs, so --help is quick."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from linnet import __version__
from linnet.cli.built_when_asked import BuiltWhenAsked, command
from linnet.cli.stopping import Stopping
from linnet.errors import LinnetError, UsageError

if TYPE_CHECKING:
    from linnet.core.types import Setting

app = typer.Typer(
    name="linnet",
    cls=BuiltWhenAsked,
    help="Train linear models of language on your data, predict with them, and see why they decide as they do.",
    epilog="Example: linnet train reviews.csv -o reviews.linnet && linnet predict reviews.linnet new.csv",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help="Files or patterns such as 'in/*.csv', a folder with one subfolder for each label, or - for standard input.",
    ),
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="A model file that `linnet train` wrote.")]
Format = Annotated[
    str | None,
    typer.Option(help="The file format: csv, tsv, jsonl, parquet, arrow, ... By default, the file name decides."),
]
Encoding = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The encoding of the files, such as cp1252 or utf-16. By default, they show it."),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        metavar="CHAR", help="The character between columns, such as ; or tab. By default, the files show it."
    ),
]
TextCol = Annotated[str | None, typer.Option(metavar="NAME", help="The name of the column with the text.")]
LabelCol = Annotated[str | None, typer.Option(metavar="NAME", help="The name of the column with the label.")]
AtLeast = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        min=0,
        max=1,
        help="For label sets, take the labels with at least this probability. For hierarchies, go down the tree only as "
        "far as labels have at least this probability.",
    ),
]
Costs = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="For labels: choose the label with the least expected cost. Each line of FILE is gold,predicted,cost.",
    ),
]
TaskName = Annotated[
    str | None,
    typer.Option(help="What to predict; `linnet list tasks` shows the tasks. By default it is guessed from the data."),
]
Tls = Annotated[
    tuple[str, str, str] | None,
    typer.Option(
        metavar="CA CERT KEY",
        help="For a cluster at tls://: the files with the certificate of the authority, your own certificate, and its key. "
        "Default: those that the configuration of Dask names.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no messages but errors.")]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a file of that name even if linnet did not write it. Inputs are never replaced."
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="The largest number of threads at once. Default: as many as cores. The result does not depend on it.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"linnet {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    own: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="FILE",
            help="A .py or .pyx file of your own that adds tasks, learners, features or formats.",
        ),
    ] = None,
) -> None:
    if own:
        from linnet.plugins import use

        for path in own:
            use(path)


@command
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
        str | None,
        typer.Option(
            metavar="DATA|0.1",
            help="Held-out data, or the share of DATA to hold out. Training stops when results on it no longer improve. "
            "What was held out of DATA is learned from in the end, unless --set refit=no.",
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
    _run("train", locals())


@command
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
    _run("make", locals())


@command
def predict(
    model: ModelPath,
    data: Data,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="A .csv, .tsv, .jsonl, .parquet or .arrow file. Under other names, sentences are written as text. A folder, "
            "such as out/, gets a file for each file of DATA; those that are there already are passed over.",
        ),
    ] = None,
    force: Force = False,
    proba: Annotated[
        bool,
        typer.Option(
            "--proba",
            help="Add the probability of each tag, arc or bracket, or the confidence of labels with all its digits.",
        ),
    ] = False,
    top: Annotated[
        int | None,
        typer.Option(
            min=1, help="Give this many of the best labels, or of the best outputs of each sentence, with their scores."
        ),
    ] = None,
    at_least: AtLeast = None,
    costs: Costs = None,
    only: Annotated[
        bool, typer.Option("--only", help="Write the answers alone, without the columns of DATA beside them.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Write only this column of DATA beside the answers, such as id; repeat it for more."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The number of processes that predict files into a folder. They share one model, and each has one thread "
            "unless --threads says otherwise.",
        ),
    ] = None,
    threads: Threads = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="local:N|ADDRESS",
            help="Predict files into a folder on the workers of the Dask scheduler at ADDRESS, such as tls://HOST:8786, which "
            "read and write the same files.",
        ),
    ] = None,
    tls: Tls = None,
    quiet: Quiet = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
) -> None:
    """Predict the labels of texts, the tags of sentences, or whatever the model is for. DATA may be larger than memory.

    For texts, the columns of DATA are written with two more: prediction, and
    confidence, which is the probability that the prediction is right.
    """
    _run("predict", locals())


@command
def evaluate(
    model: ModelPath,
    data: Data,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write the result as an HTML page.")] = None,
    force: Force = False,
    as_json: Json = False,
    at_least: AtLeast = None,
    costs: Costs = None,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Compare the predictions of a model with the right labels in DATA: accuracy, losses, calibration, the worst errors."""
    _run("evaluate", locals())


@command
def compare(
    data: Data,
    test: Annotated[
        str | None, typer.Option(metavar="DATA", help="Also train on all of DATA, and evaluate on this data.")
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="K",
            help="The number of folds. By default, the column `fold` has them, or there are 5. Use 0 with --test for none.",
        ),
    ] = None,
    learners: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="The learners to compare. By default, all that work with the data."),
    ] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(
            metavar="S1,S2", help="The feature sets to compare, separated by commas; or repeat --features for each."
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How systems are ranked and compared: for labels accuracy, macro-f1, or f1 of the rarer of two labels; for "
            "label sets micro-f1, macro-f1 or accuracy; for tags f1, accuracy or sentence-accuracy.",
        ),
    ] = None,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write the result as an HTML page.")] = None,
    force: Force = False,
    task: TaskName = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the folds and the shuffling.")] = 0,
    threads: Threads = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="An option of the task, such as separator=;")
    ] = None,
    as_json: Json = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Compare learners and features by cross-validation: accuracy, time, and which differences are significant.

    The column `fold` decides the folds if there is one. Otherwise they are
    random, but examples with the same value in a column `group`, `author`, `user`
    or `thread` stay together.
    """
    _run("compare", locals())


@command
def explain(
    model: ModelPath,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATA|TEXT]", help="A text to explain, or a file, of which the first texts are explained."
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A text that could be taken for the name of a file.")
    ] = None,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write the explanations as an HTML page.")] = None,
    force: Force = False,
    top: Annotated[int, typer.Option(min=1, help="The number of features to show.")] = 10,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Print N documents that a naive Bayes model makes up: they show what it believes."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of these documents.")] = 0,
    as_json: Json = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
) -> None:
    """Show why a model decides as it does: what each word of a text adds, or the strongest features of the model."""
    _run("explain", locals())


@command
def inspect(
    what: Annotated[str, typer.Argument(metavar="MODEL|DATA", help="A model file, or a data file.")],
    task: Annotated[str | None, typer.Option(help="What the data are for. Guessed from the data.")] = None,
    suspects: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the labels of DATA that are probably wrong to this .csv or .jsonl file, the most suspicious first.",
        ),
    ] = None,
    support: Annotated[
        bool,
        typer.Option(
            help="Show the support vectors of MODEL with their alphas, the largest first: those of a kernel, and those of "
            "other learners in the dual that were trained with --set support=keep. --json shows all of them.",
        ),
    ] = False,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write the result as an HTML page, too.")] = None,
    force: Force = False,
    as_json: Json = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Show what is in a model or in data. For data, also show what is wrong with them, by line."""
    _run("inspect", locals())


@command
def plot(
    what: Annotated[
        str,
        typer.Argument(
            metavar="losses|MODEL|DATA", help="The word losses, a model file, or data in any of the usual formats."
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="F", help="The picture to write: a .svg or a .html file.")
    ],
    x: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="For points: a column of numbers of DATA, or a word of its texts."),
    ] = None,
    y: Annotated[str | None, typer.Option(metavar="NAME", help="For points: another column or word.")] = None,
    sizes: Annotated[
        bool, typer.Option("--sizes", help="Draw bias and variance of DATA by the size of the training part.")
    ] = False,
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,C",
            help="The learners. For points, one is shown epoch by epoch, several are shown side by side; default: perceptron, "
            "averaged-perceptron, mira, svm and logistic.",
        ),
    ] = None,
    features: Annotated[
        str | None, typer.Option(metavar="SPEC", help="For --sizes: the features; `linnet list features` shows all.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="For points: the number of passes over them.")] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="For points: learn from the numbers as they are. By default, they are taken in units of two standard "
            "deviations from the mean.",
        ),
    ] = False,
    seeds: Annotated[
        int | None, typer.Option(min=2, help="For --sizes: the number of parts of each size. Default: 5.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of the shuffling. Default: 0.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the learners that have it, such as C=0.1."),
    ] = None,
    task: TaskName = None,
    force: Force = False,
    format: Format = None,
    encoding: Encoding = None,
    delimiter: Delimiter = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Draw losses, how a model was learned, learners on the points of a plane, or bias and variance, as SVG or HTML.

    linnet plot losses -o losses.svg
    linnet plot MODEL -o learning.svg
    linnet plot DATA --x age --y income -o plane.svg
    linnet plot DATA --x good --y bad --learners svm -o svm.html
    linnet plot DATA --sizes -o sizes.svg
    """
    _run("plot", locals())


@command
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
    _run("compact", locals())


@command
def serve(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL...", help="A model file, or several. Each is served under the name of its file."),
    ],
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen on. Any but this machine alone needs a token, which is made and printed.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any that is free.")] = 8642,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="A further name under which browsers may ask for the server."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=1,
            metavar="N",
            help="The number of requests a second that one address may send. Default: 20,000 on this machine, otherwise 200.",
        ),
    ] = None,
    body: Annotated[
        int, typer.Option(min=1, metavar="MB", help="The largest body of a request, in MB; files may be larger.")
    ] = 8,
) -> None:
    """Serve models in the browser and as a JSON API: see, question and teach them.

    linnet serve reviews.linnet
    linnet serve reviews.linnet topics.linnet --port 9000
    """
    _run("serve", locals())


@command
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
    task: Annotated[str, typer.Option(help="What is labelled: labels, ordinal (ratings) or labelset.")] = "labels",
    labels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The labels, beside those in the data. Others can be added on the page."),
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
            help="Start no server, but write what was labelled: .csv, .tsv, .jsonl, .parquet, or a model as .linnet.",
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
        typer.Option(metavar="SPEC", help="The features to learn with. By default those that suit the texts."),
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
    """
    _run("label", locals())


@command
def reproduce(model: ModelPath) -> None:
    """Print the command that makes a model again. The same command over the same data writes the same bytes."""
    _run("reproduce", locals())


@command
def demo(
    seed: Annotated[int, typer.Option(min=0, help="The seed of the held-out part and the shuffling.")] = 0,
) -> None:
    """Train five learners on 33,000 film reviews, compare them, and explain two reviews word by word."""
    _run("demo", locals())


@command
def list_(
    what: Annotated[
        str | None,
        typer.Argument(help="tasks, learners, losses, features, token-features, formats, ... By default, all of them."),
    ] = None,
) -> None:
    """List the tasks, learners, losses, steps, structures, features and formats, with their options."""
    _run("list", locals())


def _run(command: str, arguments: dict[str, Setting]) -> None:
    """Check where a command may write, import its module and run it; errors of reading and writing become a LinnetError."""
    from linnet.cli.outputs import check_outputs
    from linnet.cli.patterns import expanded
    from linnet.plugins import USED

    # Only `predict` looks at it itself: what is in a folder of answers shows when the work begins.
    force = arguments.get("force", False) if command == "predict" else arguments.pop("force", False)
    try:
        if "data" in arguments:
            arguments["data"] = expanded(arguments["data"])
        check_outputs(command, arguments, USED, force)
        import_module(f"linnet.cli.{command}").run(**arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        from linnet.cli.console import write_nowhere

        write_nowhere(sys.stdout)
    except OSError as error:
        name = f" {error.filename!r}" if error.filename else ""
        raise LinnetError(f"cannot read or write{name}: {error.strerror or error}.") from error


def main(arguments: list[str] | None = None) -> None:
    """Run a command, and exit with 0 if all went well, 1 for an error in the data or the model, 2 for one in the command
    line, 130 after Ctrl-C and 143 after a request to end (SIGTERM), even if what was done until then is kept."""
    # linnet does not need the threads of BLAS, which would spin for 0.1 s at the start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A command ends before a search for garbage would pay.
    gc.disable()
    stopping = Stopping()
    try:
        app(args=arguments)
    except LinnetError as error:
        for note in getattr(error, "__notes__", ()):
            typer.echo(note, err=True)
        typer.secho(f"linnet: {error}", err=True, fg="red")
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except MemoryError as error:
        typer.secho(f"linnet: out of memory: {error}", err=True, fg="red")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(stopping.code)
    except SystemExit as end:
        sys.exit(stopping.code or end.code)
    finally:
        stopping.end()
        gc.freeze()  # Otherwise Python would look for garbage once more before it exits.
