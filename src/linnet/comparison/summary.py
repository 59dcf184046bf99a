"""The result of a comparison as one table: scores with their errors, which differences are chance, and what the best system
gets wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linnet.comparison.table import Chance, Comparison, Ints, Mistake, Row, System
from linnet.comparison.work import CURVE_FOLDS, TOP, Done, Part, Work
from linnet.errors import UsageError
from linnet.evaluate.calibration import reliability
from linnet.evaluate.curves import Curve
from linnet.evaluate.duplicates import Duplicates, across
from linnet.evaluate.mistakes import most_wrong, suspects
from linnet.evaluate.significance import differences, holm_pairs, letters
from linnet.evaluate.verdict import verdict
from linnet.fitting.contract import Counts, Gold
from linnet.fitting.trials import Trial

LEVEL = 0.05
"""The level of significance, over all pairs together."""
_LONGEST = 300


Output = tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]
"""Outputs as numbers, and where each starts."""


class Summary:
    """Makes the table of a comparison, from the folds that every system has done."""

    def __init__(self, work: Work, done: Done, how: str) -> None:
        self.work, self.done = work, done
        fitting = [system for system in work.systems if system not in work.refused]
        whole = [part for part in work.parts if part.kind == "fold" and any((part, s) in done for s in fitting)]
        complete = [part for part in whole if all((part, system) in done for system in fitting)]
        # Where Ctrl-C came before any fold was complete, the systems that have done the first one are compared on it.
        self.parts = complete or whole[:1]
        self.systems = [s for s in fitting if self.parts and all((part, s) in done for part in self.parts)]
        if not self.systems:
            raise UsageError(self._why_nothing())
        n = sum(part.kind == "fold" for part in work.parts)
        self.how = how if len(self.parts) == n else f"{how}; {len(self.parts)} of {n} were done"
        rows = [part.held_rows for part in self.parts if part.held_rows is not None]
        self.gold = work.whole.part(np.concatenate(rows)) if rows else self._held(self.parts[0])
        self.y = self.gold.y

    def _why_nothing(self) -> str:
        reasons = list(dict.fromkeys(self.work.refused.values()))
        return " ".join(reasons[:1]) or "nothing was done before the interruption."

    def _held(self, part: Part) -> Gold:
        held = self.work.held if part.held_rows is None else self.work.whole.part(part.held_rows)
        assert held is not None
        return held

    def _training(self, part: Part) -> Gold:
        return self.work.whole if part.rows is None else self.work.whole.part(part.rows)

    def _trials(self, system: System) -> list[Trial]:
        return [self.done[part, system] for part in self.parts]

    def comparison(self, seconds: float) -> Comparison:
        counts = {system: self._counts([_output(trial) for trial in self._trials(system)]) for system in self.systems}
        wrong = {system: found.wrong(found.score) for system, found in counts.items()}
        ranked = sorted(self.systems, key=wrong.__getitem__)
        right = np.stack([counts[system].right for system in ranked])
        total = np.stack([counts[system].total for system in ranked])
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
            chance=self._chance(),
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

    def _counts(self, outputs: Sequence[Output]) -> Counts:
        """How right the outputs of all folds are, taken together."""
        y_hat = np.concatenate([y for y, _ in outputs])
        sizes = np.concatenate([np.diff(at) for _, at in outputs])
        return self.work.measure(self.gold, y_hat, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]))

    def _chance(self) -> Chance | None:
        """The most frequent answer of the training part of each fold, given to all examples of the fold."""
        work = self.work
        found = [work.task.constant(self._training(part), self._held(part)) for part in self.parts]
        outputs = [one for one in found if one is not None]
        if len(outputs) < len(found):
            return None
        given = {int(y) for one, _ in outputs for y in np.unique(one)} if work.task.per_place else set()
        answer = f"always {work.whole.labels[given.pop()]}" if len(given) == 1 else "always the most frequent"
        counts = self._counts(outputs)
        return Chance(answer, counts.score, _standard_error(counts))

    def _row(self, system: System, counts: Counts, mark: str, lowest: float) -> Row:
        trials = self._trials(system)
        error, train = _standard_error(counts), float(np.mean([trial.train for trial in trials]))
        curve = self._curve(system, counts)
        beliefs = [trial.belief for trial in trials if trial.belief is not None]
        weights = [len(belief.p_gold) for belief in beliefs]
        known = [belief.known for belief in beliefs]
        test = next((self.done.get((part, system)) for part in self.work.parts if part.kind == "test"), None)
        y_hat = np.concatenate([trial.y_hat for trial in trials])
        p_hat = np.concatenate([belief.p_hat for belief in beliefs]) if beliefs else None
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
                counts.measure,
                less_is_better=counts.less_is_better,
            ),
            curve=curve,
            brier=float(np.average([belief.brier for belief in beliefs], weights=weights)) if beliefs else None,
            reliability=None if p_hat is None else reliability(p_hat, y_hat == self.y),
            losses=_means([belief.losses for belief in beliefs], known),
            expected=_means([belief.expected for belief in beliefs], weights),
            accuracy=float(np.mean(y_hat == self.y)) if counts.less_is_better else None,
            test=None if test is None else test.counts.score,
            test_error=None if test is None else _standard_error(test.counts),
        )

    def _curve(self, system: System, counts: Counts) -> Curve | None:
        """The learning curve, from the folds in which every size was learned, and the whole of each."""
        sizes: dict[int, list[Trial]] = {}
        folds = {part.fold for part in self.parts if part.fold < CURVE_FOLDS}
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
        trials = self._trials(best)
        beliefs = [trial.belief for trial in trials if trial.belief is not None]
        if len(beliefs) < len(trials):
            return [], 0
        p_gold = np.concatenate([belief.p_gold for belief in beliefs])
        p_hat = np.concatenate([belief.p_hat for belief in beliefs])
        names = self.work.whole.labels
        suspected = suspects(self.y, y_hat, p_gold, p_hat, len(names))
        found = most_wrong(self.y, y_hat, p_gold, TOP)
        golds = [self._held(part) for part in self.parts]
        rows = [
            np.arange(len(g)) if p.held_rows is None else p.held_rows for p, g in zip(self.parts, golds, strict=True)
        ]
        example = np.concatenate([np.repeat(r, np.diff(g.y_at)) for r, g in zip(rows, golds, strict=True)])
        source = self.work.held if self.parts[0].held_rows is None else self.work.whole
        texts = source.part(example[found]).texts() if source is not None and len(found) else []
        mistakes = [
            Mistake(
                int(example[i]),
                text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…",
                _name(names, self.y[i]),
                names[y_hat[i]],
                float(p_gold[i]),
                bool(suspected[i]),
            )
            for i, text in zip(found, texts, strict=True)
        ]
        return mistakes, int(suspected.sum())

    def _duplicates(self) -> Duplicates:
        """Duplicates of the test part in the training data; without a test part, those of the first fold in the others."""
        work = self.work
        if work.held is not None:
            return across(work.whole.texts(), work.held.texts())
        first = self.parts[0]
        assert first.rows is not None
        return across(work.whole.part(first.rows).texts(), self._held(first).texts())


def _output(trial: Trial) -> Output:
    return trial.y_hat, trial.y_hat_at


def _standard_error(counts: Counts) -> float:
    return float(math.sqrt(np.sum((counts.right - counts.score * counts.total) ** 2)) / max(counts.total.sum(), 1e-300))


def _means(parts: Sequence[dict[str, float]], weights: Sequence[int]) -> dict[str, float]:
    names = parts[0] if parts else ()
    return {name: float(np.average([part[name] for part in parts], weights=weights)) for name in names}


def _confusion(y: npt.NDArray[np.int32], y_hat: npt.NDArray[np.int32], k: int) -> Ints:
    known = y >= 0
    return np.bincount(y[known].astype(np.int64) * k + y_hat[known], minlength=k * k).reshape(k, k)


def _singles(gold: Gold, trial: Trial) -> Ints:
    """For each label, the number of sets that have it: gold ones, predicted ones, and both."""
    k = len(gold.labels)
    wanted, found = _pairs(gold.y, gold.y_at, k), _pairs(trial.y_hat, trial.y_hat_at, k)
    both = np.intersect1d(wanted, found)
    return np.stack([np.bincount(part % k, minlength=k) for part in (wanted, found, both)], axis=1)


def _pairs(y: npt.NDArray[np.int32], y_at: Ints, k: int) -> Ints:
    """The pairs (example, label) of all sets, each as one number. A set is given as the number of its labels, and then
    these."""
    pairs: Ints = np.repeat(np.arange(len(y_at) - 1), np.diff(y_at)) * k + y
    of_label = y >= 0
    of_label[y_at[:-1]] = False
    return pairs[of_label]


def _name(labels: Sequence[str], y: int) -> str:
    return labels[y] if y >= 0 else "(unknown)"
