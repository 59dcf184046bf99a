"""Learning from a stream, in one pass: `linnet.stream`, and `linnet train --once`.

    stream = linnet.stream(pairs, learner="averaged-perceptron", features="words:1-2")
    for seen in stream:
        print(seen)
    stream.model().save("reviews.linnet")

Each example is predicted before it is learned from, so the mistakes on the way are those on new data: progressive validation.
What is learned is what one example after the other would teach. It depends on nothing else, and above all not on how many
examples are read at a time: those lots that bring a label which is new are halved until it comes alone.
"""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pyarrow as pa

from linnet import __version__
from linnet.core.types import Data, Json, Setting
from linnet.errors import DataError, UsageError
from linnet.fitting.contract import Columns, Gold, Known, Plan, Task
from linnet.fitting.opening import OPENING, Enough, opened
from linnet.fitting.reading import read_gold
from linnet.fitting.session import Work, copied_features, in_parts
from linnet.io.python_values import Rows, brought, rows_of
from linnet.learners import LEARNERS
from linnet.learners import learner as preset_of
from linnet.learners.contract import CountsMistakes
from linnet.learners.preset import Options
from linnet.model import Model
from linnet.tasks import task_for
from linnet.training.going_on import GoingOn


@dataclass(frozen=True)
class Tally:
    """How right the learner was about some examples of a stream, each before it was learned from."""

    examples: int = 0
    judged: int = 0
    """The number of examples that were predicted: all of them, but for learners that count. These predict with what they had
    counted when half as many examples had come, so that the first examples are not predicted."""
    mistakes: int = 0
    loss: float = 0.0
    """The sum of the losses."""

    def since(self, before: Tally) -> Tally:
        """The tally of the examples that have come since an earlier one."""
        return Tally(
            self.examples - before.examples,
            self.judged - before.judged,
            self.mistakes - before.mistakes,
            self.loss - before.loss,
        )

    @property
    def wrong(self) -> float:
        """The share of mistakes."""
        return self.mistakes / max(self.judged, 1)

    @property
    def mean_loss(self) -> float:
        return self.loss / max(self.examples, 1)

    def as_dict(self) -> dict[str, Json]:
        return {"examples": self.examples, "judged": self.judged, "mistakes": self.mistakes, "loss": self.mean_loss}


@dataclass(frozen=True)
class Seen:
    """How learning from a stream goes, after some examples."""

    all: Tally
    """Over all examples."""
    last: Tally
    """Over the last examples, at least a quarter of all. They begin at a mark; a mark is set whenever twice as many
    examples have come as at the last one."""

    @property
    def examples(self) -> int:
        return self.all.examples

    def __str__(self) -> str:
        found = f"{self.examples:,} examples: {_in_words(self.all)}"
        return found if self.last == self.all else f"{found}; the last {self.last.examples:,}: {_in_words(self.last)}"


def _in_words(tally: Tally) -> str:
    right = f"{tally.mistakes:,} mistakes ({100 * tally.wrong:.1f}%)" if tally.judged else "none predicted yet"
    return f"{right}, mean loss {tally.mean_loss:.3f}"


