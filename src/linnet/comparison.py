"""All learners by all features over the same folds: which is best, by how much, and whether that is chance.

Each example is held out once. The score of a system is that of all held-out examples together, sum(right) / sum(total)
(Forman and Scholz 2010), with the standard error of a ratio, sqrt(sum (right_i - score total_i)^2) / sum(total). Where
errors have costs, systems are compared by the mean of these, and less is better.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.errors import LinnetError, UsageError
from linnet.evaluate.calibration import Reliability, reliability
from linnet.evaluate.curves import Curve, subsets
from linnet.evaluate.duplicates import Duplicates, across
from linnet.evaluate.folds import FOLD, GROUPS, folds, given_folds
from linnet.evaluate.losses import LOSSES
from linnet.evaluate.mistakes import most_wrong, suspects
from linnet.evaluate.significance import differences, holm_pairs, letters
from linnet.evaluate.verdict import Verdict, verdict
from linnet.explain import Strong
from linnet.learners import LEARNERS, Fit, Preset
from linnet.learners import learner as preset_of
from linnet.search import NAME as AUTO
from linnet.tasks import Task, configured, guess, named
from linnet.tasks.contract import Counts, Plan, joined
from linnet.thresholding import thresholded
from linnet.trials import Ready, Trial, attempt, prepare

USUAL_FOLDS = 5
LEVEL = 0.05
"""Of significance, over all pairs together."""
_CURVE_FOLDS = 3
_TOP = 10
_LONGEST = 300

Ints = npt.NDArray[np.int64]


class System(NamedTuple):
    features: str
    learner: str


@dataclass(frozen=True)
class Step:
    """How far a comparison is."""

    share: float
    left: float
    """Seconds."""
    what: str


@dataclass(frozen=True)
class Row:
    """One system, over all its held-out examples."""

    system: System
    score: float
    error: float
    """The standard error of the score."""
    letters: str
    folds: list[float]
    train: float
    seconds: float
    """To make features and to learn, of one fold."""
    epochs: float
    verdict: Verdict
    curve: Curve | None
    log_loss: float | None
    brier: float | None
    reliability: Reliability | None
    losses: dict[str, float]
    expected: dict[str, float]
    accuracy: float | None = None
    """Where the score is a cost."""
    test: float | None = None
    test_error: float | None = None

    def as_dict(self) -> dict[str, Any]:
        out = vars(self) | self.system._asdict() | {"verdict": self.verdict.kind, "sentence": self.verdict.sentence}
        out["ece"] = None if self.reliability is None else self.reliability.ece
        for name in ("curve", "reliability"):
            out[name] = None if out[name] is None else out[name].as_dict()
        del out["system"]
        return {key: value for key, value in out.items() if value is not None}


@dataclass(frozen=True)
class Mistake:
    """A held-out decision that is wrong, and how probable the best system thought the gold label."""

    example: int
    text: str
    gold: str
    predicted: str
    p: float
    suspected: bool
    """Whether the gold label itself is perhaps the mistake."""


@dataclass(frozen=True)
class Comparison:
    task: str
    source: str
    n: int
    measure: str
    less_is_better: bool
    how: str
    """Which parts were held out."""
    labels: tuple[str, ...]
    rows: list[Row]
    """The best first."""
    p: npt.NDArray[np.float64]
    """For each pair of rows, after Holm's correction."""
    refused: list[tuple[System, str]]
    confusion: Ints | None
    """Of the best: a row for each gold label, a column for each predicted one; None where outputs are sets."""
    singles: Ints | None
    """Of the best, where outputs are sets: for each label how often it was right to have, was predicted, and was both."""
    mistakes: list[Mistake]
    n_suspected: int
    strongest: dict[str, list[Strong]]
    """Features of each label, by the best system that has weights of features."""
    strongest_of: System
    duplicates: Duplicates
    seconds: float
    interrupted: bool

    @property
    def best(self) -> Row:
        return self.rows[0]

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of `linnet compare --json`."""
        return {
            "task": self.task,
            "data": self.source,
            "n": self.n,
            "measure": self.measure,
            "less_is_better": self.less_is_better,
            "held_out": self.how,
            "labels": list(self.labels),
            "systems": [row.as_dict() for row in self.rows],
            "p": self.p.tolist(),
            "refused": [system._asdict() | {"reason": reason} for system, reason in self.refused],
            "confusion": None if self.confusion is None else self.confusion.tolist(),
            "singles": None if self.singles is None else self.singles.tolist(),
            "most_wrong": [vars(mistake) for mistake in self.mistakes],
            "suspected_labels": self.n_suspected,
            "strongest": {label: [item._asdict() for item in items] for label, items in self.strongest.items()},
            "duplicates": self.duplicates.as_dict(),
            "seconds": self.seconds,
            "interrupted": self.interrupted,
        }


def compare(
    data: Any,
    *,
    test: Any = None,
    folds: int | None = None,
    learners: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    task: str | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    text_col: str | None = None,
    label_col: str | None = None,
    format: str | None = None,
    progress: Callable[[Step], None] | None = None,
) -> Comparison:
    """Compare learners and features by cross-validation. Ctrl-C ends it early; what is done is kept.

    folds: how many; by default those of the column `fold`, or 5. 0 compares on `test` alone.
    test: further data, on which each system that was learned from all of `data` is tried too.

    >>> table = compare((["good", "fine", "bad", "poor"] * 10, ["+", "+", "-", "-"] * 10), features=["words:1"], folds=4)
    >>> table.best.score, len(table.rows) >= 10
    (1.0, True)
    """
    columns = {"format": format, "text_col": text_col, "label_col": label_col}
    kind, unknown = configured(named(task) if task is not None else guess(data, columns), settings or {})
    if unknown:
        known = ", ".join(kind.settings) or "none"
        raise UsageError(f"task {kind.name!r} has no setting {next(iter(unknown))!r}. It has: {known}.")
    whole = kind.read(data, columns)
    held = None if test is None else kind.read(test, columns, whole)
    began = time.perf_counter()
    fold_of, how = _folds(whole, folds, seed, held)
    plans = {spec: kind.plan(spec or None, whole) for spec in features or [""]}
    if learners and AUTO in learners:
        raise UsageError(f"learner {AUTO!r} chooses among others by itself, so it is none to compare. Leave it out.")
    presets = [preset_of(name) for name in learners] if learners else list(LEARNERS.values())
    work = _Work(kind, whole, held, fold_of, plans, presets, seed, progress)
    return _Summary(work, work.run(), how).comparison(time.perf_counter() - began)


def _folds(whole: Any, k: int | None, seed: int, held: Any) -> tuple[Ints, str]:
    """The fold of each example, none where the test part is all that is held out; and what was done, in words."""
    if k == 0:
        if held is None:
            raise UsageError("folds=0 compares on the test part alone, and there is none. Name one with --test.")
        return np.full(len(whole), -1), f"{len(held):,} examples of {held.source}"
    column = whole.column(FOLD) if k is None else None
    if column is not None:
        found = given_folds(column, whole.source)
        return found, f"each of the {found.max() + 1} folds of the column '{FOLD}' once"
    k = USUAL_FOLDS if k is None else k
    name = next((name for name in GROUPS if whole.column(name) is not None), None)
    labels = whole.y if len(whole.y) == len(whole) else None
    groups = None if name is None else whole.column(name)
    together = "" if name is None else f", those of one {name} together"
    return folds(len(whole), k, y=labels, groups=groups, seed=seed), f"each of {k} random folds once{together}"


@dataclass(frozen=True, eq=False)
class _Part:
    """What to learn from, and what to hold out."""

    kind: str
    """fold, test or curve"""
    fold: int
    rows: Ints | None
    """All where it is None."""
    held_rows: Ints | None
    """The test part where it is None."""


Done = dict[tuple[_Part, System], Trial]


class _StoppedError(Exception):
    """Someone pressed Ctrl-C."""


@dataclass
class _Work:
    """The parts of the data by the features, on all cores; the learners one after the other on what was made once."""

    task: Task
    whole: Any
    held: Any
    fold_of: Ints
    plans: dict[str, Plan]
    presets: list[Preset]
    seed: int
    progress: Callable[[Step], None] | None
    refused: dict[System, str] = field(default_factory=dict)
    interrupted: bool = False

    def __post_init__(self) -> None:
        self.parts = list(self._parts())
        self.systems = [System(plan.features, preset.name) for plan in self.plans.values() for preset in self.presets]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._size = {part: len(self.whole if part.rows is None else part.rows) for part in self.parts}
        self._total = sum(self._size.values()) * len(self.systems)
        self._seen = 0
        self._began = time.perf_counter()

    def _parts(self) -> Iterator[_Part]:
        n = max(int(self.fold_of.max()) + 1, 0)
        kept = [np.flatnonzero(self.fold_of != fold) for fold in range(n)]
        out = [np.flatnonzero(self.fold_of == fold) for fold in range(n)]
        for fold in range(n):
            yield _Part("fold", fold, kept[fold], out[fold])
        if self.held is not None:
            yield _Part("test" if n else "fold", n, None, None)
        for fold in range(min(n, _CURVE_FOLDS)):
            for some in subsets(len(kept[fold]), self.seed):
                yield _Part("curve", fold, kept[fold][some], out[fold])
        if not n:
            for some in subsets(len(self.whole), self.seed):
                yield _Part("curve", n, some, None)

    def run(self) -> Done:
        done: Done = {}
        pool = ThreadPoolExecutor(_cores())
        jobs = [pool.submit(self._job, part, plan, done) for part in self.parts for plan in self.plans.values()]
        try:
            for job in as_completed(jobs):
                job.result()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
        return done

    def _job(self, part: _Part, plan: Plan, done: Done) -> None:
        systems = [(System(plan.features, preset.name), preset) for preset in self.presets]
        try:
            ready = self._ready(part, plan)
        except LinnetError as error:
            for system, _ in systems:
                self._refuse(system, error)
            return
        for system, preset in systems:
            if self._stop.is_set():
                return
            if system not in self.refused:
                self._learn(part, ready, system, preset, plan, done)
            self._show(part, system)

    def _ready(self, part: _Part, plan: Plan) -> Ready:
        training = self.whole if part.rows is None else self.whole.part(part.rows)
        held = self.held if part.held_rows is None else self.whole.part(part.held_rows)
        return prepare(self.task, plan.features, training, held)

    def _learn(self, part: _Part, ready: Ready, system: System, preset: Preset, plan: Plan, done: Done) -> None:
        options = plan.options if preset.name == plan.learner else {}
        first = part.kind == "fold" and part.fold == 0
        try:
            trial = attempt(
                ready,
                preset,
                options,
                seed=self.seed,
                between=self._between,
                then=thresholded(ready, preset, plan.features, seed=self.seed, between=self._between),
                believes=part.kind == "fold",
                top=_TOP if first else 0,
            )
        except LinnetError as error:
            self._refuse(system, error)
        except _StoppedError:
            pass
        else:
            done[part, system] = trial

    def _between(self, fit: Fit) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _refuse(self, system: System, error: LinnetError) -> None:
        self.refused.setdefault(system, str(error))

    def _show(self, part: _Part, system: System) -> None:
        with self._lock:
            self._seen += self._size[part]
            if self.progress is not None:
                share = self._seen / self._total
                left = (time.perf_counter() - self._began) * (1 - share) / share
                self.progress(Step(share, left, f"{part.kind} {part.fold + 1}, {system.learner}"))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Summary:
    """What was done, as one table: over the folds that every system has done."""

    def __init__(self, work: _Work, done: Done, how: str) -> None:
        self.work, self.done = work, done
        fitting = [system for system in work.systems if system not in work.refused]
        whole = [part for part in work.parts if part.kind == "fold" and any((part, s) in done for s in fitting)]
        complete = [part for part in whole if all((part, system) in done for system in fitting)]
        self.parts = complete or whole[:1]
        self.systems = [s for s in fitting if self.parts and all((part, s) in done for part in self.parts)]
        if not self.systems:
            raise UsageError(self._why_nothing())
        n = sum(part.kind == "fold" for part in work.parts)
        self.how = how if len(self.parts) == n else f"{how}; {len(self.parts)} of {n} were done"
        self.y = np.concatenate([self._held(part).y for part in self.parts])

    def _why_nothing(self) -> str:
        reasons = list(dict.fromkeys(self.work.refused.values()))
        return " ".join(reasons[:1]) or "nothing was done before the interruption."

    def _held(self, part: _Part) -> Any:
        return self.work.held if part.held_rows is None else self.work.whole.part(part.held_rows)

    def _trials(self, system: System) -> list[Trial]:
        return [self.done[part, system] for part in self.parts]

    def comparison(self, seconds: float) -> Comparison:
        counts = {system: joined([trial.counts for trial in self._trials(system)]) for system in self.systems}
        wrong = {system: found.wrong(found.score) for system, found in counts.items()}
        ranked = sorted(self.systems, key=wrong.__getitem__)
        right, total = (np.stack([getattr(counts[s], name) for s in ranked]) for name in ("right", "total"))
        p = holm_pairs(differences(right, total, self.work.seed))
        best = ranked[0]
        marks = letters(p < LEVEL)
        rows = [
            self._row(system, counts[system], mark, wrong[best]) for system, mark in zip(ranked, marks, strict=True)
        ]
        trials, golds = self._trials(best), [self._held(part) for part in self.parts]
        y_hat = np.concatenate([trial.y_hat for trial in trials])
        mistakes, n_suspected = self._mistakes(best, y_hat)
        linear = next((system for system in ranked if self._trials(system)[0].strongest), best)
        work = self.work
        return Comparison(
            task=work.task.name,
            source=work.whole.source,
            n=len(work.whole),
            measure=counts[best].measure,
            less_is_better=counts[best].less_is_better,
            how=self.how,
            labels=work.whole.labels,
            rows=rows,
            p=p,
            refused=list(work.refused.items()),
            confusion=_confusion(self.y, y_hat, len(work.whole.labels)) if work.task.per_place else None,
            singles=np.sum(list(map(_singles, golds, trials)), axis=0) if work.task.per_place is False else None,
            mistakes=mistakes,
            n_suspected=n_suspected,
            strongest=self._trials(linear)[0].strongest,
            strongest_of=linear,
            duplicates=self._duplicates(),
            seconds=seconds,
            interrupted=work.interrupted,
        )

    def _row(self, system: System, counts: Counts, mark: str, lowest: float) -> Row:
        trials = self._trials(system)
        error, train = _standard_error(counts), float(np.mean([trial.train for trial in trials]))
        curve = self._curve(system, counts)
        beliefs = [trial.belief for trial in trials if trial.belief is not None]
        weights = [len(belief.p_gold) for belief in beliefs]
        test = next((self.done.get((part, system)) for part in self.work.parts if part.kind == "test"), None)
        y_hat = np.concatenate([trial.y_hat for trial in trials])
        p_gold, p_hat = (
            np.concatenate([getattr(belief, name) for belief in beliefs]) if beliefs else None
            for name in ("p_gold", "p_hat")
        )
        return Row(
            system=system,
            score=counts.score,
            error=error,
            letters=mark,
            folds=[trial.counts.score for trial in trials],
            train=train,
            seconds=float(np.mean([trial.seconds for trial in trials])),
            epochs=float(np.mean([trial.epochs for trial in trials])),
            verdict=verdict(
                counts.wrong(train),
                counts.wrong(counts.score),
                error,
                lowest,
                curve,
                counts.measure if counts.less_is_better else None,
            ),
            curve=curve,
            log_loss=None if p_gold is None else float(-np.log(np.maximum(p_gold, 1e-15)).mean()),
            brier=float(np.average([belief.brier for belief in beliefs], weights=weights)) if beliefs else None,
            reliability=None if p_hat is None else reliability(p_hat, y_hat == self.y),
            losses=_means([belief.losses for belief in beliefs], weights),
            expected=_means([belief.expected for belief in beliefs], weights),
            accuracy=float(np.mean(y_hat == self.y)) if counts.less_is_better else None,
            test=None if test is None else test.counts.score,
            test_error=None if test is None else _standard_error(test.counts),
        )

    def _curve(self, system: System, counts: Counts) -> Curve | None:
        """The folds of which every size was learned, and the whole of each."""
        sizes: dict[int, list[Trial]] = {}
        folds = {part.fold for part in self.parts if part.fold < _CURVE_FOLDS}
        for part in self.work.parts:
            if part.fold not in folds or part.kind == "test":
                continue
            trial = self.done.get((part, system))
            if trial is None:
                return None
            n = len(self.work.whole) if part.rows is None else len(part.rows)
            at = next((size for size in sizes if abs(size - n) < 0.1 * n), n)
            sizes.setdefault(at, []).append(trial)
        if len(sizes) < 2:
            return None
        train, held = (
            tuple(counts.wrong(float(np.mean(scores))) for scores in both)
            for both in zip(
                *(([t.train for t in trials], [t.counts.score for t in trials]) for _, trials in sorted(sizes.items())),
                strict=True,
            )
        )
        return Curve(tuple(sorted(sizes)), train, held)

    def _mistakes(self, best: System, y_hat: npt.NDArray[np.int32]) -> tuple[list[Mistake], int]:
        beliefs = [trial.belief for trial in self._trials(best)]
        if any(belief is None for belief in beliefs):
            return [], 0
        p_gold, p_hat = (np.concatenate([getattr(b, name) for b in beliefs]) for name in ("p_gold", "p_hat"))
        names = self.work.whole.labels
        suspected = suspects(self.y, y_hat, p_gold, p_hat, len(names))
        found = most_wrong(self.y, y_hat, p_gold, _TOP)
        golds = [self._held(part) for part in self.parts]
        rows = [
            np.arange(len(g)) if p.held_rows is None else p.held_rows for p, g in zip(self.parts, golds, strict=True)
        ]
        example = np.concatenate([np.repeat(r, np.diff(g.y_at)) for r, g in zip(rows, golds, strict=True)])
        source = self.work.held if self.parts[0].held_rows is None else self.work.whole
        texts = source.part(example[found]).texts() if len(found) else []
        mistakes = [
            Mistake(
                int(example[i]),
                text[:_LONGEST],
                _name(names, self.y[i]),
                names[y_hat[i]],
                float(p_gold[i]),
                bool(suspected[i]),
            )
            for i, text in zip(found, texts, strict=True)
        ]
        return mistakes, int(suspected.sum())

    def _duplicates(self) -> Duplicates:
        """Of the test part in the training data; without one, of the first fold in the others."""
        work = self.work
        if work.held is not None:
            return across(work.whole.texts(), work.held.texts())
        first = self.parts[0]
        return across(work.whole.part(first.rows).texts(), self._held(first).texts())


def _standard_error(counts: Counts) -> float:
    return float(math.sqrt(np.sum((counts.right - counts.score * counts.total) ** 2)) / max(counts.total.sum(), 1e-300))


def _means(parts: Sequence[dict[str, float]], weights: Sequence[int]) -> dict[str, float]:
    return (
        {name: float(np.average([part[name] for part in parts], weights=weights)) for name in LOSSES} if parts else {}
    )


def _confusion(y: npt.NDArray[np.int32], y_hat: npt.NDArray[np.int32], k: int) -> Ints:
    known = y >= 0
    return np.bincount(y[known].astype(np.int64) * k + y_hat[known], minlength=k * k).reshape(k, k)


def _singles(gold: Any, trial: Trial) -> Ints:
    """For each label, in how many sets it is: of gold ones, of predicted ones, of both."""
    k = len(gold.labels)
    wanted, found = _pairs(gold.y, gold.y_at, k), _pairs(trial.y_hat, trial.y_hat_at, k)
    both = np.intersect1d(wanted, found)
    return np.stack([np.bincount(part % k, minlength=k) for part in (wanted, found, both)], axis=1)


def _pairs(y: npt.NDArray[np.int32], y_at: Ints, k: int) -> Ints:
    """(example, label) of all sets, each as one number. A set is the number of its labels, and then those."""
    pairs: Ints = np.repeat(np.arange(len(y_at) - 1), np.diff(y_at)) * k + y
    of_label = y >= 0
    of_label[y_at[:-1]] = False
    return pairs[of_label]


def _name(labels: Sequence[str], y: int) -> str:
    return labels[y] if y >= 0 else "(unknown)"
