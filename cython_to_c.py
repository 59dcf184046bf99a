"""Translate the Cython modules of one folder into C: `python cython_to_c.py SOURCES FOLDER FILE.pyx...`

SOURCES is the folder that cimports are looked up in, FOLDER the one that the .c files are written to. The compiler starts once
for a whole folder, because its start takes longer than most modules do. A module is left alone if its .c file is newer than its
source and than every .pxd file, so that ninja, which looks at what was changed, compiles only what an edit has changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from Cython.Compiler.Main import CompilationOptions, compile


def main(sources: str, folder: str, *modules: str) -> int:
    declared = max(path.stat().st_mtime for path in [*Path(sources).rglob("*.pxd"), Path(__file__)])
    for module in map(Path, modules):
        c_file = Path(folder) / module.with_suffix(".c").name
        if c_file.exists() and c_file.stat().st_mtime > max(declared, module.stat().st_mtime):
            continue
        options = CompilationOptions(
            language_level=3,
            include_path=[sources],
            output_file=str(c_file),
            shared_utility_qualified_name="linnet.core.cython_shared",
        )
        if compile(str(module), options).num_errors:
            c_file.unlink(missing_ok=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
