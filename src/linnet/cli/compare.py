"""The command `linnet compare`."""

from __future__ import annotations

import os

from linnet import io
from linnet.cli.console import comparing_progress, parse_settings, print_json, say, show
from linnet.comparison import Comparison, compare


def run(
    *,
    data: list[str],
    test: str | None,
    folds: int | None,
    learners: str | None,
    features: list[str] | None,
    measure: str | None,
    html: str | None,
    task: str | None,
    seed: int,
    threads: int | None,
    settings: list[str] | None,
    as_json: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    with comparing_progress() as progress:
        result = compare(
            data if len(data) > 1 else data[0],
            test=test,
            folds=folds,
            learners=None if learners is None else [name.strip() for name in learners.split(",")],
            features=_sets(features),
            measure=measure,
            task=task,
            settings=parse_settings(settings or []),
            seed=seed,
            text=text_col,
            label=label_col,
            format=format,
            encoding=encoding,
            delimiter=delimiter,
            progress=progress,
            threads=threads,
        )
    _say(result, test)
    if html is not None:
        from linnet.comparison.page import comparison_page

        with io.atomic(html) as file:
            file.write(comparison_page(f"Compared: {', '.join(map(os.path.basename, data))}", result).encode())
        say(f"wrote {html}")
    if as_json:
        print_json(result.as_dict())
    else:
        from linnet.comparison.terminal import comparison_table

        show(comparison_table(result))


def _sets(given: list[str] | None) -> list[str] | None:
    """The feature sets that were typed. One --features has several, separated by commas; with several --features, each is one
    set and may have commas in it."""
    if given is None or len(given) > 1:
        return given
    return [spec.strip() for spec in given[0].split(",")]


def _say(result: Comparison, test: str | None) -> None:
    from linnet.comparison.terminal import SAY_LITTLE, left_out

    for note in result.notes:
        say(note)
    if result.interrupted:
        say("interrupted: the table shows what was done until then")
    for sentence in left_out(result):
        say(sentence)
    exact, near = len(result.duplicates.exact), len(result.duplicates.near)
    if exact + near:
        where = test if test is not None else "the first fold"
        say(f"{where} has copies of training examples, {exact:,} the same and {near:,} nearly: {SAY_LITTLE}")
