"""The command `linnet train`."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from linnet.cli.console import learning_progress, parse_settings, print_json, say, show, write_nowhere
from linnet.cli.outputs import checkpoint_of
from linnet.errors import UsageError
from linnet.fitting.contract import Columns
from linnet.learners.theory import in_words
from linnet.model import Model
from linnet.tasks import guess, named
from linnet.training.checkpoint import was_interrupted
from linnet.training.data_to_model import parse_class_weight, room_for, training

if TYPE_CHECKING:
    from linnet.core.types import Json
    from linnet.fitting.traced import Step

_LONGEST = 100
"""The number of characters of the features from which on they are cut when shown."""
_MOST_LABELS = 6
"""The largest number of labels that are shown with their counts."""
_MOST_PROBLEMS = 3
"""The largest number of problems of the data that are shown."""
_SKEWED = 0.6
"""The share of the most frequent label from which on accuracy alone says little."""
_PARAMETERS = {"class-weight": "class_weight", "state": "keep_state", "support": "keep_support"}
"""The names of settings in Python, where these differ from the names after --set."""


def run(
    *,
    data: list[str],
    output: str,
    task: str | None,
    learner: str | None,
    features: str | None,
    epochs: int | None,
    dev: str | None,
    seed: int,
    settings: list[str] | None,
    unlabelled: list[str] | None,
    lexicon: list[str] | None,
    parallel: list[str] | None,
    rerank: int | None,
    start: str | None,
    resume: bool,
    once: bool,
    threads: int | None,
    cluster: str | None,
    shards: int | None,
    tls: tuple[str, str, str] | None,
    trace: int | None,
    html: str | None,
    as_json: bool,
    verbose: bool,
    quiet: bool,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    if trace is None and (html is not None or as_json):
        raise UsageError(f"{'--html' if html is not None else '--json'} is for the steps of learning. Add --trace N.")
    options, run_settings = _settings(settings or [])
    watch = None if trace is None else _Watch(trace, html, as_json)
    if parallel:
        _check_aligns(data, task, start, {"format": format, "encoding": encoding, "label_col": label_col})
        options["parallel"] = parallel
    began = time.perf_counter()
    if once:
        from linnet.cli.once import learned

        model = learned(
            data,
            output,
            refused={
                "--epochs": None if epochs == 1 else epochs,
                "--seed": seed or None,
                "dev": dev,
                "rerank": rerank,
                "--unlabelled": unlabelled,
                "--lexicon": lexicon,
                "parallel": parallel,
                "resume": resume,
                "trace": trace,
                "--threads": threads,
            },
            settings=run_settings,
            quiet=quiet,
            task=task,
            learner=learner,
            features=features,
            options=options,
            start=start,
            text=text_col,
            label=label_col,
            format=format,
            encoding=encoding,
            delimiter=delimiter,
        )
        _written(model, output, began, verbose, quiet)
        return
    if "every" in run_settings:
        raise UsageError(
            "every=MINUTES is for a stream, whose model is written on the way. Add --once, or leave it out."
        )
    room = room_for(run_settings.pop("memory", None), checkpoint_of(output))
    if resume and not quiet and not os.path.exists(f"{output}.part"):
        say(f"there is no {output}.part to go on from, so training begins from the start")
    with ExitStack() as until_written:
        with learning_progress(quiet=quiet) as progress:
            model = until_written.enter_context(
                training(
                    data if len(data) > 1 else data[0],
                    task=task,
                    learner=learner,
                    features=features,
                    epochs=epochs,
                    dev=_share_or_path(dev),
                    seed=seed,
                    options=options,
                    rerank=rerank,
                    text=text_col,
                    label=label_col,
                    format=format,
                    encoding=encoding,
                    delimiter=delimiter,
                    progress=progress,
                    checkpoint=checkpoint_of(output),
                    resume=resume,
                    start=start,
                    memory="all" if room is None else room,
                    watch=watch,
                    cluster=cluster,
                    shards=shards,
                    tls=tls,
                    threads=threads,
                    unlabelled=None if unlabelled is None else list(map(Path, unlabelled)),
                    lexicon=None if lexicon is None else _lexicon(lexicon),
                    **run_settings,
                )
            )
        if watch is not None:
            watch.done(output)
        _written(model, output, began, verbose, quiet)
    if room is not None and room.on_disk and not quiet:
        say("what is large was kept in files beside the model, which are gone; --set memory=all keeps them in memory")


def _written(model: Model, output: str, began: float, verbose: bool, quiet: bool) -> None:
    model.save(output, force=True)  # What it may replace was checked before training.
    if not quiet:
        _say(model, output, time.perf_counter() - began, verbose)


class _Watch:
    """Shows the first steps of learning, on the terminal or as JSON, or keeps them for a page."""

    def __init__(self, n: int, html: str | None, as_json: bool) -> None:
        self.n = n
        self.html = html
        self.as_json = as_json
        self.seen = 0
        self.kept: list[Step] = []

    def __call__(self, step: Step) -> bool:
        """Show a step; returns whether more are wanted. Where nobody reads them any more, the training goes on without."""
        self.seen += 1
        try:
            self._show(step)
        except BrokenPipeError:
            write_nowhere(sys.stdout)
            return self.html is not None and self.seen < self.n
        return self.seen < self.n

    def _show(self, step: Step) -> None:
        if self.html is not None:
            self.kept.append(step)
        if self.as_json:
            print_json(step.as_dict())
        elif self.html is None:
            show(step.drawn())
            show()

    def done(self, output: str) -> None:
        """Write the page, if there is to be one."""
        if self.html is None:
            return
        from linnet import io
        from linnet.fitting.trace_page import trace_page

        with io.atomic(self.html) as file:
            file.write(trace_page(f"Step by step: {os.path.basename(output)}", self.kept).encode())
        say(f"wrote {self.html}")


def _check_aligns(data: list[str], task: str | None, start: str | None, columns: Columns) -> None:
    """Raise UsageError where there is a parallel text, and what is learned is no word alignment."""
    if start is not None:
        raise UsageError("--parallel belongs to the first training of a model. Leave it out to go on from one.")
    kind = guess(data, columns) if task is None else named(task)
    if "parallel" not in kind.settings:
        raise UsageError(f"--parallel is for word alignment; this is task {kind.name!r}. Leave it out.")


def _settings(items: list[str]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Options of the learner, and those of the training that have no flag of their own."""
    options: dict[str, Json] = dict(parse_settings(items))
    run_settings: dict[str, Json] = {}
    for key, convert in (
        ("patience", int),
        ("tol", float),
        ("class-weight", parse_class_weight),
        ("calibrate", str),
        ("state", _keeps("state")),
        ("support", _keeps("support")),
        ("refit", _yes),
        ("estimate", _yes),
        ("shuffle", _yes),
        ("every", float),
        ("most", int),
        ("memory", str),
    ):
        if key in options:
            value = options.pop(key)
            try:
                run_settings[_PARAMETERS.get(key, key)] = convert(value)
            except ValueError as error:
                if isinstance(error, UsageError):
                    raise
                raise UsageError(f"expected a number for {key}, found {value!r}.") from None
    return options, run_settings


