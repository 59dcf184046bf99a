"""The plane of two features: points, the boundary between labels, the margin and the support vectors.

Both axes have the same units as learners see them, so that distances in the picture are those that learners measure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linnet.core.types import Data
from linnet.learners.preset import Options
from linnet.plot.courses import Learned, course
from linnet.plot.learner_options import options_of
from linnet.plot.plane_panel import STYLE, key_of, notes_of, panel_of
from linnet.plot.points import points_of
from linnet.plot.view import View
from linnet.report.pictures import Picture

LEARNERS = ("perceptron", "averaged-perceptron", "mira", "svm", "logistic")
"""The learners that stand side by side where none is named."""
_MOST_FRAMES = 6
"""The largest number of panels in which the course of one learner is shown."""


def plane(
    data: Data,
    labels: Data = None,
    *,
    x: str | None = None,
    y: str | None = None,
    learners: str | Sequence[str] = LEARNERS,
    options: Options | None = None,
    epochs: int | None = None,
    seed: int = 0,
    shuffle: bool = True,
    raw: bool = False,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Picture:
    """Draw points with the boundary that learners find between their labels, the margin and the support vectors. One learner is
    shown as it learns; several are shown side by side, each as it is in the end.

    data: what `linnet.train` takes, or pairs of numbers with their labels beside them.
    x, y: two columns of numbers; or two words, and it is counted how often each text has them. Of pairs of numbers, these are
        the names.
    learners: the name of one learner, or several.
    options: options of the learners; each goes to the learners that have it.
    raw: whether learners see the numbers as they are. Otherwise they see how many units of two standard deviations lie between
        each number and the mean.

    >>> plane([(1, 1), (2, 1), (3, 4), (4, 3)], ["-", "-", "+", "+"], learners="svm").panels[0].title
    '1 example'
    """
    said: list[str] = []
    columns = {
        "text_col": text,
        "label_col": label,
        "format": format,
        "encoding": encoding,
        "delimiter": delimiter,
        "note": said.append,
    }
    points = points_of(data, labels, (x, y), columns, raw=raw)
    wanted = [learners] if isinstance(learners, str) else list(learners)
    given = options_of(wanted, options or {})
    courses = {
        name: course(points, name, own, epochs=epochs, seed=seed, shuffle=shuffle) for name, own in given.items()
    }
    view = View(points, seed)
    if len(courses) == 1:
        ((name, frames),) = courses.items()
        shown = [(frame.when, frame) for frame in _some(frames)]
        title = f"How {name} learns"
    else:
        shown = [(name, frames[-1]) for name, frames in courses.items()]
        title = "Learners on the same points"
    panels = tuple(panel_of(view, name, frame) for name, frame in shown)
    frames = [frame for _, frame in shown]
    return Picture(
        title, panels, tuple(key_of(points, frames)), tuple(notes_of(view, frames)), said=tuple(said), style=STYLE
    )


def _some(frames: Sequence[Learned]) -> list[Learned]:
    """Some of the moments of a course, ever farther apart: the first, the last, and others in between."""
    if len(frames) <= _MOST_FRAMES:
        return list(frames)
    left = list(frames[1:-1])
    chosen = [frames[0], frames[-1]]
    for t in np.geomspace(frames[0].t, frames[-1].t, _MOST_FRAMES)[1:-1]:
        nearest = min(left, key=lambda frame: abs(math.log(frame.t / t)))
        left.remove(nearest)
        chosen.append(nearest)
    return sorted(chosen, key=lambda frame: frame.t)
