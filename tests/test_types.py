"""What a type checker and a completing editor see of linnet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import linnet
from linnet.fitting.registry import TASKS

ROOT = Path(__file__).parent.parent
CONFIG = "[mypy]\nstrict = true\n[mypy-pyarrow.*,sklearn.*,sacrebleu.*]\nignore_missing_imports = true\n"


def test_dir_has_the_public_names_alone():
    assert dir(linnet) == sorted([*linnet.__all__, "__version__", "plot"])
    assert all(getattr(linnet, name) is not None for name in dir(linnet))


def test_every_compiled_module_that_python_imports_has_a_stub():
    folders = ("core", "structures", "losses", "steps")
    compiled = {path for folder in folders for path in (ROOT / "src/linnet" / folder).rglob("*.pyx")}
    imported = "\n".join(path.read_text() for path in (ROOT / "src/linnet").rglob("*.py"))
    for path in compiled:
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        used = f"from {module} import" in imported or f"import {module}" in imported
        assert path.with_suffix(".pyi").exists() or not used, module


def test_stubs_say_what_the_compiled_modules_have(tmp_path):
    pytest.importorskip("mypy")
    src = ROOT / "src"
    stubs = [".".join(path.relative_to(src).with_suffix("").parts) for path in (src / "linnet").rglob("*.pyi")]
    (tmp_path / "mypy.ini").write_text(CONFIG)
    command = [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-missing-stub", *stubs]
    command += ["--mypy-config-file", "mypy.ini"]
    paths = os.environ | {"MYPYPATH": str(src)}
    said = subprocess.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True).stdout
    # Classes of Cython are bases that go with no others, and hide that __init__ takes nothing; `left` is called by position.
    known = ("disjoint base", 'stub does not have *args parameter "args"', '(remove "/")')
    assert [line for line in said.splitlines() if not any(part in line for part in known)] == []


def tasks_by_type() -> str:
    """A program in which each task is given the type Task: the registry imports tasks by name, so no type checker sees them."""
    code = "from linnet.fitting.contract import Task\n"
    for name in TASKS:
        kind = type(TASKS.named(name))
        code += f"from {kind.__module__} import {kind.__name__}\n{name}: Task = {kind.__name__}()\n"
    return code


def test_train_and_load_return_the_model_of_the_task_and_every_task_is_one(tmp_path):
    pytest.importorskip("mypy")
    wrong = 'linnet.train("a.csv", task="labels", epoch=3)\n'
    code = (
        "import linnet\n"
        'reveal_type(linnet.train("a.conll", task="tag", epochs=3))\n'
        'reveal_type(linnet.train("a.csv", task="labels").predict(["a"]))\n'
        'reveal_type(linnet.train("a.csv"))\n'
        'reveal_type(linnet.load("a.linnet"))\n' + wrong + tasks_by_type()
    )
    (tmp_path / "snippet.py").write_text(code)
    (tmp_path / "mypy.ini").write_text(CONFIG)
    command = [sys.executable, "-m", "mypy", "--config-file=mypy.ini", "--follow-imports=silent", "snippet.py"]
    paths = os.environ | {"MYPYPATH": str(ROOT / "src")}
    said = subprocess.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True).stdout.splitlines()
    told = [line.split('"')[1] for line in said if "note: Revealed type" in line]
    assert told == [
        "linnet.tasks.tag.model.TagModel",
        "list[Any]",
        "linnet.model.base.Model[Any, Any]",
        "linnet.model.base.Model[Any, Any]",
    ]
    assert {line.split(":")[1] for line in said if "error:" in line} == {"6"}  # the line of `wrong`, and no task
    assert any('did you mean "epochs"?' in line for line in said)
