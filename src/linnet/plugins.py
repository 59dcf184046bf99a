"""Files of one's own: what they add to the registries is found by its name from then on.

    linnet --with ramp.pyx train reviews.csv -o reviews.linnet --learner ramp

A .py is run. A .pyx is compiled before, with the declarations of the core, and kept in __pycache__ beside it until it or they
change.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from linnet.errors import UsageError

_LINNET = Path(__file__).parent
USED: list[str] = []
"""The files that were run."""


def use(path: str | os.PathLike[str]) -> ModuleType:
    """Run a file of one's own, .py or .pyx, which adds tasks, learners, features or formats, and return it as a module."""
    file = Path(path)
    if file.suffix not in (".py", ".pyx"):
        raise UsageError(f"expected a file of Python (.py) or Cython (.pyx), found {str(file)!r}.")
    if not file.is_file():
        raise UsageError(
            f"the file {str(file)!r} does not exist. Name one that adds tasks, learners, features or formats."
        )
    name = f"{__name__}.{file.stem}"
    spec = spec_from_file_location(name, file if file.suffix == ".py" else _compiled(file))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    USED.append(str(file))
    return module


def _compiled(file: Path) -> Path:
    """The compiled form of a .pyx. It is named after all that it is made of, so that a file that is there already is right."""
    import hashlib
    import shlex
    import sysconfig
    from tempfile import TemporaryDirectory

    declared = b"".join(path.read_bytes() for path in sorted(_LINNET.rglob("*.pxd")))
    key = hashlib.sha256(file.read_bytes() + declared).hexdigest()[:16]
    made = file.parent / "__pycache__" / f"{file.stem}-{key}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if made.exists():
        return made
    if find_spec("Cython") is None:
        raise UsageError(f"{str(file)!r} has to be compiled, which needs Cython. Do `pip install cython`.")
    made.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=made.parent) as folder:
        c, so = (os.path.join(folder, f"{file.stem}{end}") for end in (".c", ".so"))
        _run(file, [sys.executable, "-m", "cython", "-3", "-I", str(_LINNET.parent), str(file.resolve()), "-o", c])
        flags = [flag for name in ("LDSHARED", "CFLAGS", "CCSHARED") for flag in shlex.split(_config(name))]
        _run(file, [*flags, f"-I{sysconfig.get_path('include')}", c, "-o", so])
        os.replace(so, made)
    return made


def _config(name: str) -> str:
    import sysconfig

    return sysconfig.get_config_var(name) or ""


def _run(file: Path, command: list[str]) -> None:
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UsageError(f"{str(file)!r} has to be compiled, which needs a C compiler, {command[0]!r}.") from None
    if done.returncode:
        raise UsageError(f"{str(file)!r} does not compile. Correct it:\n{done.stderr.strip()}")
