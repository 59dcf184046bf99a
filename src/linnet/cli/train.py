"""The command `linnet train`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from linnet.cli.console import learning_progress, parse_settings, say
from linnet.errors import UsageError
from linnet.fitting.contract import Columns
from linnet.learners.theory import in_words
from linnet.model import Model
from linnet.tasks import guess, named
from linnet.training.data_to_model import parse_class_weight, train

if TYPE_CHECKING:
    from linnet.core.types import Json

_LONGEST = 100
"""The number of characters of the features from which on they are cut when shown."""
_PARAMETERS = {"class-weight": "class_weight", "state": "keep_state"}
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
    parallel: list[str] | None,
    rerank: int | None,
    start: str | None,
    resume: bool,
    threads: int | None,
    format: str | None,
    encoding: str | None,
    delimiter: str | None,
    text_col: str | None,
    label_col: str | None,
) -> None:
    if os.path.isdir(output):
        raise UsageError(
            f"cannot write the model to {output!r}: it is a folder. Name a file, as in {output}/my.linnet."
        )
    if threads is not None:
        import pyarrow as pa

        pa.set_cpu_count(threads)
    options, run_settings = _settings(settings or [])
    if parallel:
        _check_aligns(data, task, start, {"format": format, "encoding": encoding, "label_col": label_col})
        options["parallel"] = parallel
    began = time.perf_counter()
    with learning_progress() as progress:
        model = train(
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
            checkpoint=f"{output}.part",
            resume=resume,
            start=start,
            **run_settings,
        )
    model.save(output)
    _say(model, output, time.perf_counter() - began)


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
        ("state", _keeps_state),
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


def _keeps_state(text: str) -> bool:
    if text not in ("keep", "drop"):
        raise UsageError(f"expected state=keep or state=drop, found {text!r}.")
    return text == "keep"


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
        options = " ".join(f"{key}={value:g}" for key, value in item["options"].items())
        is_cost, score = item.get("less_is_better"), item["score"]
        right = (
            f"{item['measure']} {score:.4f}, {item['n']:,} examples"
            if is_cost
            else f"{100 * score:.2f}% of {item['n']:,}"
        )
        say(f"  {right}, {item['seconds']:.1f} s: {item['learner']} {options}, {item['features']}")


def _say(model: Model, output: str, seconds: float) -> None:
    epochs = model.report["epochs"]
    for note in model.report.get("notes", ()):
        say(note)
    if model.report.get("tried"):
        say("tried on held-out parts of the data:")
        _say_tried(model.report["tried"])
    labels = f"{len(model.labels)} labels, " if len(model.labels) > 1 else ""
    say(
        f"task {model.task}, {labels}{model.provenance['examples']:,} examples, "
        f"{model.features.n_features:,} features ({_short(str(model.features.spec))})",
    )
    if model.details.get("skipped"):
        say(f"left out {model.details['skipped']:,} sentences whose heads do not form a tree")
    if model.details.get("repaired"):
        say(f"repaired {model.details['repaired']:,} tags that no scheme allows, such as an I- that continues nothing")
    if model.report.get("start"):
        say(model.report["start"])
    line = f"{model.learner}: {len(epochs)} epochs, {model.report['stopped']}"
    if epochs and epochs[-1]["dev"] is not None:
        best = epochs[model.report["best"] - 1]["dev"]
        line += f"; {100 * best:.2f}% on {model.provenance['held_out']:,} held out, after epoch {model.report['best']}"
    say(line)
    if model.reranker is not None:
        say(
            f"a second model chooses among the {model.reranker.details['k']} best outputs by "
            f"{model.reranker.features.n_features:,} features of whole outputs"
        )
    said = in_words(model.report.get("theory") or {})
    if said:
        say(said)
    say(f"wrote {output} ({os.path.getsize(output) / 1e6:.1f} MB) in {seconds:.1f} s")
    if os.path.exists(f"{output}.part"):
        say(f"{output}.part keeps the state of the training: run the same command with --resume to go on from there")