def stream(
    data: Data,
    labels: Iterable[Any] | None = None,
    *,
    task: str | None = None,
    learner: str | None = None,
    features: str | None = None,
    options: Options | None = None,
    start: Model | str | os.PathLike[str] | None = None,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    keep_state: bool = False,
) -> Stream:
    """Learn from examples as they come, in one pass; what went by is not kept. The Stream that is returned learns while it is
    iterated over, and says after every few examples how right it was about them before it learned from them.

    data: paths, or "-" for standard input; or any iterator: over pairs of an example and its output, over dicts, or over tables
        such as the batches of Arrow; or examples alone, if `labels` follow.
    task, learner, features, options, text, label, format, encoding, delimiter: as for `linnet.train`. The learner must be one
        that learns from one example at a time, and the features must not look at all examples at once, as bm25 does.
    start: a model to go on from.
    keep_state: whether models keep the state of learning, so that another stream goes on as if this one had never ended.

    >>> pairs = [("good film", "+"), ("bad film", "-")] * 200
    >>> learning = stream(pairs, learner="perceptron", features="words:1")
    >>> for seen in learning:
    ...     print(seen)
    256 examples: 2 mistakes (0.8%), mean loss 0.016
    400 examples: 2 mistakes (0.5%), mean loss 0.010; the last 144: 0 mistakes (0.0%), mean loss 0.000
    >>> learning.model().predict(["a bad one"])
    ['-']
    """
    arguments = {
        "task": task,
        "learner": learner,
        "features": features,
        "options": options,
        "start": start,
        "text": text,
        "label": label,
        "format": format,
        "encoding": encoding,
        "delimiter": delimiter,
        "keep_state": keep_state or None,
    }
    given: dict[str, Json] = {name: value for name, value in arguments.items() if value}
    if start is not None:
        given["start"] = os.fspath(start) if isinstance(start, str | os.PathLike) else None
    notes: list[str] = []
    columns: dict[str, Setting] = {"text_col": text, "label_col": label, "note": notes.append}
    columns |= {"format": format, "encoding": encoding, "delimiter": delimiter}
    plan = Plan(features or "", learner or "", options or {})
    pairs = data if labels is None else zip(data, labels, strict=True)
    paths = _paths_of(data) if labels is None else None
    source = _Values(pairs) if paths is None else _Paths(paths)
    provenance = {"data": source.name, "asked": {"data": source.given, "once": True, **given}}
    if start is None:
        return Stream(_Beginning(source, task, plan, columns), provenance, notes, keep_state)
    return Stream(_Further(source, task, plan, columns, start), provenance, notes, keep_state)