def _lexicon(items: list[str]) -> dict[str, str]:
    """The file of words of each label, as they are typed: LABEL=FILE."""
    found: dict[str, str] = {}
    for item in items:
        label, equals, path = item.partition("=")
        if not (label and equals and path):
            raise UsageError(f"expected --lexicon LABEL=FILE, found {item!r}.")
        if label in found:
            raise UsageError(f"--lexicon names two files for the label {label!r}. Write all of its words into one.")
        found[label] = path
    return found


def _keeps(what: str) -> Callable[[str], bool]:
    def keeps(text: str) -> bool:
        if text not in ("keep", "drop"):
            raise UsageError(f"expected {what}=keep or {what}=drop, found {text!r}.")
        return text == "keep"

    return keeps


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise UsageError(f"expected yes or no, found {text!r}.")
    return text == "yes"


def _share_or_path(dev: str | None) -> float | str | None:
    try:
        return None if dev is None else float(dev)
    except ValueError:
        return dev


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]} ..."


def _say_tried(tried: list[dict[str, Json]]) -> None:
    """Print what `auto` tried, the best first, each with its score on held-out examples."""
    for item in tried:
        options = "".join(
            f" {key}={value if isinstance(value, str) else format(value, 'g')}"
            for key, value in item["options"].items()
        )
        score = f"{item['score']:.4f}" if item["less_is_better"] else f"{100 * item['score']:.2f}%"
        right = f"{item['measure']} {score}, {item['n']:,} examples"
        say(f"  {right}: {item['learner']}{options}, {_short(item['features'])}")


def _say(model: Model, output: str, seconds: float, verbose: bool) -> None:
    """Say what was learned from, how right the model will be, and what to do next."""
    for note in model.report.get("notes", ()):
        say(note)
    if model.report.get("tried"):
        say("tried on held-out parts of the data:")
        _say_tried(model.report["tried"])
    say(_data(model))
    _say_problems(model)
    if model.details.get("skipped"):
        say(f"left out {model.details['skipped']:,} sentences whose heads do not form a tree")
    if model.details.get("repaired"):
        say(f"repaired {model.details['repaired']:,} tags that no scheme allows, such as an I- that continues nothing")
    if model.report.get("start"):
        say(model.report["start"])
    say(f"learner {model.learner}, {model.features.n_features:,} features: {_short(str(model.features.spec))}")
    if model.reranker is not None:
        say(
            f"a second model chooses among the {model.reranker.details['k']} best outputs by "
            f"{model.reranker.features.n_features:,} features of whole outputs"
        )
    _say_expected(model)
    _say_progressive(model)
    if model.report.get("warning"):
        say(f"look: {model.report['warning']}")
    if verbose:
        _say_how_it_went(model)
    elif was_interrupted(model):
        say(model.report["stopped"])
    say(f"wrote {output} ({os.path.getsize(output) / 1e6:.1f} MB) in {seconds:.1f} s")
    if was_interrupted(model) and os.path.exists(f"{output}.part"):
        say(f"{output}.part keeps the state of the training: run the same command with --resume to go on from there")
    say(f"next: linnet predict {shlex.quote(output)} NEW_DATA")
    say(f"      linnet explain {shlex.quote(output)} TEXT")


