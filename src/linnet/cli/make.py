"""The command `linnet make`."""

from __future__ import annotations

import shlex

from linnet.cli.console import say
from linnet.tasks.labels.given import make


def run(*, weights: str, output: str, features: str | None, labels: str | None, quiet: bool) -> None:
    names = None if labels is None else [label.strip() for label in labels.split(",")]
    model = make(weights, features=features, labels=names)
    model.save(output, force=True)  # What it may replace was checked before.
    if quiet:
        return
    from linnet.report.printable import visible

    say(
        f"{weights}: {model.features.n_features:,} features ({model.features.spec}), labels "
        f"{', '.join(map(visible, model.labels))}"
    )
    say(f"wrote {output}")
    say(f"next: linnet explain {shlex.quote(output)} {'TEXT' if model.features.spec.reads_text else 'DATA'}")
