"""Peak memory of training from files on texts that are drawn from imdb again and again, by the size of the data.

    python benchmarks/resampled.py [--gigabytes G ...] [--folder FOLDER]

Each training makes one epoch of the usual learner, without an estimate, with texts and features in files beside the model. The
data take their size on the disk of the folder, and what is kept in files three times as much.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

import datasets
from errors import MissingError
from measure import spawn
from peers import linnet_command

AT_ONCE = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gigabytes", nargs="*", type=float, default=[0.14, 0.56, 1, 4, 10])
    parser.add_argument("--folder", type=Path, help="where the data are written; by default that for temporary files")
    asked = parser.parse_args()
    try:
        texts = datasets.plain("imdb", "train", None).read_bytes().splitlines(keepends=True)
    except MissingError as error:
        sys.exit(f"nothing can be learned: {error}")
    for size in asked.gigabytes:
        with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
            data = Path(folder, "data.jsonl")
            n = draw(texts, data, int(size * 1e9))
            how = ["--set", "memory=rows", "--epochs", "1", "--set", "estimate=no"]
            used = spawn([linnet_command(), "train", data, "-o", Path(folder, "model.linnet"), *how])
            print(f"{size:6.2f} GB, {n:,} texts: peak {used.peak_mb:.0f} MB, {used.cpu:.0f} s of CPU time", flush=True)


def draw(texts: list[bytes], path: Path, size: int) -> int:
    """Write texts that are drawn at random, until there are so many bytes, and return their number."""
    r, n = random.Random(0), 0
    with path.open("wb") as file:
        while file.tell() < size:
            file.writelines(r.choices(texts, k=AT_ONCE))
            n += AT_ONCE
    return n


if __name__ == "__main__":
    main()