class Stream(Iterator[Seen]):
    """Learning that goes on as long as it is iterated over. At every moment, `model` gives what was learned so far."""

    def __init__(
        self, course: _Beginning | _Further, provenance: Mapping[str, Json], notes: list[str], keep_state: bool
    ) -> None:
        self.notes = notes
        """What reading the data has brought to light, in words for the user."""
        self.stopped = ""
        """Why learning has ended, in words for the user; "" while it goes on."""
        self._course = course
        self._provenance = provenance
        self._keep_state = keep_state
        self._run = self._learned()
        self._changes = threading.Lock()
        """Held while what was learned changes or is copied, and free while examples are waited for: another thread may then
        save the model."""
        self._work: Work | None = None
        self._before = 0
        """The number of examples that the model to go on from had learned from."""
        self._marks: list[Tally] = []
        """The tally after 256 examples, or as many as the stream was opened with, and whenever twice as many have
        come."""
        self._judge: Model | None = None
        """The model of the last mark, which predicts where the learner does not predict by itself."""
        self._judged, self._wrong = 0, 0
        self._checksum = 0

    def __next__(self) -> Seen:
        return next(self._run)

    @property
    def seen(self) -> Seen:
        """How right the learner was so far."""
        now = self._tally()
        before = [mark for mark in self._marks if 4 * (now.examples - mark.examples) >= now.examples]
        return Seen(now, now.since(before[-1] if before else Tally()))

    def model(self) -> Model:
        """The model as it is now. The stream goes on without changing it."""
        with self._changes:
            made = self._made()
            state = (
                None
                if made.state is None
                else ({name: np.array(a) for name, a in made.state[0].items()}, made.state[1])
            )
            return replace(made, features=copied_features(type(made), made.features), state=state)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model as it is now. If writing fails, a file that was there is left as it was. It may be called
        from another thread than the one that learns.

        force: whether to replace a file that is not a model. Without it, raise UsageError.
        """
        with self._changes:
            self._made().save(path, force=force)

    def stop(self, why: str = "interrupted") -> None:
        """Learn no more; `model` has what was learned. Raise KeyboardInterrupt where that is nothing, since no example has
        come."""
        self._run.close()
        if self._work is None:
            raise KeyboardInterrupt
        self.stopped = f"{why} after {self._tally().examples:,} examples"

    def _learned(self) -> Generator[Seen]:
        """Learn from all lots of the stream in turn."""
        first, work, lots = self._course.begun()
        with self._changes:
            self._work, core = work, work.learning.online
            if first is None:
                self._before = core.t
                core.begin()
                if isinstance(core, CountsMistakes):
                    core.count_mistakes()
            else:
                self._note(first)
                self._mark()
        if first is not None:
            yield self.seen
        for lot in lots:
            at = 0
            while at < len_of(lot):
                n = min(len_of(lot) - at, self._to_next_mark())
                part = slice_of(lot, at, n)
                with self._changes:
                    self._predict(part)
                    self._learn(part)
                    at += n
                    if self._to_next_mark() == 0:
                        self._mark()
                yield self.seen
        if not self._tally().examples:
            raise DataError("there are no examples.", self._provenance["data"])
        self.stopped = f"the stream has ended after {self._tally().examples:,} examples"

    def _learn(self, lot: Data) -> None:
        """Learn from examples in their order. What brings new labels is halved until it is one example, so that a label begins
        to compete with the others at its first example, and not before."""
        assert self._work is not None
        gold = self._course.read(lot, self._work.known)
        n = len_of(lot)
        if n > 1 and gold.labels != self._work.known.labels:
            self._learn(slice_of(lot, 0, n // 2))
            self._learn(slice_of(lot, n // 2, n - n // 2))
            return
        examples = self._work.take_in(gold)
        self._work.learning.partial(examples, begin=False)
        self._note(gold)

    def _note(self, gold: Gold) -> None:
        """Add the outputs of examples that were learned from to the checksum of the stream."""
        self._checksum = zlib.crc32(
            np.ascontiguousarray(gold.y).view(np.uint8).data if len(gold.y) else b"", self._checksum
        )

    def _tally(self) -> Tally:
        if self._work is None:
            return Tally()
        core = self._work.learning.online
        n, wrong = core.t - self._before, core.mistakes
        if wrong is None:
            return Tally(n, self._judged, self._wrong, core.total)
        return Tally(n, n, wrong, core.total)

    def _to_next_mark(self) -> int:
        """How many examples there are until twice as many have come as at the last mark."""
        return (2 * self._marks[-1].examples if self._marks else OPENING) - self._tally().examples

    def _mark(self) -> None:
        """Keep the tally, and the model where the learner does not predict by itself."""
        assert self._work is not None
        self._marks.append(self._tally())
        if self._work.learning.online.mistakes is None:
            made = self._work.model()
            self._judge = replace(made, features=copied_features(type(made), made.features))

    def _predict(self, lot: Data) -> None:
        """Count the mistakes of a learner that does not predict by itself, with the model of the last mark."""
        if self._judge is None:
            return
        judge = self._judge
        gold = self._course.read(lot, Known(judge.labels, judge.details))
        blocks = self._course.task.blocks(judge.features, gold)
        with judge._predictor() as predictor:
            y_hat, y_hat_at = judge.decided(predictor, blocks, judge.probabilistic)
        self._judged += len(gold)
        self._wrong += judge.n_wrong(gold.y, gold.y_at, y_hat, y_hat_at)

    def _made(self) -> Model:
        """The model as it is now, which shares its features and its state with the learner."""
        work = self._work
        if work is None:
            raise UsageError("nothing was learned yet: the stream has not given enough examples to begin with.")
        work.make_room()  # Ctrl-C may have come between the features of some examples and their weights.
        made, seen = work.model(), self.seen
        report = {
            "epochs": [],
            "best": 0,
            "stopped": self.stopped or f"{seen.examples:,} examples so far",
            "progressive": {
                "all": seen.all.as_dict(),
                "last": seen.last.as_dict(),
                "course": [mark.as_dict() for mark in self._marks],
            },
            **({"start": self._course.said} if self._course.said else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }
        return replace(
            made,
            report=report,
            provenance={**self._origin(work), **self._course.origin()},
            state=work.state() if self._keep_state else None,
        )

    def _origin(self, work: Work) -> dict[str, Json]:
        checksum = self._checksum
        for array in work.features.arrays().values():
            checksum = zlib.crc32(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"", checksum)
        return {
            "linnet": __version__,
            "examples": self._tally().examples,
            "held_out": 0,
            "seed": 0,
            "class_weight": None,
            **self._provenance,
            "fingerprint": f"{checksum:08x}",
        }


@dataclass
class _Beginning:
    """A stream that learning begins with from nothing."""

    source: _Paths | _Values
    name: str | None
    plan: Plan
    columns: Columns
    said: str = ""
    task: Task = field(init=False)
    """The task. It may follow from the data, so it is set when the first lot is there."""
    _is_chosen: bool = False

    def __post_init__(self) -> None:
        if self.plan.learner:
            check_online(self.plan.learner, {})

    def _lots(self) -> Iterator[Data]:
        """The lots of the stream. The first is enough to begin with, if any is."""
        if isinstance(self.source, _Paths):
            self._choose(self.source.paths)
            return self.task.stream(self.source.paths, self.columns, None, self._is_enough)
        return self.source.lots(self._is_enough)

    def _choose(self, data: Data) -> None:
        """Choose the task, and separate its settings from the options of the learner."""
        if self._is_chosen:
            return
        self._is_chosen = True
        self.task, options = task_for(self.name, data, self.columns, self.plan.options)
        self.plan = replace(self.plan, options=options)
        # Two labels are needed by every learner: with one alone, there would be no room for others.
        self.columns = {**self.columns, **self.task.asks(replace(self.plan, learner=""))}
        if self.plan.features and self.task.streamed(self.plan.features) != self.plan.features:
            raise UsageError(
                f"the features {self.plan.features!r} must see several examples at once, and a stream is seen one example at a "
                f"time. Use --features {self.task.streamed(self.plan.features)!r}."
            )

    def _is_enough(self, lot: Data, n: int) -> bool:
        """Whether the task can read the first n examples of a lot as data to begin with: they have two labels, for
        example."""
        self._choose(lot)
        try:
            self.read(slice_of(lot, 0, n), None)
        except DataError:
            return False
        return True

    def read(self, lot: Data, known: Known | None) -> Gold:
        gold: Gold = read_gold(self.task, lot, self.columns, known)
        return gold

    def begun(self) -> tuple[Gold, Work, Iterator[Data]]:
        """Learn from the first examples: from OPENING of them, or twice as many and so on, if that is not enough to begin with.
        Return them, what was learned, and the lots that follow."""
        lots = self._lots()
        first = next(lots, None)
        if first is None:
            raise DataError("there are no examples.", self.source.name)
        self._choose(first)
        n = OPENING
        while n < len_of(first) and not self._is_enough(first, n):
            n *= 2
        gold = self.read(slice_of(first, 0, n), None)
        usual = self.task.plan(self.plan.features or None, gold)
        learner = self.plan.learner
        plan = Plan(usual.features, preset_of(learner).name) if learner else in_parts(usual)
        plan = replace(plan, features=self.task.streamed(plan.features), options={**plan.options, **self.plan.options})
        check_online(plan.learner, plan.options)
        work = Work.begun(self.task, plan, gold)
        return gold, work, chain([slice_of(first, n, len_of(first) - n)] if n < len_of(first) else [], lots)

    def origin(self) -> dict[str, Json]:
        return {}


@dataclass
class _Further:
    """A stream that goes on from a model."""

    source: _Paths | _Values
    name: str | None
    plan: Plan
    columns: Columns
    start: Model | str | os.PathLike[str]

    def __post_init__(self) -> None:
        if self.plan.features:
            raise UsageError(
                "features can be chosen only when a model is first trained. Leave them out to go on from one."
            )
        self.going_on = GoingOn(self.start, self.plan.learner or None, self.plan.options)
        self.task: Task = self.going_on.task(self.name)
        self.said = self.going_on.said
        check_online(self.going_on.start.learner, self.going_on.start.options)
        spec = str(self.going_on.model.features.spec)
        if self.task.streamed(spec) != spec:
            raise UsageError(
                f"the features of the model, {spec!r}, must see several examples at once, and a stream is seen one example at "
                "a time. Leave out --once to go on from it."
            )
        self.columns = {**self.columns, **self.task.asks(self.going_on.plan())}

    def read(self, lot: Data, known: Known | None) -> Gold:
        gold: Gold = read_gold(self.task, lot, self.columns, known)
        return gold

    def begun(self) -> tuple[None, Work, Iterator[Data]]:
        """What the model has learned, and all lots of the stream."""
        if isinstance(self.source, _Paths):
            lots = self.task.stream(self.source.paths, self.columns, self.going_on.known, None)
        else:
            lots = self.source.lots(None)
        return None, self.going_on.start.work(), lots

    def origin(self) -> dict[str, Json]:
        return {"start": dict(self.going_on.model.provenance)}


@dataclass(frozen=True)
class _Paths:
    """A stream from files."""

    paths: list[str]

    @property
    def name(self) -> str:
        return ", ".join("stdin" if path == "-" else path for path in self.paths)

    @property
    def given(self) -> Json:
        return self.paths if len(self.paths) > 1 else self.paths[0]


@dataclass(frozen=True)
class _Values:
    """A stream of values of Python."""

    data: Data
    name: str = "Python"
    given: None = None

    def lots(self, enough: Enough | None) -> Iterator[Data]:
        """The examples of an iterator, some at a time; data that are no iterator are one lot."""
        if not isinstance(self.data, Iterator | pa.RecordBatchReader):
            return iter([brought(self.data)])
        items = iter(self.data)
        first = list(islice(items, 1))
        items = chain(first, items)
        if first and not isinstance(first[0], Mapping | tuple | list):
            return opened(map(_rows, items), _joined, lambda rows: rows, enough)
        lots = iter(lambda: list(islice(items, OPENING)), [])
        return opened(lots, lambda lists: list(chain.from_iterable(lists)), brought, enough)


def _rows(item: Data) -> Rows:
    rows = rows_of(item)
    if rows is None:
        raise DataError(
            f"expected pairs of an example and its output, dicts or tables in the stream, found {type(item).__name__}: "
            f"{item!r:.60}."
        )
    return rows


def _joined(parts: Sequence[Rows]) -> Rows:
    """Rows of several tables, one after the other, with the columns of all."""
    if len(parts) == 1:
        return parts[0]
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = {name: [value for part in parts for value in _values(part, name)] for name in names}
    return replace(parts[0], columns=columns)


def _values(part: Rows, name: str) -> list[Json]:
    """The values of a column; None for each row of a table that lacks it."""
    return part.values(name) if name in part.columns else [None] * len(part)


def _paths_of(data: Data) -> list[str] | None:
    """The paths, given one or several; None where data are something else."""
    several = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(several, list | tuple) and several and all(isinstance(one, str | os.PathLike) for one in several):
        return [os.fspath(one) for one in several]
    return None


def len_of(lot: Data) -> int:
    """The number of examples of a lot: a pair of examples and outputs, or what has a length by itself."""
    return len(lot[0]) if isinstance(lot, tuple) else len(lot)


def slice_of(lot: Data, start: int, length: int) -> Data:
    """The examples of a lot from `start` on, `length` of them."""
    if isinstance(lot, tuple):
        return lot[0][start : start + length], lot[1][start : start + length]
    return lot[start : start + length] if isinstance(lot, list) else lot.slice(start, length)


def check_online(learner: str, options: Options) -> None:
    """Raise UsageError for a learner that needs all examples at once."""
    preset = preset_of(learner)
    online = ", ".join(name for name in LEARNERS if not LEARNERS[name].needs_all)
    if preset.needs_all:
        raise UsageError(
            f"learner {preset.name!r} needs all examples at once, and a stream is seen one example at a time. These learn from "
            f"one example at a time: {online}."
        )
    checked = preset.checked({name: value for name, value in options.items() if name in preset.options})
    if preset.solver(checked) is not None or checked.get("runs", 1) != 1:
        said = f"by={checked['by']}" if preset.solver(checked) is not None else f"runs={checked['runs']}"
        raise UsageError(f"learner {preset.name!r} needs all examples at once with {said}. Leave it out.")
