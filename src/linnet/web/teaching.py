"""Teaching a model that is served: each correction is learned at once, and every one can be taken back.

Lessons go to a session (fitting/session.py). For a linear model its learner is TEACHER, whose steps are just large
enough to correct the example. After each lesson, a snapshot of the session takes the place of the model that answers.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from starlette.requests import Request

from linnet.core.types import Data, Json, Output
from linnet.errors import LinnetError
from linnet.fitting.session import TEACHER, Session
from linnet.learners import learner
from linnet.limits import TAUGHT
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted
from linnet.tasks.texts.model import OneLabelModel
from linnet.web.plain import as_json
from linnet.web.problems import RefusedError
from linnet.web.shelf import Served, Shelf
from linnet.web.work import Turns, Workers

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MOST_WATCHED = 1000
_AGAIN = 10
"""The number of times that a lesson is given, at most, until the answer is the one that was taught."""


@dataclass(frozen=True)
class Lesson:
    """A text, and what its output is to be: some decisions of one of its examples have these values."""

    text: str
    number: int
    wanted: Wanted

    def decided(self, model: Model) -> Decided:
        """The example, with the decisions that a model makes about it."""
        every = model.decisions(model.typed([self.text]))
        if self.number >= len(every):
            raise RefusedError(
                422, f"there is no example with number {self.number} in the text, which has {len(every)}."
            )
        return every[self.number]

    def example(self, model: Model) -> tuple[Data, Output]:
        """The example with the best output that has these values, as a session learns it."""
        found = self.decided(model)
        return found.x, found.output(self.wanted)

    def is_learned(self, model: Model, y: Output) -> bool:
        """Whether a model has this output for the example."""
        return bool(self.decided(model).output({}) == y)


@dataclass(frozen=True)
class NewLabel(Lesson):
    """A text and its label, which may be one that the model does not have yet."""

    label: str

    def example(self, model: Model) -> tuple[Data, Output]:
        if not isinstance(model, OneLabelModel):
            raise RefusedError(
                422, f"new labels are for texts with one label, and the model is for task {model.task!r}."
            )
        if len(self.label) > TAUGHT.most:
            raise RefusedError(
                422, f"the label has {len(self.label):,} characters, at most {TAUGHT.shown} can be taught."
            )
        return self.text, self.label

    def is_learned(self, model: Model, y: Output) -> bool:
        return list(map(str, model.predict([self.text]))) == [self.label]


class Lessons:
    """The sessions of the models of a shelf. One lesson is given at a time."""

    def __init__(self, shelf: Shelf, folder: Path, workers: Workers) -> None:
        """folder: where new models are written."""
        self.shelf = shelf
        self.folder = folder
        self.workers = workers
        self._courses: dict[str, _Course] = {}
        self._turns = Turns(workers.limits)
        self._at_work = threading.Lock()
        """Held by the thread that is at work on a course. One that was stopped may go on after its turn has ended."""

    async def teach(self, request: Request, served: Served, lesson: Lesson, watched: Sequence[str]) -> dict[str, Json]:
        """Learn a lesson, and say which weights moved, and which of some texts have another answer now."""
        if len(watched) > _MOST_WATCHED:
            raise RefusedError(422, f"expected at most {_MOST_WATCHED:,} texts to watch, found {len(watched):,}.")
        async with self._turns.taken():
            return await self.workers.do(
                request, lambda: self._whole(served, lambda: self._teach(served, lesson, watched))
            )

    async def undo(self, request: Request, served: Served, watched: Sequence[str]) -> dict[str, Json]:
        """Take back what was taught last."""
        async with self._turns.taken():
            return await self.workers.do(request, lambda: self._whole(served, lambda: self._undo(served, watched)))

    async def save(self, request: Request, served: Served, name: str) -> dict[str, Json]:
        """Write what was learned as a new model of this name, and serve it, too. Raise RefusedError where there is one."""
        if _NAME.fullmatch(name) is None:
            raise RefusedError(422, "expected a name of at most 64 letters, digits, dots, hyphens and underscores.")
        name = name.removesuffix(".linnet")
        async with self._turns.taken():
            path = self.folder / f"{name}.linnet"
            if name in self.shelf or path.exists():
                raise RefusedError(409, f"there is a model {name!r} already. Choose another name.")
            await self.workers.do(request, lambda: self._save(served, path))
            await asyncio.to_thread(self.shelf.add, name, str(path))
        return {"saved": name, "lessons": self.n_lessons(served)}

    def n_lessons(self, served: Served) -> int:
        """The number of corrections that can be taken back."""
        course = self._courses.get(served.name)
        return len(course.lessons) if course is not None and course.model is served.model else 0

    def _course(self, served: Served) -> _Course:
        """The course that goes on from the model that is served. Where another model took its place, a new one begins."""
        course = self._courses.get(served.name)
        if course is None or course.model is not served.model:
            teacher = TEACHER if learner(served.model.learner).linear else None
            course = _Course(served.model, served.model.session(learner=teacher), served.model)
            self._courses[served.name] = course
        return course

    def _whole(self, served: Served, work: Callable[[], dict[str, Json]]) -> dict[str, Json]:
        """What changes a course. Where it is stopped or fails in its midst, the course ends: nobody knows which steps were
        done. The model goes on to answer as it did last, and the next lesson begins a new course from it."""
        with self._at_work:
            try:
                return work()
            except LinnetError:
                raise
            except BaseException:
                self._courses.pop(served.name, None)
                raise

    def _save(self, served: Served, path: Path) -> None:
        with self._at_work:
            _save_new(self._course(served).session, path)

    def _teach(self, served: Served, lesson: Lesson, watched: Sequence[str]) -> dict[str, Json]:
        course = self._course(served)
        before, (x, y) = _answers(served.model, watched), lesson.example(served.model)
        changes = course.session.teach(x, y)
        times = 1
        while times < _AGAIN and changes.n and not lesson.is_learned(course.session.model(), y):
            course.session.learn(x, y)
            times += 1
        course.lessons.append(times)
        served.replace(course.snapshot())
        return {
            "lessons": len(course.lessons),
            "steps": times,
            "learned": lesson.is_learned(served.model, y),
            "said": course.session.said,
            "moved": {"n": changes.n, "largest": [asdict(one) for one in changes.largest]},
            "watched": _compared(watched, before, _answers(served.model, watched)),
        }

    def _undo(self, served: Served, watched: Sequence[str]) -> dict[str, Json]:
        course = self._course(served)
        if not course.lessons:
            raise RefusedError(409, "there is nothing to take back: nothing was taught.")
        before = _answers(served.model, watched)
        for _ in range(course.lessons.pop()):
            course.session.undo()
        served.replace(course.snapshot())
        return {
            "lessons": len(course.lessons),
            "watched": _compared(watched, before, _answers(served.model, watched)),
        }


@dataclass
class _Course:
    """The session of a model, and the lessons that it had."""

    origin: Model
    """The model that the session began with, which answers again when all is taken back."""
    session: Session
    model: Model
    """The model that answers now."""
    lessons: list[int] = field(default_factory=list)
    """For each lesson, the number of steps of the session that it took."""

    def snapshot(self) -> Model:
        """The model as it is now. The session goes on without changing it."""
        self.model = self.session.model() if self.lessons else self.origin
        return self.model


def _answers(model: Model, texts: Sequence[str]) -> list[Json]:
    """The answer to each text, all of its examples together."""
    return [as_json(list(model.predict(model.typed([text])))) for text in texts]


def _compared(texts: Sequence[str], before: list[Json], after: list[Json]) -> list[Json]:
    return [
        {"text": text, "before": old, "after": new, "changed": old != new}
        for text, old, new in zip(texts, before, after, strict=True)
    ]


def _save_new(session: Session, path: Path) -> None:
    """Write a model to a path where there is nothing. To link fails where there is a file, so if two save under one
    name at the same time, the second is refused."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".linnet-") as folder:
        whole = Path(folder) / "model.linnet"
        session.save(whole)
        try:
            os.link(whole, path)
        except FileExistsError:
            raise RefusedError(409, f"there is a file {path.name!r} already. Choose another name.") from None
