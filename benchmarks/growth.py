"""Training time and memory as the data grow, and the exponent b of cost = a * documents^b.

The documents are made from real ones so that new words and pairs never stop coming (see `datasets.resample`). The time
to train on a handful of documents, which is start-up, is subtracted before the exponent is fitted.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import datasets
from measure import Contest, Run, compete, exponent, job, spawn
from report import Table

START = 100
SIZES = (10_000, 30_000, 100_000, 300_000)
QUICK = (2_000, 4_000, 8_000)


def run(quick: bool = False, rounds: int = 3) -> list[Table]:
    sizes = QUICK if quick else SIZES
    files = job("growth:prepare", sizes=[START, *sizes])
    contestants = {}
    for size in (START, *sizes):
        contestants[f"linnet {size}"] = partial(linnet_command, files[str(size)])
        contestants[f"vw {size}"] = partial(vw_job, files[str(size)])
    contest = compete(contestants, rounds)
    return [_table(contest, sizes)]


def linnet_command(train: str) -> Run:
    from peers import linnet_command

    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.linnet")
        # The default takes fewer epochs over more documents, which would make growth look better than it is.
        return spawn([linnet_command(), "train", train, "-o", model, "--epochs", "5"]).as_run()


def vw_job(train: str) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        return job("tools:vw_stream", train=train, model=str(Path(folder, "model")))


def prepare(sizes: list[int]) -> dict[str, str]:
    return {str(size): str(datasets.growth(size)) for size in sizes}


def _table(contest: Contest, sizes: tuple[int, ...]) -> Table:
    rows, exponents = [], {}
    for tool in ("linnet", "vw"):
        if any(f"{tool} {size}" not in contest.runs for size in (START, *sizes)):
            continue
        start = contest.median(f"{tool} {START}", "cpu")
        cpu = [contest.median(f"{tool} {size}", "cpu") for size in sizes]
        net = [max(seconds - start, 1e-6) for seconds in cpu]
        exponents[tool] = {"all": exponent(sizes, net), "last": exponent(sizes[-2:], net[-2:])}
        for size, seconds in zip(sizes, cpu, strict=True):
            ours = f"linnet {size}"
            ratio = contest.ratio(ours, f"vw {size}", "cpu") if tool == "vw" and ours in contest.runs else None
            rows.append(
                [
                    f"{tool}, {size:,} documents",
                    f"{seconds:.2f}",
                    f"{1e6 * (seconds - start) / size:.1f}",
                    f"{contest.median(f'{tool} {size}', 'peak_mb'):.0f}",
                    "" if ratio is None else f"{ratio:.3f}",
                ]
            )
        rows.append(
            [f"{tool}, start-up", f"{start:.2f}", "", f"{contest.median(f'{tool} {START}', 'peak_mb'):.0f}", ""]
        )
    absent = contest.missing | contest.failed
    lines = [
        f"{tool}: CPU time grows as documents^{b['all']:.2f}, between the two largest sets as documents^{b['last']:.2f}"
        for tool, b in exponents.items()
    ]
    lines += [f"{name} is left out: {reason}" for name, reason in absent.items()]
    return Table(
        "growth: training, command or conversion and start-up included",
        ["", "CPU s", "us per document", "peak MB", "linnet / this"],
        rows,
        note="\n".join(lines),
        details={
            "runs": contest.runs,
            "exponents": exponents,
            "missing": contest.missing,
            "failed": contest.failed,
        },
    )


if __name__ == "__main__":
    from run import main

    main(["growth"])
