"""One text at a time: microseconds in a running process, and seconds for a program that starts, answers and ends."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import datasets
from errors import FailedError, MissingError
from measure import Run, compete, job, say, spawn
from report import Column, Table, contest_table

TOKENS = (241, 20)
TEXTS = 200
IN_PROCESS = tuple(Column(f"{n} tokens, us", f"us_{n}", ".1f") for n in TOKENS)
START_UP = (Column("wall s", "wall", ".3f"), Column("CPU s", "cpu", ".3f"), Column("peak MB", "peak_mb", ".0f"))
TOOLS = {
    "linnet": ("linnet", {}),
    "vw": ("vw", {"passes": 1}),
    "fastText": ("fasttext", {}),
    "sklearn tf-idf + LinearSVC": ("sklearn", {}),
}
# The shortest program that loads a model and answers for one line.
ONE_LINE = {
    "vw": "import sys; from vowpalwabbit import Workspace; m = Workspace('--quiet -t -i ' + sys.argv[1]);"
    "print(m.predict('| ' + open(sys.argv[2]).read()))",
    "fasttext": "import sys, fasttext; m = fasttext.load_model(sys.argv[1]);"
    "print(m.f.predict(open(sys.argv[2]).read(), 1, 0.0, 'strict'))",
    "sklearn": "import sys, joblib; print(joblib.load(sys.argv[1]).predict([open(sys.argv[2]).read()]))",
}


def run(quick: bool = False, rounds: int = 5) -> list[Table]:
    name = datasets.available(["imdb"])[0]
    with tempfile.TemporaryDirectory() as folder:
        files = job("latency:prepare", name=name, folder=folder, limit=1000 if quick else None)
        models, failed = _train(files, Path(folder))
        in_process: dict[str, Callable[[], Run]] = {}
        start_up: dict[str, Callable[[], Run]] = {
            "linnet predict": partial(linnet_start, models.get("linnet"), files["line.jsonl"]),
            "linnet --help": partial(linnet_help),
        }
        for title, (tool, _) in TOOLS.items():
            if tool in models:
                in_process[title] = partial(job, f"latency:{tool}", model=models[tool], texts=files["texts.json"])
            if tool in models and tool in ONE_LINE:
                argv = [sys.executable, "-c", ONE_LINE[tool], models[tool], files["line.txt"]]
                start_up[title] = partial(_spawn, argv)
        start_up["python -c pass"] = partial(_spawn, [sys.executable, "-c", "pass"])
        running, starting = compete(in_process, rounds), compete(start_up, rounds)
    running.failed |= failed
    pairs = {"linnet predict / this": dict.fromkeys(TOOLS, "linnet predict")}
    return [
        contest_table(f"latency: one text in process ({name})", running, IN_PROCESS, f"us_{TOKENS[0]}"),
        contest_table(f"latency: start, one text, end ({name})", starting, START_UP, "wall", pairs),
    ]


def linnet_start(model: str | None, line: str) -> Run:
    from peers import linnet_command

    if model is None:
        raise MissingError("linnet has no model here")
    return _spawn([linnet_command(), "predict", model, line])


def linnet_help() -> Run:
    from peers import linnet_command

    return _spawn([linnet_command(), "--help"])


def _spawn(argv: list[str]) -> Run:
    return spawn(argv).as_run()


def _train(files: Run, folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Train the model of each tool once, and report the installed tools that failed."""
    models, failed = {}, {}
    for title, (tool, options) in TOOLS.items():
        model = folder / f"{tool}.model"
        say(f"  training: {title}")
        arguments = {"train": files["train"], "test": files["short"], "out": str(folder / "out.csv")}
        try:
            job(f"tools:{tool}", model=str(model), **arguments, **options)
            models[tool] = str(model)
        except MissingError as reason:
            say(f"  {title} is left out: {reason}.")
        except FailedError as reason:
            say(f"  {title} is left out: {reason}")
            failed[title] = str(reason)
    return models, failed


def prepare(name: str, folder: str, limit: int | None) -> dict[str, str]:
    """Write the training file, a short test file, and texts cut to the wanted numbers of tokens."""
    import re

    from peers import words_only

    part = datasets.read(name, "test", 4 * TEXTS)
    cut: dict[int, list[str]] = {}
    for n in TOKENS:
        ends = ((text, [match.end() for match in re.finditer(r"\w+", text)]) for text in part.texts)
        cut[n] = [text[: end[n - 1]] for text, end in ends if len(end) >= n][:TEXTS]
    files = {name: Path(folder, name) for name in ("texts.json", "line.jsonl", "line.txt", "short.jsonl")}
    files["texts.json"].write_text(json.dumps(cut))
    datasets.write(files["line.jsonl"], [(cut[20][0], part.labels[0])])
    files["line.txt"].write_bytes(words_only(cut[20][0]) + b"\n")
    datasets.write(files["short.jsonl"], zip(part.texts[:10], part.labels[:10], strict=True))
    paths = {name: str(path) for name, path in files.items()}
    return paths | {"short": paths["short.jsonl"], "train": str(datasets.plain(name, "train", limit))}


def linnet(model: str, texts: str) -> Run:
    import linnet

    loaded = linnet.load(model)
    return _time(lambda text: loaded.predict([text]), texts)


def vw(model: str, texts: str) -> Run:
    from vowpalwabbit import Workspace

    from peers import words_only

    loaded = Workspace(f"--quiet -t -i {model}")
    return _time(lambda text: loaded.predict("| " + words_only(text).decode()), texts)


def fasttext(model: str, texts: str) -> Run:
    import fasttext

    from peers import fasttext_label, words_only

    loaded = fasttext.load_model(model)
    return _time(lambda text: fasttext_label(loaded, words_only(text).decode()), texts)


def sklearn(model: str, texts: str) -> Run:
    import joblib

    loaded = joblib.load(model)
    return _time(lambda text: loaded.predict([text]), texts)


def _time(predict: Callable[[str], object], path: str, turns: int = 5) -> Run:
    """The median time over different texts, so that no answer comes from a cache that real use would not have."""
    run: Run = {}
    for n, texts in json.loads(Path(path).read_text()).items():
        predict(texts[0])
        times = []
        for text in texts * turns:
            started = time.perf_counter_ns()
            predict(text)
            times.append(time.perf_counter_ns() - started)
        run[f"us_{n}"] = statistics.median(times) / 1e3
    return run


if __name__ == "__main__":
    from run import main

    main(["latency"])
