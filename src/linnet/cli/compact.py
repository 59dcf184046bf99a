"""The command `linnet compact`."""

from __future__ import annotations

import os

from linnet.cli.console import say
from linnet.tasks import load


def run(
    *,
    models: list[str],
    output: str,
    size: str | None,
    keep: float | None,
    dev: str | None,
    eight_bit: bool,
    quiet: bool,
) -> None:
    loaded = [load(path) for path in models]
    before = [os.path.getsize(path) for path in models]
    whole = loaded[0].merge(*loaded[1:]) if len(loaded) > 1 else loaded[0]
    small = whole.compact(size=size, keep=keep, dev=dev, eight_bit=eight_bit)
    small.save(output, force=True)  # What it may replace was checked before.
    if quiet:
        return
    for path, model, n_bytes in zip(models, loaded, before, strict=True):
        say(f"{path}: {n_bytes:,} bytes, {model.features.n_features:,} features")
    same = small.provenance["compacted"][-1]["same"]
    kept = "" if same is None else f"; {100 * same:.2f}% of the answers on {dev} are the same"
    say(f"wrote {output}: {os.path.getsize(output):,} bytes, {small.features.n_features:,} features{kept}")
