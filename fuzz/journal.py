"""Fuzzing of the journal of labelling: a good one is changed, opened, asked everything, and added to.

    python fuzz/journal.py [--seconds 60] [--inputs N] [--kind ordinal] [--workers 2]
    python fuzz/journal.py --again ordinal 1234        one input once more, in this process, with its traceback

Whatever a journal holds, labelling goes on with it, or refuses it with a sentence (LinnetError). No whole line of it is ever
lost: what stood there before, up to the end of its last line, stands there afterwards.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
from json_changes import change_tree  # noqa: E402
from mutation import mutated  # noqa: E402

TEXTS = [f"a {word} film, number {i}" for i, word in enumerate(["good", "fine", "bad", "dull"] * 6)]
LABELS = ["1", "2", "3"]
KINDS = ["labels", "ordinal", "labelset"]


def begun(kind: str, path: Path) -> Any:
    """Labelling of some texts, with a journal that is there, or is begun."""
    from linnet.labelling.inputs import TextInputs
    from linnet.labelling.kinds import KINDS as TASKS
    from linnet.labelling.labelling import Labelling
    from linnet.labelling.pool import Pool

    pool = Pool.of(TextInputs.of(TEXTS), {0: ("1",), 1: ("3",)})
    return Labelling(pool, TASKS[kind], path, labels=LABELS, features="words:1")


@cache
def good(kind: str, folder: Path) -> bytes:
    """A journal with events of all kinds."""
    path = folder / f"good-{kind}"
    path.unlink(missing_ok=True)
    labelling = begun(kind, path)
    for row in range(2, 20):
        labelling.answer(row, [LABELS[row % 3]], by="abc"[row % 4 % 3], id=f"i{row}")
    labelling.answer(4, ["2"], by="b", id="j4")
    labelling.skip(20, by="a", id="s20")
    labelling.note(5, "a note: é", by="a", id="n5")
    labelling.undo(by="a", id="u")
    labelling.journal.close()
    return path.read_bytes()


def changed(data: bytes, random: Random) -> bytes:
    """A journal with values of one to three lines changed, or their order; or with changes of its bytes."""
    if random.random() < 0.3:
        return mutated(data, random)
    lines = data.splitlines(keepends=True)
    for _ in range(random.choice([1, 1, 2, 3])):
        at, what = random.randrange(len(lines)), random.random()
        if what < 0.8:
            try:
                value = json.loads(lines[at])
            except (ValueError, RecursionError):  # what a change before this one has put there
                continue
            if isinstance(value, dict):
                change_tree(value, random)
            lines[at] = json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass") + b"\n"
        elif what < 0.9:
            lines.insert(random.randrange(1, len(lines) + 1), lines[at])
        else:
            lines[at] = random.choice([b"\n", b"[" * 100_000 + b"\n", b"{}\n", b"null\n", b"1" * 5000 + b"\n", b"\r\n"])
    return b"".join(lines)


def prepare(folder: Path, kinds: list[str]) -> None:
    """Nothing is needed: the good journals are made by this file."""


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: `refused` when it is opened, `answered`, or some answers are a `sentence`."""
    from linnet.errors import LinnetError
    from linnet.labelling.export import export
    from linnet.labelling.review import agreement, doubts

    random = Random(f"{kind} {number}")
    before = changed(good(kind, file.parent), random)
    file.write_bytes(before)
    whole = before[: before.rfind(b"\n") + 1]
    try:
        labelling = begun(kind, file)
    except LinnetError:
        if not file.read_bytes().startswith(whole):
            raise AssertionError("a journal that was refused has lost lines") from None
        return "refused"
    questions = [
        lambda: labelling.next("a", "c"),
        lambda: labelling.answer(21, ["2"], by="a", id="new"),
        lambda: labelling.undo(by="b"),
        lambda: labelling.show(5, "b"),
        labelling.progress,
        *([] if kind == "labelset" else [lambda: doubts(labelling)]),
        lambda: agreement(labelling),
        lambda: export(labelling, file.parent / "answers.csv"),
        lambda: export(labelling, file.parent / "answers.jsonl"),
    ]
    said = False
    for question in questions:
        try:
            question()
        except LinnetError:
            said = True
    labelling.journal.close()
    if not file.read_bytes().startswith(whole):
        raise AssertionError("a journal has lost lines")
    return "sentence" if said else "answered"


TARGET = driving.Target(__file__, KINDS, prepare, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
