"""From a file to predictions: MB of text a second, beside what only reading the file and only cutting texts into tokens takes.

The model is the one that linnet learns with no option. Answers have their confidences, and are not written; the last table is
of the whole command, with its start and its output. fastText has its texts in memory, with words and blanks only, so that it
neither reads nor tokenises more than a split at blanks. MB are those of the texts, not of the file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import datasets
from errors import FailedError, MissingError
from measure import Run, compete, job, say, section, spawn
from report import Column, Table, contest_table

COLUMNS = (
    Column("MB/s of CPU", "mb_per_cpu_s", ".1f"),
    Column("MB/s of wall", "mb_per_s", ".1f"),
    Column("us a text", "us", ".1f"),
)
FILES = {"Parquet": "texts.parquet", "Arrow": "texts.arrow", "JSON lines": "texts.jsonl"}


def run(quick: bool = False, rounds: int = 7) -> list[Table]:
    name = datasets.available(["imdb"])[0]
    with tempfile.TemporaryDirectory() as folder:
        limit = 2000 if quick else None
        job("predicting:prepare", name=name, folder=folder, limit=limit)
        train, model = str(datasets.plain(name, "train", limit)), str(Path(folder, "linnet.model"))
        job("predicting:train", train=train, model=model)
        contestants: dict[str, Callable[[], Run]] = {}
        for kind, file in FILES.items():
            for threads in (1, 2):
                who = f"linnet, {kind}, {threads} thread{'s' * (threads > 1)}"
                path = str(Path(folder, file))
                contestants[who] = partial(job, "predicting:linnet", model=model, path=path, threads=threads)
        for kind, file in FILES.items():
            contestants[f"only reading {kind}"] = partial(
                job, "predicting:reading", model=model, path=str(Path(folder, file))
            )
        texts = str(Path(folder, FILES["Arrow"]))
        contestants["only tokens"] = partial(job, "predicting:tokens", path=texts)
        contestants["only features"] = partial(job, "predicting:features", model=model, path=texts)
        contestants |= _fasttext(train, folder, texts)
        commands = {
            f"linnet predict -o {out} {' '.join(options)}": partial(_command, model, folder, out, options)
            for out, options in (("out.parquet", ["--keep", "id"]), ("out.csv", ["--keep", "id"]), ("out.csv", []))
        }
        of_files = contest_table(
            f"predicting: {name}", compete(contestants, rounds), COLUMNS, "us", _pairs(contestants)
        )
        return [of_files, contest_table(f"predicting: the command, {name}", compete(commands, rounds), COMMANDS)]


COMMANDS = (Column("wall s", "wall"), Column("CPU s", "cpu"), Column("peak MB", "peak_mb", ".0f"))


def _pairs(contestants: Iterable[str]) -> dict[str, dict[str, str]]:
    """One thread from Parquet against everything that is not linnet."""
    ours = "linnet, Parquet, 1 thread"
    return {f"{ours} / this": {who: ours for who in contestants if not who.startswith("linnet")}}


def _fasttext(train: str, folder: str, texts: str) -> dict[str, Callable[[], Run]]:
    """The contestant fastText, with its model; nothing where it is not installed."""
    model = str(Path(folder, "fasttext.model"))
    say("  training: fastText")
    try:
        short = str(Path(folder, "short.jsonl"))
        job("tools:fasttext", train=train, test=short, model=model, out=str(Path(folder, "out.txt")))
    except (MissingError, FailedError) as reason:
        say(f"  fastText is left out: {reason}.")
        return {}
    return {"fastText, in memory": partial(job, "predicting:fasttext", model=model, path=texts)}


def _command(model: str, folder: str, out: str, options: list[str]) -> Run:
    from peers import linnet_command

    where = Path(folder, out)
    where.unlink(missing_ok=True)
    return spawn(
        [linnet_command(), "predict", model, Path(folder, FILES["Parquet"]), "-o", where, "--quiet", *options]
    ).as_run()


def prepare(name: str, folder: str, limit: int | None) -> Run:
    """Write the texts of the test part, with an id, as each kind of file."""
    import pyarrow as pa
    import pyarrow.feather as feather
    import pyarrow.parquet as parquet

    part = datasets.read(name, "test", limit)
    numbers = range(len(part.texts))
    table = pa.table({"id": [f"test/{i}" for i in numbers], "text": part.texts})
    parquet.write_table(table, Path(folder, FILES["Parquet"]))
    feather.write_feather(table, str(Path(folder, FILES["Arrow"])), compression="uncompressed", chunksize=4096)
    datasets.write(Path(folder, FILES["JSON lines"]), zip(part.texts, part.labels, strict=True))
    datasets.write(Path(folder, "short.jsonl"), zip(part.texts[:10], part.labels[:10], strict=True))
    return {}


def train(train: str, model: str) -> Run:
    import linnet

    linnet.train(train).save(model)
    return {}


def linnet(model: str, path: str, threads: int) -> Run:
    import linnet
    from linnet.core.threads import ahead, limited

    loaded = linnet.load(model)
    answer = partial(loaded.answers, proba=True)

    def predict() -> None:
        with limited(threads):  # to read as well: lines of JSON are parsed by as many threads as there may be
            for _ in ahead(answer, loaded.batches(path)):
                pass

    return _measure(predict, path)


def reading(model: str, path: str) -> Run:
    import linnet

    loaded = linnet.load(model)

    def read() -> None:
        for _ in loaded.batches(path):
            pass

    return _measure(read, path)


def tokens(path: str) -> Run:
    from linnet.core.extract.text import Analyser

    analyser, column = Analyser(words=(0, 0), punctuation=True), _column(path)
    return _measure(lambda: analyser.rows(column), path)


def features(model: str, path: str) -> Run:
    import linnet

    loaded, column = linnet.load(model), _column(path)
    pieces = [column.slice(at, 256) for at in range(0, len(column), 256)]

    def transform() -> None:
        for piece in pieces:
            loaded.features.transform(piece)

    return _measure(transform, path)


def fasttext(model: str, path: str) -> Run:
    import fasttext

    from peers import words_only

    loaded = fasttext.load_model(model)
    lines = [words_only(text).decode() + "\n" for text in _column(path).to_pylist()]
    return _measure(lambda: loaded.f.multilinePredict(lines, 1, 0.0, "strict"), path)


def _column(path: str):  # type: ignore[no-untyped-def]
    """The texts of a file of Arrow."""
    import pyarrow as pa

    return pa.ipc.open_file(path).read_all()["text"].cast(pa.large_string())


def _measure(work: Callable[[], object], path: str) -> Run:
    """The time of the second of two passes: the first brings the file and the model into memory."""
    column = _column(str(Path(path).with_name(FILES["Arrow"])))
    size = sum(chunk.nbytes for chunk in column.chunks) / 1e6
    work()
    with section() as taken:
        work()
    return taken | {
        "mb_per_cpu_s": size / taken["cpu"],
        "mb_per_s": size / taken["wall"],
        "us": taken["cpu"] / len(column) * 1e6,
    }


if __name__ == "__main__":
    from run import main

    main(["predicting"])
