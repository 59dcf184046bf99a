"""The commands and their options. What they do is imported when they run, so that --help is quick."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from linnet import __version__
from linnet.errors import LinnetError, UsageError

app = typer.Typer(
    name="linnet",
    help="Every linear model of language in one form: argmax over y of w.f(x, y).",
    epilog="linnet train reviews.csv -o reviews.linnet; linnet predict reviews.linnet new.csv",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Data = Annotated[
    list[str], typer.Argument(metavar="DATA...", help="Files, a folder per label, or - for standard input.")
]
ModelPath = Annotated[str, typer.Argument(metavar="MODEL", help="A model file that `linnet train` wrote.")]
Format = Annotated[str | None, typer.Option(help="csv, tsv, jsonl, parquet, arrow, ...; by default from the name.")]
TextCol = Annotated[str | None, typer.Option(metavar="NAME", help="The column of the text.")]
LabelCol = Annotated[str | None, typer.Option(metavar="NAME", help="The column of the label.")]
AtLeast = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        min=0,
        max=1,
        help="Label sets: labels that are so probable. Hierarchies: no deeper in the tree than is so probable.",
    ),
]
Costs = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Labels: decide by least expected cost; on each line gold,predicted,cost."),
]
TaskName = Annotated[
    str | None, typer.Option(help="What to predict; `linnet list tasks` shows them. Guessed from the data.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"linnet {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
    own: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="FILE", help="A .py or .pyx of your own that adds tasks, learners, features or formats."
        ),
    ] = None,
) -> None:
    if own:
        from linnet.plugins import use

        for path in own:
            use(path)


@app.command()
def train(
    data: Data,
    output: Annotated[str, typer.Option("-o", "--output", metavar="MODEL", help="Where to write the model.")],
    task: TaskName = None,
    learner: Annotated[
        str | None,
        typer.Option(
            help="`linnet list learners` shows them; `auto` looks for the best. For labels: nb-svm; for tags: crf."
        ),
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="`linnet list features` shows the words. For labels: words:1-2 punct bm25 min=2; for tags: pos, chunk or ner.",
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the data.")] = None,
    dev: Annotated[
        str | None,
        typer.Option(metavar="DATA|0.1", help="Stop early by this data, or by this share of DATA, held out."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the shuffling.")] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="C=0.1, eta=0.5, ...; also patience, tol, class-weight, calibrate=sigmoid, state=keep, and what tasks take.",
        ),
    ] = None,
    parallel: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Of word alignment: pairs without links, to learn translations of words from."
        ),
    ] = None,
    rerank: Annotated[
        int | None,
        typer.Option(metavar="K", help="Of tags and trees: a second model chooses among the K best, such as 20."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="MODEL", help="Go on from this model: its features, labels and weights grow."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from MODEL.part, left by an interrupted run.")
    ] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="For reading files; the result is the same.")] = None,
    format: Format = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Train a model on labelled text.

    With no option it already does well: words and pairs of words, BM25, an SVM weighted by naive Bayes; of short texts also
    parts and shapes of words.
    """
    _run("train", locals())


@app.command()
def predict(
    model: ModelPath,
    data: Data,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="OUT", help=".csv, .tsv, .jsonl, .parquet, .arrow; of sentences else their text."
        ),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Also the probability of the label, or of each tag, arc or bracket.")
    ] = False,
    top: Annotated[
        int | None, typer.Option(min=1, help="The best K labels, or whole outputs of sentences, with their scores.")
    ] = None,
    at_least: AtLeast = None,
    costs: Costs = None,
    format: Format = None,
    text_col: TextCol = None,
) -> None:
    """Predict the label of each text, or what the model is for. DATA may be larger than memory."""
    _run("predict", locals())


@app.command()
def evaluate(
    model: ModelPath,
    data: Data,
    as_json: Json = False,
    at_least: AtLeast = None,
    costs: Costs = None,
    format: Format = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Compare a model's predictions with the labels of DATA: how many are right, losses, calibration, what is most wrong."""
    _run("evaluate", locals())


@app.command()
def compare(
    data: Data,
    test: Annotated[str | None, typer.Option(metavar="DATA", help="Also learn from all of DATA and try this.")] = None,
    folds: Annotated[
        int | None,
        typer.Option(min=0, metavar="K", help="By default those of the column `fold`, or 5; 0 for --test alone."),
    ] = None,
    learners: Annotated[str | None, typer.Option(metavar="A,B,C", help="By default all that there are.")] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="S1,S2", help="Feature sets, with commas between them, or one for each --features."),
    ] = None,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write a page that opens without a network.")] = None,
    task: TaskName = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the folds and the shuffling.")] = 0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="What the task takes, such as separator=;")
    ] = None,
    as_json: Json = False,
    format: Format = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """Compare learners and features by cross-validation: accuracy, time, and which differences are significant.

    The folds are those of the column `fold`, or random ones that keep the examples of one group, author, user or thread
    (columns) together.
    """
    _run("compare", locals())


@app.command()
def explain(
    model: ModelPath,
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[DATA|TEXT]", help="A text, or a file whose first texts to explain.")
    ] = None,
    html: Annotated[str | None, typer.Option(metavar="F", help="Write a page that opens without a network.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many features to show.")] = 10,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Write N documents as a naive Bayes model believes in them.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of these documents.")] = 0,
    as_json: Json = False,
    format: Format = None,
    text_col: TextCol = None,
) -> None:
    """Show why: what each word of a text adds, and the strongest features of the model."""
    _run("explain", locals())


@app.command()
def inspect(
    what: Annotated[str, typer.Argument(metavar="MODEL|DATA", help="A model file, or data.")],
    task: Annotated[str | None, typer.Option(help="What the data are for. Guessed from the data.")] = None,
    as_json: Json = False,
    format: Format = None,
    text_col: TextCol = None,
    label_col: LabelCol = None,
) -> None:
    """What is in a model, or in data; for data, also what is wrong with it, by line."""
    _run("inspect", locals())


@app.command()
def demo(
    seed: Annotated[int, typer.Option(min=0, help="Of the held-out part and the shuffling.")] = 0,
) -> None:
    """Train five learners on 33,000 film reviews, compare them, and explain two reviews word by word."""
    _run("demo", locals())


@app.command(name="list")
def list_(
    what: Annotated[
        str | None,
        typer.Argument(help="tasks, learners, losses, features, token-features, formats, ...; all by default."),
    ] = None,
) -> None:
    """Learners, losses, steps, structures, features, formats."""
    _run("list", locals())


def _run(command: str, arguments: dict[str, Any]) -> None:
    try:
        import_module(f"linnet.cli.{command}").run(**arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has had enough, as in `linnet predict ... | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        name = f" {error.filename!r}" if error.filename else ""
        raise LinnetError(f"cannot read or write{name}: {error.strerror or error}.") from error


def main(arguments: list[str] | None = None) -> None:
    """Exit with 0 when done, 1 when the data or the model is at fault, 2 when the command line is."""
    # linnet has no use for BLAS, whose threads would spin for 0.1 s at the start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A command is over before there is garbage worth looking for.
    gc.disable()
    try:
        app(args=arguments)
    except LinnetError as error:
        typer.secho(f"linnet: {error}", err=True, fg="red")
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except MemoryError as error:
        typer.secho(f"linnet: out of memory: {error}", err=True, fg="red")
        sys.exit(1)
    finally:
        gc.freeze()  # or Python would look for garbage once more before it stops
