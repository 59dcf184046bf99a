"""Python orders sets of strings by a seed that is another one in each process: no bit of a model may depend on it."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz"
TASKS = (
    "labels nb-svm", "labelset svm", "ranking", "hierarchy", "ordinal", "tag crf", "compress", "parse own tags", "brackets",
    "align", "candidates",
)  # fmt: skip


@pytest.fixture(scope="module")
def scenes():
    """The commands of fuzz/scenes.py, which has small data for every task."""
    sys.path.insert(0, str(FUZZ))
    try:
        spec = spec_from_file_location("scenes_of_kills", FUZZ / "scenes.py")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FUZZ))
    return module.SCENES


@pytest.mark.parametrize("task", TASKS)
def test_a_model_has_the_same_bytes_whatever_the_order_of_hashes(scenes, tmp_path, task):
    scene = scenes[task]
    for name, content in scene.inputs.items():
        (tmp_path / name).write_text(content)
    models = []
    for seed in ("1", "5"):
        command = [sys.executable, "-m", "linnet", *scene.command, "--quiet"]
        subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, timeout=120)
        models.append((tmp_path / scene.output).read_bytes())
    assert len(models[0]) > 1000
    assert models[0] == models[1]
