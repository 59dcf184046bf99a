"""Peak memory of training from files on texts that are drawn from imdb again and again, by the size of the data.

    python benchmarks/resampled.py [--gigabytes G ...] [--folder FOLDER]

Each training makes one epoch of the usual learner, without an estimate, with texts and features in files beside the model. The
data take their size on the disk of the folder, and what is kept in files about twice as much. In a folder that is named, the
data stay, and are used again.

The peak is that of the resident set: the memory of the program itself, with the libraries that it has loaded and the pages of
files that are mapped at that moment. What the system keeps of files in memory that is free does not count.
"""

from __future__ import annotations

import argparse
import os
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
            data = Path(asked.folder or folder, f"resampled-{size:g}.jsonl")
            n = draw(texts, data, int(size * 1e9))
            how = ["--set", "memory=rows", "--epochs", "1", "--set", "estimate=no"]
            used = spawn([linnet_command(), "train", data, "-o", Path(folder, "model.linnet"), *how])
            print(f"{size:6.2f} GB, {n:,} texts: peak {used.peak_mb:.0f} MB, {used.cpu:.0f} s of CPU time", flush=True)


def draw(texts: list[bytes], path: Path, size: int) -> int:
    """Write texts that are drawn at random, until there are so many bytes, unless they are there, and return their number."""
    r, n, total = random.Random(0), 0, 0
    with open(os.devnull if path.exists() else path, "wb") as file:
        while total < size:
            some = r.choices(texts, k=AT_ONCE)
            file.writelines(some)
            n, total = n + AT_ONCE, total + sum(map(len, some))
    return n


if __name__ == "__main__":
    main()
