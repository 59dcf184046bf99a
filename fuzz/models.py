"""Fuzzing of the model loader: forged models of every kind are loaded and asked, each in a process of its own kind.

    python fuzz/models.py [--seconds 60] [--inputs N] [--kind "tag crf"] [--workers 2] [--save FOLDER]
    python fuzz/models.py --again "tag crf" 1234        one input once more, in this process, with its traceback

An input is a kind of model and a number. Whatever it holds, the answer must be a sentence (LinnetError), or a model that
answers: no crash, no other exception, nothing longer than 10 s, and no more memory than LIMIT beside that of a good model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
from seeds import SEEDS  # noqa: E402


def save_seeds(folder: Path, kinds: list[str]) -> None:
    """Train the good models, unless they are there already."""
    for kind in kinds:
        target = folder / f"{kind}.linnet"
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as work:
            model = SEEDS[kind].train(Path(work))
            if isinstance(model, Path):
                shutil.move(model, target)
            else:
                model.save(target)


def outcome(folder: Path, kind: str, number: int, target: Path) -> str:
    """What becomes of one input: `refused` when it is loaded, `answered`, or some answers are a `sentence`."""
    from forge import forged
    from seeds import asked

    import linnet.training.checkpoint
    from linnet.errors import LinnetError

    linnet.training.checkpoint._CHECKPOINT_SECONDS = 1e9

    rng = Random(f"{kind} {number}")
    target.write_bytes(forged(folder / f"{kind}.linnet", rng))
    seed = SEEDS[kind]
    try:
        model = seed.opened(target)
    except LinnetError:
        return "refused"
    return "sentence" if "ModelError" in set(asked(seed, model, target, rng)) else "answered"


TARGET = driving.Target(__file__, list(SEEDS), save_seeds, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
