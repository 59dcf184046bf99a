"""The commands that show something, and their options: comparisons, pictures, the demo, and what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from linnet.cli.options import Data, Delimiter, Encoding, Force, Format, Json, LabelCol, TaskName, TextCol, Threads
from linnet.cli.running import run_command


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
    run_command("compare", locals())


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
    run_command("plot", locals())


def demo(
    seed: Annotated[int, typer.Option(min=0, help="The seed of the held-out part and the shuffling.")] = 0,
) -> None:
    """Train five learners on 33,000 film reviews, compare them, and explain two reviews word by word."""
    run_command("demo", locals())


def list_(
    what: Annotated[
        str | None,
        typer.Argument(help="tasks, learners, losses, features, token-features, formats, ... By default, all of them."),
    ] = None,
) -> None:
    """List the tasks, learners, losses, steps, structures, features and formats, with their options."""
    run_command("list", locals())
