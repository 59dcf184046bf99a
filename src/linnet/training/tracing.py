"""Learning that is watched step by step: `linnet.trace`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Unpack

from linnet.core.types import Data
from linnet.errors import UsageError
from linnet.fitting.traced import Step
from linnet.io.python_values import brought
from linnet.model import Model
from linnet.training.data_to_model import asked_for, job_of, noted, spread
from linnet.training.how import How
from linnet.training.job import MOST


def trace(
    data: Data,
    labels: Data = None,
    *,
    task: str | None = None,
    steps: int | None = None,
    changes: int | None = MOST,
    **how: Unpack[How],
) -> Iterator[Step]:
    """Learn step by step: for each step the example, its features, the scores, y_hat, the loss, tau, and the weights that
    change, before and after. All is as in `linnet.train` with the same arguments, and the steps are those that it takes.

    steps: the number of steps after which to stop; None to go on to the end of learning.
    changes: the number of changes that are kept of each step, the largest first; None for all.

    >>> first = next(trace(["good", "bad"], ["+", "-"], learner="mira", features="words:1", shuffle=False))
    >>> first.x, first.y, first.loss, first.tau
    ('good', '+', 1.0, 0.25)
    """
    asked = replace(asked_for(task, **how), watch=_all, estimate=False)
    for name in ("start", "resume", "checkpoint", "watch"):
        if how.get(name):
            raise UsageError(f"a trace begins from nothing, and takes no {name}. Use linnet.train with watch.")
    with noted(asked.notes), spread(asked, how.get("cluster"), how.get("tls"), None) as asked:
        found = job_of(brought(data, labels), asked)
    if isinstance(found, Model):
        return iter(())  # Learning without the held-out share was interrupted.
    job, last = found
    course = job.learning.course(
        job.fitting.examples, **last.passes, dev=job.held, patience=last.patience, progress=last.progress
    )
    return islice(job.tracer(changes).steps(course), steps)


def _all(step: Step) -> bool:
    return True
