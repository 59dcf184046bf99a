"""Options and arguments that several commands have, each with its help."""

from __future__ import annotations

from typing import Annotated

import typer

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