def _say_problems(model: Model) -> None:
    """Say what is wrong with the data, the gravest first."""
    problems = model.report.get("problems", ())
    for problem in problems[:_MOST_PROBLEMS]:
        say(f"look: {problem}")
    if len(problems) > _MOST_PROBLEMS:
        say(f"look: {len(problems) - _MOST_PROBLEMS} more problems, which `linnet inspect` shows")


def _data(model: Model) -> str:
    """The data in words: where they are from, how many examples there are, and how often each label is."""
    from linnet.report.printable import visible

    columns = [repr(name) for name in model.details.get("columns", {}).values() if name is not None]
    where = f" in the column{'s' if len(columns) > 1 else ''} {' and '.join(columns)}" if columns else ""
    said = f"{model.provenance['data']}: {model.provenance['examples']:,} examples{where}, task {model.task}"
    counts = model.report.get("counts")
    if not counts:
        return said + (f", {len(model.labels)} labels" if len(model.labels) > 1 else "")
    most = sorted(zip(counts, model.labels, strict=True), key=lambda pair: -pair[0])
    shown = ", ".join(f"{visible(label)} {n:,}" for n, label in most[:_MOST_LABELS])
    more = f" and {len(most) - _MOST_LABELS} more" if len(most) > _MOST_LABELS else ""
    return f"{said}, {len(most)} labels: {shown}{more}"


def _say_expected(model: Model) -> None:
    """Say what can be expected of the model on new data, as far as held-out examples tell."""
    if "lexicon" in model.report:
        say(f"also learned from {model.report['lexicon']['examples']:,} words and texts whose labels the lexicon says")
    if "unlabelled" in model.report:
        say(f"also learned from {model.report['unlabelled']['examples']:,} texts without labels")
    found = model.report.get("expected")
    if found is None:
        epochs = model.report["trial" if "trial" in model.report else "epochs"]
        epochs = epochs["epochs"] if isinstance(epochs, dict) else epochs
        if epochs and epochs[-1]["dev"] is not None:
            best = max(epoch["dev"] for epoch in epochs)
            say(f"held out: {100 * best:.1f}% of {model.provenance['held_out']:,} examples right")
        return
    if "micro_f1" in found:
        say(
            f"expected on new data like these: micro F1 {100 * found['micro_f1']:.1f}, {100 * found['whole']:.1f}% of all sets "
            f"right as a whole ({found['n']:,} held out)"
        )
        return
    line = f"expected on new data like these: {100 * found['accuracy']:.1f}% right"
    line += f" (+- {100 * found['error']:.1f}, {found['n']:,} held out)"
    if found["always"] >= _SKEWED:
        line += f", macro F1 {100 * found['macro_f1']:.1f}"
    if found["cost_name"]:
        line += f", {found['cost_name']} {found['cost']:.2f}"
    line += f"; always {found['label']!r} would be {100 * found['always']:.1f}%"
    if found["cost_name"]:
        line += f", the best constant answer {found['always_cost']:.2f}"
    say(line)


def _say_progressive(model: Model) -> None:
    """Say how right the learner was about the examples of a stream, each before it was learned from."""
    found = model.report.get("progressive")
    if found is None:
        return
    parts = {"all": "in all", "last": f"the last {found['last']['examples']:,}"}
    said = [
        f"{name}: {found[part]['mistakes']:,} mistakes in {found[part]['judged']:,} examples "
        f"({100 * found[part]['mistakes'] / max(found[part]['judged'], 1):.1f}%), mean loss {found[part]['loss']:.3f}"
        for part, name in parts.items()
    ]
    say(f"each example predicted before it was learned from: {'; '.join(said)}")


def _say_how_it_went(model: Model) -> None:
    """Say how learning went, epoch by epoch, and what theory says about the result."""
    trial = model.report.get("trial")
    if trial is not None:
        say(
            f"with a part held out: {len(trial['epochs'])} epochs, {trial['stopped']}; the best was epoch {trial['best']}"
        )
    passes = f"{len(model.report['epochs'])} epochs" if model.report["epochs"] else "one pass"
    say(f"{passes}, {model.report['stopped']}")
    likelihood = model.report.get("likelihood")
    if likelihood is not None:
        n = model.provenance["examples"]
        say(
            f"joint likelihood of the data: ln P(x, y) = {likelihood:.6g}, {likelihood / n:.4g} for an example in the mean"
        )
    said = in_words(model.report.get("theory") or {})
    if said:
        say(said)
