"""Run the user's own files. What they add to the registries can be asked for by its name from then on.

    linnet --with ramp.pyx train reviews.csv -o reviews.linnet --learner ramp

A .py file is run. A .pyx file is first compiled against the declarations (.pxd files) of linnet. The compiled file is
kept in __pycache__ beside it, and is made again when the .pyx file or one of the declarations has changed.
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
"""The files that were run. They are inputs of a command, which its outputs may not replace."""


def use(path: str | os.PathLike[str]) -> ModuleType:
    """Run a file of the user's own, .py or .pyx, that adds tasks, learners, features or formats, and return it."""
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
    """The path of the compiled form of a .pyx file, which is made where it is not there. Its name has a hash of all
    that it is made of, so a file of that name is never out of date."""
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
