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


@pytest.mark.parametrize("task", ["labels calibrated", "labels auto costs", "hierarchy", "ordinal", "labelset svm"])
def test_a_model_has_the_same_bytes_whatever_the_kernels_of_blas(scenes, tmp_path, task):
    """BLAS adds in another order on each kind of processor and number of threads."""
    scene = scenes[task]
    models = []
    for name, content in scene.inputs.items():
        (tmp_path / name).write_text(content)
    for kernel, threads in (("Prescott", "1"), ("Haswell", "2")):
        command = [sys.executable, "-m", "linnet", *scene.command, "--quiet"]
        env = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": threads}
        subprocess.run(command, cwd=tmp_path, env=env, check=True, timeout=120)
        models.append((tmp_path / scene.output).read_bytes())
        (tmp_path / scene.output).unlink()
    assert len(models[0]) > 1000
    assert models[0] == models[1]


def test_two_labels_have_the_same_bytes_whatever_the_kernels_of_blas(tmp_path):
    """Their report has the length of one vector with a sign."""
    rows = "".join(f"w{i} v{i % 7} u{i % 3},{'ab'[i % 2]}\n" for i in range(200))
    (tmp_path / "data.csv").write_text(f"text,label\n{rows}")
    models = []
    for kernel in ("Prescott", "Haswell"):
        command = [
            sys.executable,
            "-m",
            "linnet",
            "train",
            "data.csv",
            "-o",
            "m.linnet",
            "--learner",
            "perceptron",
            "--quiet",
        ]
        env = {**os.environ, "OPENBLAS_CORETYPE": kernel}
        subprocess.run(command, cwd=tmp_path, env=env, check=True, timeout=120)
        models.append((tmp_path / "m.linnet").read_bytes())
        (tmp_path / "m.linnet").unlink()
    assert b"signed_margin" in models[0]
    assert models[0] == models[1]


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
