"""The commands that use models, and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from linnet.cli.options import (
    AtLeast,
    Costs,
    Data,
    Delimiter,
    Encoding,
    Force,
    Format,
    Json,
    LabelCol,
    ModelPath,
    Quiet,
    TextCol,
    Threads,
    Tls,
)
from linnet.cli.running import run_command


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
    spreadsheet_safe: Annotated[
        bool,
        typer.Option(
            "--spreadsheet-safe",
            help="In csv and tsv, write a quote before texts that begin with =, +, - or @, which spreadsheets compute.",
        ),
    ] = False,
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
    run_command("predict", locals())


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
    run_command("evaluate", locals())


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
    seconds: Annotated[
        float | None,
        typer.Option(min=0, help="Explain what can be explained in so many seconds, and say what was left out."),
    ] = None,
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
    run_command("explain", locals())


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
    run_command("inspect", locals())


def serve(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL...]",
            help="A model file, or several. Each is served under the name of its file. Without any, the course is opened.",
        ),
    ] = None,
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
    """Serve models in the browser and as a JSON API: see, question and teach them. Without a model: a course on linear models.

    linnet serve
    linnet serve reviews.linnet
    linnet serve reviews.linnet topics.linnet --port 9000
    """
    run_command("serve", locals())


def reproduce(model: ModelPath) -> None:
    """Print the command that makes a model again. The same command over the same data writes the same bytes."""
    run_command("reproduce", locals())
