"""Tables for people and JSON for programs, from the same contest."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import MAXRSS_PER_MB, Contest

PACKAGES = (
    "linnet",
    "scikit-learn",
    "vowpalwabbit",
    "fasttext",
    "liblinear-official",
    "python-crfsuite",
    "libwapiti",
    "numpy",
    "scipy",
    "pyarrow",
)


@dataclass(frozen=True)
class Column:
    """One measure of a contest: its title, its key in the runs, and its number format."""

    title: str
    key: str
    form: str = ".2f"


@dataclass
class Table:
    """A table as it is printed, with a title, headings, rows, and a note below; `details` goes to the JSON only."""

    title: str
    headings: list[str]
    rows: list[list[str]]
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)


Pairs = Mapping[str, Mapping[str, str]]


def contest_table(
    title: str, contest: Contest, columns: Sequence[Column], key: str = "cpu", pairs: Pairs | None = None
) -> Table:
    """A table with a row for each contestant: its medians, then linnet/peer of the measure `key`.

    `pairs` names the ratio columns, and in each the linnet contestant that a peer is compared with; by default every
    peer is compared with every contestant whose name begins with linnet.
    """
    ours = [name for name in contest.runs if name.startswith("linnet")]
    peers = [name for name in contest.runs if name not in ours]
    if pairs is None:
        pairs = {f"{name} / this": dict.fromkeys(peers, name) for name in ours}
    pairs = {
        heading: {p: o for p, o in mapping.items() if p in peers and o in ours} for heading, mapping in pairs.items()
    }
    ratios = {
        heading: {peer: contest.ratio(our, peer, key) for peer, our in mapping.items()}
        for heading, mapping in pairs.items()
    }
    medians = {
        name: {measure: contest.median(name, measure) for measure, value in runs[0].items() if _is_number(value)}
        for name, runs in contest.runs.items()
    }
    rows = [
        [name]
        + [format(medians[name][column.key], column.form) if column.key in medians[name] else "" for column in columns]
        + [format(ratios[heading][name], ".3f") if name in ratios[heading] else "" for heading in ratios]
        for name in contest.runs
    ]
    absent = contest.missing | contest.failed
    return Table(
        title,
        ["", *(column.title for column in columns), *ratios],
        rows,
        note="\n".join(f"{name} is left out: {reason}" for name, reason in absent.items()),
        details={
            "runs": contest.runs,
            "medians": medians,
            "ratios": {"of": key} | ratios,
            "missing": contest.missing,
            "failed": contest.failed,
        },
    )


def show(table: Table) -> None:
    """Print a table. rich is imported only here, as it would add to every peak that is measured before."""
    from rich.console import Console
    from rich.table import Table as RichTable

    printed = RichTable(title=table.title, title_justify="left", title_style="bold")
    for i, heading in enumerate(table.headings):
        printed.add_column(heading, justify="right" if i else "left")
    for row in table.rows:
        printed.add_row(*row)
    console = Console(width=None if os.isatty(1) else 160, markup=False)
    console.print(printed)
    if table.note:
        console.print(table.note)


def machine() -> dict[str, Any]:
    """Facts about the machine, the versions, and the smallest peak that could have been measured."""
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in PACKAGES},
        "peak_floor_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MAXRSS_PER_MB, 1),
    }


def as_json(table: Table) -> dict[str, Any]:
    return {"title": table.title, "headings": table.headings, "rows": table.rows, "note": table.note} | table.details


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
